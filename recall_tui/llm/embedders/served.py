"""Embed texts with a server: every call is within the daily limit and has a ledger row before it is sent.

Secrets are redacted from what is sent, and it goes only to the configured address.
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
"""For a single text, usually an interactive query: after the timeout the search is lexical only."""
_OUTCOME_FAILED: Outcome = "failed"
_OUTCOME_UNUSABLE: Outcome = "unusable"
_OUTCOME_ANSWERED: Outcome = "answered"
_MAX_ANSWER_BYTES = 48 * 1024 * 1024
"""The maximum response size: a full batch at four thousand dimensions each."""


class ServedEmbedder:
    """An embedding model behind an HTTP endpoint."""

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
        """Return the width of the vectors; sends one probe request when no setting states it."""
        if not self._width:
            self.embed(["width"])
        return self._width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text; ModelError when the server or a limit refuses."""
        import numpy as np

        batch = self._store.config.whole("embeddings.batch")
        parts = [self._asked(texts[start : start + batch]) for start in range(0, len(texts), batch)]
        return np.concatenate(parts) if parts else np.empty((0, self.dimensions), dtype=np.float32)

    def _asked(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of one batch, and record the outcome in the ledger row."""
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
                # If the write fails, the row stays as a running call.
                self._ledger.end(row, usage, (perf_counter() - start) * 1_000, outcome, why)
        self._width = made.shape[1]
        return made

    def _begun(self, expected: Usage) -> int:
        """Insert the ledger row of the call; without a row there is no call."""
        config = self._store.config
        limits = UsageLimits(UNLIMITED, config.whole("embeddings.tokens_per_day"), UNLIMITED)
        try:
            row = self._ledger.begin(CallRequest(self._store.now(), EMBEDDING_PURPOSE, self.name, "", expected), limits)
        except (RecallError, OSError) as error:
            raise ModelError(f"no vectors: the ledger cannot be written: {error}") from None
        if isinstance(row, Failure):
            raise ModelError(f"no vectors: {row.reason}", hint=row.hint)
        return row
