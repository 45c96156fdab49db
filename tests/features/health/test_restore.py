"""Restoring: what was damaged outside the journal comes back as it was, and what must not come back does not."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import cast

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError, NotFoundError, UsageError
from recall_tui.features.curation.remember import remember
from recall_tui.features.health import backup_problems
from recall_tui.features.health.restore import compare_backups, find_in_backups, parse_day, restore
from recall_tui.storage.inventory import list_files
from recall_tui.storage.state import backup_ring, tombstones
from recall_tui.storage.state.backup_ring import BackupRing, take_backup
from recall_tui.workbench import Workbench
from tests.makers import session_id_of, tree
from tests.qa.trust.lived import Calendar, lived_in
from tests.traces import traces

YESTERDAY = date(2026, 3, 7)
KEY = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def clock() -> Calendar:
    return Calendar()


@pytest.fixture
def bench(environment: Environment, clock: Calendar) -> Workbench:
    """A memory that was backed up, on the day after."""
    made = lived_in(environment, "hierarchical", clock)
    clock.next_day()
    take_backup(made.store)
    clock.next_day()
    return made


def problems(bench: Workbench) -> list[str]:
    return [one.message for one in backup_problems.find_problems(bench.store, bench.journal)]


def test_what_is_gone_and_what_changed_comes_back_and_undo_takes_it_back(bench: Workbench) -> None:
    before = tree(bench.store.root)
    bench.layout.memory_file.write_text("garbage")
    bench.layout.config.unlink()
    harmed = tree(bench.store.root)
    day = next(compare_backups(bench.store))
    assert (day.changed, day.missing) == (("memory/MEMORY.md",), ("memory/.recall-echo.toml",))
    entry = bench.apply(restore, YESTERDAY)
    assert entry is not None and entry.title == "Restored 2 files of 2026-03-07"
    assert tree(bench.store.root) == before
    bench.undo()
    assert tree(bench.store.root) == harmed


def test_what_came_since_stays(bench: Workbench) -> None:
    (bench.layout.topics / "later.md").write_text("later\n")
    bench.layout.identity.unlink()
    bench.apply(restore, YESTERDAY)
    assert (bench.layout.topics / "later.md").read_text() == "later\n" and bench.layout.identity.exists()


def test_only_what_is_named_comes_back(bench: Workbench) -> None:
    for path in (bench.layout.identity, bench.layout.wisdom, *bench.layout.wiki.rglob("*.md")):
        path.unlink()
    bench.apply(restore, YESTERDAY, ["IDENTITY.md"])
    assert bench.layout.identity.exists() and not bench.layout.wisdom.exists()
    assert bench.apply(restore, YESTERDAY, ["memory/wiki/", "./WISDOM.md"]) is not None
    assert bench.layout.wisdom.exists() and (bench.layout.wiki / "deep" / "er" / "CON.md").exists()
    with pytest.raises(NotFoundError, match=r"nothing\.md"):
        bench.preview(restore, YESTERDAY, ["WISDOM.md", "nothing.md"])


def test_a_day_is_named_in_words(bench: Workbench) -> None:
    for words in ("2026-03-07", "yesterday", "newest"):
        assert parse_day(bench.store, words) == YESTERDAY
    with pytest.raises(UsageError):
        parse_day(bench.store, "x")
    with pytest.raises(NotFoundError):
        bench.preview(restore, parse_day(bench.store, "today"))


def test_what_stands_in_the_way_is_left_and_said(bench: Workbench, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    shutil.rmtree(bench.layout.weekly)
    bench.layout.weekly.symlink_to(outside)
    bench.layout.identity.unlink()
    bench.layout.identity.mkdir()
    plan = bench.preview(restore, YESTERDAY)
    assert plan.edits == () and plan.title == "nothing of 2026-03-07 can be restored"
    assert any("IDENTITY.md is left as it is: a folder is there now" in note for note in plan.notes)
    assert any("links there point outside the memory" in note for note in plan.notes)
    assert list(outside.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a pipe", "a ring of links", "a link that leads out"])
def test_what_cannot_be_read_now_costs_no_other_file(kind: str, bench: Workbench, tmp_path: Path) -> None:
    path = bench.layout.topics / "CON.md"
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(path if kind == "a ring of links" else tmp_path / "none.md")
    bench.layout.identity.unlink()
    assert [one for one in problems(bench) if "CON.md" in one] == []
    name = bench.store.relative(path)
    day = next(compare_backups(bench.store))
    assert name in (*day.changed, *day.missing) and "IDENTITY.md" in day.missing
    plan = bench.preview(restore, YESTERDAY)
    assert [one["path"] for one in plan.facts["left"]] == [name]  # type: ignore[attr-defined]
    bench.apply(restore, YESTERDAY)
    assert bench.layout.identity.is_file() and not path.is_file()


def test_a_damaged_content_is_never_written(bench: Workbench) -> None:
    ring = BackupRing(bench.store.state)
    one = next(one for one in ring.read(ring.days()[0]).files if one.path == "IDENTITY.md")
    (ring.contents / f"{one.digest}.zst").write_bytes(b"")
    bench.layout.identity.unlink()
    plan = bench.preview(restore, YESTERDAY)
    assert plan.facts["left"] == [{"path": "IDENTITY.md", "reason": "its backup is damaged; take it from another day"}]
    assert problems(bench)[0] == "the backup of 2026-03-07 cannot give back IDENTITY.md"
    assert backup_problems.repair_backups(bench.store, bench.journal)
    assert not any("cannot give back" in words for words in problems(bench))


def test_a_memory_of_which_nothing_is_left_is_found_by_its_backups(bench: Workbench, environment: Environment) -> None:
    before = tree(bench.store.root)
    root = bench.store.root
    for path in sorted(root.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for folder in (root, None):
        found = find_in_backups(environment, folder)
        assert found is not None
        again = Workbench.at(found, environment, bench.store.now)
        assert again.layout == bench.layout
    again.apply(restore, YESTERDAY)
    assert tree(root) == before


def test_a_nearer_memory_without_backups_is_not_passed_over(bench: Workbench, environment: Environment) -> None:
    near = environment.cwd / "near"
    (near / "memory" / "conversations").mkdir(parents=True)
    assert find_in_backups(environment, near) is None


def test_backups_of_a_layout_that_nobody_knows_name_no_memory(bench: Workbench, environment: Environment) -> None:
    ring = BackupRing(bench.store.state)
    ring.write(replace(ring.read(YESTERDAY), layout="of-tomorrow"))
    shutil.rmtree(bench.store.root)
    assert find_in_backups(environment, bench.store.root) is None


@pytest.mark.long
def test_what_was_forgotten_is_in_no_backup_and_cannot_be_restored(bench: Workbench, clock: Calendar) -> None:
    word = "heliotrope"
    (bench.layout.topics / "secret-plan.md").write_text(f"{word}\n")
    archive = bench.archive.entries()[0].path
    archive.write_text(archive.read_text() + f"\n{word}\n")
    for _ in range(3):
        clock.next_day()
        take_backup(bench.store)
    bench.eraser.forget(session_id_of(1), "secret-plan")
    assert traces(bench, word, session_id_of(1)) == [str(tombstones.tombstones_path(bench.store.state))]
    assert all(
        session_id_of(1) not in text and word not in text for _, _, text in backup_ring.all_contents(bench.store)
    )
    for day in BackupRing(bench.store.state).days():
        plan = bench.preview(restore, day)
        assert not any(edit.path in (archive, bench.layout.topics / "secret-plan.md") for edit in plan.edits)


@pytest.mark.long
def test_nothing_is_restored_while_something_is_still_to_be_forgotten(bench: Workbench) -> None:
    from recall_tui.features.erasure.forget import forget

    bench.apply(forget, (session_id_of(1),))
    with pytest.raises(ConflictError, match="forgotten"):
        bench.preview(restore, YESTERDAY)
    bench.eraser.finish_forgetting()
    bench.preview(restore, YESTERDAY)


@pytest.mark.long
def test_what_was_redacted_is_in_no_backup(bench: Workbench, clock: Calendar) -> None:
    (bench.layout.topics / "keys.md").write_text(f"the token is {KEY}\n")
    (bench.layout.topics / "gone.md").write_text(f"another token is {KEY}\n")
    bench.layout.config.write_text(f'layout = "hierarchical"\n[llm]\napi_key = "{KEY}"\n')
    clock.next_day()
    take_backup(bench.store)
    (bench.layout.topics / "gone.md").unlink()
    assert {one.where for one in bench.eraser.secrets()} == {"memory", "backups"}
    bench.eraser.redact()
    assert list(bench.eraser.secrets()) == []
    texts = {path.name: text for _, path, text in backup_ring.all_contents(bench.store)}
    assert KEY not in texts["keys.md"] and KEY not in texts["gone.md"]
    # The settings keep a key as long as they hold it, and not longer.
    assert sum(KEY in text for _, _, text in backup_ring.all_contents(bench.store)) == 1
    bench.layout.config.write_text('layout = "hierarchical"\n')
    assert [one.where for one in bench.eraser.secrets()] == ["backups"]
    bench.eraser.redact()
    assert not any(KEY in text for _, _, text in backup_ring.all_contents(bench.store))


@pytest.mark.long
@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (None, "is gone"),
        (b" \n", "is empty"),
        (b"# x\n\0\0\0", "cannot be read"),
        (b"caf\xe9\xff", "cannot be read"),
    ],
)
def test_doctor_says_what_a_backup_could_give_back(harm: bytes | None, words: str, bench: Workbench) -> None:
    assert problems(bench) == []
    path = bench.layout.identity
    path.unlink() if harm is None else path.write_bytes(harm)
    (said,) = problems(bench)
    assert said.startswith(f"IDENTITY.md {words}; the backup of 2026-03-07 has it:")
    assert said.endswith("recall-tui doctor --restore 2026-03-07 IDENTITY.md")
    bench.apply(restore, YESTERDAY)
    assert problems(bench) == []


def test_what_was_not_touched_since_its_backup_is_not_read_to_see_its_harm(bench: Workbench, clock: Calendar) -> None:
    clock.at = datetime.now(clock.at.tzinfo) + timedelta(minutes=1)
    take_backup(bench.store)
    bench.layout.identity.write_bytes(b"")
    opened: list[str] = []
    is_over = False

    def hear(event: str, given: tuple[object, ...]) -> None:
        # Files of a memory are opened by their names, in a folder that is open; the folders are not looked at here.
        if not is_over and event == "open" and not cast(int, given[2]) & os.O_DIRECTORY:
            opened.append(Path(str(given[0])).name)

    sys.addaudithook(hear)
    (said,) = problems(bench)
    is_over = True
    assert said.startswith("IDENTITY.md is empty")
    every = {path.name for path in list_files(bench.layout)[0]}
    fixed = {path.name for path in (*bench.layout.fixed_files(), bench.layout.config)}
    assert bench.layout.identity.name in opened and every & set(opened) <= fixed < every


@pytest.mark.long
def test_a_fixed_file_is_missed_also_when_it_was_backed_up_damaged(bench: Workbench, clock: Calendar) -> None:
    bench.layout.config.write_text("layout = [broken\n")
    bench.layout.memory_file.unlink()
    bench.initialise()
    for _ in range(3):
        clock.next_day()
        take_backup(bench.store)
    said = problems(bench)
    assert len(said) == 2 and all("2026-03-07" in words for words in said)
    assert any("is as it was when the memory was set up" in words for words in said)


def test_what_a_change_of_ours_removed_is_not_missed(bench: Workbench, clock: Calendar) -> None:
    from recall_tui.domain import Delete, Plan
    from recall_tui.storage.files.atomic import file_digest

    path = bench.layout.topics / "CON.md"
    bench.apply(lambda _: Plan("Removed a topic", (Delete(path, file_digest(path)),)))
    assert not path.exists() and problems(bench) == []


@pytest.mark.long
def test_doctor_says_when_a_backup_is_overdue_and_makes_one(bench: Workbench, clock: Calendar) -> None:
    lock = bench.store.state / "daily.lock"
    lock.unlink()
    lock.mkdir()
    clock.next_day(5)
    assert bench.apply(remember, "The cache is called otter") is not None, "a change does not fail for its backup"
    assert problems(bench) == ["the newest backup is of 2026-03-07, and the memory was changed since"]
    lock.rmdir()
    assert backup_problems.repair_backups(bench.store, bench.journal) == "Repaired the backups"
    assert problems(bench) == []
    assert BackupRing(bench.store.state).days()[0] == clock.at.date()


def test_many_losses_are_one_line(bench: Workbench) -> None:
    for path in bench.layout.wiki.rglob("*.md"):
        path.unlink()
    (said,) = problems(bench)
    assert "files are gone or damaged" in said and said.endswith("recall-tui doctor --restore 2026-03-07")
