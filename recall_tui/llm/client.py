"""Call language models: check the limits, write the ledger row, send the request, validate the response.

Every error becomes a `Failure`; the caller then falls back to its answer without a model. A response is accepted only
when its JSON fits the requested msgspec Struct; text around the JSON, such as a code fence, is ignored.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from recall_tui.errors import RecallError
from recall_tui.llm.failure_text import first_line
from recall_tui.llm.model import Completion, Failure, JsonSchema, Model, Usage, estimate_usage, never_cancelled
from recall_tui.llm.usage_ledger import CallRequest, Outcome, UsageLedger, UsageLimits

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

Purpose = Literal["summary", "synthesis", "dream"]
"""The purpose of a request; each may have its own model."""
ShapeT = TypeVar("ShapeT")
DEFAULT_ANSWER_TOKENS = 1_000
_SLOTS: dict[int, threading.BoundedSemaphore] = {}
_SLOTS_LOCK = threading.Lock()
_POLL_SECONDS = 0.1
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
MAX_ANSWER_CHARS = 100_000
"""The maximum length of a response that is parsed."""
_MAX_QUOTED_CHARS = 2_000
"""Characters of an invalid response that the repair prompt quotes."""
_REPAIR_TEMPLATE = (
    "{prompt}\n\nThe answer to this was no JSON object of the form that was asked for ({why}). It began:\n\n"
    "{answer}\n\n"
    "Answer again, with the JSON object alone."
)


class LLMRequest(NamedTuple):
    """A request to a model."""

    prompt: str
    system: str = ""
    session_id: str = ""
    """The session that the request is about; calls are limited per session."""
    max_tokens: int = DEFAULT_ANSWER_TOKENS


class ModelClient:
    """Call the models of one memory within its limits."""

    def __init__(self, store: Store, is_cancelled: Callable[[], bool] = never_cancelled) -> None:
        self._store = store
        self._is_cancelled = is_cancelled
        self.ledger = UsageLedger(store.state)

    def is_offered(self, purpose: Purpose) -> bool:
        """Return whether a model is configured for the purpose; without one no request is made and no message shown."""
        from recall_tui.llm.selection import select_model

        return not isinstance(select_model(self._store, purpose), Failure)

    def answer(self, purpose: Purpose, asked: LLMRequest, shape: type[ShapeT]) -> ShapeT | Failure:
        """Return the response as a `shape` (a msgspec Struct); a response that does not fit is sent back once for
        repair.
        """

        schema = schema_of(shape)
        said = self._asked(purpose, asked, schema, lambda text: decode_answer(text, shape))
        if not isinstance(said, _InvalidAnswer):
            return said
        again = asked._replace(prompt=repair_prompt(asked.prompt, said.text, said.why))
        said = self._asked(purpose, again, schema, lambda text: decode_answer(text, shape))
        return Failure(said.why, "the answer without a model is taken") if isinstance(said, _InvalidAnswer) else said

    def _asked(
        self, purpose: Purpose, asked: LLMRequest, schema: JsonSchema, fit: Callable[[str], ShapeT | str]
    ) -> ShapeT | Failure | _InvalidAnswer:
        from recall_tui.llm.selection import select_model

        model = select_model(self._store, purpose)
        if isinstance(model, Failure):
            return model
        with _CallSlot(self._store.config.whole("llm.concurrency"), self._is_cancelled) as is_free:
            if not is_free:
                return Failure("cancelled", is_refusal=True)
            row = self._begun(purpose, model, asked)
            if isinstance(row, Failure):
                return row
            return self._made(model, row, asked, schema, fit)

    def _begun(self, purpose: Purpose, model: Model, asked: LLMRequest) -> int | Failure:
        """Insert the ledger row of the call; without a row there is no call."""
        config = self._store.config
        limits = UsageLimits(
            *map(config.whole, ("llm.calls_per_day", "llm.tokens_per_day", "llm.calls_per_session")),
        )
        expected = Usage(estimate_usage(asked.system + asked.prompt, "").asked, asked.max_tokens, is_estimated=True)
        request = CallRequest(self._store.now(), purpose, model.name, asked.session_id, expected)
        try:
            return self.ledger.begin(request, limits)
        except (RecallError, OSError) as error:
            return Failure(f"the ledger cannot be written: {error}", is_refusal=True)

    def _made(
        self, model: Model, row: int, asked: LLMRequest, schema: JsonSchema, fit: Callable[[str], ShapeT | str]
    ) -> ShapeT | Failure | _InvalidAnswer:
        """Call the model and record the outcome in its ledger row."""
        from recall_tui.llm.selection import with_cost

        start = perf_counter()
        said: Completion | Failure = Failure("the program ended")
        result: ShapeT | Failure | _InvalidAnswer = Failure("the program ended")
        outcome: Outcome = "failed"
        why = "the program ended"
        try:
            try:
                said = model.complete(
                    asked.prompt, asked.system, schema, asked.max_tokens, is_cancelled=self._is_cancelled
                )
            except Exception as error:
                # A model from a plugin may raise anything.
                said = Failure(f"{model.name}: {type(error).__name__}: {error}")
            if not isinstance(said, Completion) or not isinstance(said.text, str):
                said = _safe_failure(said, model.name)
                outcome, why, result = "cancelled" if self._is_cancelled() else "failed", said.reason, said
            else:
                fits = fit(said.text)
                outcome = "unusable" if isinstance(fits, str) else "answered"
                why = fits if isinstance(fits, str) else ""
                result = _InvalidAnswer(said.text, fits) if isinstance(fits, str) else fits
        finally:
            usage = with_cost(said.usage, self._store.config) if said.usage else _estimated_usage(asked)
            try:
                self.ledger.end(row, usage, (perf_counter() - start) * 1_000, outcome, why)
            except (RecallError, OSError):
                why = "the ledger could not be written"  # The row stays in the ledger as a running call.
        return result


def _safe_failure(said: object, name: str) -> Failure:
    """Return a failure that is safe to show and store, whatever the model returned."""
    failure = said if isinstance(said, Failure) else Failure(f"{name} gave back no answer")
    return failure._replace(reason=first_line(str(failure.reason)))


def _estimated_usage(asked: LLMRequest) -> Usage:
    return estimate_usage(asked.system + asked.prompt, "")


class _InvalidAnswer(NamedTuple):
    """A response that does not fit the requested schema."""

    text: str
    why: str


class _CallSlot:
    """A slot among the concurrent calls of this process; entering returns False when cancelled."""

    def __init__(self, most: int, is_cancelled: Callable[[], bool]) -> None:
        with _SLOTS_LOCK:
            self._free = _SLOTS.setdefault(most, threading.BoundedSemaphore(most))
        self._is_cancelled = is_cancelled
        self._is_taken = False

    def __enter__(self) -> bool:
        while not self._is_cancelled():
            if self._free.acquire(timeout=_POLL_SECONDS):
                self._is_taken = True
                break
        return self._is_taken

    def __exit__(self, *_: object) -> None:
        if self._is_taken:
            self._free.release()


def run_concurrently(
    do: Callable[[ItemT], ResultT], pieces: Iterable[ItemT], most: int, is_stopped: Callable[[], bool] = never_cancelled
) -> Iterator[tuple[ItemT, ResultT]]:
    """Yield each item with its result in order of completion; an exception of a call is raised here.

    At most `most` calls run at once. After `is_stopped` returns True no new call starts; running ones finish.
    """
    from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

    waiting = iter(pieces)
    running: dict[Future[ResultT], ItemT] = {}
    with ThreadPoolExecutor(max(1, most), "asking") as pool:
        while True:
            while len(running) < max(1, most) and not is_stopped() and (piece := next(waiting, None)) is not None:
                running[pool.submit(do, piece)] = piece
            if not running:
                return
            for done in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(done), done.result()


def schema_of(shape: type[object]) -> JsonSchema:
    """Return the JSON schema of a Struct: references inlined, no additional properties, every key required."""
    import msgspec

    (schema,), parts = msgspec.json.schema_components([shape], ref_template="{name}")
    whole: JsonSchema = _resolve_refs(schema, parts)
    return whole


def _resolve_refs(schema: object, parts: dict[str, object]) -> dict[str, object]:
    """Return the schema with every `$ref` replaced by its definition."""

    def walked(value: object) -> object:
        if isinstance(value, list):
            return [walked(one) for one in value]
        if not isinstance(value, dict):
            return value
        if isinstance(ref := value.get("$ref"), str):
            return walked(parts[ref])
        found = {key: walked(one) for key, one in value.items() if key not in ("title", "default")}
        if found.get("type") == "object" and isinstance(properties := found.get("properties"), dict):
            found |= {"additionalProperties": False, "required": list(properties)}
        return found

    found = walked(schema)
    assert isinstance(found, dict)
    return found


def decode_answer(text: str, shape: type[ShapeT]) -> ShapeT | str:
    """Decode the first JSON object of the text as a `shape`; otherwise return the reason as text."""
    import msgspec

    text = text[:MAX_ANSWER_CHARS]
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return "no JSON object in the answer"
    try:
        return msgspec.json.decode(text[start : end + 1].encode("utf-8", "replace"), type=shape)
    except (msgspec.DecodeError, RecursionError) as error:
        return str(error).splitlines()[0][:200] or "the JSON cannot be read"


def repair_prompt(prompt: str, answer: str, why: str) -> str:
    """Return the prompt that asks again for valid JSON; the invalid response is framed as untrusted material."""
    from recall_tui.llm.prompts import frame

    return _REPAIR_TEMPLATE.format(prompt=prompt, why=why, answer=frame("answer", answer[:_MAX_QUOTED_CHARS]))
