"""ARCHIVE.md: one row per archive, in the tables of every generation.

Lines that are not rows belong to the user: they are never changed or lost.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC

from recall_tui.domain import ArchiveEntry, IndexRow
from recall_tui.text.cut import one_line
from recall_tui.text.dates import parse_time
from recall_tui.text.lazy_pattern import lazy_pattern

MAX_ROWS_BYTES = 16 << 20
"""The size of ARCHIVE.md for more than 100,000 sessions: a larger one is not read when a session ends."""

INDEX_TITLE = "# Conversation Archive"
EMPTY_CELL = "—"
_COLUMNS = "| # | Date | Session | Topics | Messages | Duration |"
_DELIMITER = "|---|------|---------|--------|----------|----------|"
MISSING_TITLE = "## Rows without an archive"
_MISSING_HEADER = (
    MISSING_TITLE,
    "",
    "| Missing | Date | Session | Topics | Messages | Duration |",
    "|---------|------|---------|--------|----------|----------|",
)
_MISSING_ROW = lazy_pattern(r"\| (\d+) missing \|")
_LEGACY_CELL_COUNT = 3
"""Cells in a row of the first generation: number, date, trigger."""
_CELL_COUNT = 6
_TRIGGERS = frozenset(("precompact", "pre-compact", "session-end", "promote", "checkpoint", "manual", "auto"))
"""The third cell of a row of the first generation, when it is no list of topics."""
_LIST_LINE = lazy_pattern(r"[-*+]\s+(\d{1,9})\s*\|\s*([\d-]{8,10})\s*(?:\|(.*))?")
_PIPE = lazy_pattern(r"\\.|\|", re.DOTALL)
_COMMA = lazy_pattern(r"\\.|, ?", re.DOTALL)
_ESCAPED = lazy_pattern(r"\\([\\|,])")
_SPECIAL_CHAR = lazy_pattern(r"[\\|]")
_DURATION = lazy_pattern(r"< 1m|\d+m|\d+h(?:\d\dm)?|unknown|—|")
_TABLE_RULE = lazy_pattern(r"\|[\s:|-]+\|")


def parse_rows(text: str) -> tuple[IndexRow, ...]:
    """Parse the rows in file order; skip other lines."""
    return tuple(iter_rows(text))


def iter_rows(text: str) -> Iterator[IndexRow]:
    """Iterate over the rows like `parse_rows`."""
    return (row for line in text.split("\n") if line[:1] == "|" and (row := _row(line)))


def render_header() -> str:
    """Return the beginning of a new file, up to its first row."""
    return f"{INDEX_TITLE}\n\n{_table_head()}"


def render_row(entry: ArchiveEntry) -> str:
    """Render the archive's row with its line end; the date is the UTC day of the session's end."""
    date = entry.date.astimezone(UTC).date().isoformat() if entry.date else EMPTY_CELL
    topics = ", ".join(_topic(topic) for topic in entry.topics if one_line(topic) not in ("", EMPTY_CELL))
    cells = (f"{entry.number:03d}", date, _cell(entry.session_id), topics or EMPTY_CELL, f"{entry.messages}")
    return f"| {' | '.join(cells)} | {_cell(entry.duration)} |\n"


def add_row(text: str, entry: ArchiveEntry, was: ArchiveEntry | None = None) -> str:
    """Return `text` with the archive's row in place of its older one, or else by its number at the end of the table.

    Cells of the older row that differ from the row of `was`, or follow our columns, were written by the user and stay.
    """
    new = render_row(entry)
    if not text.strip():
        return render_header() + new
    lines = text.split("\n")
    if (at := _find_row(lines, entry)) is not None:
        there, new = lines[at], new.rstrip("\n")
        lines[at] = _merge_row(there, new, render_row(was)) if was else _with_cells(new, extra_cells(there))
        return "\n".join(lines)
    last = _last_table_line(lines)
    if last is None:
        return text.rstrip("\n") + f"\n\n{_table_head()}{new}"
    if last == len(lines) - 1:
        lines.append("")
    while (row := _row(lines[last])) and row.number > entry.number:
        last -= 1
    lines.insert(last + 1, new.rstrip("\n"))
    return "\n".join(lines)


def find_line(text: str, entry: ArchiveEntry) -> str:
    """Return the archive's own row unchanged; empty when it has none."""
    lines = text.split("\n")
    at = _find_row(lines, entry)
    return "" if at is None else lines[at].rstrip()


def remove_row(text: str, number: int, session_id: str = "") -> str:
    """Return `text` without the rows of that number, or only those of that session."""
    wanted = one_line(session_id)
    return drop_rows(text, lambda row: row.number == number and (not wanted or row.session_id == wanted))


def drop_rows(text: str, is_it: Callable[[IndexRow], bool]) -> str:
    """Return `text` without the rows that match `is_it`."""

    def leaves(line: str) -> bool:
        row = _row(line) if line[:1] == "|" else None
        return row is not None and is_it(row)

    return "\n".join(line for line in text.split("\n") if not leaves(line))


def rebuild_text(text: str, entries: Iterable[ArchiveEntry]) -> str:
    """Return `text` with a row per archive, by number, in one table in place of the first.

    An existing row stays as it is, because the user may have changed it. A row whose archive is missing moves below,
    marked as missing; the user's lines stay in place.
    """
    lines = text.split("\n")
    listed = _listed_rows(lines)
    entries = [_with_listed(entry, listed.get(entry.number)) for entry in entries]
    tables, own = _find_tables(lines)
    rows, left = _rebuild_rows(sorted(entries, key=lambda entry: entry.number), [lines[at] for at in own])
    first = min(tables, default=None)
    if first is None:
        before = text.rstrip("\n")
        return f"{before}\n\n{_table_head()}{rows}" if before.strip() else render_header() + rows
    before = "".join(f"{line}\n" for line in lines[:first])
    after = _append_missing([line for at, line in enumerate(lines[first:], first) if at not in tables], left)
    if before.strip() and not before.endswith("\n\n"):
        before += "\n"
    gap = "\n" if after.strip() and not after.startswith(("\n", "\r\n")) else ""
    return f"{before or render_header().removesuffix(_table_head())}{_table_head()}{rows}{gap}{after}"


def with_listed(text: str, entry: ArchiveEntry) -> ArchiveEntry:
    """The entry with date and topics of its line in a list of the oldest form, where its own head has none."""
    return _with_listed(entry, _listed_rows(text.split("\n")).get(entry.number))


def _listed_rows(lines: Iterable[str]) -> dict[int, IndexRow]:
    """The lines of the oldest forms by number, the last of each."""
    return {row.number: row for line in lines if (row := _listed_row(line))}


def _listed_row(line: str) -> IndexRow | None:
    """A line of the oldest forms: `- 001 | 2026-01-02 | auth, jwt`, or a row that ends in topics or a trigger."""
    if found := _LIST_LINE.fullmatch(line.strip()):
        return IndexRow(int(found[1]), found[2], topics=_topics(found[3] or ""))
    row = _row(line) if line[:1] == "|" else None
    if row is None or not row.trigger:
        return None
    topics = () if row.trigger.casefold() in _TRIGGERS else _topics(row.trigger)
    return replace(row, topics=topics, trigger="")


def _with_listed(entry: ArchiveEntry, row: IndexRow | None) -> ArchiveEntry:
    if row is None:
        return entry
    return replace(
        entry, date=entry.date or parse_time(row.date), topics=tuple(dict.fromkeys((*entry.topics, *row.topics)))
    )


def _full_row(line: str) -> IndexRow | None:
    """Parse a complete row of the newest generation; None for any other line."""
    row = _row(line) if line[:1] == "|" else None
    return row if row and not row.trigger and len(_cells(line.rstrip())) >= _CELL_COUNT else None


def _current_row(line: str | None, entry: ArchiveEntry) -> str:
    """Return the archive's existing row while its messages and duration are right, or else a new one."""
    row = _row(line) if line else None
    is_it = row is not None and (row.messages, row.duration) == (entry.messages, one_line(entry.duration))
    if not line:
        return render_row(entry)
    return f"{line.rstrip()}\n" if is_it else _with_cells(render_row(entry).rstrip("\n"), extra_cells(line)) + "\n"


def _combine_rows(lines: Sequence[str], entry: ArchiveEntry) -> str:
    """Return one row for an archive that had several, with all their topics: the user may have written some of them."""
    topics = dict.fromkeys(topic for line in lines if (row := _row(line)) for topic in row.topics)
    cells = dict.fromkeys(cell for line in lines for cell in extra_cells(line))
    return _with_cells(render_row(replace(entry, topics=tuple(topics))).rstrip("\n"), cells) + "\n"


def _merge_row(there: str, new: str, was: str) -> str:
    """Return the new row with the cells that somebody changed since we wrote `was`."""
    found, old, now = (_split(line.strip().removeprefix("|").removesuffix("|"), _PIPE) for line in (there, was, new))
    own = extra_cells(there)
    found = found[: len(found) - len(own)]
    if not len(found) == len(old) == len(now):
        return new.rstrip("\n") if there.strip() == was.strip() else there
    cells = [
        one if one.strip() != before.strip() else after for one, before, after in zip(found, old, now, strict=True)
    ]
    return _with_cells(f"|{'|'.join(cells)}|", own)


def extra_cells(line: str) -> list[str]:
    """Return the cells that the user added behind ours, as written."""
    cells = _cells(line.rstrip())
    return cells[_end_of_topics(cells) + 2 :] if len(cells) > _CELL_COUNT else []


def _with_cells(row: str, cells: Iterable[str]) -> str:
    """Return the row with more cells at its end."""
    return row + "".join(f" {cell} |" for cell in cells)


def missing_numbers(text: str) -> tuple[str, ...]:
    """Return the numbers of rows marked as missing, as written in the file."""
    found = (_MISSING_ROW.match(line) for line in text.split("\n"))
    return tuple(match[1] for match in found if match)


def drop_missing_rows(text: str) -> str:
    """Return `text` without the rows marked as missing and their heading."""
    lines = text.split("\n")
    if MISSING_TITLE in lines:
        at = lines.index(MISSING_TITLE)
        rest = [line for line in lines[at + 1 :] if line not in _MISSING_HEADER and not _MISSING_ROW.match(line)]
        while rest and not rest[0].strip():
            rest.pop(0)
        above = lines[:at]
        while above and not above[-1].strip():
            above.pop()
        lines = [*above, "", *rest]
    return "\n".join(line for line in lines if not _MISSING_ROW.match(line))


def _find_tables(lines: Sequence[str]) -> tuple[set[int], list[int]]:
    """Return the lines of our tables (headers, rules, rows), and those of them that are rows."""
    tables: set[int] = set()
    own: list[int] = []
    for at, line in enumerate(lines):
        if line[:1] != "|":
            continue
        bare = line.rstrip()
        if _row(line) is not None:
            tables.add(at)
            own.append(at)
        # The rule of a user's own table belongs to that table.
        elif bare == _COLUMNS or (_TABLE_RULE.fullmatch(bare) and (at - 1 in tables or lines[at - 1][:1] != "|")):
            tables.add(at)
    return tables, own


def _rebuild_rows(entries: Sequence[ArchiveEntry], lines: Sequence[str]) -> tuple[str, list[str]]:
    """Return a row for each archive, and the lines of rows without an archive."""
    left: dict[int, list[tuple[IndexRow, str]]] = {}
    for line in lines:
        if row := _row(line):
            left.setdefault(row.number, []).append((row, line))
    rows = []
    for entry in entries:
        new, session = render_row(entry), one_line(entry.session_id)
        mine = [one for one in left.get(entry.number, ()) if one[0].session_id in ("", session)]
        whole = [line for row, line in mine if _full_row(line) and row.session_id == session]
        kept = whole[0] if whole else ""
        rows.append(_current_row(kept, entry) if len(set(whole)) < 2 else _combine_rows(whole, entry))
        gone = {kept.rstrip(), new.rstrip("\n"), *(line for row, line in mine if row.trigger or not row.session_id)}
        left[entry.number] = [one for one in left.get(entry.number, ()) if one[1].rstrip() not in gone]
    return "".join(rows), [line for found in left.values() for _, line in found]


def _append_missing(after: Sequence[str], left: Sequence[str]) -> str:
    """Return the lines below the table, with rows whose archive is missing under their own heading."""
    if not left:
        return "\n".join(after)
    rows = [re.sub(r"^\|\s*(\d+)\s*\|", r"| \1 missing |", line.rstrip()) for line in left]
    if MISSING_TITLE in after:
        place = max(at for at, line in enumerate(after) if _MISSING_ROW.match(line) or line in _MISSING_HEADER[2:]) + 1
        return "\n".join([*after[:place], *rows, *after[place:]])
    above = "\n".join(after).rstrip("\n")
    return "\n".join([*([above, ""] if above.strip() else []), *_MISSING_HEADER, *rows, ""])


def _table_head() -> str:
    return f"{_COLUMNS}\n{_DELIMITER}\n"


def _row(line: str) -> IndexRow | None:
    cells = _cells(line.rstrip())
    if len(cells) < _LEGACY_CELL_COUNT or not (cells[0].isascii() and cells[0].isdecimal() and len(cells[0]) < 10):
        return None
    if len(cells) == _LEGACY_CELL_COUNT:
        return IndexRow(int(cells[0]), cells[1], trigger=_unescape(cells[2]))
    if len(cells) < _CELL_COUNT:
        cells += [""] * (_CELL_COUNT - len(cells))
    end = _end_of_topics(cells)
    topics, messages, duration = "|".join(cells[3:end]), cells[end], cells[end + 1]
    return IndexRow(
        number=int(cells[0]),
        date="" if cells[1] == EMPTY_CELL else cells[1],
        session_id=_unescape(cells[2]),
        topics=_topics(topics),
        messages=int(messages) if messages.isascii() and messages.isdecimal() and len(messages) < 10 else 0,
        duration=_unescape(duration),
    )


def _end_of_topics(cells: Sequence[str]) -> int:
    """Return the place of the message count: surplus cells below our columns are the user's, behind the duration.

    Older versions did not escape a bar inside a topic: surplus cells before the count belong to the topics.
    """
    places = range(4, len(cells) - 1) if len(cells) > _CELL_COUNT else ()
    are_ours = (at for at in places if cells[at].isdecimal() and _DURATION.fullmatch(cells[at + 1]))
    return next(are_ours, len(cells) - 2)


def _cells(line: str) -> list[str]:
    is_ours = line[:2] == "| " and line[-2:] == " |" and "\\" not in line and "  " not in line
    if is_ours and len(cells := line[2:-2].split(" | ")) == _CELL_COUNT:
        return cells
    inner = line[1:-1] if line[-1:] == "|" else line[1:]
    if "\\" in line:
        return [cell.strip() for cell in _split(inner, _PIPE)]
    return [cell.strip() for cell in inner.split("|")]


def _topics(cell: str) -> tuple[str, ...]:
    if cell in (EMPTY_CELL, ""):
        return ()
    if "\\" not in cell:
        return tuple(filter(None, map(str.strip, cell.split(","))))
    return tuple(topic for part in _split(cell, _COMMA) if (topic := _unescape(part.strip())))


def _split(text: str, pattern: re.Pattern[str]) -> list[str]:
    """Split `text` at unescaped separators; backslashes stay."""
    parts, start = [], 0
    for found in pattern.finditer(text):
        if found[0][0] != "\\":
            parts.append(text[start : found.start()])
            start = found.end()
    return [*parts, text[start:]]


def _cell(text: str) -> str:
    return _SPECIAL_CHAR.sub(r"\\\g<0>", one_line(text))


def _topic(text: str) -> str:
    return _cell(text).replace(",", "\\,")


def _unescape(cell: str) -> str:
    return _ESCAPED.sub(r"\1", cell) if "\\" in cell else cell


def _find_row(lines: list[str], entry: ArchiveEntry) -> int | None:
    """Return the line of the archive's row, preferring the row of its session and generation among equal numbers."""
    is_log = entry.name.startswith("archive-log")
    session, best, rank = one_line(entry.session_id), None, -1
    for at, line in enumerate(lines):
        if line[:1] != "|" or str(entry.number) not in line[:14] or not (row := _row(line)):
            continue
        is_old = bool(row.trigger)
        if row.number != entry.number or (is_old and not is_log):
            continue
        score = 0 if is_old else 2 if row.session_id == session else 1
        if score >= rank:
            best, rank = at, score
    return best


def ends_in_table(text: str, is_in_table: bool = False) -> bool:
    """Return whether a row of the newest generation may follow `text`, which consists of whole lines.

    `is_in_table` says that `text` itself follows a table.
    """
    if text and not text.endswith("\n"):
        return False
    for line in text.split("\n")[:-1]:
        is_in_table = line[:1] == "|" and (is_in_table or line.rstrip() == _COLUMNS)
    return is_in_table


def _last_table_line(lines: list[str]) -> int | None:
    """Return the last line of the newest generation's last table; None when there is none."""
    last, in_table = None, False
    for at, line in enumerate(lines):
        if line[:1] != "|":
            in_table = False
        elif line.rstrip() == _COLUMNS:
            in_table = True
        if in_table:
            last = at
    return last
