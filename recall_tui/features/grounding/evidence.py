"""What a model says, held against the lines that it cites: a claim is kept with the lines that hold it, or those lines
are said in its place, or nothing is.

A model is shown numbers and never names a document; whatever a claim has that its lines have not keeps it out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from recall_tui.features.grounding.source_line import Line, line_of
from recall_tui.features.grounding.verify import MOST_PLACES, Cited, is_borne
from recall_tui.storage.documents.statements import statements
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.frontmatter import split
from recall_tui.storage.markdown.outline import lines_of
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import terms
from recall_tui.text.classify.similarity import is_negated
from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.markup import unmarked
from recall_tui.text.secrets.redact import redact

LONGEST = 600
"""Characters of a claim."""
LEAST = 12
MOST_CHARACTERS = 24_000
"""Of lines in one question."""
SHARE = 0.6
"""Of a claim's words that the lines it cites have, too."""
_SHARE_OF_VERBATIM = 0.3
"""Of a claim's words that a line has, so that it is said in the claim's place."""
_SPAN = 12
"""Lines that one citation reaches over at most."""
_MOST_VERBATIM = 2
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_LINK = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]|!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_TAG = re.compile(r"<!--|-->|</?[A-Za-z!][^<>\n]{0,300}>")
_CITED = re.compile(r"\s*[(\[](?:[\w./-]{1,200}\.md:\d{1,7}(?:-\d{1,7})?|\d{1,4}(?:,\s*\d{1,4})*)[)\]]\.?$")


class Numbered(NamedTuple):
    """A line that a model may rest a claim on; its number is its place, from 1."""

    line: Line
    day: str = ""
    """When it was said, as an ISO date; empty when nobody knows."""
    note: str = ""
    """What a model is told beside it, such as that it holds no longer."""


def drawn(path: str, text: str, day: str) -> Iterator[Numbered]:
    """What a document says, as lines that can be cited; what holds a secret is left out."""
    for said in statements(text):
        if redact(said.text) == said.text:
            line = line_of(path, said)
            yield Numbered(line, day if line.path == path else day_of(line.path) or day)


def day_of(path: str, text: str = "") -> str:
    """The day in a document's name, else at its head, as an ISO date; empty when neither says one."""
    if named := _DAY.search(path.rpartition("/")[2]):
        return named[0]
    dated = _DAY.match(str(split(text)[0].get("date", ""))) if text else None
    return dated[0] if dated else ""


def fitting(found: Iterable[Numbered], room: int = MOST_CHARACTERS) -> tuple[Numbered, ...]:
    """As many of the lines, from the first on, as one question has room for."""
    chosen: list[Numbered] = []
    for one in found:
        room -= len(one.line.text) + 30
        if room < 0:
            break
        chosen.append(one)
    return tuple(chosen)


def shown(found: Sequence[Numbered]) -> str:
    """The lines with their numbers, as a model is given them."""
    rows = (
        f"[{number}] {one.day or 'undated'}{f' ({one.note})' if one.note else ''} · {one.line.text}"
        for number, one in enumerate(found, 1)
    )
    return "\n".join(rows) or "(nothing)"


def picked(found: Sequence[Numbered], numbers: Iterable[int]) -> tuple[Numbered, ...]:
    """The lines of these numbers; numbers that no line has are invented."""
    return tuple(found[number - 1] for number in dict.fromkeys(numbers) if 1 <= number <= len(found))


def held(claim: str, cited: Sequence[Numbered], slugs: Collection[str] = ()) -> tuple[Line, ...]:
    """The claim with the lines that hold it, else the lines that come near it word for word, else nothing."""
    text = clean(claim, slugs)
    if len(text) < LEAST:
        return ()
    for one in sorted(cited, key=lambda one: -_share(text, one.line.text)):
        if is_held(text, one.line.text):
            return (one.line._replace(text=text),)
    for path in dict.fromkeys(one.line.path for one in cited):
        there = [one.line for one in cited if one.line.path == path]
        first, last = min(one.lines[0] for one in there), max(one.lines[1] for one in there)
        if last - first < _SPAN and is_held(text, " ".join(one.text for one in there)):
            return (Line(text, path, (first, last)),)
    whole = tuple(dict.fromkeys(place for one in cited for place in one.line.places))
    if 1 < len(whole) <= MOST_PLACES and is_held(text, " ".join(one.line.text for one in cited)):
        path, start, end = whole[0]
        return (Line(text, path, (start, end), whole[1:]),)
    near = [one.line for one in cited if _share(text, one.line.text) >= _SHARE_OF_VERBATIM]
    return tuple(near[:_MOST_VERBATIM])


def is_held(claim: str, source: str, share: float = SHARE) -> bool:
    """Whether the source bears the claim out, with `share` of its words, and denies as it does."""
    return is_negated(claim) == is_negated(source) and is_borne(claim, source, share)


def is_there(store: Store, line: Line) -> bool:
    """Whether the lines that a claim cites are in the memory, and hold it as they are now."""
    root = store.root.resolve()
    for path, first, last in line.places:
        try:
            place = (root / path).resolve()
            is_ours = place.is_relative_to(root) and place.is_file()
        except (OSError, ValueError):
            return False
        if not is_ours or not 1 <= first <= last <= len(lines_of(read_text(place))):
            return False
    return is_held(line.text, Cited(store, {}).said(line.places))


def clean(claim: str, slugs: Collection[str] = ()) -> str:
    """A model's words as a line of ours may hold them: on one line, without tags, secrets, and links of its own."""
    text = _TAG.sub(" ", plain(redact(claim[: 4 * LONGEST])))
    text = _LINK.sub(lambda link: _unlinked(link, slugs), text)
    return cut(_CITED.sub("", unmarked(one_line(text))).strip(), LONGEST)


def _unlinked(link: re.Match[str], slugs: Collection[str]) -> str:
    """The link when it leads to a page that there is, else what it shows."""
    if link[1] is None:
        return link[2] or ""
    slug, _, words = link[1].partition("|")
    slug = slug.strip().removeprefix("wiki:")
    return link[0] if slug in slugs else words.strip() or slug.replace("-", " ")


def _share(claim: str, source: str) -> float:
    """How many of the claim's words the source has, from 0 to 1."""
    words = frozenset(terms(claim))
    return len(words & frozenset(terms(source))) / len(words) if words else 0.0
