"""What a model would do with the wiki, read with distrust: slugs, categories, evidence and days are checked by code.

An operation that may not be done is dropped, and why is told; none of its words reaches a path.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from recall_tui.errors import NotFoundError
from recall_tui.features.dreaming.duplicates import may_merge
from recall_tui.features.dreaming.state import WikiOperation
from recall_tui.features.grounding.evidence import NumberedLine, clean_claim, document_day, select_lines
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.harness import Rejection, check_claim
from recall_tui.features.grounding.verify import is_supported
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import CATEGORIES, SupersededClaim, WikiPage, is_slug
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.mentions import find_names
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line, shorten, strip_controls
from recall_tui.text.normalized_facts import unsupported_facts

MAX_OPERATIONS = 10
"""Operations of one answer."""
MAX_CLAIMS = 12
_MAX_SLUG_CHARS = 60
"""Characters of a slug that is told of as dropped."""
_MIN_SUBJECT_OVERLAP = 0.3
"""The share of a claim's words that a line has which supersedes it."""


class OperationClaimSchema(msgspec.Struct):
    """A claim for a page."""

    text: str
    lines: list[int] = []


class OperationSchema(msgspec.Struct):
    """One operation as a model says it."""

    op: str
    slug: str
    category: str = ""
    name: str = ""
    description: str = ""
    fact: str = ""
    others: list[str] = []
    claims: list[OperationClaimSchema] = []
    lines: list[int] = []


class OperationContext(NamedTuple):
    """What operations are read against."""

    lines: tuple[NumberedLine, ...]
    """What the model was shown."""
    wiki: Wiki
    why: str
    rejected: list[Rejection]
    """Claims in whose place the words of their lines stand."""


class RejectedOperation(NamedTuple):
    """Why an operation is not done."""

    why: str


def parse_operations(
    said: Iterable[OperationSchema], reading: OperationContext
) -> tuple[list[WikiOperation], list[str]]:
    """The operations that may be done, and what is to be told of the others."""
    found: list[WikiOperation] = []
    notes: list[str] = []
    for one in list(said)[:MAX_OPERATIONS]:
        made = _parse_operation(one, reading)
        if isinstance(made, RejectedOperation):
            op, slug = (shorten(one_line(strip_controls(words)), _MAX_SLUG_CHARS) for words in (one.op, one.slug))
            notes.append(f"{op} of {slug!r} dropped: {made.why}")
        else:
            found.append(made)
    return found, notes


def _parse_operation(one: OperationSchema, reading: OperationContext) -> WikiOperation | RejectedOperation:
    wiki = reading.wiki
    if not is_slug(one.slug):
        return RejectedOperation("it is no slug")
    if one.op == "create":
        return _parse_creation(one, reading)
    if one.slug not in wiki.pages:
        return RejectedOperation("there is no such page")
    try:
        page = wiki.page(one.slug)
    except NotFoundError:
        return RejectedOperation("the page does not exist")
    others = tuple(slug for slug in dict.fromkeys(one.others) if slug in wiki.pages and slug != page.slug)
    begun = WikiOperation(page.slug, page.category, page.name, reading.why, (), is_told=True)
    match one.op:
        case "update":
            lines = _supported_claims(one, reading)
            return (
                begun._replace(lines=lines, others=others) if lines else RejectedOperation("no line holds its claims")
            )
        case "supersede":
            return _superseded_claim(one, page, begun, reading)
        case "contradict":
            lines = tuple(said.line for said in select_lines(reading.lines, one.lines))
            is_sound = bool(others and lines)
            made = begun._replace(action="contradict", others=others, lines=lines)
            return made if is_sound else RejectedOperation("it names no other page, or no line")
        case "merge":
            if not others or not may_merge(page, wiki.pages[others[0]]):
                return RejectedOperation("they do not rest on the same sources")
            return begun._replace(action="merge", others=others[:1])
        case _:
            return RejectedOperation("it is no operation")


def _parse_creation(one: OperationSchema, reading: OperationContext) -> WikiOperation | RejectedOperation:
    if one.category not in CATEGORIES:
        return RejectedOperation("it has no category that there is")
    lines = _supported_claims(one, reading)
    if not lines:
        return RejectedOperation("no line holds its claims")
    known = " ".join(said.line.text for said in reading.lines)
    name = shorten(clean_claim(one.name), 80)
    if not name or not _is_grounded_name(name, known):
        name = one.slug.replace("-", " ")
    description = shorten(clean_claim(one.description, reading.wiki.pages), 160)
    return WikiOperation(
        one.slug,
        one.category,
        name,
        reading.why,
        lines,
        others=tuple(slug for slug in dict.fromkeys(one.others) if slug in reading.wiki.pages),
        description=description if is_supported(description, known) else "",
        is_told=True,
    )


def _supported_claims(one: OperationSchema, reading: OperationContext) -> tuple[SourceLine, ...]:
    """The claims with the lines that hold them, each once."""
    found: dict[str, SourceLine] = {}
    for said in one.claims[:MAX_CLAIMS]:
        checked = check_claim(said.text, select_lines(reading.lines, said.lines or one.lines), reading.wiki.pages)
        if checked.rejection is not None and checked.lines:
            reading.rejected.append(checked.rejection)
        for line in checked.lines:
            found.setdefault(normalize(line.text), line)
    return tuple(found.values())


def _superseded_claim(
    one: OperationSchema, page: WikiPage, begun: WikiOperation, reading: OperationContext
) -> WikiOperation | RejectedOperation:
    """A claim of the page that a later line takes the place of."""
    fact = next((said for said in page_statements(page.body) if normalize(said.text) == normalize(one.fact)), None)
    if fact is None:
        return RejectedOperation("the page does not say what it supersedes")
    cited = select_lines(reading.lines, [*one.lines, *(number for said in one.claims for number in said.lines)])
    day = _claim_day(fact, page)
    later = [said for said in cited if said.day and said.day > day]
    if not later:
        return RejectedOperation(f"no line is later than what it supersedes, of {day or 'no known day'}")
    words = frozenset(topic_terms(fact.text))
    near = [said for said in later if _is_contradicting(said, fact, words)]
    if not near:
        return RejectedOperation("no later line speaks of the same and says otherwise")
    lines = _supported_claims(one, reading)
    by = near[-1]
    gone = SupersededClaim(by.line.citation, fact.text, by.day, by.line.text)
    kept = tuple(line for line in lines if document_day(line.path) > day) or (by.line,)
    return begun._replace(lines=kept, superseded=(gone,))


def _is_contradicting(said: NumberedLine, fact: Statement, words: frozenset[str]) -> bool:
    there = frozenset(topic_terms(said.line.text))
    return normalize(said.line.text) != normalize(fact.text) and len(words & there) >= _MIN_SUBJECT_OVERLAP * len(words)


def _claim_day(fact: Statement, page: WikiPage) -> str:
    """When a claim of a page was made: the day it cites, else the latest of the page's sources, else of the page."""
    if fact.cited and (day := document_day(fact.cited.document)):
        return day
    said = max((document_day(source.ref.document) for source in page.sources), default="")
    return said or page.updated or page.created or "9999"


def _is_grounded_name(name: str, source: str) -> bool:
    known = source.casefold()
    return not unsupported_facts(name, source) and all(one.casefold() in known for one in find_names(f"of {name}"))
