"""Ask a model over numbered evidence, and keep what the lines that it cites bear out.

A claim is kept with the lines that hold it; one that they do not hold gives way to their own words, or to nothing, and
why is told. All that a model says of a memory goes through here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from recall_tui.features.grounding.evidence import CitedLines, NumberedLine, clean_claim, select_lines
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.verify import is_supported, missing_facts, unsupported_reasons
from recall_tui.features.grounding.vocabulary import NOT_IN_SOURCE
from recall_tui.llm.model import Failure
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import split_lines
from recall_tui.text.classify.keywords import topic_terms

if TYPE_CHECKING:
    from recall_tui.llm.client import LLMRequest, ModelClient, Purpose
    from recall_tui.storage.memory_context import Store

AnswerT = TypeVar("AnswerT")
MAX_CITATIONS = 5
"""Places that a claim may be from."""
MIN_CLAIM_CHARS = 12
_MIN_VERBATIM_OVERLAP = 0.3
"""Of a claim's words that a line has, so that it is said in the claim's place."""
_MIN_FALLBACK_OVERLAP = 0.5
"""Of a claim's words that a source has, so that it is said in the place of a claim that cites none."""
_MIN_SAME_OVERLAP = 0.75
"""Of a claim's words that a line has, so that the line says the same, or the opposite."""
_MAX_NEAR_LINES = 3
_MAX_CITATION_LINES = 12
"""Lines that one citation reaches over at most."""
_MAX_VERBATIM_LINES = 2
_MAX_NOTED_CHARS = 120
_PARTS = re.compile(r"(?<=[.!?]) +|(?<!\w\.): +| → ")
"""Where a sentence ends, and a title or a label in front of it."""


class Rejection(NamedTuple):
    """A claim that its lines do not bear out."""

    text: str
    reasons: tuple[str, ...]


class CheckedClaim(NamedTuple):
    """What may stand for a claim."""

    lines: tuple[SourceLine, ...]
    """The claim with its places, else the words of its lines, else nothing."""
    rejection: Rejection | None = None
    """Why the model's own words do not stand."""


class CheckedText(NamedTuple):
    """What may stand for a claim whose sources have no lines to cite."""

    text: str
    """The claim, else the words of the nearest source; empty when none is near."""
    rejection: Rejection | None = None


class GroundedAnswer(Generic[AnswerT]):
    """An answer with the evidence that it was given over; its claims are read through `claim` alone."""

    def __init__(self, answer: AnswerT, evidence: Sequence[NumberedLine], slugs: Collection[str] = ()) -> None:
        self.answer = answer
        self.evidence = tuple(evidence)
        self.rejected: list[Rejection] = []
        """The claims so far that did not stand."""
        self._slugs = slugs

    def claim(self, text: str, numbers: Iterable[int]) -> tuple[SourceLine, ...]:
        """Return what may stand for a claim that cites lines by their numbers."""
        checked = check_claim(text, select_lines(self.evidence, numbers), self._slugs)
        if checked.rejection is not None:
            self.rejected.append(checked.rejection)
        return checked.lines

    @property
    def note(self) -> str:
        """What was rejected, in one line; empty when nothing was."""
        return rejection_note(self.rejected)


def ask_over_evidence(
    calls: ModelClient,
    purpose: Purpose,
    request: LLMRequest,
    schema: type[AnswerT],
    evidence: Sequence[NumberedLine],
    slugs: Collection[str] = (),
) -> GroundedAnswer[AnswerT] | Failure:
    """Ask the memory's model for a `purpose` and return its answer over the evidence that the request shows.

    `slugs` are the pages that its claims may link to.
    """
    answer = calls.answer(purpose, request, schema)
    return answer if isinstance(answer, Failure) else GroundedAnswer(answer, evidence, slugs)


def check_claim(claim: str, cited: Sequence[NumberedLine], slugs: Collection[str] = ()) -> CheckedClaim:
    """Return the claim with the lines that hold it, else the lines that come near it word for word, else nothing."""
    text = clean_claim(claim, slugs)
    if len(text) < MIN_CLAIM_CHARS:
        return CheckedClaim((), Rejection(text, ("it says nothing",)))
    if not cited:
        return CheckedClaim((), Rejection(text, ("it cites no line that there is",)))
    for one in sorted(cited, key=lambda one: -word_overlap(text, one.line.text)):
        if is_supported(text, one.line.text):
            return CheckedClaim((one.line._replace(text=text),))
    for path in dict.fromkeys(one.line.path for one in cited):
        there = [one.line for one in cited if one.line.path == path]
        first, last = min(one.lines[0] for one in there), max(one.lines[1] for one in there)
        if last - first < _MAX_CITATION_LINES and is_supported(text, "\n".join(one.text for one in there)):
            return CheckedClaim((SourceLine(text, path, (first, last)),))
    whole = tuple(dict.fromkeys(place for one in cited for place in one.line.places))
    reasons = unsupported_reasons(text, "\n".join(one.line.text for one in cited))
    if 1 < len(whole) <= MAX_CITATIONS and not reasons:
        path, start, end = whole[0]
        return CheckedClaim((SourceLine(text, path, (start, end), whole[1:]),))
    near = [one.line for one in cited if word_overlap(text, one.line.text) >= _MIN_VERBATIM_OVERLAP]
    return CheckedClaim(
        tuple(near[:_MAX_VERBATIM_LINES]), Rejection(text, reasons or (f"it rests on more than {MAX_CITATIONS} lines",))
    )


def check_text(claim: str, sources: Sequence[str]) -> CheckedText:
    """Return the claim when the sources together hold it, else the one of them that comes nearest, else nothing."""
    text = clean_claim(claim)
    reasons = unsupported_reasons(text, "\n".join(sources))
    if not reasons:
        return CheckedText(text)
    near = max(sources, key=lambda source: word_overlap(text, source), default="")
    is_near = word_overlap(text, near) >= _MIN_FALLBACK_OVERLAP
    return CheckedText(clean_claim(near) if is_near else "", Rejection(text, reasons))


def check_summary(claim: str, cited: Sequence[str], lines: Sequence[str]) -> CheckedText:
    """Return what may stand for a claim that may rest on many lines: the claim, else the nearest line that it cites.

    Where one line says nearly the same, that line has to hold the claim. Where none does, the cited lines together, or
    all where none is cited, have to hold every name, number, date and quotation of it.
    """
    text = clean_claim(claim)
    if cited and is_supported(text, "\n".join(cited)):
        return CheckedText(text)
    near = sorted(((word_overlap(text, line), line) for line in lines), reverse=True)[:_MAX_NEAR_LINES]
    close = [line for overlap, line in near if overlap >= _MIN_SAME_OVERLAP]
    if any(is_supported(text, line) for line in close):
        return CheckedText(text)
    reasons = missing_facts(text, "\n".join(cited or lines))
    if close and not reasons:
        reasons = tuple(one for one in unsupported_reasons(text, close[0]) if not one.endswith(NOT_IN_SOURCE))
    if not reasons:
        return CheckedText(text)
    source = max(cited or [line for _, line in near], key=lambda line: word_overlap(text, line), default="")
    is_near = word_overlap(text, source) >= _MIN_FALLBACK_OVERLAP
    return CheckedText(clean_claim(source) if is_near else "", Rejection(text, reasons))


def rejection_note(rejected: Sequence[Rejection]) -> str:
    """Return how many claims were rejected and why the first was, in one line; empty when none was."""
    if not rejected:
        return ""
    count, first = len(rejected), rejected[0]
    claims = "1 claim" if count == 1 else f"{count} claims"
    text = first.text if len(first.text) <= _MAX_NOTED_CHARS else f"{first.text[:_MAX_NOTED_CHARS]}…"
    return f"{claims} of the model rejected, such as {text!r}: {first.reasons[0]}"


def is_still_supported(store: Store, line: SourceLine) -> bool:
    """Return whether the lines that a claim cites are in the memory, and hold it as they are now."""
    root = store.root.resolve()
    for path, first, last in line.places:
        try:
            place = (root / path).resolve()
            is_ours = place.is_relative_to(root) and place.is_file()
        except (OSError, ValueError):
            return False
        if not is_ours or not 1 <= first <= last <= len(split_lines(read_text(place))):
            return False
    said = CitedLines(store, {}).said(line.places)
    return _is_quoted(line.text, said) or is_supported(line.text, said)


def _is_quoted(text: str, said: str) -> bool:
    """Return whether each sentence of a text is a whole one of what was said, word for word."""
    whole = {_bare(part) for row in said.split("\n") for part in _PARTS.split(row)}
    return whole.issuperset(_bare(part) for part in _PARTS.split(text))


def _bare(part: str) -> str:
    return part.strip(" \t.-*").casefold()


def word_overlap(claim: str, source: str) -> float:
    """Return how many of the claim's words the source has, from 0 to 1."""
    words = frozenset(topic_terms(claim))
    return len(words & frozenset(topic_terms(source))) / len(words) if words else 0.0
