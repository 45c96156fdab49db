"""Sessions that repeat the records of another: an agent that resumes one may copy it under a new id.

Agents copy from the beginning, so of a transcript that may be such a copy no more than that is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from recall_tui import files
from recall_tui.features.erasure.targets import ForgetTarget, SessionRecords
from recall_tui.storage.archives import retained
from recall_tui.storage.state import tombstones

_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]{8,64})"')
_HEAD_BYTES = 1 << 17
"""Of a transcript, in which a copied record is looked for."""
_MAX_BYTES = 64 << 20
"""Of what is forgotten, whose records are known by then."""


def resumed(known: SessionRecords, targets: Iterable[ForgetTarget]) -> tuple[str, ...]:
    """The sessions, neither among the targets nor forgotten, whose transcripts begin with records of theirs."""
    of_targets = tuple(targets)
    own = {id for target in of_targets for id in target.sessions}
    records = {uuid for target in of_targets for uuid in _records_of(target)}
    if not records:
        return ()
    forgotten = tombstones.read_all(known.store).sessions
    others = (file for file in known.transcripts if file.session_id not in own and file.session_id not in forgotten)
    found = (file.session_id for file in others if not records.isdisjoint(_uuids(file.path, _HEAD_BYTES)))
    return tuple(dict.fromkeys(found))


def _records_of(target: ForgetTarget) -> Iterator[bytes]:
    yield from (entry.last_uuid.encode() for entry in target.archives if entry.last_uuid)
    for file in target.transcripts:
        yield from _uuids(file.path, _MAX_BYTES)
    for path in target.kept:
        for line in retained.read_lines(path):
            yield from _UUID.findall(line.encode("utf-8", "surrogateescape"))


def _uuids(path: Path, most: int) -> list[bytes]:
    """The records in the first bytes of a transcript; none of one that is packed or cannot be read."""
    if path.suffix != ".jsonl":
        return []
    try:
        with files.open_file(path, files.MAX_TRANSCRIPT_BYTES) as file:
            return _UUID.findall(file.read(most))
    except OSError:
        return []
