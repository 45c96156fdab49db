"""The lines of a transcript, plain or compressed, one at a time.

No more than one line is ever held, and a line that is still being written is never taken for a whole one.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from recall_tui import files
from recall_tui.errors import BrokenFileError, NotFoundError
from recall_tui.transcripts.shared_file import PROJECT_FILE, open_session

HEAD_BYTES = 256 * 2**10
"""How much of a file is looked at to tell its format."""

MAX_OBJECT_BYTES = 256 * 2**20
"""A transcript that is a single object must be held whole; a larger one is passed over."""


class TranscriptLine(NamedTuple):
    """One line without its newline, or the reason why it cannot be used."""

    number: int
    """From 1."""
    text: bytes
    problem: str = ""
    """Empty, or what is wrong with it; `text` is empty then."""


def numbered_lines(path: Path) -> Iterator[TranscriptLine]:
    """Yield every line of a plain or `.zst` file, a cut or overlong one with its problem.

    A hole ends a line, and zeros at its edges are passed over. Where no line ends for too long, the last line says so
    and what follows is not read.
    Raises NotFoundError when there is no such file and BrokenFileError when it cannot be read to its end.
    """
    with _open(path) as file:
        number = 0
        readline, limit = file.readline, files.MAX_LINE_BYTES
        while text := readline(limit):
            number += 1
            if text.endswith(b"\n"):
                yield TranscriptLine(number, text[:-1].lstrip(b"\0"))
            elif len(text) == limit:
                if not files.next_line_begins(file):
                    most = files.MAX_UNENDED_BYTES >> 20
                    yield TranscriptLine(number, b"", f"no line ends within {most} MB: what follows is not read")
                    return
                yield TranscriptLine(number, b"", f"longer than {limit >> 20} MB")
            elif _is_json(text):
                yield TranscriptLine(number, text)
            else:
                yield TranscriptLine(number, b"", "cut last line")


def complete_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield number (from 1) and bytes of every complete line; a last one without newline counts if it is JSON."""
    return ((line.number, line.text) for line in numbered_lines(path) if not line.problem)


def read_chunks(path: Path) -> Iterator[bytes]:
    """Yield the bytes that `numbered_lines` reads of a file, piece by piece, with its errors."""
    unended = 0
    with _open(path) as file:
        while unended < files.MAX_UNENDED_BYTES and (piece := file.read(files.STREAM_BYTES)):
            yield piece
            end = piece.rfind(b"\n")
            unended = len(piece) - end - 1 if end >= 0 else unended + len(piece)


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """The first bytes of a plain or `.zst` file, with the errors of `numbered_lines`."""
    with _open(path) as file:
        return file.read(size)


@contextmanager
def _open(path: Path) -> Iterator[BinaryIO]:
    try:
        beneath = path.parent if path.name == PROJECT_FILE else None
        with open_session(path) or files.streamed(path, beneath=beneath) as file:
            yield _decompress(file) if path.suffix == ".zst" else file
    except FileNotFoundError as error:
        raise NotFoundError(
            f"there is no transcript {path}", hint="check the path, or give a session: recall-tui archive --session ID"
        ) from error
    except OSError as error:
        reason = error.strerror or str(error)
        raise BrokenFileError(f"{path} cannot be read: {reason}", hint=f"check it with: ls -l {path}") from error
    except Exception as error:
        if path.suffix != ".zst" or not _is_compression_error(error):
            raise
        hint = f"check it with: zstd --test {path}"
        raise BrokenFileError(f"{path} cannot be read: its compressed data is damaged", hint=hint) from error


def _decompress(file: BinaryIO) -> BinaryIO:
    import zstandard

    stream = zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True)
    return cast(BinaryIO, io.BufferedReader(cast(io.RawIOBase, stream), files.STREAM_BYTES))


def _is_compression_error(error: Exception) -> bool:
    import zstandard

    return isinstance(error, zstandard.ZstdError)


def _is_json(text: bytes) -> bool:
    import json

    try:
        json.loads(text.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return False
    return True
