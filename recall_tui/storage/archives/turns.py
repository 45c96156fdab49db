"""Match messages to the turns of an archive, and insert missing ones between them.

Text that is already in an archive is never rewritten here: the user's changes and additions stay in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import StringIO
from typing import TYPE_CHECKING

from recall_tui.storage.archives.body import Role, find_headings, message_block, write_body
from recall_tui.storage.markdown.frontmatter import read_time

if TYPE_CHECKING:
    from recall_tui.domain import Message

_MAX_POSITIONS = 32
"""The most candidate positions to check per message."""
_MAX_NOTE_CHARS = 60
"""The most characters of the line with a turn's time."""


@dataclass(slots=True)
class ArchiveTurn:
    """The lines of an archive from one heading to the next."""

    text: str
    role: Role | None = None
    """The speaker; None for a sub-agent, and above the first heading."""
    has_heading: bool = False
    is_aside: bool = False
    at: datetime | None = None
    """The turn's time, to the minute."""
    words: list[int] = field(default_factory=list)
    """A hash per line that is not blank, without the heading."""
    taken: bytearray = field(default_factory=bytearray)
    """Flags of the lines that were matched to a message."""


class ArchiveTurns:
    """The turns of one archive, or of several of one session."""

    def __init__(self, bodies: Iterable[str], clean: Callable[[str], str]) -> None:
        self._clean = clean
        self.all = [turn for body in bodies for turn in _parse_turns(body, clean)]
        self._places: dict[int, list[tuple[int, int]]] = {}
        for number, turn in enumerate(self.all):
            for place, word in enumerate(turn.words):
                self._places.setdefault(word, []).append((number, place))
        self._begin: dict[int, int] = {}
        """The number of leading positions of a line hash that are already matched."""

    def find(self, message: Message) -> int | None:
        """Match a message and return its turn; -1 for a message that is not written, None when none holds it.

        Matched lines are not matched again by a later message.
        """
        role, block = message_block(message, self._clean)
        words = _line_hashes(block)
        if not words:
            return -1
        rarest = min(range(len(words)), key=lambda place: len(self._places.get(words[place], ())))
        candidates = [one for one in self._untaken(words[rarest]) if self._is_of(one[0], role, message)]
        for number, place in candidates:
            turn, start = self.all[number], place - rarest
            if start >= 0 and turn.words[start : start + len(words)] == words:
                return self._take(number, range(start, start + len(words)))
        for number in dict.fromkeys(number for number, _ in candidates):
            if found := _split_positions(self.all[number], words):
                return self._take(number, found)
        return None

    @property
    def has_more(self) -> bool:
        """Return whether some lines were matched to no message."""
        return any(not all(turn.taken) for turn in self.all)

    def _is_of(self, number: int, role: Role | None, message: Message) -> bool:
        turn = self.all[number]
        return turn.is_aside == message.is_sidechain and (not role or turn.is_aside or turn.role == role)

    def _untaken(self, word: int) -> list[tuple[int, int]]:
        places = self._places.get(word, [])
        at = self._begin.get(word, 0)
        while at < len(places) and self.all[places[at][0]].taken[places[at][1]]:
            at += 1
        self._begin[word] = at
        near = places[at : at + _MAX_POSITIONS]
        return [(number, place) for number, place in near if not self.all[number].taken[place]]

    def _take(self, number: int, places: Iterable[int]) -> int:
        for place in places:
            self.all[number].taken[place] = True
        return number


class ArchiveLines:
    """The set of line hashes of an archive that is too long to load its turns."""

    def __init__(self, pieces: Iterable[str], clean: Callable[[str], str]) -> None:
        self._clean = clean
        self._all: set[int] = set()
        rest = ""
        for piece in pieces:
            whole, _, rest = (rest + piece).rpartition("\n")
            self._take(whole)
        self._take(rest)

    def hold(self, message: Message) -> bool:
        """Return whether the archive contains every line of a message."""
        _, block = message_block(message, self._clean)
        return self._all.issuperset(_line_hashes(block))

    def _take(self, text: str) -> None:
        self._all.update(_line_hashes("\n".join(map(_unquote, text.split("\n"))), self._clean))
        self._all.update(_line_hashes(text, self._clean))


@dataclass(slots=True)
class _NewMessage:
    """A message that no turn holds, and the turns it belongs between."""

    message: Message
    after: int
    before: int | None = None


@dataclass(frozen=True, slots=True)
class MergedTurns:
    """The turns of an archive with the missing messages inserted."""

    text: str
    news: tuple[Message, ...]
    """The inserted messages."""
    has_more: bool
    """The archive has lines of no message: the user's, or those of deleted records."""
    has_gaps: bool
    """Messages that were once written are missing."""


def merge_messages(
    body: str, messages: Iterable[Message], is_known: Callable[[Message], bool], clean: Callable[[str], str]
) -> MergedTurns:
    """Insert the messages that an archive lacks, each in its place.

    A message that `is_known` was written before: if it is missing, a user changed or deleted it.
    """
    turns = ArchiveTurns([body], clean)
    told = [(message, is_known(message)) for message in messages]
    # Of two messages with equal text, the one written before owns the turn, in whichever order they come.
    held = {place: turns.find(message) for place, (message, is_there) in enumerate(told) if is_there}
    news, last, waiting, has_gaps = list[_NewMessage](), -1, list[_NewMessage](), False
    for place, (message, is_there) in enumerate(told):
        found = held[place] if is_there else turns.find(message)
        if found is not None:
            if found >= 0 and not message.is_sidechain:
                for one in waiting:
                    one.before = found
                waiting.clear()
                last = max(last, found)
        elif is_there:
            has_gaps = True
        else:
            news.append(_NewMessage(message, last))
            if not message.is_sidechain:
                waiting.append(news[-1])
    has_more = turns.has_more
    text = _insert(turns.all, news, clean) if news else body
    return MergedTurns(text, tuple(one.message for one in news), has_more, has_gaps)


def _insert(turns: list[ArchiveTurn], news: list[_NewMessage], clean: Callable[[str], str]) -> str:
    put: dict[int, list[Message]] = {}
    end = len(turns)
    while end and turns[end - 1].is_aside:
        end -= 1
    at = 0
    for one in news:
        if one.message.is_sidechain:
            put.setdefault(len(turns), []).append(one.message)
            continue
        at = _find_position(turns, one, end, at)
        put.setdefault(at, []).append(one.message)
    parts: list[str] = []
    for number in range(len(turns) + 1):
        if number in put:
            out = StringIO()
            write_body(put[number], out, clean=clean)
            parts.append(_missing_gap(parts) + out.getvalue())
        if number < len(turns):
            parts.append(turns[number].text)
    return "".join(parts)


def _find_position(turns: list[ArchiveTurn], one: _NewMessage, end: int, least: int) -> int:
    """Return the index of the turn to insert a message before, by its neighbours or else by its time."""
    at = max(one.after + 1, least)
    stop = end if one.before is None else max(one.before, at)
    said = one.message.at.astimezone(UTC).replace(second=0, microsecond=0) if one.message.at else None
    while at < stop:
        begun = turns[at].at
        if said is not None and begun is not None and begun > said:
            break
        at += 1
    # A turn without a heading of its own continues the previous speaker's text.
    while at < len(turns) and not (turns[at].has_heading or turns[at].is_aside):
        at += 1
    return at


def _missing_gap(parts: list[str]) -> str:
    """Return the line ends missing between the text before and a heading."""
    before = "".join(parts[-2:])
    if not before or before.endswith("\n\n"):
        return ""
    return "\n" if before.endswith("\n") else "\n\n"


def _parse_turns(body: str, clean: Callable[[str], str]) -> Iterator[ArchiveTurn]:
    lines = body.split("\n")
    start = below = 0
    role: Role | None = None
    speaker: Role | None = None
    at: datetime | None = None
    has_heading = is_aside = False

    def turn(end: int) -> ArchiveTurn:
        text = "\n".join(lines[start:end]) + ("\n" if end < len(lines) else "")
        said = "\n".join(lines[below:end])
        words = _line_hashes("\n".join(map(_unquote, lines[below:end])) if is_aside else said, clean)
        return ArchiveTurn(text, role, has_heading, is_aside, at, words, bytearray(len(words)))

    for begin, after, speaks in find_headings(lines):
        if begin > start or has_heading or is_aside:
            yield turn(begin)
        start, below, role, has_heading, is_aside = begin, after, speaks, speaks is not None, speaks is None
        if speaks is None:
            below = begin + 1
            yield turn(after)
            # Text that follows a sub-agent without a heading belongs to the previous speaker.
            start = below = after
            role, is_aside = speaker, False
            continue
        speaker, at = speaks, _turn_time(lines, after)
    if start < len(lines):
        yield turn(len(lines))


def _turn_time(lines: list[str], below: int) -> datetime | None:
    line = next((line for line in lines[below : below + 3] if line.strip()), "")[:_MAX_NOTE_CHARS].strip()
    return read_time(line.strip("*").removesuffix("(rewound)").strip()) if line[:1] == "*" else None


def _unquote(line: str) -> str:
    return line.removeprefix(">").removeprefix(" ")


def _line_hashes(text: str, clean: Callable[[str], str] = str) -> list[int]:
    """Return a hash for each line that carries message content."""
    bare = (line.rstrip() for line in clean(text).split("\n"))
    return [hash(line) for line in bare if line and not _is_structure(line)]


def _is_structure(line: str) -> bool:
    """Return whether a line is markup written around messages."""
    if line in ("---", "#### Task", "#### Sub-agent", "#### Plan", "</details>"):
        return True
    return (
        line[:1] == "*" and line[-1:] == "*" and len(line) < _MAX_NOTE_CHARS and ("UTC" in line or "(rewound)" in line)
    )


def _split_positions(turn: ArchiveTurn, words: list[int]) -> list[int]:
    """Return the positions of these lines in a turn, with other lines between them; empty when one is missing."""
    found: list[int] = []
    at = 0
    for word in words:
        while at < len(turn.words) and (turn.taken[at] or turn.words[at] != word):
            at += 1
        if at == len(turn.words):
            return []
        found.append(at)
        at += 1
    return found
