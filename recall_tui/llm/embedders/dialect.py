"""The OpenAI `/v1/embeddings` dialect, which most servers speak.

Pure: texts become a request body, a response body becomes rows in the order of the texts; the values are validated
elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from recall_tui.llm.model import Failure, Usage, provider_usage
from recall_tui.llm.providers.dialects import Omissions

EMBEDDINGS_PATH = "/embeddings"
TEXT_LIMITS = {"": 8_000, "long": 1_500, "middling": 750}
"""Maximum characters sent per text, by the omissions in force; a token is usually three or four characters."""
_EMPTY_TEXT = "-"
"""Sent in place of a blank text, which servers refuse."""
_LENGTH_ERRORS = ("token", "length", "too long", "context")


class EmbeddingRequest(NamedTuple):
    """A request for vectors."""

    model: str
    texts: tuple[str, ...]
    dimensions: int | None = None
    """None for the model's default."""


class EmbeddingResponse(NamedTuple):
    """The rows of a server's response."""

    rows: list[Any]
    usage: Usage | None
    """None when the server reports none."""


class OpenAiEmbeddings:
    """`/v1/embeddings`."""

    def headers(self, key: str) -> dict[str, str]:
        """Return the bearer authorization header; empty without a key."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, question: EmbeddingRequest, left_out: Omissions) -> dict[str, Any]:
        """Return the request body, with texts truncated to the current limit."""
        most = min(TEXT_LIMITS[one] for one in {"", *left_out})
        texts = [text[:most] if text.strip() else _EMPTY_TEXT for text in question.texts]
        asked: dict[str, Any] = {"model": question.model, "input": texts, "encoding_format": "float"}
        return asked if question.dimensions is None else {**asked, "dimensions": question.dimensions}

    def simpler(self, question: EmbeddingRequest, left_out: Omissions, said: str) -> Omissions | None:
        """Return the omissions with a shorter text limit if the server reports too long an input, else None."""
        words = said.lower()
        if not any(word in words for word in _LENGTH_ERRORS):
            return None
        return next((left_out | {one} for one in TEXT_LIMITS if one and one not in left_out), None)

    def understood(self, data: Mapping[str, Any], question: EmbeddingRequest) -> EmbeddingResponse | Failure:
        """Return the rows in the order of the texts, by their `index`."""
        found = data.get("data")
        table = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        used = data.get("usage")
        asked = used.get("prompt_tokens", used.get("total_tokens")) if isinstance(used, dict) else None
        usage = provider_usage(asked, 0, used.get("cost") if isinstance(used, dict) else None)
        if len(table) != len(question.texts):
            return Failure(f"{len(table)} vectors came for {len(question.texts)} texts", usage=usage)
        places = [one.get("index", number) for number, one in enumerate(table)]
        if sorted(place for place in places if isinstance(place, int)) != list(range(len(table))):
            return Failure("the vectors do not say which text each is of", usage=usage)
        rows: list[Any] = [None] * len(table)
        for place, one in zip(places, table, strict=True):
            rows[place] = one.get("embedding")
        return EmbeddingResponse(rows, usage)
