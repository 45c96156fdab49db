"""The process that reads sessions for another one, which writes the index: `python -m` runs it.

It takes tasks from stdin, says on stdout what to change, and ends when stdin does, as when the other process died.
"""

from __future__ import annotations

import marshal
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from recall_tui.index.ingest.transcript_files import SessionReading, SessionTask, read_session
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.text.tantivy_documents import DocumentFields, FieldValues

if TYPE_CHECKING:
    from recall_tui.index.text.writer import PassageWriter

MESSAGE_CHARS = 500_000
"""What was read of a session is told each time it is this much, so that little is held."""
_LENGTH_BYTES = 8


SessionChange = tuple[str, str, FieldValues, FieldValues, int]
"""A batch to be taken out, or a shelf with the fields and characters of a document for it."""


class WorkerMessage(NamedTuple):
    """What is to be changed in the index, and what came of reading the session so far."""

    changes: list[SessionChange]
    reading: SessionReading
    is_end: bool
    """The session was read to its end, or could not be."""

    def apply(self, writer: PassageWriter) -> None:
        """Make the changes."""
        for batch, shelf, common, own, chars in self.changes:
            if shelf:
                writer.add(shelf, DocumentFields(common, own), chars)
            else:
                writer.remove_batch(batch)


def pack(message: WorkerMessage) -> bytes:
    """The message as bytes; what cannot be packed is a TypeError, and never an error of the session's."""
    reading = message.reading
    told: Any = (message.changes, tuple(reading.record), reading.batches, reading.written, reading.reason)
    try:
        return bytes((message.is_end,)) + marshal.dumps(told)
    except ValueError as error:
        raise TypeError(f"a session's changes cannot be handed over: {error}") from error


def unpack(data: bytes) -> WorkerMessage:
    """The message that the bytes are."""
    changes, record, batches, written, reason = marshal.loads(memoryview(data)[1:])
    return WorkerMessage(changes, SessionReading(SourceRecord(*record), batches, written, reason), is_last(data))


def is_last(data: bytes) -> bool:
    """Whether the packed message is the last one of its session."""
    return bool(data[0])


def send(stream: IO[bytes], data: bytes) -> None:
    """Write a message that `receive` takes."""
    stream.write(len(data).to_bytes(_LENGTH_BYTES, "little"))
    stream.write(data)
    stream.flush()


def receive(stream: IO[bytes]) -> bytes:
    """The next message; EOFError when there is none, or only a part of one."""
    length = int.from_bytes(_read(stream, _LENGTH_BYTES), "little")
    return _read(stream, length)


def _read(stream: IO[bytes], length: int) -> bytes:
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return data


class _ChangeRecorder:
    """Takes the passages of a session, and hands the changes over bit by bit."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._changes: list[SessionChange] = []
        self._chars = 0

    def makes(self, _shelf: str) -> bool:
        """Whether a shelf is written: all are."""
        return True

    def add(self, shelf: str, document: DocumentFields, chars: int) -> None:
        """Take a passage of so many characters."""
        self._chars += chars
        self._changes.append(("", shelf, *document, chars))

    def remove_batch(self, batch: str) -> None:
        """Take the passages out that are replaced together."""
        self._changes.append((batch, "", {}, {}, 0))

    def pace(self, so_far: SessionReading) -> None:
        """Hand over what there is, if it is much."""
        if self._chars > MESSAGE_CHARS:
            self.hand_over(so_far, is_end=False)

    def hand_over(self, reading: SessionReading, *, is_end: bool) -> None:
        """Hand over what there is."""
        send(self._stream, pack(WorkerMessage(self._changes, reading, is_end)))
        self._changes, self._chars = [], 0


def serve(tasks: IO[bytes], answers: IO[bytes]) -> None:
    """Read the sessions that are asked for, until there are no more."""
    for task in _tasks(tasks):
        recorder = _ChangeRecorder(answers)
        recorder.hand_over(read_session(task, recorder, recorder.pace), is_end=True)


def _tasks(stream: IO[bytes]) -> Iterator[SessionTask]:
    with suppress(EOFError):
        while True:
            yield pickle.loads(receive(stream))


def main() -> None:
    """Serve the process that started this one; whatever else is printed goes elsewhere."""
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    with suppress(BrokenPipeError):
        serve(sys.stdin.buffer, answers)


if __name__ == "__main__":
    main()
