"""EPHEMERAL.md: the rolling window of recent sessions, or the last session's summary.

An entry begins only at its heading; the user's text around entries stays in place, whatever enters or leaves the
window.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from recall_tui.domain import WindowEntry
from recall_tui.storage.documents.window_blocks import (
    HEADING_LINE,
    LEADING,
    SEPARATOR,
    SUMMARY_PREFIX,
    UNKNOWN_TIME,
    Block,
    IsOurs,
    above,
    below,
    extract_notes,
    joined,
    placed,
    split,
    with_own_notes,
    without,
)
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.markdown.quoting import comment_json
from recall_tui.text.cut import one_line
from recall_tui.text.dates import iso_time, parse_time, window_time
from recall_tui.text.lazy_pattern import lazy_pattern

_SUMMARY_FACTS = lazy_pattern(r"(?:[^·]* UTC · )?(?:(?P<duration>[^·]*) · )?(?P<messages>\d{1,9}) messages")
_NOTE_START = "<!-- recall-window: "


LineFilter = Callable[[str, WindowEntry], IsOurs]
"""Given the text and values of a leaving entry, return a predicate for the lines that need not stay."""


@dataclass(frozen=True, slots=True)
class Window:
    """The parsed window file."""

    entries: tuple[WindowEntry, ...]
    """In file order."""
    free_text: str
    """The text before, between and after the entries."""
    is_entries: bool


@dataclass(frozen=True, slots=True)
class LastSessionSummary:
    """The last session's summary, written by us and unedited."""

    session_id: str
    ended_at: datetime
    archive: str
    text: str
    """The text below its marker line."""


def parse_window(text: str) -> Window:
    """Parse the entries and free text; our single-session summary counts as free text."""
    lead, blocks = _split(text)
    if not blocks:
        return Window((), text.strip(), False)
    between = [above(below(block.gap)) for block in blocks[:-1]]
    free = [part.strip() for part in (above(lead), *between, below(blocks[-1].gap))]
    return Window(tuple(block.entry for block in blocks), "\n\n".join(filter(None, free)), True)


def display_window(text: str) -> Window:
    """Parse the window for display: our single-session summary becomes that session's entry."""
    one = read_last_session(text)
    if one is None:
        return parse_window(text)
    _, _, words = one.text.partition("\n\n")
    facts, _, words = words.partition("\n\n")
    said = _SUMMARY_FACTS.match(facts)
    duration, messages = (said["duration"] or "", int(said["messages"])) if said else ("", 0)
    summary = one_line(words.partition("\n\n")[0])
    return Window((WindowEntry(one.session_id, one.ended_at, duration, messages, one.archive, summary),), "", False)


def render_window(window: Window) -> str:
    """Render the free text, then the entries."""
    parts = [window.free_text] if window.free_text else []
    parts += [render_entry(entry) for entry in window.entries]
    return SEPARATOR.join(parts) + "\n" if parts else ""


def render_entry(entry: WindowEntry) -> str:
    """Render an entry in its three lines, whatever its values contain."""
    time = "unknown" if entry.ended_at == UNKNOWN_TIME else window_time(entry.ended_at)
    duration = one_line(entry.duration).replace("|", "/")
    return (
        f"## Session {one_line(entry.session_id)} — {time}\n"
        f"**Duration**: ~{duration} | **Messages**: {entry.messages} | **Archive**: {one_line(entry.archive)}\n"
        f"{SUMMARY_PREFIX} {one_line(entry.summary)}".rstrip()
    )


def add_entry(
    text: str,
    entry: WindowEntry,
    max_entries: int,
    now: datetime | None = None,
    is_ours: IsOurs = lambda line: True,
    leaving: LineFilter | None = None,
) -> str:
    """Return the text with `entry` in its place by session end, replacing the session's older entry.

    Lines of the older entry that are not ours stay. The oldest entries beyond `max_entries` leave, except the user's
    lines according to `leaving`; if the new entry is the oldest, only its older version leaves with it. An entry whose
    end lies after `now`, because a clock ran ahead, counts as old as the one before it in the file, unless the new
    entry's end lies after `now` too.
    """
    new = render_entry(entry)
    now = None if now is None or is_ahead(entry.ended_at, now) else now
    lead, blocks = _split(text)
    index = next(iter(_places(blocks, [entry.session_id])), None)
    if index is not None:
        new = with_own_notes(blocks[index].text, new, is_ours)
        if blocks[index].text == new:
            return _trim_blocks(text, lead, blocks, max_entries, now, leaving)
        lead, blocks = without(lead, blocks, [index])
    lead, blocks = placed(lead, blocks, _session_ends(blocks, now), [Block(new, entry, "")])
    return _trim_blocks(joined(lead, blocks), lead, blocks, max_entries, now, leaving)


def add_all(
    text: str,
    entries: Iterable[WindowEntry],
    max_entries: int,
    now: datetime | None = None,
    leaving: LineFilter | None = None,
) -> str:
    """Add many entries of sessions that have none in the file; of equal sessions the last one counts."""
    every: dict[str, WindowEntry] = {}
    for entry in entries:
        every.pop(entry.session_id, None)
        every[entry.session_id] = entry
    lead, blocks = _split(text)
    for is_late, clock in ((False, now), (True, None)):
        found = (one for one in every.values() if is_late == (now is not None and is_ahead(one.ended_at, now)))
        new = [Block(render_entry(one), one, "") for one in found]
        if new:
            lead, blocks = placed(lead, blocks, _session_ends(blocks, clock), new)
            text = joined(lead, blocks)
    return _trim_blocks(text, lead, blocks, max_entries, now, leaving)


def forget_session(text: str, session_ids: Collection[str], leaving: LineFilter | None = None) -> str:
    """Return the text without our entries and summaries of these sessions, wherever they are.

    A summary that was edited or merged with other text ends at a rule or where another one begins. With `leaving` such
    a summary stays, and so do the user's lines of an entry.
    """
    ids = frozenset(map(one_line, session_ids))
    if _is_summary_of(text, ids) and read_last_session(text) is not None:
        return ""
    if leaving is None and (less := _without_summaries(text, ids)) != text:
        text = less.strip(f"{LEADING}-") and less
    lead, blocks = _split(text)
    gone = frozenset(_places(blocks, ids))
    return joined(*without(lead, _with_notes(blocks, gone, leaving), gone)) if gone else text


def sessions_in(text: str) -> tuple[str, ...]:
    """Return the sessions with an entry or summary in the file, without repeats."""
    facts = (_parse_note(line) or {} for line in text.split("\n") if line.strip().startswith(_NOTE_START))
    summarised = (one_line(str(one.get("session", ""))) for one in facts)
    return tuple(filter(None, {*summarised, *(entry.session_id for entry in parse_window(text).entries)}))


def _without_summaries(text: str, session_ids: Collection[str]) -> str:
    kept, is_going = list[str](), False
    for line in text.splitlines(keepends=True) if _NOTE_START in text else (text,):
        if (bare := line.strip()).startswith(_NOTE_START):
            is_going = _is_summary_of(line, session_ids)
        is_going = is_going and bare != "---" and not HEADING_LINE.fullmatch(bare)
        kept += [] if is_going else [line]
    return "".join(kept)


def _is_summary_of(text: str, session_ids: Collection[str]) -> bool:
    facts = _parse_note(text)
    return facts is not None and one_line(str(facts.get("session", ""))) in session_ids


def merge_windows(before: str, text: str, leaving: LineFilter) -> str:
    """Merge an emptied window with what was written since: entries by session end, other text unchanged.

    For a session in both, the later entry stays, followed by the user's lines of the other according to `leaving`; no
    entry leaves.
    """
    blocks, (lead, there) = _split(before)[1], _split(text)
    if not blocks or not there:
        return f"{before.rstrip()}{SEPARATOR}{text.lstrip()}"
    known = {block.entry.session_id: index for index, block in enumerate(there)}
    present = set(map(str.rstrip, text.split("\n")))
    missing: dict[str, Block] = {}
    for block in blocks:
        index = known.get(block.entry.session_id)
        if index is None:
            missing[block.entry.session_id] = replace(block, text=block.text.lstrip(LEADING), gap="")
        elif note := extract_notes(block.text, _either(present, leaving(block.text, block.entry))):
            there[index] = replace(there[index], gap=f"{SEPARATOR}{note}{there[index].gap}")
    text = joined(*placed(lead, there, _session_ends(there, None), list(missing.values())))
    free = parse_window(before).free_text
    return f"{free}{SEPARATOR}{text.lstrip()}" if free else text


def _either(lines: Collection[str], is_ours: IsOurs) -> IsOurs:
    """Return a predicate for lines that are in `lines` or ours."""
    return lambda line: line.rstrip() in lines or is_ours(line)


def render_last_session(entry: WindowEntry, details: str) -> str:
    """Render one session's summary, with a marker line by which `read_last_session` recognizes it."""
    body = f"# Last session\n\n{_one_line(entry)}\n\n{one_line(entry.summary)}\n"
    if details.strip():
        body += f"\n{details.strip()}\n"
    facts = {
        "session": entry.session_id,
        "ended": iso_time(entry.ended_at),
        "archive": entry.archive,
        "hash": content_digest(body.strip())[:16],
    }
    return f"{_NOTE_START}{comment_json(facts)} -->\n{body}"


def read_last_session(text: str) -> LastSessionSummary | None:
    """Parse our own summary of one session; None when anybody else wrote or edited the text."""
    facts = _parse_note(text)
    if facts is None:
        return None
    try:
        session, ended, archive, mark = (str(facts[key]) for key in ("session", "ended", "archive", "hash"))
    except KeyError:
        return None
    body = text.lstrip(LEADING).partition("\n")[2].strip()
    if mark != content_digest(body)[:16]:
        return None
    return LastSessionSummary(session, parse_time(ended) or UNKNOWN_TIME, archive, body)


def strip_note(text: str) -> str:
    """Return the text without the marker line of a generated summary."""
    return text if _parse_note(text) is None else text.lstrip(LEADING).partition("\n")[2].strip()


def refresh_checksum(text: str) -> str:
    """Return our summary, whose text we changed, with its hash updated."""
    facts = _parse_note(text)
    if facts is None:
        return text
    body = text.lstrip(LEADING).partition("\n")[2]
    return f"{_NOTE_START}{comment_json(facts | {'hash': content_digest(body.strip())[:16]})} -->\n{body}"


def _parse_note(text: str) -> dict[str, object] | None:
    """Parse the marker line of our summary; None when the text does not begin with one."""
    first = text.lstrip(LEADING).partition("\n")[0].rstrip()
    if not first.startswith(_NOTE_START) or not first.endswith(" -->"):
        return None
    import json

    try:
        facts = json.loads(first[len(_NOTE_START) : -len(" -->")])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def _one_line(entry: WindowEntry) -> str:
    at = "" if entry.ended_at == UNKNOWN_TIME else entry.ended_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    facts = [at, one_line(entry.duration), f"{entry.messages} messages", one_line(entry.archive)]
    return " · ".join(filter(None, facts))


def _split(text: str) -> tuple[str, list[Block]]:
    """Return the text before the first entry, and the entries; our summary has none, whatever it quotes."""
    return (text, []) if read_last_session(text) else split(text)


def _places(blocks: Sequence[Block], session_ids: Iterable[str]) -> list[int]:
    ids = set(map(one_line, session_ids))
    return [index for index, block in enumerate(blocks) if block.entry.session_id in ids]


def _session_ends(blocks: Sequence[Block], now: datetime | None) -> list[datetime]:
    """Return the session ends; one after `now` counts as equal to the one before it."""
    ends: list[datetime] = []
    for block in blocks:
        is_known = now is None or not is_ahead(block.entry.ended_at, now)
        ends.append(block.entry.ended_at if is_known else ends[-1] if ends else UNKNOWN_TIME)
    return ends


def _trim_blocks(
    text: str, lead: str, blocks: list[Block], most: int, now: datetime | None, leaving: LineFilter | None
) -> str:
    """Return the text, which consists of these blocks, without the oldest ones; the user's lines of those stay."""
    gone = _oldest(blocks, len(blocks) - most, now)
    if not gone:
        return text
    return joined(*without(lead, _with_notes(blocks, gone, leaving), gone))


def _with_notes(blocks: Sequence[Block], gone: Collection[int], leaving: LineFilter | None) -> list[Block]:
    """Return the blocks with the user's lines of leaving ones in the gaps below them."""
    made = list(blocks)
    for index in sorted(gone) if leaving else ():
        block = made[index]
        if leaving and (note := extract_notes(block.text, leaving(block.text, block.entry))):
            made[index] = replace(block, gap=f"{SEPARATOR}{note}{block.gap}")
    return made


def _oldest(blocks: Sequence[Block], count: int, now: datetime | None) -> set[int]:
    """Return the indexes of the `count` entries that ended first, by `_session_ends` applied after each removal."""
    is_known = [now is None or not is_ahead(block.entry.ended_at, now) for block in blocks]
    # An entry with an end in the future leaves after the one before it, or at once if it is the first.
    by_end = iter(sorted((at for at, known in enumerate(is_known) if known), key=lambda at: blocks[at].entry.ended_at))
    gone: set[int] = set()
    first = 0
    while len(gone) < count:
        while first in gone:
            first += 1
        gone.add(next(by_end) if is_known[first] else first)
    return gone
