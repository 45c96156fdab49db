"""The folders of the text index: one for each shelf, and the mark that says which they are.

A folder without the mark is never trusted. A shelf that was made anew takes the old one's place when the mark names it,
in one step and only when it is whole.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from recall_tui import files
from recall_tui.errors import BrokenFileError, RecallError
from recall_tui.index.text import schema
from recall_tui.index.text.passage import PARTITIONS
from recall_tui.storage.files.atomic import PRIVATE_FILE, make_folder, rename_broken
from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    import tantivy

FORMAT_FILE = "recall-format"
"""Holds the number of the schema, the index's generation and which edition of each shelf counts."""
META_FILE = "meta.json"
"""What Tantivy writes anew with each commit."""
MAX_SMALL_PASSAGES = 5000
"""Passages in all partitions up to which no deleted one is kept."""
MAX_DELETED_RATIO = 0.05
"""The share of deleted passages that a larger partition may have; they count in the statistics that rank the others."""
_OS_ERROR = lazy_pattern(r"(?:\(os error |\bOs \{ code: )(\d+)")
"""How Tantivy names what the system said."""
_SYSTEM_ERRORS = (
    *(errno.EACCES, errno.EDQUOT, errno.EFBIG, errno.EMFILE, errno.ENFILE),
    *(errno.ENOMEM, errno.ENOSPC, errno.EPERM, errno.EROFS),
)
"""What the system refuses for reasons that are none of the index's."""


@contextmanager
def translate_errors(folder: Path, seen: str = "", *, is_writing: bool = False) -> Iterator[None]:
    """Turn what Tantivy throws at a damaged index into BrokenFileError, and have the next refresh make it anew.

    `folder` is that of the whole text index; `seen` the edition that was opened, for one that is no longer in use may
    well be gone. What only the machine refuses, such as room on the disk, is a RecallError, and the index stays as it
    is; so it does when writing failed for whatever reason while the last commit is whole.
    """
    try:
        yield
    except (ValueError, OSError) as error:
        raise _error_reason(folder, seen, error, is_writing) from error
    except BaseException as error:
        # A panic in Rust arrives as an exception that is no Exception and that cannot be imported.
        if type(error).__name__ != "PanicException":
            raise
        raise _error_reason(folder, seen, error, is_writing) from None


def _error_reason(folder: Path, seen: str, error: BaseException, is_writing: bool) -> RecallError:
    reason = str(error).splitlines()[0] if str(error) else type(error).__name__
    if _is_system_error(error) or (is_writing and _can_open(folder)):
        verb = "written" if is_writing else "read"
        hint = "is the disk full? the earlier index is intact" if is_writing else ""
        return RecallError(f"the search index in {folder} could not be {verb}: {reason}", hint=hint)
    if not seen or read_version(folder) == seen:
        mark_corrupt(folder)
    return BrokenFileError(f"the search index in {folder} is damaged: {reason}", hint="run: recall-tui sync")


def _is_system_error(error: BaseException) -> bool:
    named = _OS_ERROR.search(str(error))
    return (getattr(error, "errno", None) or (int(named[1]) if named else 0)) in _SYSTEM_ERRORS


def _can_open(folder: Path) -> bool:
    """Whether the last commit of every shelf can be opened."""
    try:
        counts = [open_partition(place).searcher().num_docs for place in partition_paths(folder).values()]
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return False
    return bool(read_version(folder) and counts)


def mark_corrupt(folder: Path) -> None:
    """Mark the index as one that may not be trusted."""
    (folder / FORMAT_FILE).unlink(missing_ok=True)


def read_generation(folder: Path) -> str:
    """Which index this is, whatever was made anew in it; empty when there is none of our format."""
    return read_version(folder).partition(" ")[0]


def read_version(folder: Path) -> str:
    """Which index this is, another after each shelf that was made anew; empty when there is none of our format."""
    try:
        number, _, rest = files.read_file(folder / FORMAT_FILE).decode("ascii").strip().partition(" ")
    except (OSError, ValueError):
        return ""
    return rest if number == str(schema.SCHEMA_VERSION) and len(rest.split()) == 1 + len(PARTITIONS) else ""


def partition_paths(folder: Path, seen: str = "") -> dict[str, Path]:
    """The folder of each shelf, in the edition that was seen or in the one of now.

    BrokenFileError when no edition can be told, because the mark cannot be read or was taken away meanwhile.
    """
    return {shelf: _partition_path(folder, shelf, number) for shelf, number in _numbers(folder, seen).items()}


def _numbers(folder: Path, seen: str = "") -> dict[str, int]:
    if not (seen := seen or read_version(folder)):
        raise BrokenFileError(f"the search index in {folder} is damaged", hint="run: recall-tui sync")
    return {shelf: int(number) for shelf, number in zip(PARTITIONS, seen.split()[1:], strict=True)}


def _partition_path(folder: Path, shelf: str, number: int) -> Path:
    return folder / (f"{shelf}.{number}" if number else shelf)


def _format_mark(folder: Path, seen: str) -> None:
    made = folder / f"{FORMAT_FILE}.new"
    made.write_text(f"{schema.SCHEMA_VERSION} {seen}\n", encoding="ascii")
    made.chmod(PRIVATE_FILE)
    made.replace(folder / FORMAT_FILE)


def create_index(folder: Path, note: Callable[[str], None]) -> str:
    """Make an empty index and say its generation; one that is there is removed, or set aside if it is damaged."""
    import shutil
    import uuid

    if folder.exists():
        if (folder / FORMAT_FILE).exists():
            shutil.rmtree(folder)
        else:
            note(f"{folder} was set aside as {rename_broken(folder).name}; the index is rebuilt")
    make_folder(folder)
    name = uuid.uuid4().hex
    with translate_errors(folder, is_writing=True):
        for shelf in PARTITIONS:
            _create_partition(folder / shelf)
        _format_mark(folder, " ".join((name, *("0" for _ in PARTITIONS))))
    return name


def begin_rebuild(folder: Path, shelves: Collection[str]) -> dict[str, Path]:
    """Make empty shelves beside those that are there, and say where."""
    remove_obsolete(folder)
    made: dict[str, Path] = {}
    with translate_errors(folder, is_writing=True):
        for shelf, number in _next_version(folder, shelves).items():
            if shelf in shelves:
                made[shelf] = _partition_path(folder, shelf, number)
                _create_partition(made[shelf])
    return made


def finish_rebuild(folder: Path, shelves: Collection[str]) -> None:
    """Let the shelves that `begin_rebuild` made, and that were filled since, count instead of the old ones.

    BrokenFileError when the index was condemned meanwhile.
    """
    numbers = _next_version(folder, shelves)
    _format_mark(folder, " ".join((read_generation(folder), *(str(numbers[shelf]) for shelf in PARTITIONS))))
    remove_obsolete(folder)


def _next_version(folder: Path, shelves: Collection[str]) -> dict[str, int]:
    return {shelf: number + (shelf in shelves) for shelf, number in _numbers(folder).items()}


def remove_obsolete(folder: Path) -> None:
    """Remove the shelves that do not count, such as one that a kill left half made."""
    counted = set(partition_paths(folder).values())
    for path in folder.iterdir():
        if path.is_dir() and path not in counted:
            import shutil

            shutil.rmtree(path, ignore_errors=True)


def _create_partition(folder: Path) -> None:
    import tantivy

    make_folder(folder)
    tantivy.Index(schema.build_schema(), path=str(folder), reuse=False)
    make_private(folder)


def make_private(folder: Path) -> None:
    """Let nobody else read the files in the folder."""
    for path in folder.iterdir():
        try:
            if path.is_file() and path.stat().st_mode & 0o777 != PRIVATE_FILE:
                path.chmod(PRIVATE_FILE)
        except FileNotFoundError:
            continue


def open_partition(folder: Path) -> tantivy.Index:
    """The shelf in the folder, with our analyzers."""
    import tantivy

    index = tantivy.Index.open(str(folder))
    for name, analyzer in schema.analyzers().items():
        index.register_tokenizer(name, analyzer)
    # The default policy starts a thread that watches the folder; we look when we are asked.
    index.config_reader("manual")
    return index


def drop_orphan_deletes(folder: Path) -> None:
    """Remove lists of deleted passages that no commit knows; only under the writer's lock.

    A writer that was killed while it wrote one left it there, and the next would give its own the same name.
    """
    segments = json.loads(files.read_file(folder / META_FILE))["segments"]
    known = {_delete_files(segment) for segment in segments}
    for path in folder.glob("*.del"):
        if path.name not in known:
            path.unlink(missing_ok=True)


def _delete_files(segment: dict[str, Any]) -> str:
    number = (segment.get("deletes") or {}).get("opstamp", "")
    return f"{segment['segment_id'].replace('-', '')}.{number}.del"


def commit_ids(places: Iterable[Path]) -> list[tuple[int, int]]:
    """What tells the last commit of each shelf from the one before: its file is never written twice."""
    found = []
    for place in places:
        try:
            status = (place / META_FILE).stat()
        except OSError:
            found.append((0, 0))
        else:
            found.append((status.st_ino, status.st_mtime_ns))
    return found


def count_passages(folder: Path) -> tuple[int, int]:
    """How many passages the shelf in the folder holds, deleted ones among them, and how many of these are deleted."""
    segments = json.loads(files.read_file(folder / META_FILE))["segments"]
    deleted = sum((segment.get("deletes") or {}).get("num_deleted_docs", 0) for segment in segments)
    return sum(segment["max_doc"] for segment in segments), deleted


def crowded_partitions(folder: Path) -> list[str]:
    """Return the partitions that have more deleted passages than is good for the answers."""
    counts = {name: count_passages(place) for name, place in partition_paths(folder).items()}
    is_small = sum(count for count, _ in counts.values()) < MAX_SMALL_PASSAGES
    return [name for name in PARTITIONS if counts[name][1] > (0 if is_small else MAX_DELETED_RATIO * counts[name][0])]


def partitions_with_deleted(folder: Path) -> list[str]:
    """Return the partitions with any deleted passage: it is not found any more, but stands in the file."""
    return [name for name, place in partition_paths(folder).items() if count_passages(place)[1]]
