"""Line search: where the very characters stand in the Markdown of a memory, whatever their case.

It reads the files themselves and needs no index; a line is shown once, however many matches it is near to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from recall_tui import files
from recall_tui.errors import UsageError
from recall_tui.index.ingest.markdown_passages import markdown_passages
from recall_tui.index.ingest.page_heads import complete_heads
from recall_tui.index.project_scope import folder_aliases
from recall_tui.index.sources.markdown import MarkdownSource, markdown_sources, shared_wiki_sources
from recall_tui.index.text.passage import PROMPT, REPLY, TOOL, Passage
from recall_tui.search.query import Filters
from recall_tui.storage.files.symlinks import is_file, link_check
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.project import current_folder

_LABELS = {"prompt": PROMPT, "reply": REPLY, "tool": TOOL}
_FOLD_TO_ASCII = tuple(letter.encode() for letter in "ßẞİŉſǰẖẗẘẙẚ\u212aﬀﬁﬂﬃﬄﬅﬆ")
"""Letters outside ASCII that fold to letters in it, such as the sign for kelvin to k."""
_ASCII = bytes(range(128))
_NUMBER = re.compile(r"\d+")
_WORD = re.compile(r"\w+")
Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class FileLine:
    """One line of a file."""

    number: int
    """From 1."""
    text: str
    is_hit: bool
    spans: tuple[Span, ...] = ()
    """Where the needle stands in `text`, in characters."""


@dataclass(frozen=True, slots=True)
class FileLines:
    """The lines of one file that are shown."""

    path: Path
    document: str
    """Relative to the memory's root when inside it, else absolute."""
    rows: tuple[FileLine, ...]


@dataclass(frozen=True, slots=True)
class LineSearchResult:
    """What a line search found."""

    files: tuple[FileLines, ...]
    matches: int
    """Lines that hold the needle; lines around them are not counted."""
    searched: int
    """Files that were looked through."""
    failed: tuple[str, ...] = ()
    """Files that could not be read, each with the reason."""


def search_lines(store: Store, needle: str, context: int = 0, filters: Filters | None = None) -> LineSearchResult:
    """The lines of the memory's Markdown that hold `needle`, with `context` lines on either side.

    A filter for a kind looks into the documents of that kind alone. UsageError when the needle is blank.
    """
    if not needle.strip():
        raise UsageError("the query is empty", hint="such as: recall-tui search jwt")
    filters = filters or Filters()
    aliases = folder_aliases(store)
    found, failed, searched = [], [], 0
    for source in sorted(_find_sources(store, filters), key=_archive_order):
        try:
            data = files.read_file(source.path)
        except OSError as error:
            failed.append(f"{store.relative(source.path)}: {error.strerror or error}")
            continue
        searched += 1
        if not _may_contain(data, needle):
            continue
        text = data.decode("utf-8", "surrogateescape")
        hits = dict(_match_lines(text, needle))
        if filters and hits:
            allowed = _filter_lines(store, source, text, filters, aliases)
            hits = {number: spans for number, spans in hits.items() if number in allowed}
        if hits:
            found.append(FileLines(source.path, store.relative(source.path), _line_rows(text, hits, max(context, 0))))
    matches = sum(row.is_hit for file in found for row in file.rows)
    return LineSearchResult(tuple(found), matches, searched, tuple(failed))


def find_spans(line: str, needle: str) -> tuple[Span, ...]:
    """Where `needle` stands in `line` whatever the case of either, in characters of `line` itself."""
    sought, folded = needle.casefold(), line.casefold()
    if not sought or sought not in folded:
        return ()
    # One letter may fold to two (ß, İ), so a place in the folded line is looked up, and never used on the line.
    origin = range(len(line)) if len(folded) == len(line) else [at for at, c in enumerate(line) for _ in c.casefold()]
    spans: list[Span] = []
    place = folded.find(sought)
    while place >= 0:
        end = place + len(sought)
        span = (origin[place], origin[end - 1] + 1)
        spans.append(span)
        place = folded.find(sought, end)
    return tuple(spans)


def _find_sources(store: Store, filters: Filters) -> Iterator[MarkdownSource]:
    kinds = {"conversation" if kind in _LABELS else kind for kind in filters.kinds}
    lists = (MarkdownSource(str(store.layout.rows), "index"), MarkdownSource(str(store.layout.dreams), "dreams"))
    is_shut = link_check(store.layout)
    beside = (one for one in lists if is_file(one.path) and not is_shut(one.path))
    shared = (one for one in shared_wiki_sources(store) if not one.is_astray)
    return (one for one in (*markdown_sources(store.layout), *beside, *shared) if not kinds or one.kind in kinds)


def _archive_order(source: MarkdownSource) -> tuple[str, int, str]:
    """Archives by number: as text, 1000 would come before 101."""
    numbers = _NUMBER.findall(source.path.stem)
    return str(source.path.parent), int(numbers[-1]) if numbers else 0, source.path.name


def _may_contain(data: bytes, needle: str) -> bool:
    """Whether it is worth decoding the file; wrong only in saying yes."""
    if needle.isascii():
        if needle.lower().encode() in data.lower():
            return True
        rest = data.translate(None, _ASCII)
        if not any(letter in rest for letter in _FOLD_TO_ASCII):
            return False
    return needle.casefold() in data.decode("utf-8", "surrogateescape").casefold()


def _match_lines(text: str, needle: str) -> Iterator[tuple[int, tuple[Span, ...]]]:
    """Number, from 1, and spans of the lines that hold the needle."""
    sought = needle.casefold()
    for number, line in enumerate(text.split("\n"), 1):
        if sought in line.casefold() and (spans := find_spans(line.removesuffix("\r"), needle)):
            yield number, spans


def _line_rows(text: str, hits: dict[int, tuple[Span, ...]], context: int) -> tuple[FileLine, ...]:
    lines = text.split("\n")
    # What follows the last line end is no line.
    last = len(lines) - (not lines[-1])
    shown = sorted({near for at in hits for near in range(max(1, at - context), min(last, at + context) + 1)})
    return tuple(FileLine(at, lines[at - 1].removesuffix("\r"), at in hits, hits.get(at, ())) for at in shown)


def _filter_lines(
    store: Store, source: MarkdownSource, text: str, filters: Filters, aliases: Mapping[str, str]
) -> frozenset[int]:
    """The lines that the filters let through; `aliases` say where folders were moved."""
    wanted = "".join(_LABELS.get(kind, "") for kind in filters.kinds)
    allowed: set[int] = set()
    for passage in complete_heads(store, source, text, markdown_passages(source.path, text, source.kind)):
        if not _passes_filter(passage, filters, aliases):
            continue
        for number, label in zip(range(passage.lines[0], passage.lines[1] + 1), passage.labels, strict=False):
            if not wanted or label in wanted:
                allowed.add(number)
    return frozenset(allowed)


def _passes_filter(passage: Passage, filters: Filters, aliases: Mapping[str, str]) -> bool:
    head, date = passage.head, passage.date
    return (
        _contains_phrase(filters.project, (head.project, head.folder, current_folder(head.folder, aliases)))
        and _contains_phrase(filters.branch, (head.branch,))
        and _contains_phrase(filters.file, passage.files)
        and passage.session_id.startswith(filters.session)
        and (not filters.agent or head.agent.lower() == filters.agent)
        and (not filters.source or head.origin.lower() == filters.source)
        and (not filters.topic or filters.topic in (topic.lower() for topic in head.topics))
        and (not filters.tool or filters.tool in (tool.lower() for tool in passage.tools))
        and (filters.since is None or (date is not None and date >= filters.since))
        and (filters.until is None or (date is not None and date < filters.until))
    )


def _contains_phrase(value: str, texts: tuple[str, ...]) -> bool:
    """Whether the words of `value` stand side by side in one of the texts."""
    sought = " ".join(_WORD.findall(value.casefold()))
    return not sought or any(f" {sought} " in f" {' '.join(_WORD.findall(text.casefold()))} " for text in texts)
