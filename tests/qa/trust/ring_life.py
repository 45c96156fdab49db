"""A memory that is lived in for weeks, harmed outside its journal in every way, and killed while it is backed up.

What should be there is remembered here, apart from the program, and compared to the byte.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

import zstandard

from recall_tui.environment import Environment
from recall_tui.features.curation.remember import remember
from recall_tui.features.health.restore import find_in_backups, restore
from recall_tui.features.transfer import importer as importing
from recall_tui.storage.files.temporary_files import TOMBSTONE_FOLDER
from recall_tui.storage.journal.scrub import ScrubRules
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.storage.state import backup_ring
from recall_tui.storage.state.backup_record import Backup
from recall_tui.storage.state.backup_ring import BackupRing, take_backup
from recall_tui.workbench import Workbench
from tests.makers import session_id_of
from tests.qa.trust.lived import Calendar, lived_in

WORD = "heliotrope"
"""Said in what is forgotten, and nowhere else."""
OF_THE_PLACE = {TOMBSTONE_FOLDER, ".gitignore"}
"""Names of what goes into no backup and no export."""
_CHANGES = ("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate")


@dataclass
class Life:
    """A memory, its clock, and what was in it at the beginning of each day."""

    bench: Workbench
    clock: Calendar
    known: dict[date, dict[str, bytes]] = field(default_factory=dict)
    losses: list[str] = field(default_factory=list)
    """Whatever is not as it should be, in words."""
    bytes: int = 0
    """Compared and found the same."""
    harmed: int = 0
    kills: int = 0
    refused: int = 0
    compared: int = 0

    def files(self) -> dict[str, bytes]:
        """The memory's files as they are now, but those of its place: marks of what was forgotten, `.gitignore`."""
        root = self.bench.store.root
        return {
            path.relative_to(root).as_posix(): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.suffix != ".jsonl" and OF_THE_PLACE.isdisjoint(path.relative_to(root).parts)
        }

    def same(self, got: dict[str, bytes], want: dict[str, bytes], what: str) -> None:
        """Note every file that is another, lost, or too many."""
        for name in got.keys() | want.keys():
            if got.get(name) == want.get(name):
                self.bytes += len(want[name])
            else:
                self.losses.append(f"{self.bench.layout.name}: {what}: {name!r}")


def lived(environment: Environment, name: str, days: int) -> Life:
    """A memory of the layout, changed on each of so many days by a person's editor and by us."""
    clock = Calendar()
    life = Life(lived_in(environment, name, clock), clock)
    layout = life.bench.layout
    for number in range(days):
        day = clock.next_day()
        (layout.topics / f"day {number % 9}.md").write_bytes(b"\r\n\xff- said on day %d\n" % number)
        (layout.topics / f"day {(number + 4) % 9}.md").unlink(missing_ok=True)
        layout.identity.write_text(f"# Identity\n\nas on {day}\n")
        life.known[day] = life.files()
        life.bench.apply(remember, f"On day {number} the port was {9000 + number}")
    return life


def is_as_it_was(life: Life) -> None:
    """Compare every backup with what was there, and the ring with what it may cost."""
    ring = BackupRing(life.bench.store.state)
    for backup in ring.whole():
        life.compared += 1
        got = {one.path: ring.content(one) for one in backup.files}
        if backup.day in life.known:
            life.same(got, life.known[backup.day], f"the backup of {backup.day}")
    if len(ring.days()) > 12:
        life.losses.append(f"{len(ring.days())} days are kept")
    wanted = {f"{one.digest}.zst" for backup in ring.whole() for one in backup.files}
    if {path.name for path in ring.contents.iterdir()} != wanted:
        life.losses.append("the ring holds what no day tells of")


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _garbled(path: Path) -> None:
    path.write_bytes(bytes(byte ^ 0x5A for byte in path.read_bytes()) + b"\0\xff")


WAYS: tuple[Callable[[Path], None], ...] = (Path.unlink, _emptied, _cut, _garbled)


def _restored(life: Life, day: date, *names: str) -> None:
    """Bring back what a day had, as `doctor --restore` does: the memory is found anew."""
    store = life.bench.store
    found = find_in_backups(store.environment, store.root)
    if found is None:
        life.losses.append(f"{life.bench.layout.name}: the memory is not found by its backups")
        return
    Workbench.at(found, store.environment, life.clock).apply(restore, day, names)


def harmed(life: Life, most: int) -> None:
    """Harm every file at once in each way, files one by one, each folder and all of it, and bring it back each time."""
    day = life.clock.next_day()
    take_backup(life.bench.store)
    want, root = life.files(), life.bench.store.root
    names = list(want)
    for way in WAYS:
        for name in names:
            way(root / name)
        _restored(life, day)
        life.harmed += len(names)
        life.same(life.files(), want, f"all {way.__name__}")
    one_by_one = [
        name for name in names if (root / name) in (*life.bench.layout.fixed_files(), life.bench.layout.config)
    ]
    for name in (one_by_one + [name for name in names if name not in one_by_one])[:most]:
        for way in WAYS:
            way(root / name)
            _restored(life, day, name)
            life.harmed += 1
            life.same(life.files(), want, f"{name!r} {way.__name__}")
    for folder in [
        life.bench.layout.base,
        *(path for path in life.bench.layout.base.rglob("*") if path.is_dir()),
        root,
    ]:
        if folder.is_dir():
            life.harmed += sum((root / name).is_relative_to(folder) for name in names)
            _removed(root, folder)
            _restored(life, day)
            life.same(life.files(), want, f"{folder.name!r} removed")


def _removed(root: Path, folder: Path) -> None:
    """Remove a folder; of the root of a memory all that is in it, but no transcripts of an agent."""
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
        elif path.is_file() and path.suffix != ".jsonl":
            path.unlink()
    if folder != root and not any(folder.iterdir()):
        folder.rmdir()


def killed(life: Life, work: Callable[[], object], check: Callable[[], None]) -> None:
    """Kill the work before each of its changes in turn, each time from the same beginning, and check what is left."""
    state = life.bench.store.state
    folder = BackupRing(state).folder
    begin = folder.with_name("begin")
    if folder.exists():
        shutil.copytree(folder, begin)
    for call in range(1, 10_000):
        if not _is_killed(work, call, state):
            break
        life.kills += 1
        check()
        shutil.rmtree(folder, ignore_errors=True)
        if begin.exists():
            shutil.copytree(begin, folder)
    shutil.rmtree(begin, ignore_errors=True)


def _is_killed(work: Callable[[], object], call: int, state: Path) -> bool:
    """Whether the work, in a process of its own, came to a change of that number, before which it was killed."""
    child = os.fork()
    if child:
        return os.WIFSIGNALED(os.waitpid(child, 0)[1])
    count = 0

    def hear(event: str, given: tuple[object, ...]) -> None:
        nonlocal count
        is_write = event == "open" and isinstance(given[2], int) and bool(given[2] & (os.O_WRONLY | os.O_RDWR))
        if (event in _CHANGES or is_write) and str(given[0]).startswith(str(state)):
            count += 1
            if count == call:
                os.kill(os.getpid(), signal.SIGKILL)

    try:
        sys.addaudithook(hear)
        work()
    finally:
        os._exit(0)


def killed_while_taking(life: Life) -> None:
    """Kill the first backup of all, and one that pushes another out; what was whole stays so, and the next is whole."""
    store = life.bench.store
    ring = BackupRing(store.state)

    def check() -> None:
        found = {backup.day for backup in ring.whole()}
        if not before <= found | {life.clock.at.date()} | gone:
            life.losses.append("a backup of before is gone")
        stored = {one.digest: one for backup in ring.whole() for one in backup.files}
        if ring.damaged(Backup(life.clock.at.date(), life.clock.at, "", tuple(stored.values()))):
            life.losses.append(f"a backup of before {life.clock.at.date()} is damaged after a kill")
        take_backup(store)
        backup = ring.read(life.clock.at.date())
        life.same({one.path: ring.content(one) for one in backup.files}, want, "the backup after a kill")

    for is_first in (False, True):
        if is_first:
            shutil.rmtree(ring.folder)
        life.clock.next_day()
        life.bench.layout.identity.write_text(f"# Identity\n\nbefore {life.clock.at}\n")
        before, want = set(ring.days()), life.files()
        gone = before - backup_ring.retained_days(sorted({*before, life.clock.at.date()}, reverse=True), 7)
        killed(life, lambda: take_backup(store), check)
        take_backup(store)


def forgotten(life: Life) -> None:
    """Forget a session and a document that several days hold, also when killed on the way; none has them after."""
    bench = life.bench
    (bench.layout.topics / "secret-plan.md").write_text(f"# Plan\n\n{WORD}\n")
    for entry in bench.archive.entries()[:1]:
        entry.path.write_text(entry.path.read_text() + f"\n{WORD}\n")
    for _ in range(3):
        life.clock.next_day()
        take_backup(bench.store)
    ring = BackupRing(bench.store.state)
    if not any(WORD.encode() in ring.content(one) for backup in ring.whole() for one in backup.files):
        life.losses.append("there was nothing to forget")
    gone = (WORD, session_id_of(1))
    how = ScrubRules(lambda _, text: None if any(word in text for word in gone) else text, lambda title, _: title)

    def check() -> None:
        backup_ring.scrub_backups(bench.store, how)
        for path in ring.contents.iterdir():
            data = zstandard.decompress(path.read_bytes())
            if any(word.encode() in data for word in gone):
                life.losses.append(f"{bench.layout.name}: a backup holds what was forgotten: {data[:60]!r}")

    killed(life, lambda: backup_ring.scrub_backups(bench.store, how), check)
    bench.eraser.forget("secret-plan", session_id_of(1))
    check()
    for backup in ring.whole():
        if any("secret-plan" in one.path for one in backup.files) or ring.damaged(backup):
            life.losses.append(f"the backup of {backup.day} names what was forgotten, or is damaged")


def out_and_in(life: Life, folder: Path) -> None:
    """The whole memory out and into an empty folder; then each line of the export harmed, which brings in nothing."""
    bench = life.bench
    want = life.files()
    path = bench.export(None, folder / "whole.json").path
    root = folder / "again"
    again = Workbench.at(
        LocatedMemory(make_layout(root, bench.layout.name), "import"), bench.store.environment, life.clock
    )
    again.apply(importing.import_bundle, importing.load_import(path))
    life.same(Life(again, life.clock).files(), want, "out and in")
    again.apply(importing.import_bundle, importing.load_import(path))
    life.same(Life(again, life.clock).files(), want, "in twice")
    lines = path.read_bytes().split(b"\n")
    broken = folder / "broken.json"
    for at, harm in [(at, harm) for at, line in enumerate(lines[:-2]) for harm in _harms(line)]:
        broken.write_bytes(b"\n".join([*lines[:at], *harm, *lines[at + 1 :]]))
        if _is_read(broken):
            life.losses.append(f"{bench.layout.name}: line {at + 1} of an export was harmed and is read")
        else:
            life.refused += 1


def _harms(line: bytes) -> Iterator[list[bytes]]:
    yield []
    yield [line[: len(line) // 2]]
    yield [line[:9] + bytes([line[9] ^ 1]) + line[10:]]


def _is_read(path: Path) -> bool:
    from recall_tui.errors import RecallError

    try:
        importing.load_import(path)
    except RecallError as error:
        return str(path) not in error.message
    return True
