"""Files the passages of one source: gives each its neighbours, and changes only what is not as it should be.

Passages are replaced in batches. A batch is known by a digest of all that went into it, so that a transcript that grew
costs its last batches, and whatever else happened to it costs what it changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from recall_tui.index import schema
from recall_tui.index.documents import Filed, Maker
from recall_tui.index.passage import OFF_CHAIN, SIDECHAIN, SPEECH, WHOLE, Passage
from recall_tui.index.stored import head_facts_of
from recall_tui.index.writer import PassageWriter
from recall_tui.storage.atomic import encode

BATCH = 256
"""Passages that are replaced together."""
LOOKAHEAD = 4096
"""Passages in which the next turn is looked for; in a longer row of tool calls a turn has no next one."""
STRETCH_CHARS = 200_000
"""A passage that stands for a whole session holds no more speech than this; a longer session has several."""
ASIDE_CHARS = 2 * STRETCH_CHARS
"""And no more thoughts, or calls of tools."""

Batches = Mapping[str, tuple[str, int]]
"""By name, the digest of a batch and how many passages are in it."""
_TOOL_RESULT = "tool_result"


def is_whole(name: str) -> bool:
    """Whether a batch of this name is a stretch that is never shown."""
    return name.startswith("w")


class Filing:
    """Takes the passages of a source in their order; `close` says what is in the index then."""

    def __init__(
        self,
        writer: PassageWriter,
        source: Filed,
        known: Batches,
        pace: Callable[[Batches], None] = lambda _: None,
        *,
        has_whole: bool = True,
    ) -> None:
        """`pace` is called after each batch with what is in the index now; it may commit, or raise to stop."""
        self._writer, self._source, self._known, self._pace = writer, source, known, pace
        self._maker = Maker(source)
        self._done: dict[str, tuple[str, int]] = {}
        self._main, self._side = _Stream(""), _Stream("s")
        self._stretch = _Stretch() if has_whole else None
        self._stretches = 0
        self.written = 0
        """Passages that were put into the index."""
        self.chars = 0
        """Characters that were said and written, in all passages."""

    def add(self, passage: Passage) -> None:
        """Take the next passage."""
        stream = self._side if SIDECHAIN in passage.roles else self._main
        stream.take(passage)
        if len(stream.pending) > BATCH and (stream.is_settled or len(stream.pending) >= LOOKAHEAD):
            self._file(stream)

    def close(self) -> Batches:
        """File what is left, take out what the source has no longer, and say what is in the index."""
        for stream in (self._main, self._side):
            while stream.pending:
                self._file(stream)
        self._end_stretch()
        for name in self._known.keys() - self._done.keys():
            self._writer.remove_batch(self._full_name(name))
        return self._done

    @property
    def state(self) -> Batches:
        """What is in the index now, if it ends here."""
        return {**self._known, **self._done}

    def _full_name(self, name: str) -> str:
        return f"{self._source.key}:{name}"

    def _file(self, stream: _Stream) -> None:
        name = f"{stream.prefix}{stream.filed}"
        first = stream.filed * BATCH
        passages, windows, around = stream.next_batch()
        digest = self._digest(passages, around)
        is_known = self._known.get(name, ("", 0))[0] == digest
        batch = self._full_name(name)
        if not is_known:
            self._writer.remove_batch(batch)
            self.written += len(passages)
        for number, (passage, window) in enumerate(zip(passages, windows, strict=True), first):
            parts = _parts_of(passage)
            if not is_known and self._writer.makes(passage.shelf):
                made = self._maker.passage(passage, f"{self._source.key}.{stream.prefix}{number}", batch, window, parts)
                self._writer.add(passage.shelf, made, len(window) + 2 * len(passage.body))
            self._gather(passage, parts)
        self._done[name] = (digest, len(passages))
        self._pace(self.state)

    def _seed(self, passage: Passage) -> bytes:
        """What the digest of anything begins with: a change of it changes every passage."""
        source = f"\0{self._source.document}\0{self._source.kind}\0{passage.date}\0{passage.heading}"
        return head_facts_of(passage.head) + encode(source)

    def _digest(self, passages: list[Passage], around: tuple[str, str]) -> str:
        pieces = [*around]
        for one in passages:
            pieces += (
                one.body,
                one.labels,
                f"{one.lines} {one.date} {one.is_turn} {one.session_id}",
                one.heading,
                "\1".join((*one.roles, "", *one.tools, "", *one.files)),
            )
        return _hashed(self._seed(passages[0]), pieces)

    def _gather(self, passage: Passage, parts: str) -> None:
        self.chars += len(passage.prose)
        if self._stretch is None or SIDECHAIN in passage.roles or OFF_CHAIN in passage.roles:
            return
        if self._stretch.is_full_with(passage):
            self._end_stretch()
        self._stretch.take(passage, parts)

    def _end_stretch(self) -> None:
        if self._stretch is None or self._stretch.last is None:
            return
        stretch, last, self._stretch = self._stretch, self._stretch.last, _Stretch()
        name = f"w{self._stretches}"
        self._stretches += 1
        digest = _hashed(self._seed(last), [text for _, text in stretch.texts()])
        if self._known.get(name, ("", 0))[0] != digest:
            self._writer.remove_batch(self._full_name(name))
            if self._writer.makes(WHOLE):
                made = self._maker.whole(last, self._full_name(name), stretch.texts())
                self._writer.add(WHOLE, made, stretch.chars)
        self._done[name] = (digest, 1)


class _Stream:
    """Passages that follow each other, and what of them is not filed yet."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.pending: list[Passage] = []
        self.filed = 0
        """Batches that were filed."""
        self._before = ""
        self._taken = 0
        self._turns: list[int] = []
        """Where in the stream turns are that are not filed."""

    def take(self, passage: Passage) -> None:
        if passage.is_turn:
            self._turns.append(self._taken)
        self._taken += 1
        self.pending.append(passage)

    @property
    def is_settled(self) -> bool:
        """The turn after the next batch is there, or nobody in the batch asks for it."""
        end = self.filed * BATCH + BATCH
        return not self._turns or self._turns[0] >= end or self._turns[-1] >= end

    def next_batch(self) -> tuple[list[Passage], list[str], tuple[str, str]]:
        """The next batch, its passages with their neighbours, and the turns before and after the batch."""
        passages, self.pending = self.pending[:BATCH], self.pending[BATCH:]
        self.filed += 1
        self._turns = [place for place in self._turns if place >= self.filed * BATCH]
        turns = [one.prose for one in passages if one.is_turn]
        if not turns:
            return passages, [one.prose for one in passages], ("", "")
        before = self._before
        after = next((one.prose for one in self.pending if one.is_turn), "")
        around = [before, *turns, after]
        windows: list[str] = []
        place = 0
        for one in passages:
            windows.append("\n".join(filter(None, around[place : place + 3])) if one.is_turn else one.prose)
            place += one.is_turn
        self._before = turns[-1]
        return passages, windows, (before, after)


@dataclass(slots=True)
class _Stretch:
    """A stretch of a session, or of a document, as it grows."""

    speech: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    last: Passage | None = None
    _sizes: list[int] = field(default_factory=lambda: [0, 0, 0])

    @property
    def chars(self) -> int:
        """Characters in all of it."""
        return sum(self._sizes)

    def is_full_with(self, passage: Passage) -> bool:
        """Whether it would be too long with the passage."""
        speech, thought, call = (
            size + len(text) for size, text in zip(self._sizes, _kinds_of_text(passage), strict=True)
        )
        return self.last is not None and (speech > STRETCH_CHARS or thought > ASIDE_CHARS or call > ASIDE_CHARS)

    def take(self, passage: Passage, parts: str) -> None:
        """Let it grow by a passage."""
        texts = _kinds_of_text(passage)
        for place, (text, all_of_it) in enumerate(zip(texts, (self.speech, self.thoughts, self.calls), strict=True)):
            if text:
                all_of_it.append(text)
                self._sizes[place] += len(text) + 1
        if any(texts):
            self.last = passage
            if parts:
                self.parts.append(parts)

    def texts(self) -> list[tuple[str, str]]:
        """Its text for each field."""
        fields = (("whole", self.speech), ("thought", self.thoughts), ("tool", self.calls), ("parts", self.parts))
        return [(name, schema.readable("\n".join(texts))) for name, texts in fields]


def _kinds_of_text(passage: Passage) -> tuple[str, str, str]:
    """What of a passage was said, what thought, and which tools were called."""
    if passage.shelf == SPEECH:
        return passage.prose, "", "\n".join((*passage.tools, *passage.files)) if passage.tools else ""
    if passage.roles[0] == "thought":
        return "", passage.tool, ""
    return "", "", "" if passage.roles[0] == _TOOL_RESULT else passage.body.partition("\n")[0]


def _parts_of(passage: Passage) -> str:
    """The pieces of its identifiers; what tools answered is too much to look through."""
    if passage.roles[:1] == (_TOOL_RESULT,):
        return ""
    return schema.identifier_parts(schema.readable(f"{passage.prose} {passage.tool}"))


def _hashed(head: bytes, pieces: list[str]) -> str:
    made = hashlib.blake2b(head, digest_size=8)
    made.update("\0".join(pieces).encode("utf-8", "surrogatepass"))
    return made.hexdigest()


def shown(batches: Batches) -> int:
    """How many passages of the batches can be shown."""
    return sum(count for name, (_, count) in batches.items() if not is_whole(name))


def stretches(batches: Batches) -> int:
    """How many of the batches are whole stretches."""
    return sum(map(is_whole, batches))


def batches_in_order(batches: Batches) -> list[str]:
    """The names of the batches that are shown, the session's own before those of its sub-agents."""
    names = [name for name in batches if not is_whole(name)]
    return sorted(names, key=lambda name: (name.startswith("s"), int(name.lstrip("s"))))
