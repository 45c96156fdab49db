"""A question answered by a model from the passages that a search found, each claim with the passages it rests on.

A claim stands only when the passages that it names exist and hold every number, path and quotation in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.llm.model import Failure, never
from recall_tui.text.clean_sentence import sentence
from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.secrets.redact import redact
from recall_tui.text.unsupported_facts import ungrounded

if TYPE_CHECKING:
    from recall_tui.features.context.passages import Extract
    from recall_tui.features.grounding.answer_schemas import ClaimSaid
    from recall_tui.storage.memory_context import Store

MOST_CLAIMS = 8
ANSWER_TOKENS = 1_000
_QUESTION = 2_000
"""Characters of a question that a model is shown."""
_TITLE = 120
_NUMBERS = re.compile(r"\s*\[\d{1,3}(?:\s*[,–-]\s*\d{1,3})*\]")
"""Citations that a model writes into its sentence; they stand beside it."""


class Claim(NamedTuple):
    """One sentence of an answer."""

    text: str
    evidence: tuple[int, ...]
    """The passages that it rests on, from 1."""

    @property
    def cited(self) -> str:
        """The sentence with its citations, such as `We chose JWT. [1] [3]`."""
        return " ".join((self.text, *(f"[{number}]" for number in self.evidence)))


class Answered(NamedTuple):
    """What a model made of the passages."""

    claims: tuple[Claim, ...]
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


def is_offered(store: Store) -> bool:
    """Whether a model is there to answer."""
    from recall_tui.llm.client import Calls

    return Calls(store).is_offered("synthesis")


def answered(
    store: Store,
    question: str,
    found: Sequence[Extract],
    *,
    is_cancelled: Callable[[], bool] = never,
    session_id: str = "",
) -> Answered | Failure:
    """What a model says to `question` from the passages, or why there is no answer that stands."""
    from recall_tui.features.grounding.answer_schemas import ClaimsSaid
    from recall_tui.llm.client import Asked, Calls
    from recall_tui.llm.prompts import prompt

    heads, texts = [_head(one) for one in found], [redact(plain(one.text)) for one in found]
    numbered = [_numbered(place, *piece) for place, piece in enumerate(zip(heads, texts, strict=True), 1)]
    material = {"question": cut(question, _QUESTION), "evidence": "\n\n".join(numbered)}
    asked = Asked(prompt(store, "answer", material=material), session_id=session_id, max_tokens=ANSWER_TOKENS)
    said = Calls(store, is_cancelled).answer("synthesis", asked, ClaimsSaid)
    if isinstance(said, Failure):
        return said
    sources = [f"{head}\n{text}" for head, text in zip(heads, texts, strict=True)]
    standing = [claim for one in said.claims if (claim := _standing(one, sources))]
    if said.claims and not standing:
        return Failure("no claim of the answer rests on what was found")
    claims = tuple({claim.text: claim for claim in standing}.values())[:MOST_CLAIMS]
    return Answered(claims, len(said.claims) - len(standing))


def _head(one: Extract) -> str:
    """What a passage is and where it is from, on one line."""
    title = cut(one_line(plain(one.title)), _TITLE)
    return redact(" · ".join(filter(None, (title, one_line(plain(one.citation))))))


def _numbered(place: int, head: str, text: str) -> str:
    """A passage as a model sees it; nothing in it can look like the head of another."""
    return "\n".join((f"[{place}] {head}", *(f"> {line}".rstrip() for line in text.splitlines())))


def _standing(one: ClaimSaid, sources: Sequence[str]) -> Claim | None:
    """The claim, when what it names exists and says it; None otherwise."""
    numbers = tuple(dict.fromkeys(one.evidence))
    text = sentence(_NUMBERS.sub("", plain(one.text)))
    if not text or not numbers or not all(1 <= number <= len(sources) for number in numbers):
        return None
    return None if ungrounded(text, "\n".join(sources[number - 1] for number in numbers)) else Claim(text, numbers)
