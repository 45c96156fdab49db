"""What was forgotten stays so for another state folder at the same memory, and for another machine."""

from __future__ import annotations

import shutil
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError
from recall_tui.features.capture.expiry import expiry_report
from recall_tui.features.curation.remember import remember
from recall_tui.features.erasure.forget import forget, unforget
from recall_tui.features.health.restore import restore
from recall_tui.storage.files.temporary_files import TOMBSTONE_FOLDER
from recall_tui.storage.inventory import list_files
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript
from tests.traces import traces

WORD = "zanzibarquux"
TALK = [
    ("user", f"Plan the {WORD} surprise party for the whole team"),
    ("assistant", f"We decided that the {WORD} is in the park. Next step: invite {WORD} guests."),
]
OTHER = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock around the refresh.")]
ONE = session_id_of(1)


def beside(bench: Workbench, environment: Environment) -> Workbench:
    """The same memory as another state folder has it."""
    other = Environment(
        environment.home, environment.cwd, {**environment.env, "RECALL_STATE": f"{environment.state}-other"}
    )
    return Workbench.at(LocatedMemory(bench.layout, "made for a test"), other, lambda: NOON)


def marks(bench: Workbench) -> list[str]:
    """The names of the marks in the memory itself."""
    folder = bench.layout.base / TOMBSTONE_FOLDER
    return sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_no_other_state_folder_takes_it_in_again(environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    bench.capture(transcript(environment, 2, OTHER))
    bench.eraser.forget(ONE)
    assert len(marks(bench)) == 1 and not any(ONE in name or WORD in name for name in marks(bench))
    other = beside(bench, environment)
    assert other.capture(path).status == "skipped" and other.capture(path, by="hook").status == "skipped"
    assert path not in list(other.unarchived()) and path not in [
        one.file.path for one in expiry_report(other.store).soon
    ]
    other.sync()
    other.sync(anew=True)
    assert traces(other, WORD) == []


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_it_comes_back_when_the_mark_is_lifted_with_whichever_state_folder(
    environment: Environment, layout: str
) -> None:
    bench = bench_at(environment, layout)
    path = transcript(environment, 1, TALK)
    bench.capture(path)
    bench.eraser.forget(ONE)
    other = beside(bench, environment)
    other.eraser.unforget(ONE)
    assert marks(bench) == [] and other.capture(path).status == "archived"
    bench.eraser.unforget(ONE)
    again = beside(bench, environment)
    again.eraser.forget(ONE)
    assert len(marks(bench)) == 1 and bench.capture(path).status == "skipped"


@pytest.mark.parametrize("layout", ["entity", "user"])
def test_neither_undo_nor_a_backup_of_another_state_folder_brings_it_back(
    environment: Environment, layout: str
) -> None:
    bench = bench_at(environment, layout)
    transcript(environment, 1, TALK)
    other = beside(bench, environment)
    other.capture(transcript(environment, 1, TALK))
    tomorrow = Workbench.at(
        LocatedMemory(bench.layout, "test"), other.store.environment, lambda: NOON + timedelta(days=1)
    )
    tomorrow.apply(remember, "The shop is settled.")
    bench.eraser.forget(ONE)
    with pytest.raises(ConflictError, match="forgotten with another state folder"):
        tomorrow.undo()
    day = (NOON + timedelta(days=1)).date()
    with pytest.raises(ConflictError, match="forgotten with another state folder"):
        tomorrow.preview(restore, day, ())
    told = [one.message for one in tomorrow.check() if one.kind == "forgotten"]
    assert len(told) == 1 and f"recall-tui forget {ONE}" in told[0]
    tomorrow.eraser.forget(ONE)
    assert [one for one in tomorrow.check() if one.kind == "forgotten"] == []
    assert traces(tomorrow, WORD) == []
    tomorrow.apply(lambda store: restore(store, day, ()))
    assert traces(tomorrow, WORD) == []
    assert tomorrow.undo() is not None and traces(tomorrow, WORD) == []


def test_an_archive_that_a_sync_brings_back_is_told_and_not_searched(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    archive = bench.archive.get(1).path
    kept = environment.cwd / "kept.md"
    shutil.copy(archive, kept)
    bench.eraser.forget(ONE)
    shutil.copy(kept, archive)
    kept.unlink()
    other = beside(bench, environment)
    other.sync()
    assert not other.search(WORD, passages=True).hits
    for one in (bench, other):
        assert any(ONE in problem.message for problem in one.check() if problem.kind == "forgotten")
    other.eraser.forget(ONE)
    assert not archive.exists() and traces(other, WORD) == []


def test_a_document_that_was_forgotten_stays_out_too(environment: Environment) -> None:
    bench = bench_at(environment)
    topic = bench.layout.topics / "party.md"
    topic.write_text(f"# Party\n\nThe {WORD} is in the park.\n")
    text = topic.read_text()
    bench.eraser.forget("party.md")
    topic.write_text(text)
    other = beside(bench, environment)
    other.sync()
    assert not other.search(WORD, passages=True).hits


def test_marks_are_in_no_export_and_are_no_part_of_what_is_left_out(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    bench.capture(transcript(environment, 2, OTHER))
    bench.eraser.forget(ONE)
    files, left_out = list_files(bench.layout)
    assert not any(TOMBSTONE_FOLDER in str(path) for path in files) and not any(
        TOMBSTONE_FOLDER in one.path for one in left_out
    )
    assert bench.preview(forget, (ONE,)).edits == ()
    assert len(bench.preview(unforget, (ONE,)).edits) == 2
