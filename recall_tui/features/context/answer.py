"""A question answered by a model from the passages that a search found, each claim with the passages it rests on.

A claim stands only when the passages that it names exist and bear it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.llm.model import Failure, never_cancelled
from recall_tui.text.clean_sentence import clean_sentence
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.features.context.passages import RecallPassage
    from recall_tui.features.grounding.answer_schemas import ClaimSchema
    from recall_tui.storage.memory_context import Store

MAX_CLAIMS = 8
ANSWER_TOKENS = 1_000
_MAX_QUESTION_CHARS = 2_000
"""Characters of a question that a model is shown."""
_MAX_TITLE_CHARS = 120
_CITATION_NUMBERS = re.compile(r"\s*\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]")
"""Citations that a model writes into its sentence; they stand beside it."""


class AnswerClaim(NamedTuple):
    """One sentence of an answer."""

    text: str
    evidence: tuple[int, ...]
    """The passages that it rests on, from 1."""

    @property
    def cited(self) -> str:
        """The sentence with its citations, such as `We chose JWT. [1] [3]`."""
        return " ".join((self.text, *(f"[{number}]" for number in self.evidence)))


class RecallAnswer(NamedTuple):
    """What a model made of the passages."""

    claims: tuple[AnswerClaim, ...]
    """Those that stand."""
    dropped: int = 0
    """Claims that named no passage, or said what the passages they named do not."""

    @property
    def is_irrelevant(self) -> bool:
        """The model says that none of the passages is about the question."""
        return not self.claims and not self.dropped

    @property
    def text(self) -> str:
        """The claims as a list, each with its citations; empty when there are none."""
        return "\n".join(f"- {claim.cited}" for claim in self.claims)


def can_answer(store: Store) -> bool:
    """Whether a model is there to answer."""
    from recall_tui.llm.client import ModelClient

    return ModelClient(store).is_offered("synthesis")


def answer_question(
    store: Store,
    question: str,
    found: Sequence[RecallPassage],
    *,
    is_cancelled: Callable[[], bool] = never_cancelled,
    session_id: str = "",
) -> RecallAnswer | Failure:
    """What a model says to `question` from the passages, or why there is no answer that stands."""
    from recall_tui.features.grounding.answer_schemas import ClaimsSchema
    from recall_tui.llm.client import LLMRequest, ModelClient
    from recall_tui.llm.prompts import render_prompt

    heads, texts = [_passage_heading(one) for one in found], [redact(strip_controls(one.text)) for one in found]
    numbered = [_render_passage(place, *piece) for place, piece in enumerate(zip(heads, texts, strict=True), 1)]
    material = {"question": shorten(question, _MAX_QUESTION_CHARS), "evidence": "\n\n".join(numbered)}
    asked = LLMRequest(
        render_prompt(store, "answer", material=material), session_id=session_id, max_tokens=ANSWER_TOKENS
    )
    said = ModelClient(store, is_cancelled).answer("synthesis", asked, ClaimsSchema)
    if isinstance(said, Failure):
        return said
    sources = [f"{head}\n{text}" for head, text in zip(heads, texts, strict=True)]
    standing = [claim for one in said.claims if (claim := _supported_claim(one, sources))]
    if said.claims and not standing:
        return Failure("no claim of the answer is supported by the results")
    claims = tuple({claim.text: claim for claim in standing}.values())[:MAX_CLAIMS]
    return RecallAnswer(claims, len(said.claims) - len(standing))


def _passage_heading(one: RecallPassage) -> str:
    """What a passage is and where it is from, on one line."""
    title = shorten(one_line(strip_controls(one.title)), _MAX_TITLE_CHARS)
    return redact(" · ".join(filter(None, (title, one_line(strip_controls(one.citation))))))


def _render_passage(place: int, head: str, text: str) -> str:
    """A passage as a model sees it; nothing in it can look like the head of another."""
    return "\n".join((f"[{place}] {head}", *(f"> {line}".rstrip() for line in text.splitlines())))


def _supported_claim(one: ClaimSchema, sources: Sequence[str]) -> AnswerClaim | None:
    """The claim, when what it names exists and says it; None otherwise."""
    numbers = tuple(dict.fromkeys(one.evidence))
    text = clean_sentence(_CITATION_NUMBERS.sub("", strip_controls(one.text)))
    if not text or not numbers or not all(1 <= number <= len(sources) for number in numbers):
        return None
    from recall_tui.features.grounding.verify import is_supported

    said = "\n".join(sources[number - 1] for number in numbers)
    return AnswerClaim(text, numbers) if is_supported(text, said) else None
