"""What a model would do with the wiki, read with distrust: slugs, categories, evidence and days are checked by code.

An operation that may not be done is dropped, and why is told; none of its words reaches a path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from recall_tui.errors import NotFoundError
from recall_tui.features.dreaming.duplicates import may_merge
from recall_tui.features.dreaming.state import Operation
from recall_tui.features.grounding.evidence import Numbered, clean, day_of, held, is_held, picked
from recall_tui.features.grounding.source_line import Line
from recall_tui.storage.documents.statements import Statement, statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import CATEGORIES, Superseded, WikiPage, is_slug
from recall_tui.text.classify.keywords import terms
from recall_tui.text.classify.mentions import mentions
from recall_tui.text.classify.similarity import normal
from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.unsupported_facts import ungrounded

MOST = 10
"""Operations of one answer."""
MOST_CLAIMS = 12
_SHOWN = 60
"""Characters of a slug that is told of as dropped."""
_SAME_SUBJECT = 0.3
"""The share of a claim's words that a line has which supersedes it."""


class Said(msgspec.Struct):
    """A claim for a page."""

    text: str
    lines: list[int] = []


class Op(msgspec.Struct):
    """One operation as a model says it."""

    op: str
    slug: str
    category: str = ""
    name: str = ""
    description: str = ""
    fact: str = ""
    others: list[str] = []
    claims: list[Said] = []
    lines: list[int] = []


class Reading(NamedTuple):
    """What operations are read against."""

    lines: tuple[Numbered, ...]
    """What the model was shown."""
    wiki: Wiki
    why: str


class Dropped(NamedTuple):
    """Why an operation is not done."""

    why: str


def read(said: Iterable[Op], reading: Reading) -> tuple[list[Operation], list[str]]:
    """The operations that may be done, and what is to be told of the others."""
    found: list[Operation] = []
    notes: list[str] = []
    for one in list(said)[:MOST]:
        made = _one(one, reading)
        if isinstance(made, Dropped):
            op, slug = (cut(one_line(plain(words)), _SHOWN) for words in (one.op, one.slug))
            notes.append(f"{op} of {slug!r} dropped: {made.why}")
        else:
            found.append(made)
    return found, notes


def _one(one: Op, reading: Reading) -> Operation | Dropped:
    wiki = reading.wiki
    if not is_slug(one.slug):
        return Dropped("it is no slug")
    if one.op == "create":
        return _created(one, reading)
    if one.slug not in wiki.pages:
        return Dropped("there is no such page")
    try:
        page = wiki.page(one.slug)
    except NotFoundError:
        return Dropped("it leads nowhere")
    others = tuple(slug for slug in dict.fromkeys(one.others) if slug in wiki.pages and slug != page.slug)
    begun = Operation(page.slug, page.category, page.name, reading.why, (), is_told=True)
    match one.op:
        case "update":
            lines = _claims(one, reading)
            return begun._replace(lines=lines, others=others) if lines else Dropped("no line holds its claims")
        case "supersede":
            return _superseded(one, page, begun, reading)
        case "contradict":
            lines = tuple(said.line for said in picked(reading.lines, one.lines))
            is_sound = bool(others and lines)
            made = begun._replace(action="contradict", others=others, lines=lines)
            return made if is_sound else Dropped("it names no other page, or no line")
        case "merge":
            if not others or not may_merge(page, wiki.pages[others[0]]):
                return Dropped("they do not rest on the same sources")
            return begun._replace(action="merge", others=others[:1])
        case _:
            return Dropped("it is no operation")


def _created(one: Op, reading: Reading) -> Operation | Dropped:
    if one.category not in CATEGORIES:
        return Dropped("it has no category that there is")
    lines = _claims(one, reading)
    if not lines:
        return Dropped("no line holds its claims")
    known = " ".join(said.line.text for said in reading.lines)
    name = cut(clean(one.name), 80)
    if not name or not _is_known(name, known):
        name = one.slug.replace("-", " ")
    description = cut(clean(one.description, reading.wiki.pages), 160)
    return Operation(
        one.slug,
        one.category,
        name,
        reading.why,
        lines,
        others=tuple(slug for slug in dict.fromkeys(one.others) if slug in reading.wiki.pages),
        description=description if is_held(description, known) else "",
        is_told=True,
    )


def _claims(one: Op, reading: Reading) -> tuple[Line, ...]:
    """The claims with the lines that hold them, each once."""
    found: dict[str, Line] = {}
    for said in one.claims[:MOST_CLAIMS]:
        for line in held(said.text, picked(reading.lines, said.lines or one.lines), reading.wiki.pages):
            found.setdefault(normal(line.text), line)
    return tuple(found.values())


def _superseded(one: Op, page: WikiPage, begun: Operation, reading: Reading) -> Operation | Dropped:
    """A claim of the page that a later line takes the place of."""
    fact = next((said for said in statements(page.body) if normal(said.text) == normal(one.fact)), None)
    if fact is None:
        return Dropped("the page does not say what it supersedes")
    cited = picked(reading.lines, [*one.lines, *(number for said in one.claims for number in said.lines)])
    day = _day_of(fact, page)
    later = [said for said in cited if said.day and said.day > day]
    if not later:
        return Dropped(f"no line is later than what it supersedes, of {day or 'no known day'}")
    words = frozenset(terms(fact.text))
    near = [said for said in later if _says_otherwise(said, fact, words)]
    if not near:
        return Dropped("no later line speaks of the same and says otherwise")
    lines = _claims(one, reading)
    by = near[-1]
    gone = Superseded(by.line.citation, fact.text, by.day, by.line.text)
    kept = tuple(line for line in lines if day_of(line.path) > day) or (by.line,)
    return begun._replace(lines=kept, superseded=(gone,))


def _says_otherwise(said: Numbered, fact: Statement, words: frozenset[str]) -> bool:
    there = frozenset(terms(said.line.text))
    return normal(said.line.text) != normal(fact.text) and len(words & there) >= _SAME_SUBJECT * len(words)


def _day_of(fact: Statement, page: WikiPage) -> str:
    """When a claim of a page was made: the day it cites, else the latest of the page's sources, else of the page."""
    if fact.cited and (day := day_of(fact.cited[0])):
        return day
    return max((day_of(source.uri) for source in page.sources), default="") or page.updated or page.created or "9999"


def _is_known(name: str, source: str) -> bool:
    known = source.casefold()
    return not ungrounded(name, source) and all(one.casefold() in known for one in mentions(f"of {name}"))
