"""The one way to a model: a limit is looked at, a row is written, the question is asked, and the answer is checked.

Whatever goes wrong is a `Failure`; whoever asked has an answer without a model and gives that. An answer in the form
of a msgspec Struct is taken only when it fits; what is around its JSON, such as a code fence, is passed over.
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
"""What a model is asked for; each may have a model of its own."""
ShapeT = TypeVar("ShapeT")
DEFAULT_ANSWER_TOKENS = 1_000
_SLOTS: dict[int, threading.BoundedSemaphore] = {}
_SLOTS_LOCK = threading.Lock()
_POLL_SECONDS = 0.1
ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")
MAX_ANSWER_CHARS = 100_000
"""Of an answer that is read."""
_MAX_QUOTED_CHARS = 2_000
"""Characters of an answer that are sent back to be mended."""
_REPAIR_TEMPLATE = (
    "{prompt}\n\nThe answer to this was no JSON object of the form that was asked for ({why}). It began:\n\n"
    "{answer}\n\n"
    "Answer again, with the JSON object alone."
)


class LLMRequest(NamedTuple):
    """One question to a model."""

    prompt: str
    system: str = ""
    session_id: str = ""
    """The session it is about; its calls are counted together."""
    max_tokens: int = DEFAULT_ANSWER_TOKENS


class ModelClient:
    """Asks the models of one memory, within its limits."""

    def __init__(self, store: Store, is_cancelled: Callable[[], bool] = never_cancelled) -> None:
        self._store = store
        self._is_cancelled = is_cancelled
        self.ledger = UsageLedger(store.state)

    def is_offered(self, purpose: Purpose) -> bool:
        """Whether there is a model for the purpose; without one nothing is asked and nothing is said about it."""
        from recall_tui.llm.selection import select_model

        return not isinstance(select_model(self._store, purpose), Failure)

    def answer(self, purpose: Purpose, asked: LLMRequest, shape: type[ShapeT]) -> ShapeT | Failure:
        """The answer as a `shape`, a msgspec Struct; one that does not fit is sent back once to be mended."""

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
        """The row of the call; no row, no call."""
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
        """Make the call, and say in its row what became of it."""
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
                # A model of another package may raise what it likes.
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
                why = "the ledger could not be written"  # The row is there, as one that is running.
        return result


def _safe_failure(said: object, name: str) -> Failure:
    """A failure as it can be shown and kept, whatever the model gave back."""
    failure = said if isinstance(said, Failure) else Failure(f"{name} gave back no answer")
    return failure._replace(reason=first_line(str(failure.reason)))


def _estimated_usage(asked: LLMRequest) -> Usage:
    """What a call without an answer may have taken."""
    return estimate_usage(asked.system + asked.prompt, "")


class _InvalidAnswer(NamedTuple):
    """An answer that has not the form it was asked for."""

    text: str
    why: str


class _CallSlot:
    """A place among the calls that this process makes at one time."""

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
    """Each piece with what came of it, in the order in which they are done; an exception of one is raised here.

    No more than `most` are ever begun at once; when it is stopped nothing new begins, and what runs ends by itself.
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
    """The JSON schema of a Struct, without references, closed to further keys, every key required."""
    import msgspec

    (schema,), parts = msgspec.json.schema_components([shape], ref_template="{name}")
    whole: JsonSchema = _resolve_refs(schema, parts)
    return whole


def _resolve_refs(schema: object, parts: dict[str, object]) -> dict[str, object]:
    """The schema with its parts put in where they are named."""

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
    """The first JSON object in the text as a `shape`; else why there is none, in words."""
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
    """The question that asks for the answer again, in the form it shall have; what was answered is material by now."""
    from recall_tui.llm.prompts import frame

    return _REPAIR_TEMPLATE.format(prompt=prompt, why=why, answer=frame("answer", answer[:_MAX_QUOTED_CHARS]))
