"""EPHEMERAL.md: the rolling window of recent sessions, or the last session's summary.

An entry begins at its heading and nowhere else; what a person wrote around the entries stays where it is, whatever
enters or leaves the window.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from recall_tui.domain import WindowEntry
from recall_tui.storage.documents.window_notes import SUMMARY, IsOurs, note_of, with_words_of
from recall_tui.storage.files.atomic import digest
from recall_tui.storage.files.steady_clock import is_ahead
from recall_tui.storage.markdown.quoting import comment_json
from recall_tui.text.cut import one_line
from recall_tui.text.dates import iso, parse_time, window_time

SEPARATOR = "\n\n---\n\n"
UNKNOWN_TIME = datetime.min.replace(tzinfo=UTC)
"""The end of a session whose entry does not say it: older than all others."""
_HEADING = re.compile(r"## Session (?P<session>.*?)[ ]?— ?(?P<time>[^—]*)")
_FACTS = re.compile(
    r"\*\*Duration\*\*: ~?(?P<duration>.*?) \| \*\*Messages\*\*: (?P<messages>\d{1,9})"
    r"(?: \| \*\*Archive\*\*: ?(?P<archive>.*))?"
)
_ONE = re.compile(r"(?:[^·]* UTC · )?(?:(?P<duration>[^·]*) · )?(?P<messages>\d{1,9}) messages")
_MARK = "<!-- recall-window: "
_LEADING = "\ufeff \t\r\n"
"""What may stand before the first line."""
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_GLUED = re.compile(r"[^\S\n]*\n[^\S\n]*\S")
_RULE_FIRST = re.compile(r"\A\s*---[^\S\n]*(?:\n|\Z)\s*")
_RULE_LAST = re.compile(r"(?:(?<=\n)|\A)[^\S\n]*---\s*\Z")


Leaving = Callable[[str, WindowEntry], IsOurs]
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
class OneSummary:
    """The last session's summary that we wrote and nobody has edited since."""

    session_id: str
    ended_at: datetime
    archive: str
    text: str
    """What is below the line that marks it as ours."""


@dataclass(frozen=True, slots=True)
class _Block:
    """An entry as it stands in the file, and what stands between it and the next one."""

    text: str
    entry: WindowEntry
    gap: str


def parse(text: str) -> Window:
    """The entries and the free text of the file; a summary of ours that is not a list is free text."""
    lead, blocks = _blocks(text)
    if not blocks:
        return Window((), text.strip(), False)
    between = [_above(_below(block.gap)) for block in blocks[:-1]]
    free = [part.strip() for part in (_above(lead), *between, _below(blocks[-1].gap))]
    return Window(tuple(block.entry for block in blocks), "\n\n".join(filter(None, free)), True)


def shown(text: str) -> Window:
    """The same for whoever looks at it: a summary of ours is the entry of the session that it is of."""
    one = read_one(text)
    if one is None:
        return parse(text)
    _, _, words = one.text.partition("\n\n")
    facts, _, words = words.partition("\n\n")
    said = _ONE.match(facts)
    duration, messages = (said["duration"] or "", int(said["messages"])) if said else ("", 0)
    summary = one_line(words.partition("\n\n")[0])
    return Window((WindowEntry(one.session_id, one.ended_at, duration, messages, one.archive, summary),), "", False)


def render(window: Window) -> str:
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
        f"{SUMMARY} {one_line(entry.summary)}".rstrip()
    )


def add(
    text: str,
    entry: WindowEntry,
    max_entries: int,
    now: datetime | None = None,
    is_ours: IsOurs = lambda line: True,
    leaving: Leaving | None = None,
) -> str:
    """The file's text with `entry` in its place by session end, instead of the same session's older entry.

    Lines of that older entry that are not ours stay. The oldest entries beyond `max_entries` leave, but for a person's
    lines by `leaving`; when that is this one, only its older self leaves with it. An entry whose end lies after `now`,
    since a clock was ahead, is as old as the one before it in the file, unless the new one's does too.
    """
    new = render_entry(entry)
    now = None if now is None or is_ahead(entry.ended_at, now) else now
    lead, blocks = _blocks(text)
    for index, block in enumerate(blocks):
        if block.entry.session_id == one_line(entry.session_id):
            new = with_words_of(block.text, new, is_ours)
            if block.text == new:
                return trim(text, max_entries, now, leaving)
            lead, blocks = _without(lead, blocks, index)
            break
    if not blocks:
        return lead.rstrip("\n") + f"{SEPARATOR}{new}\n" if lead.strip(_LEADING) else f"{new}\n"
    place = len(blocks)
    ends = _ends(blocks, now)
    while place and ends[place - 1] > entry.ended_at:
        place -= 1
    if place:
        before = blocks[place - 1]
        blocks[place - 1] = _Block(before.text, before.entry, SEPARATOR)
        blocks.insert(place, _Block(new, entry, _apart(before.gap)))
    else:
        blocks.insert(0, _Block(new, entry, SEPARATOR))
    return _trimmed(lead, blocks, max_entries, now, leaving)


def trim(text: str, max_entries: int, now: datetime | None = None, leaving: Leaving | None = None) -> str:
    """The file's text with at most `max_entries` entries; the same bytes when it holds no more."""
    lead, blocks = _blocks(text)
    return _trimmed(lead, blocks, max_entries, now, leaving) if len(blocks) > max_entries else text


def remove(text: str, session_id: str) -> str:
    """The file's text without the entry of that session."""
    lead, blocks = _blocks(text)
    for index, block in enumerate(blocks):
        if block.entry.session_id == one_line(session_id):
            return _joined(*_without(lead, blocks, index))
    return text


def forget(text: str, session_id: str) -> str:
    """The file's text without anything that we wrote of that session: its entries, or all when it is its summary."""
    facts = _marked(text)
    if facts is not None and one_line(str(facts.get("session", ""))) == one_line(session_id):
        return ""
    while (less := remove(text, session_id)) != text:
        text = less
    return text


def together(before: str, text: str) -> str:
    """A window that was emptied, and what was written into it since: entries by session end, other text as it is.

    Of a session that is in both, the later entry stays; none leaves.
    """
    blocks, there = _blocks(before)[1], _blocks(text)[1]
    if not blocks or not there:
        return f"{before.rstrip()}{SEPARATOR}{text.lstrip()}"
    known = {block.entry.session_id for block in there}
    for block in blocks:
        if block.entry.session_id not in known:
            text = add(text, block.entry, len(blocks) + len(there))
    free = parse(before).free_text
    return f"{free}{SEPARATOR}{text.lstrip()}" if free else text


def one_summary(entry: WindowEntry, details: str) -> str:
    """The file's text as one session's summary, with a first line by which `read_one` knows it again."""
    body = f"# Last session\n\n{_one_line(entry)}\n\n{one_line(entry.summary)}\n"
    if details.strip():
        body += f"\n{details.strip()}\n"
    facts = {
        "session": entry.session_id,
        "ended": iso(entry.ended_at),
        "archive": entry.archive,
        "hash": digest(body.strip())[:16],
    }
    return f"{_MARK}{comment_json(facts)} -->\n{body}"


def read_one(text: str) -> OneSummary | None:
    """Our own summary of one session; None when a person or an agent wrote or edited the text."""
    facts = _marked(text)
    if facts is None:
        return None
    try:
        session, ended, archive, mark = (str(facts[key]) for key in ("session", "ended", "archive", "hash"))
    except KeyError:
        return None
    body = text.lstrip(_LEADING).partition("\n")[2].strip()
    if mark != digest(body)[:16]:
        return None
    return OneSummary(session, parse_time(ended) or UNKNOWN_TIME, archive, body)


def resealed(text: str) -> str:
    """A summary of ours whose text we changed, with the hash by which it is known that nobody else did."""
    facts = _marked(text)
    if facts is None:
        return text
    body = text.lstrip(_LEADING).partition("\n")[2]
    return f"{_MARK}{comment_json(facts | {'hash': digest(body.strip())[:16]})} -->\n{body}"


def _marked(text: str) -> dict[str, object] | None:
    """What the first line says by which a summary of ours is known; None when there is no such line."""
    first = text.lstrip(_LEADING).partition("\n")[0].rstrip()
    if not first.startswith(_MARK) or not first.endswith(" -->"):
        return None
    import json

    try:
        facts = json.loads(first[len(_MARK) : -len(" -->")])
    except (ValueError, RecursionError):
        return None
    return facts if isinstance(facts, dict) else None


def _one_line(entry: WindowEntry) -> str:
    at = "" if entry.ended_at == UNKNOWN_TIME else entry.ended_at.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")
    facts = [at, one_line(entry.duration), f"{entry.messages} messages", one_line(entry.archive)]
    return " · ".join(filter(None, facts))


def _blocks(text: str) -> tuple[str, list[_Block]]:
    """What stands before the first entry, and the entries; joined again they are `text`."""
    if "## Session " not in text or read_one(text):
        return text, []
    lines = _LINE.findall(text)
    found = [(start, *read) for start, line in enumerate(lines) if (read := _entry(lines, start, line))]
    if not found:
        return text, []
    blocks = []
    nexts = [*(start for start, _, _ in found[1:]), len(lines)]
    for (start, entry, end), following in zip(found, nexts, strict=True):
        whole = "".join(lines[start:end])
        bare = whole.rstrip()
        blocks.append(_Block(bare, entry, whole[len(bare) :] + "".join(lines[end:following])))
    return "".join(lines[: found[0][0]]), blocks


def _entry(lines: list[str], start: int, line: str) -> tuple[WindowEntry, int] | None:
    """The entry whose heading is at `start`, and the line after its last; None when it is no entry's heading."""
    heading = _HEADING.fullmatch(line.lstrip("\ufeff").rstrip())
    if not heading:
        return None
    at = _past_blanks(lines, start + 1)
    facts = _FACTS.fullmatch(lines[at].rstrip()) if at < len(lines) else None
    end = at + 1 if facts else start + 1
    at = _past_blanks(lines, end)
    summary: list[str] = []
    if at < len(lines) and lines[at].startswith(SUMMARY):
        end = _paragraph_end(lines, at)
        summary = [lines[at][len(SUMMARY) :], *lines[at + 1 : end]]
    elif not facts:
        return None
    entry = WindowEntry(
        session_id=one_line(heading["session"]),
        ended_at=parse_time(heading["time"]) or UNKNOWN_TIME,
        duration=one_line(facts["duration"]) if facts else "",
        messages=int(facts["messages"]) if facts else 0,
        archive=one_line(facts["archive"] or "") if facts else "",
        summary=one_line("".join(summary)),
    )
    return entry, end


def _past_blanks(lines: list[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _paragraph_end(lines: list[str], start: int) -> int:
    """The line after a summary: older versions left its line breaks in, rules among them, but ended it with a blank."""
    end = start + 1
    while end < len(lines) and lines[end].strip() and not _HEADING.fullmatch(lines[end].rstrip()):
        end += 1
    while end > start + 1 and lines[end - 1].strip() == "---":
        end -= 1
    return end


def _ends(blocks: Sequence[_Block], now: datetime | None) -> list[datetime]:
    """When the sessions ended; one that ends after `now` is taken to have ended with the one before it."""
    ends: list[datetime] = []
    for block in blocks:
        is_known = now is None or not is_ahead(block.entry.ended_at, now)
        ends.append(block.entry.ended_at if is_known else ends[-1] if ends else UNKNOWN_TIME)
    return ends


def _trimmed(lead: str, blocks: list[_Block], max_entries: int, now: datetime | None, leaving: Leaving | None) -> str:
    while len(blocks) > max_entries:
        ends = _ends(blocks, now)
        oldest = ends.index(min(ends))
        gone = blocks[oldest]
        if leaving and (note := note_of(gone.text, leaving(gone.text, gone.entry))):
            blocks[oldest] = _Block(gone.text, gone.entry, f"{SEPARATOR}{note}{gone.gap}")
        lead, blocks = _without(lead, blocks, oldest)
    return _joined(lead, blocks)


def _joined(lead: str, blocks: list[_Block]) -> str:
    text = lead + "".join(block.text + block.gap for block in blocks)
    return text if not text or text.endswith("\n") else f"{text}\n"


def _without(lead: str, blocks: list[_Block], index: int) -> tuple[str, list[_Block]]:
    """The blocks without one of them; the free text on both of its sides stays."""
    before = blocks[index - 1].gap if index else lead
    gap = _merged(before, blocks[index].gap, is_first=not index, is_last=index == len(blocks) - 1)
    rest = [*blocks[:index], *blocks[index + 1 :]]
    if not index:
        return gap, rest
    rest[index - 1] = _Block(rest[index - 1].text, rest[index - 1].entry, _apart(gap))
    return lead, rest


def _apart(gap: str) -> str:
    """What comes to stand below another entry, so that it is not taken for the rest of its summary."""
    return f"\n{gap}" if _GLUED.match(gap) else gap


def _merged(before: str, after: str, *, is_first: bool, is_last: bool) -> str:
    """What stands between the neighbours of an entry that leaves."""
    if not _is_free(after):
        if not is_last:
            return before
        return _above(before).rstrip("\r\n") + after if _is_free(before) else "" if is_first else after
    if not _is_free(before):
        return _below(after) if is_first else after
    return before + _below(after)


def _is_free(gap: str) -> bool:
    return bool(gap.replace("---", "", 1).strip("\ufeff \t\r\n"))


def _below(gap: str) -> str:
    return _RULE_FIRST.sub("", gap)


def _above(gap: str) -> str:
    return _RULE_LAST.sub("", gap)
