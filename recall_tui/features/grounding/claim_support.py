"""What a model says, held against the lines that it cites: a claim is kept with the lines that hold it, or those lines
are said in its place, or nothing is.

A model is shown numbers and never names a document; whatever a claim has that its lines have not keeps it out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.features.grounding.extractive_summary import SourceLine, to_source_line
from recall_tui.storage.documents.master_file import clean_text
from recall_tui.storage.documents.statements import SourceRange, page_statements
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.markdown.outline import split_lines
from recall_tui.storage.memory_context import Store
from recall_tui.text.checkable_facts import missing_facts
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.similarity import is_negated
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.markup import strip_markers
from recall_tui.text.normalized_facts import unsupported_facts
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

MAX_CLAIM_CHARS = 600
"""Characters of a claim."""
MIN_CLAIM_CHARS = 12
MAX_EVIDENCE_CHARS = 24_000
"""Of lines in one question."""
MIN_WORD_OVERLAP = 0.6
"""Of a claim's words that the lines it cites have, too."""
_MIN_VERBATIM_OVERLAP = 0.3
"""Of a claim's words that a line has, so that it is said in the claim's place."""
_MAX_CITATION_LINES = 12
"""Lines that one citation reaches over at most."""
_MAX_VERBATIM_LINES = 2
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]|!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_TAG = re.compile(r"<!--|-->|</?[A-Za-z!][^<>\n]{0,300}>")
_TRAILING_CITATION = re.compile(r"\s*[(\[](?:[\w./-]{1,200}\.md:\d{1,7}(?:-\d{1,7})?|\d{1,4}(?:,\s*\d{1,4})*)[)\]]\.?$")


class NumberedLine(NamedTuple):
    """A line that a model may rest a claim on; its number is its place, from 1."""

    line: SourceLine
    day: str = ""
    """When it was said, as an ISO date; empty when nobody knows."""
    note: str = ""
    """What a model is told beside it, such as that it holds no longer."""


def number_lines(path: str, text: str, day: str) -> Iterator[NumberedLine]:
    """What a document says, as lines that can be cited; what holds a secret is left out."""
    for said in page_statements(text):
        if redact(said.text) == said.text:
            line = to_source_line(path, said)
            yield NumberedLine(line, day if line.path == path else document_day(line.path) or day)


def document_day(path: str, text: str = "") -> str:
    """The day in a document's name, else at its head, as an ISO date; empty when neither says one."""
    if named := _DAY.search(path.rpartition("/")[2]):
        return named[0]
    dated = _DAY.match(str(split_frontmatter(text)[0].get("date", ""))) if text else None
    return dated[0] if dated else ""


def fit_lines(found: Iterable[NumberedLine], room: int = MAX_EVIDENCE_CHARS) -> tuple[NumberedLine, ...]:
    """As many of the lines, from the first on, as one question has room for."""
    chosen: list[NumberedLine] = []
    for one in found:
        room -= len(one.line.text) + 30
        if room < 0:
            break
        chosen.append(one)
    return tuple(chosen)


def render_lines(found: Sequence[NumberedLine]) -> str:
    """The lines with their numbers, as a model is given them."""
    rows = (
        f"[{number}] {one.day or 'undated'}{f' ({one.note})' if one.note else ''} · {one.line.text}"
        for number, one in enumerate(found, 1)
    )
    return "\n".join(rows) or "(nothing)"


def select_lines(found: Sequence[NumberedLine], numbers: Iterable[int]) -> tuple[NumberedLine, ...]:
    """The lines of these numbers; numbers that no line has are invented."""
    return tuple(found[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(found))


def supported_lines(claim: str, cited: Sequence[NumberedLine], slugs: Collection[str] = ()) -> tuple[SourceLine, ...]:
    """The claim with the lines that hold it, else the lines that come near it word for word, else nothing."""
    text = clean_claim(claim, slugs)
    if len(text) < MIN_CLAIM_CHARS:
        return ()
    for one in sorted(cited, key=lambda one: -_word_overlap(text, one.line.text)):
        if is_claim_supported(text, one.line.text):
            return (one.line._replace(text=text),)
    for path in dict.fromkeys(one.line.path for one in cited):
        there = [one.line for one in cited if one.line.path == path]
        first, last = min(one.lines[0] for one in there), max(one.lines[1] for one in there)
        if last - first < _MAX_CITATION_LINES and is_claim_supported(text, " ".join(one.text for one in there)):
            return (SourceLine(text, path, (first, last)),)
    whole = tuple(dict.fromkeys(place for one in cited for place in one.line.places))
    if 1 < len(whole) <= MAX_CITATIONS and is_claim_supported(text, " ".join(one.line.text for one in cited)):
        path, start, end = whole[0]
        return (SourceLine(text, path, (start, end), whole[1:]),)
    near = [one.line for one in cited if _word_overlap(text, one.line.text) >= _MIN_VERBATIM_OVERLAP]
    return tuple(near[:_MAX_VERBATIM_LINES])


def is_claim_supported(claim: str, source: str, share: float = MIN_WORD_OVERLAP) -> bool:
    """Whether the source bears the claim out, with `share` of its words, and denies as it does."""
    return is_negated(claim) == is_negated(source) and is_supported(claim, source, share)


def is_still_supported(store: Store, line: SourceLine) -> bool:
    """Whether the lines that a claim cites are in the memory, and hold it as they are now."""
    root = store.root.resolve()
    for path, first, last in line.places:
        try:
            place = (root / path).resolve()
            is_ours = place.is_relative_to(root) and place.is_file()
        except (OSError, ValueError):
            return False
        if not is_ours or not 1 <= first <= last <= len(split_lines(read_text(place))):
            return False
    return is_claim_supported(line.text, CitedLines(store, {}).said(line.places))


def clean_claim(claim: str, slugs: Collection[str] = ()) -> str:
    """A model's words as a line of ours may hold them: on one line, without tags, secrets, and links of its own."""
    text = _TAG.sub(" ", strip_controls(redact(claim[: 4 * MAX_CLAIM_CHARS])))
    text = _LINK.sub(lambda link: _unlink(link, slugs), text)
    return shorten(_TRAILING_CITATION.sub("", strip_markers(one_line(text))).strip(), MAX_CLAIM_CHARS)


def _unlink(link: re.Match[str], slugs: Collection[str]) -> str:
    """The link when it leads to a page that there is, else what it shows."""
    if link[1] is None:
        return link[2] or ""
    slug, _, words = link[1].partition("|")
    slug = slug.strip().removeprefix("wiki:")
    return link[0] if slug in slugs else words.strip() or slug.replace("-", " ")


def _word_overlap(claim: str, source: str) -> float:
    """How many of the claim's words the source has, from 0 to 1."""
    words = frozenset(topic_terms(claim))
    return len(words & frozenset(topic_terms(source))) / len(words) if words else 0.0


MAX_LINE_CHARS = 400
"""Characters of a line."""
MAX_CITATIONS = 5
"""That a line may be from."""
_MIN_WORD_OVERLAP = 0.6
"""Of the words of a line, those that its sources have as well."""
_STEM_LETTERS = 5
"""Letters by which two forms of a word are told to be one."""


class CitedLines:
    """The lines that citations lead to; each document is read once."""

    def __init__(self, store: Store, texts: Mapping[str, str]) -> None:
        """`texts` are documents as they are or would be, by path relative to the memory's root."""
        self._store = store
        self._lines = {path: text.split("\n") for path, text in texts.items()}

    def said(self, places: Iterable[SourceRange]) -> str:
        """What stands there."""
        found: list[str] = []
        for path, first, last in places:
            if path not in self._lines:
                self._lines[path] = read_text(self._store.root / path).split("\n")
            found += self._lines[path][max(0, first - 1) : last]
        return "\n".join(found)


def verify_line(text: str, said: str) -> str:
    """The line as it can stand in a page; empty when what was said does not bear it out."""
    words = clean_text(text, MAX_LINE_CHARS)
    return words if words and is_supported(words, said) else ""


def is_supported(words: str, said: str, share: float = _MIN_WORD_OVERLAP) -> bool:
    """Whether what was said bears the words out, and has `share` of them."""
    if missing_facts(words, said) or unsupported_facts(words, said):
        return False
    whole = said.casefold()
    if any(name.casefold() not in whole for name in find_names(words)):
        return False
    used = {term[:_STEM_LETTERS] for term in topic_terms(words)}
    there = {term[:_STEM_LETTERS] for term in topic_terms(said)}
    return bool(used) and len(used & there) >= share * len(used)
