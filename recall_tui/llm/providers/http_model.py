"""A language model behind an HTTP endpoint."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable

from recall_tui.llm.model import Completion, Failure, JsonSchema, never_cancelled
from recall_tui.llm.providers.dialects import ChatRequest, Dialect
from recall_tui.llm.providers.endpoints import Endpoint
from recall_tui.llm.providers.http_client import HttpExchange, clean_header


class HttpModel:
    """A model behind an endpoint."""

    def __init__(
        self,
        name: str,
        dialect: Dialect[ChatRequest, Completion],
        endpoint: Endpoint,
        model: str,
        seconds: float,
        *,
        pause: Callable[[float], Awaitable[None]] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self.name = name
        self._model = model
        self._seconds = seconds
        self._exchange = HttpExchange(dialect, endpoint, pause=pause, chance=chance)

    def complete(
        self,
        prompt: str,
        system: str = "",
        schema: JsonSchema | None = None,
        max_tokens: int = 1_000,
        *,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Completion | Failure:
        """Send the request, retrying while the server is busy, until there is a response or the timeout."""
        question = ChatRequest(self._model, clean_header(prompt), clean_header(system), schema, max_tokens)
        return self._exchange.answer(question, self._seconds, is_cancelled)
