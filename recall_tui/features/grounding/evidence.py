"""Numbered lines that a model may rest a claim on, and a model's words made fit to stand in a page.

A model is shown numbers and never names a document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.features.grounding.extractive_summary import SourceLine, to_source_line
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.markup import strip_markers
from recall_tui.text.secrets.redact import redact

MAX_CLAIM_CHARS = 600
"""Characters of a claim."""
MAX_EVIDENCE_CHARS = 24_000
"""Of lines in one question."""
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


class CitedLines:
    """The lines that citations lead to; each document is read once."""

    def __init__(self, store: Store, texts: Mapping[str, str]) -> None:
        """`texts` are documents as they are or would be, by path relative to the memory's root."""
        self._store = store
        self._lines = {path: text.split("\n") for path, text in texts.items()}

    def said(self, places: Iterable[SourceRef]) -> str:
        """What stands there."""
        found: list[str] = []
        for path, first, last in places:
            if path not in self._lines:
                self._lines[path] = read_text(self._store.root / path).split("\n")
            found += self._lines[path][max(0, first - 1) : last]
        return "\n".join(found)
