"""How vectors are asked for: `/v1/embeddings` in the way of OpenAI, which most servers speak.

Pure: texts become a body, a body becomes rows, each at its text's place; what the numbers are is for others to check.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from recall_tui.llm.model import Failure, Usage, provider_usage
from recall_tui.llm.providers.dialects import Omissions

EMBEDDINGS_PATH = "/embeddings"
TEXT_LIMITS = {"": 8_000, "long": 1_500, "middling": 750}
"""Characters of a text that are sent, by what the server refused before; a token has three or four mostly."""
_EMPTY_TEXT = "-"
"""Sent for a text without a word, which servers refuse."""
_LENGTH_ERRORS = ("token", "length", "too long", "context")


class EmbeddingRequest(NamedTuple):
    """What is asked."""

    model: str
    texts: tuple[str, ...]
    dimensions: int | None = None
    """None for the model's own."""


class EmbeddingResponse(NamedTuple):
    """What the server answered."""

    rows: list[Any]
    usage: Usage | None
    """None when it does not say."""


class OpenAiEmbeddings:
    """`/v1/embeddings`."""

    def headers(self, key: str) -> dict[str, str]:
        """The key as a bearer."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, question: EmbeddingRequest, left_out: Omissions) -> dict[str, Any]:
        """The texts as they are, or their beginnings."""
        most = min(TEXT_LIMITS[one] for one in {"", *left_out})
        texts = [text[:most] if text.strip() else _EMPTY_TEXT for text in question.texts]
        asked: dict[str, Any] = {"model": question.model, "input": texts, "encoding_format": "float"}
        return asked if question.dimensions is None else {**asked, "dimensions": question.dimensions}

    def simpler(self, question: EmbeddingRequest, left_out: Omissions, said: str) -> Omissions | None:
        """Shorter beginnings, for a server that says that they are too long."""
        words = said.lower()
        if not any(word in words for word in _LENGTH_ERRORS):
            return None
        return next((left_out | {one} for one in TEXT_LIMITS if one and one not in left_out), None)

    def understood(self, data: Mapping[str, Any], question: EmbeddingRequest) -> EmbeddingResponse | Failure:
        """The rows in the order of the texts, by the numbers that they carry."""
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
