"""`read` and `recall`: a document or some of its lines, and the passages that answer a question."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from recall_tui.mcp import quotations
from recall_tui.mcp.tools import MAX_TOKENS, MIN_TOKENS, READ_TOKENS, RECALL_TOKENS, Arguments
from recall_tui.text.framing import MAX_SOURCE_CHARS, QuotedBlock, frame_quotes, sanitize_line
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.features.documents.excerpt import Excerpt
    from recall_tui.workbench import Workbench

_SESSION_LINES = lazy_pattern(r"([0-9a-f]{8}[0-9a-f-]*):(\d+(?:-\d+)?)")
_WIKI_PREFIX = "wiki:"
_TOOL_BLOCK = lazy_pattern(r"^(?:> \*\*.*\n\n?|<details>.*?</details>\n\n?)", re.DOTALL | re.MULTILINE)
"""A call of a tool, or what it printed, as archives show it."""
_FRAME_CHARS = 700
_RECALL_HITS = 5
_SPARE_FACTOR = 4
"""Times as many hits are looked at as are quoted: a question is no answer."""


def read_answer(bench: Workbench, given: Arguments) -> str:
    """Return the answer of `read`; NotFoundError when nothing has this ref."""
    tokens = given.number("tokens", READ_TOKENS, MIN_TOKENS, MAX_TOKENS)
    return quote_document(bench, given.required("ref"), tokens, given.text("after"), has_tools=given.flag("tools"))


def quote_document(bench: Workbench, reference: str, tokens: int, after: str = "", *, has_tools: bool = False) -> str:
    """Return what a ref names, within the tokens, and a cursor for the rest."""
    from recall_tui.storage.documents.conflicts import marked_text

    excerpt = _excerpt(bench, reference)
    lines = marked_text(excerpt.document.kind, excerpt.document.text).splitlines()
    first = max(quotations.cursor_offset(quotations.read_cursor(after)), 0) if after else excerpt.lines[0] - 1
    room = tokens * quotations.CHARS_PER_TOKEN - _FRAME_CHARS
    text, last = _lines_from(lines, first, len(lines), room, has_tools=has_tools)
    if not excerpt.is_whole and not after and last < len(lines):
        # There is room for what came before as well, such as the question.
        text, last = _lines_from(lines, first, max(excerpt.lines[1], first + 1), room, has_tools=has_tools)
        while first and len(text) + len(lines[first - 1]) < room:
            first -= 1
            text, last = _lines_from(lines, first, max(excerpt.lines[1], last), room, has_tools=has_tools)
    name = bench.store.relative(excerpt.document.path)
    head = excerpt.document.head
    day = quotations.day_of(head.started_at) if head and head.started_at else ""
    place = f"{name[-MAX_SOURCE_CHARS:]}:{first + 1}-{last}"
    framed = frame_quotes([QuotedBlock(text, excerpt.document.title, day, place)], limit=room, most=room + _FRAME_CHARS)
    framed = framed or f"{sanitize_line(place)} is empty"
    if last >= len(lines):
        return framed
    cursor = quotations.make_cursor({"o": last})
    return f'{framed}\nlines {first + 1}-{last} of {len(lines)}; more: after="{cursor}"'


def _excerpt(bench: Workbench, reference: str) -> Excerpt:
    from recall_tui.features.documents.excerpt import get_excerpt
    from recall_tui.index.sources.transcripts import find_session

    bare = reference.removeprefix(_WIKI_PREFIX)
    if (named := _SESSION_LINES.fullmatch(bare)) and (path := find_session(bench.store, named[1])):
        bare = f"{path}:{named[2]}"
    return get_excerpt(bench.store, lambda: bench.index, bare)


def _lines_from(lines: list[str], first: int, end: int, room: int, *, has_tools: bool) -> tuple[str, int]:
    """Return the lines from `first` to `end` that fit into `room` characters, and the number of the last one."""
    last, size = first, 0
    while last < end and (size := size + len(lines[last]) + 3) <= room:
        last += 1
    last = min(max(last, first + 1), len(lines))
    text = "\n".join(lines[first:last])[:room]
    return (text if has_tools else _TOOL_BLOCK.sub("", text + "\n").rstrip("\n")), last


def recall_answer(bench: Workbench, given: Arguments) -> str:
    """Return the answer of `recall`."""
    tokens = given.number("tokens", RECALL_TOKENS, MIN_TOKENS, MAX_TOKENS)
    question = given.text("question")
    return (
        _answer_question(bench, question, given.text("project"), tokens) if question else project_state(bench, tokens)
    )


def project_state(bench: Workbench, tokens: int) -> str:
    """Return where the project stands: its master, or what a session that starts now is given."""
    from recall_tui.errors import NotFoundError
    from recall_tui.features.context.session_context import build_context

    if bench.layout.design.starts_from_master:
        try:
            return quote_document(bench, "master", tokens)
        except NotFoundError:
            return "nothing has been synthesised yet"
    return build_context(bench.store).text[: tokens * quotations.CHARS_PER_TOKEN] or "nothing is handed over yet"


def _answer_question(bench: Workbench, question: str, project: str, tokens: int) -> str:
    from recall_tui.features.context.passages import answering_hits, select_passages
    from recall_tui.features.documents.excerpt import look_up_passage, passage_text
    from recall_tui.search.query import parse_filters
    from recall_tui.search.session_labels import with_labels

    currency = quotations.update_index(bench)
    filters = parse_filters({"project": project} if project else {}, bench.store.now())
    result = bench.search(question, limit=_RECALL_HITS * _SPARE_FACTOR, sync=False, filters=filters)
    result = with_labels(bench.index, bench.store, result)
    asking = quotations.session_that_asks(bench)
    hits = (hit for hit in result.hits if not asking or hit.session_id != asking)
    chosen = tuple(islice(answering_hits(hits, look_up_passage(bench.store, bench.index)), _RECALL_HITS))
    room = tokens - _FRAME_CHARS // quotations.CHARS_PER_TOKEN
    found = select_passages(chosen, lambda hit: passage_text(bench.store, bench.index, hit), max(room, 50))
    searched = f"{result.searched.get('passages', 0):,} passages in {result.searched.get('sources', 0):,} sources"
    if not found:
        return f"nothing relevant in {searched} ({currency})"
    quotes = [
        QuotedBlock(one.text, one.title, quotations.day_of(one.date), quotations.hit_reference(hit))
        for one, hit in zip(found, chosen, strict=False)
    ]
    most = tokens * quotations.CHARS_PER_TOKEN
    framed = frame_quotes(quotes, limit=most, most=most)
    return f"{len(found)} passages of {searched} ({sanitize_line(result.rung)}; {currency})\n{framed}"
