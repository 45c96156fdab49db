"""Vectors by a server: each call within the limit of the day, and a row in the ledger before it is made.

What is sent has its secrets redacted, and goes to the one address of the settings.
"""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from time import perf_counter
from typing import TYPE_CHECKING

from recall_tui.errors import ModelError, RecallError
from recall_tui.llm.embedders.dialect import EmbeddingRequest, OpenAiEmbeddings
from recall_tui.llm.embedders.unit_vectors import to_unit_vectors
from recall_tui.llm.model import Failure, Usage, estimate_usage
from recall_tui.llm.providers.endpoints import Endpoint
from recall_tui.llm.providers.http_client import HttpExchange
from recall_tui.llm.usage_ledger import EMBEDDING_PURPOSE, UNLIMITED, CallRequest, Outcome, UsageLedger, UsageLimits
from recall_tui.text.cut import strip_controls
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors
    from recall_tui.storage.memory_context import Store

QUERY_TIMEOUT_SECONDS = 4.0
"""For a single text, which is mostly a question that somebody waits with: after them words alone have to do."""
_OUTCOME_FAILED: Outcome = "failed"
_OUTCOME_UNUSABLE: Outcome = "unusable"
_OUTCOME_ANSWERED: Outcome = "answered"
_MAX_ANSWER_BYTES = 48 * 1024 * 1024
"""Of an answer: the most texts of a batch, at four thousand numbers each."""


class ServedEmbedder:
    """A model behind an endpoint."""

    def __init__(
        self,
        store: Store,
        endpoint: Endpoint,
        model: str,
        *,
        pause: Callable[[float], Awaitable[None]] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        wanted = store.config.get("embeddings.dimensions")
        self._wanted = wanted if isinstance(wanted, int) else None
        self.name = f"{endpoint.host}/{model}" + (f"/{self._wanted}" if self._wanted else "")
        self._store = store
        self._model = model
        self._width = self._wanted or 0
        self._ledger = UsageLedger(store.state)
        self._exchange = HttpExchange(
            OpenAiEmbeddings(), endpoint, most_bytes=_MAX_ANSWER_BYTES, pause=pause, chance=chance
        )

    @property
    def dimensions(self) -> int:
        """How wide its vectors are; the server is asked once when no setting says it."""
        if not self._width:
            self.embed(["width"])
        return self._width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of unit length for each text; ModelError when the server or a limit says no."""
        import numpy as np

        batch = self._store.config.whole("embeddings.batch")
        parts = [self._asked(texts[start : start + batch]) for start in range(0, len(texts), batch)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), dtype=np.float32)

    def _asked(self, texts: Sequence[str]) -> Vectors:
        """The vectors of one batch, and what became of the call in its row."""
        question = EmbeddingRequest(self._model, tuple(redact(strip_controls(text)) for text in texts), self._wanted)
        expected = estimate_usage("".join(question.texts), "")
        seconds = float(self._store.config.whole("embeddings.timeout_seconds"))
        row = self._begun(expected)
        start = perf_counter()
        usage, outcome, why = expected, _OUTCOME_FAILED, "the program ended"
        try:
            said = self._exchange.answer(question, min(seconds, QUERY_TIMEOUT_SECONDS) if len(texts) == 1 else seconds)
            usage = said.usage or expected
            if isinstance(said, Failure):
                why = said.reason
                raise ModelError(f"no vectors: {said.reason}", hint=said.hint)
            outcome, why = _OUTCOME_UNUSABLE, "its vectors cannot be used"
            made = to_unit_vectors(said.rows, len(texts), self._width, self.name)
            outcome, why = _OUTCOME_ANSWERED, ""
        finally:
            with suppress(RecallError, OSError):
                # What cannot be written stays in the row as a call that is running.
                self._ledger.end(row, usage, (perf_counter() - start) * 1_000, outcome, why)
        self._width = made.shape[1]
        return made

    def _begun(self, expected: Usage) -> int:
        """The row of the call; no row, no call."""
        config = self._store.config
        limits = UsageLimits(UNLIMITED, config.whole("embeddings.tokens_per_day"), UNLIMITED)
        try:
            row = self._ledger.begin(CallRequest(self._store.now(), EMBEDDING_PURPOSE, self.name, "", expected), limits)
        except (RecallError, OSError) as error:
            raise ModelError(f"no vectors: the ledger cannot be written: {error}") from None
        if isinstance(row, Failure):
            raise ModelError(f"no vectors: {row.reason}", hint=row.hint)
        return row
