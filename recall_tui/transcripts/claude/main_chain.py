"""The main chain: which records of a transcript were left behind when the person went back and asked anew.

A record is off the chain only when it lies on a branch that holds a prompt and that the conversation left. The small
branches that tools called in parallel, progress notices and interruptions make are part of the conversation, and so is
everything before a compaction.
"""

from __future__ import annotations

import hashlib
from array import array
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.transcripts.claude.records import TranscriptRecord

_OFF_CHAIN = -1
"""The place of the first record that was seen but is no part of the chain; the others have those below."""
_ROOT = -1
_UUID_CHARS = 36
_KEY_BYTES = 16


def record_key(uuid: str) -> bytes:
    """Sixteen bytes that stand for a record's uuid, whatever it looks like."""
    if len(uuid) == _UUID_CHARS:
        try:
            key = bytes.fromhex(uuid.replace("-", ""))
        except ValueError:
            key = b""
        if len(key) == _KEY_BYTES:
            return key
    return hashlib.blake2b(uuid.encode(), digest_size=_KEY_BYTES).digest()


class RecordChain:
    """The records of one session by uuid, and how those of the main file hang together."""

    def __init__(self) -> None:
        self._places: dict[bytes, int] = {}
        self._said = array("q")
        """What tells the words of each record on the chain from those of another."""
        self._said_elsewhere = array("q")
        self._parents = array("l")
        self._lines = array("l")
        self._holds_prompt = bytearray()
        self._leaf = _ROOT
        self._last_uuid = ""
        self._has_loose_replies = False

    def __contains__(self, uuid: object) -> bool:
        return isinstance(uuid, str) and record_key(uuid) in self._places

    def note(self, uuid: str, said: int = 0) -> bool:
        """Remember a record beside the chain; False when the same one, with the same words, was seen before."""
        key = record_key(uuid)
        if key not in self._places:
            self._put_elsewhere(key, said)
            return True
        return self._is_other(key, uuid, said)

    def add(self, uuid: str, record: TranscriptRecord, line: int, *, is_prompt: bool, said: int = 0) -> bool:
        """Hang a record of the main conversation onto the chain; False when the same one was seen before.

        A later record under a uuid that was seen, with other words, counts and stands beside the chain.
        """
        key = record_key(uuid)
        if key in self._places:
            return self._is_other(key, uuid, said)
        place = len(self._parents)
        parent = self._parent_of(record, place, is_prompt)
        self._places[key] = place
        self._last_uuid = uuid
        self._said.append(said)
        self._parents.append(parent)
        self._lines.append(line)
        self._holds_prompt.append(is_prompt)
        if record.type in ("user", "assistant"):
            self._leaf = place
        return True

    def _is_other(self, key: bytes, uuid: str, said: int) -> bool:
        place = self._places[key]
        was = self._said[place] if place > _OFF_CHAIN else self._said_elsewhere[_OFF_CHAIN - place]
        other = record_key(f"{uuid} {said}")
        if said in (was, 0) or other in self._places:
            return False
        self._put_elsewhere(other, said)
        return True

    def _put_elsewhere(self, key: bytes, said: int) -> None:
        self._places[key] = _OFF_CHAIN - len(self._said_elsewhere)
        self._said_elsewhere.append(said)

    def left_behind(self) -> frozenset[int]:
        """The lines of the records on branches that were rewound."""
        holds_prompt = bytearray(self._holds_prompt)
        for place in range(len(self._parents) - 1, 0, -1):
            if holds_prompt[place] and self._parents[place] != _ROOT:
                holds_prompt[self._parents[place]] = True
        is_on_path = self._path()
        is_left = bytearray(len(self._parents))
        for place, parent in enumerate(self._parents):
            if is_on_path[place]:
                continue
            leaves_path = self._is_on(is_on_path, parent) and holds_prompt[place]
            is_left[place] = leaves_path or (parent != _ROOT and is_left[parent])
        return frozenset(line for line, left in zip(self._lines, is_left, strict=True) if left)

    def _is_on(self, is_on_path: bytearray, parent: int) -> bool:
        """A branch from the very start counts only where a log keeps its chain: some have no parents at all."""
        return not self._has_loose_replies if parent == _ROOT else bool(is_on_path[parent])

    def _path(self) -> bytearray:
        is_on_path = bytearray(len(self._parents))
        place = self._leaf
        while place != _ROOT:
            is_on_path[place] = True
            place = self._parents[place]
        return is_on_path

    def _parent_of(self, record: TranscriptRecord, place: int, is_prompt: bool) -> int:
        """Always an earlier record, so that no cycle can be; the one before it when the parent is unknown.

        Without a parent, a prompt is one that was typed after going back to the start; anything else (a compaction, the
        hooks of a resumed session) goes on from what was there.
        """
        if record.parent_uuid and record.parent_uuid == self._last_uuid:
            return place - 1
        for uuid in (record.parent_uuid, record.logical_parent_uuid):
            if isinstance(uuid, str) and (found := self._places.get(record_key(uuid), _OFF_CHAIN)) > _OFF_CHAIN:
                return found
        if not record.parent_uuid and place:
            self._has_loose_replies |= record.type == "assistant"
            if is_prompt and record.parent_uuid is None:
                return _ROOT
        return place - 1
