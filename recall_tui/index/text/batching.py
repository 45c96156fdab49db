"""Files the passages of one source: gives each its neighbours, and changes only what is not as it should be.

Passages are replaced in batches. A batch is known by a digest of all that went into it, so that a transcript that grew
costs its last batches, and whatever else happened to it costs what it changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Protocol

from recall_tui.index.source_record import Batches
from recall_tui.index.text import schema
from recall_tui.index.text.passage import OFF_CHAIN, SIDECHAIN, SPEECH, THOUGHT, TOOL_RESULT, WHOLE, Passage
from recall_tui.index.text.stored_passage import encode_body, head_metadata, passage_metadata
from recall_tui.index.text.tantivy_documents import DocumentBuilder, DocumentFields, PreparedPassage, SourceFields
from recall_tui.storage.files.atomic import encode

BATCH_PASSAGES = 256
"""Passages that are replaced together."""
LOOKAHEAD_PASSAGES = 4096
"""Passages in which the next turn is looked for; in a longer row of tool calls a turn has no next one."""
NEIGHBOUR_CHARS = 2000
"""What a passage holds of the turn before it and of the turn after it."""
CHUNK_CHARS = 200_000
"""A passage that stands for a whole session holds no more speech than this; a longer session has several."""
MAX_TOOL_CHARS = 2 * CHUNK_CHARS
"""And no more thoughts and calls of tools together."""


class PassageSink(Protocol):
    """Takes the documents of passages, and what is to be taken out; `writer.PassageWriter` is one."""

    def makes(self, shelf: str) -> bool:
        """Whether it takes documents of the shelf."""

    def add(self, shelf: str, document: DocumentFields, chars: int) -> None:
        """Take a document of so many characters for a shelf."""

    def remove_batch(self, batch: str) -> None:
        """Take the passages out that are replaced together."""


class BatchWriter:
    """Takes the passages of a source in their order; `close` says what is in the index then."""

    def __init__(
        self,
        writer: PassageSink,
        source: SourceFields,
        known: Batches,
        pace: Callable[[Batches], None] = lambda _: None,
        *,
        has_whole: bool = True,
    ) -> None:
        """`pace` is called after each batch with what is in the index now; it may commit, or raise to stop."""
        self._writer, self._source, self._known, self._pace = writer, source, known, pace
        self._maker = DocumentBuilder(source)
        self._done: dict[str, tuple[str, int]] = {}
        self._main, self._side = _ChunkStream(""), _ChunkStream("s")
        self._stretch = _Chunk() if has_whole else None
        self._stretches = 0
        self.written = 0
        """Passages that were put into the index."""
        self.chars = 0
        """Characters that were said and written, in all passages."""

    def add(self, passage: Passage) -> None:
        """Take the next passage."""
        stream = self._side if SIDECHAIN in passage.roles else self._main
        stream.take(_prepare(passage))
        if len(stream.pending) > BATCH_PASSAGES and (stream.is_settled or len(stream.pending) >= LOOKAHEAD_PASSAGES):
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

    def _file(self, stream: _ChunkStream) -> None:
        name = f"{stream.prefix}{stream.filed}"
        first = stream.filed * BATCH_PASSAGES
        leaves, windows, around = stream.next_batch()
        digest = self._digest(leaves, around)
        if self._known.get(name, ("", 0))[0] != digest:
            batch = self._full_name(name)
            self._writer.remove_batch(batch)
            self.written += len(leaves)
            for number, (leaf, window) in enumerate(zip(leaves, windows, strict=True), first):
                self._put(leaf, f"{self._source.key}.{stream.prefix}{number}", batch, window)
        for leaf in leaves:
            self._gather(leaf)
        self._done[name] = (digest, len(leaves))
        self._pace(self.state)

    def _put(self, leaf: PreparedPassage, identifier: str, batch: str, window: str) -> None:
        shelf = leaf.passage.shelf
        if self._writer.makes(shelf):
            chars = len(window) + 2 * len(leaf.prose) + 3 * len(leaf.tool)
            self._writer.add(shelf, self._maker.passage(leaf, identifier, batch, window), chars)

    def _seed(self, passage: Passage) -> bytes:
        """What the digest of anything begins with: a change of it changes every passage."""
        source = f"\0{self._source.document}\0{self._source.kind}\0{passage.date}\0{passage.heading}"
        return head_metadata(passage.head) + encode(source)

    def _digest(self, leaves: list[PreparedPassage], around: tuple[str, str]) -> str:
        pieces = [encode(text) for text in around]
        for leaf in leaves:
            first, last = leaf.passage.lines
            pieces += (leaf.body, leaf.facts, b"%d %d" % (first, last), encode(leaf.passage.session_id))
        return _hash_texts(self._seed(leaves[0].passage), pieces)

    def _gather(self, leaf: PreparedPassage) -> None:
        self.chars += len(leaf.prose)
        roles = leaf.passage.roles
        if self._stretch is None or SIDECHAIN in roles or OFF_CHAIN in roles:
            return
        if self._stretch.is_full_with(leaf) or self._stretch.is_of_another_session(leaf.passage):
            self._end_stretch()
        self._stretch.take(leaf)

    def _end_stretch(self) -> None:
        if self._stretch is None or self._stretch.last is None:
            return
        stretch, last, self._stretch = self._stretch, self._stretch.last, _Chunk()
        name = f"w{self._stretches}"
        self._stretches += 1
        texts = stretch.texts()
        digest = _hash_texts(self._seed(last), [encode(text) for _, text in texts])
        if self._known.get(name, ("", 0))[0] != digest:
            self._writer.remove_batch(self._full_name(name))
            if self._writer.makes(WHOLE):
                made = self._maker.whole(last, self._full_name(name), texts)
                self._writer.add(WHOLE, made, sum(len(text) for _, text in texts))
        self._done[name] = (digest, 1)


def _prepare(passage: Passage) -> PreparedPassage:
    prose, tool = schema.clean_text(passage.prose), schema.clean_text(passage.tool)
    # What tools answered is too much to look through.
    is_result = passage.roles[:1] == (TOOL_RESULT,)
    parts = "" if is_result else schema.identifier_parts(f"{prose} {tool}" if prose and tool else prose or tool)
    if passage.shelf == SPEECH:
        aside = "\n".join((*passage.tools, *passage.files)) if passage.tools else ""
    else:
        aside = "" if is_result else tool if passage.roles[0] == THOUGHT else tool.partition("\n")[0]
    return PreparedPassage(passage, prose, tool, parts, aside, encode_body(passage), passage_metadata(passage))


class _ChunkStream:
    """Passages that follow each other, and what of them is not filed yet."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.pending: list[PreparedPassage] = []
        self.filed = 0
        """Batches that were filed."""
        self._before = ""
        self._taken = 0
        self._turns: list[int] = []
        """Where in the stream turns are that are not filed."""

    def take(self, leaf: PreparedPassage) -> None:
        if leaf.passage.is_turn:
            self._turns.append(self._taken)
        self._taken += 1
        self.pending.append(leaf)

    @property
    def is_settled(self) -> bool:
        """The turn after the next batch is there, or nobody in the batch asks for it."""
        end = self.filed * BATCH_PASSAGES + BATCH_PASSAGES
        return not self._turns or self._turns[0] >= end or self._turns[-1] >= end

    def next_batch(self) -> tuple[list[PreparedPassage], list[str], tuple[str, str]]:
        """The next batch, its passages with their neighbours, and the turns before and after the batch."""
        leaves, self.pending = self.pending[:BATCH_PASSAGES], self.pending[BATCH_PASSAGES:]
        self.filed += 1
        self._turns = [place for place in self._turns if place >= self.filed * BATCH_PASSAGES]
        turns = [one.prose for one in leaves if one.passage.is_turn]
        if not turns:
            return leaves, [one.prose for one in leaves], ("", "")
        before = self._before
        after = next((one.prose for one in self.pending if one.passage.is_turn), "")
        around = [before, *turns, after]
        windows: list[str] = []
        place = 0
        for one in leaves:
            is_turn = one.passage.is_turn
            near = (
                (around[place][:NEIGHBOUR_CHARS], one.prose, around[place + 2][:NEIGHBOUR_CHARS])
                if is_turn
                else (one.prose,)
            )
            windows.append("\n".join(filter(None, near)))
            place += is_turn
        self._before = turns[-1]
        return leaves, windows, (before, after)


class _Chunk:
    """A stretch of a session, or of a document, as it grows."""

    def __init__(self) -> None:
        self.last: Passage | None = None
        self._speech: list[str] = []
        self._prompts: list[str] = []
        self._files: dict[str, None] = {}
        self._thoughts: list[str] = []
        self._calls: list[str] = []
        self._parts: list[str] = []
        self._spoken = self._aside = 0

    def is_full_with(self, leaf: PreparedPassage) -> bool:
        """Whether it would be too long with the passage."""
        if self.last is None:
            return False
        return self._spoken + len(leaf.prose) > CHUNK_CHARS or self._aside + len(leaf.aside) > MAX_TOOL_CHARS

    def is_of_another_session(self, passage: Passage) -> bool:
        """Whether the passage belongs to another session than it does, as each entry of the window does."""
        return self.last is not None and self.last.session_id != passage.session_id

    def take(self, leaf: PreparedPassage) -> None:
        """Let it grow by a passage."""
        if leaf.prose:
            self._speech.append(leaf.prose)
            self._spoken += len(leaf.prose) + 1
            if prompt := leaf.passage.prompt:
                self._prompts.append(schema.clean_text(prompt))
        self._files.update((file.rpartition("/")[2], None) for file in leaf.passage.files)
        if leaf.aside:
            is_thought = leaf.passage.roles[:1] == (THOUGHT,)
            (self._thoughts if is_thought else self._calls).append(leaf.aside)
            self._aside += len(leaf.aside) + 1
        if leaf.prose or leaf.aside:
            self.last = leaf.passage
            if leaf.parts:
                self._parts.append(leaf.parts)

    def texts(self) -> list[tuple[str, str]]:
        """Its text for each field."""
        fields: tuple[tuple[str, Iterable[str]], ...] = (
            *(("whole", self._speech), ("prompt", self._prompts), ("thought", self._thoughts)),
            *(("tool", self._calls), ("parts", self._parts), ("paths", map(schema.clean_text, self._files))),
        )
        return [(name, "\n".join(texts)) for name, texts in fields]


def _hash_texts(head: bytes, pieces: list[bytes]) -> str:
    made = hashlib.blake2b(head, digest_size=8)
    made.update(b"\0".join(pieces))
    return made.hexdigest()
