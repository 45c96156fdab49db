"""EPHEMERAL.md: the rolling window of recent sessions, or the last session's summary.

An entry begins at its heading and nowhere else; what a person wrote around the entries stays where it is, whatever
enters or leaves the window.
"""

from __future__ import annotations

import re
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

_SUMMARY_FACTS = re.compile(r"(?:[^·]* UTC · )?(?:(?P<duration>[^·]*) · )?(?P<messages>\d{1,9}) messages")
_NOTE_START = "<!-- recall-window: "


LineFilter = Callable[[str, WindowEntry], IsOurs]
"""Of an entry that leaves, its text and what it says: whether a line of it need not stay."""


@dataclass(frozen=True, slots=True)
class Window:
    """What the window's file holds."""

    entries: tuple[WindowEntry, ...]
    """In the order of the file."""
    free_text: str
    """What stands before, between and after the entries."""
    is_entries: bool


@dataclass(frozen=True, slots=True)
class LastSessionSummary:
    """The last session's summary that we wrote and nobody has edited since."""

    session_id: str
    ended_at: datetime
    archive: str
    text: str
    """What is below the line that marks it as ours."""


def parse_window(text: str) -> Window:
    """The entries and the free text of the file; a summary of ours that is not a list is free text."""
    lead, blocks = _split(text)
    if not blocks:
        return Window((), text.strip(), False)
    between = [above(below(block.gap)) for block in blocks[:-1]]
    free = [part.strip() for part in (above(lead), *between, below(blocks[-1].gap))]
    return Window(tuple(block.entry for block in blocks), "\n\n".join(filter(None, free)), True)


def display_window(text: str) -> Window:
    """The same for whoever looks at it: a summary of ours is the entry of the session that it is of."""
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
    """The file's text: the free text, then the entries."""
    parts = [window.free_text] if window.free_text else []
    parts += [render_entry(entry) for entry in window.entries]
    return SEPARATOR.join(parts) + "\n" if parts else ""


def render_entry(entry: WindowEntry) -> str:
    """One entry in its three lines, whatever its values hold."""
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
    """The file's text with `entry` in its place by session end, instead of the same session's older entry.

    Lines of that older entry that are not ours stay. The oldest entries beyond `max_entries` leave, but for a person's
    lines by `leaving`; when that is this one, only its older self leaves with it. An entry whose end lies after `now`,
    since a clock was ahead, is as old as the one before it in the file, unless the new one's does too.
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
    """The same with many entries, of sessions that have none in the file; of one session the last counts."""
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


def trim_entries(text: str, max_entries: int, now: datetime | None = None, leaving: LineFilter | None = None) -> str:
    """The file's text with at most `max_entries` entries; the same bytes when it holds no more."""
    return _trim_blocks(text, *_split(text), max_entries, now, leaving)


def remove_session(text: str, session_id: str) -> str:
    """The file's text without the first entry of that session."""
    lead, blocks = _split(text)
    gone = _places(blocks, [session_id])[:1]
    return joined(*without(lead, blocks, gone)) if gone else text


def forget_session(text: str, session_ids: Collection[str]) -> str:
    """The file's text without anything that we wrote of these sessions: entries, and a summary wherever it stands.

    A summary that somebody edited, or brought together with other text, ends at a rule or where another one begins.
    """
    ids = frozenset(map(one_line, session_ids))
    if _is_summary_of(text, ids) and read_last_session(text) is not None:
        return ""
    if (less := _without_summaries(text, ids)) != text:
        text = less.strip(f"{LEADING}-") and less
    lead, blocks = _split(text)
    gone = frozenset(_places(blocks, ids))
    return joined(*without(lead, blocks, gone)) if gone else text


def sessions_in(text: str) -> tuple[str, ...]:
    """The sessions that the file tells of in entries or in summaries, each once."""
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
    """A window that was emptied, and what was written into it since: entries by session end, other text as it is.

    Of a session that is in both, the later entry stays, and below it a person's lines of the other by `leaving`; none
    leaves.
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
    """Whether a line is one of these, or ours."""
    return lambda line: line.rstrip() in lines or is_ours(line)


def render_last_session(entry: WindowEntry, details: str) -> str:
    """The file's text as one session's summary, with a first line by which `read_last_session` knows it again."""
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
    """Our own summary of one session; None when a person or an agent wrote or edited the text."""
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


def refresh_checksum(text: str) -> str:
    """A summary of ours whose text we changed, with the hash by which it is known that nobody else did."""
    facts = _parse_note(text)
    if facts is None:
        return text
    body = text.lstrip(LEADING).partition("\n")[2]
    return f"{_NOTE_START}{comment_json(facts | {'hash': content_digest(body.strip())[:16]})} -->\n{body}"


def _parse_note(text: str) -> dict[str, object] | None:
    """What the first line says by which a summary of ours is known; None when there is no such line."""
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
    """What stands before the first entry, and the entries; a summary of ours has none, whatever it quotes."""
    return (text, []) if read_last_session(text) else split(text)


def _places(blocks: Sequence[Block], session_ids: Iterable[str]) -> list[int]:
    """Where entries of these sessions are."""
    ids = set(map(one_line, session_ids))
    return [index for index, block in enumerate(blocks) if block.entry.session_id in ids]


def _session_ends(blocks: Sequence[Block], now: datetime | None) -> list[datetime]:
    """When the sessions ended; one that ends after `now` is taken to have ended with the one before it."""
    ends: list[datetime] = []
    for block in blocks:
        is_known = now is None or not is_ahead(block.entry.ended_at, now)
        ends.append(block.entry.ended_at if is_known else ends[-1] if ends else UNKNOWN_TIME)
    return ends


def _trim_blocks(
    text: str, lead: str, blocks: list[Block], most: int, now: datetime | None, leaving: LineFilter | None
) -> str:
    """The text, which is these blocks, without the oldest of them; what of those is a person's stays."""
    gone = _oldest(blocks, len(blocks) - most, now)
    if not gone:
        return text
    for index in sorted(gone) if leaving else ():
        block = blocks[index]
        if leaving and (note := extract_notes(block.text, leaving(block.text, block.entry))):
            blocks[index] = replace(block, gap=f"{SEPARATOR}{note}{block.gap}")
    return joined(*without(lead, blocks, gone))


def _oldest(blocks: Sequence[Block], count: int, now: datetime | None) -> set[int]:
    """The places of so many entries that ended first, by `_ends` of what is left after each of them."""
    is_known = [now is None or not is_ahead(block.entry.ended_at, now) for block in blocks]
    # An entry that is taken to end with the one before it leaves after that one, and with none before it at once.
    by_end = iter(sorted((at for at, known in enumerate(is_known) if known), key=lambda at: blocks[at].entry.ended_at))
    gone: set[int] = set()
    first = 0
    while len(gone) < count:
        while first in gone:
            first += 1
        gone.add(next(by_end) if is_known[first] else first)
    return gone
