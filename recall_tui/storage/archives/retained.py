"""Transcripts retained before their agent deletes them: compressed, redacted, named by content hash.

A retained transcript is never changed; a grown one is retained again beside it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader, RawIOBase
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from recall_tui import files
from recall_tui.errors import name_path
from recall_tui.storage.files import atomic
from recall_tui.storage.files.staging import new_path
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from recall_tui.domain import ConversationHead

ReadLines = Callable[[Path], Iterator[str]]
_UNSAFE_CHARS = lazy_pattern(r"[^A-Za-z0-9._-]+")


def retained_path(kept: Path, head: ConversationHead) -> Path:
    """Return the path of the retained copy of `head`'s transcript at its current length, existing or not."""
    return session_folder(kept, head.session_id) / f"{head.content_hash}.jsonl.zst"


def session_folder(kept: Path, session_id: str) -> Path:
    """Return the folder of a session's copies; ids with characters unsafe in a folder name may share one."""
    return kept / (_UNSAFE_CHARS.sub("-", session_id).strip("-.")[:80] or "session")


def list_copies(kept: Path, session_id: str) -> tuple[Path, ...]:
    """Return the retained copies of a session, oldest first."""
    found = session_folder(kept, session_id).glob("*.jsonl.zst")
    return tuple(sorted(found, key=lambda path: (path.stat().st_mtime_ns, path.name)))


def list_all(kept: Path) -> list[Path]:
    """Return all retained copies of all sessions."""
    return sorted(kept.glob("*/*.jsonl.zst"))


def find_copy_since(kept: Path, session_id: str, moment: float) -> Path | None:
    """Return a retained copy of the session made at `moment` (seconds since 1970) or later; None when there is none."""
    for copy in reversed(list_copies(kept, session_id)):
        return copy if copy.stat().st_mtime >= moment else None
    return None


def remove_empty(kept: Path, session_id: str) -> None:
    """Delete the folder of a session's copies if it is empty."""
    with suppress(OSError):
        session_folder(kept, session_id).rmdir()


def stage_copy(head: ConversationHead, spool: Path, lines: ReadLines | None = None) -> Path:
    """Write a compressed copy of the transcript and its sub-agents' files to the staging folder, secrets redacted.

    `lines` reads a transcript that may be only a part of a file.
    """
    read = lines or read_lines
    return _compress(chain.from_iterable(map(read, (head.source, *head.side_files))), spool, head.session_id)


def stage_redacted(copy: Path, spool: Path) -> Path:
    """Write the retained copy to the staging folder again, with the secrets known now redacted."""
    return _compress(read_lines(copy), spool, copy.parent.name)


def read_lines(path: Path) -> Iterator[str]:
    """Yield the lines of a transcript or a retained copy, compressed or not; a line that is too long becomes empty."""
    with name_path(path), _open_text(path) as opened:
        while text := opened.readline(files.MAX_LINE_BYTES):
            is_whole = text.endswith(b"\n") or len(text) < files.MAX_LINE_BYTES
            yield atomic.decode(text) if is_whole else "\n"
            if not is_whole and not files.next_line_begins(opened):
                return


def _compress(lines: Iterable[str], spool: Path, session_id: str) -> Path:
    import zstandard

    copy = new_path(spool, session_id, ".zst")
    descriptor = os.open(copy, os.O_CREAT | os.O_EXCL | os.O_WRONLY, atomic.PRIVATE_FILE)
    with (
        name_path(copy),
        os.fdopen(descriptor, "wb") as file,
        zstandard.ZstdCompressor(level=6).stream_writer(file) as out,
    ):
        for line in lines:
            out.write(atomic.encode(redact(line)))
    return copy


@contextmanager
def _open_text(source: Path) -> Iterator[BinaryIO]:
    """Open the transcript, decompressed if necessary."""
    with files.streamed(source) as file:
        if source.suffix != ".zst":
            yield file
            return
        import zstandard

        stream = zstandard.ZstdDecompressor().stream_reader(file)
        yield BufferedReader(cast(RawIOBase, stream), files.STREAM_BYTES)
