"""What a memory does with transcripts does it with those of further folders, and leaves the files as they are."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from recall_tui.domain import SkippedResult
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError
from recall_tui.features.capture.prune import prune
from recall_tui.features.documents.resume import find_resume_command
from recall_tui.features.erasure.forget import forget
from recall_tui.features.health import doctor
from recall_tui.features.health.add_file import resolve_request
from recall_tui.features.health.report import assess_health
from recall_tui.features.summaries import session_draft
from recall_tui.index.sources.transcripts import find_transcript
from recall_tui.storage.archives import retained
from recall_tui.storage.files import trusted_clock
from recall_tui.workbench import Workbench
from tests.makers import bench_at, records, session_id_of, transcript, tree, write_transcript
from tests.traces import traces
from tests.transcripts.codex_samples import Rollout
from tests.transcripts.gemini_samples import agent, chat, lines, opening, user

WORD = "zanzibarquux"
TALK = [("user", f"where is the {WORD}?"), ("assistant", f"The {WORD} is in the park.")]
MORE = [*TALK, ("user", "and then?"), ("assistant", "It went home.")]
ONE = session_id_of(1)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """The further folder."""
    (tmp_path / "box").mkdir()
    return tmp_path / "box"


@pytest.fixture
def bench(environment: Environment, box: Path) -> Workbench:
    """A memory that names it."""
    return bench_at(environment._replace(env={**environment.env, "RECALL_TRANSCRIPTS_SOURCES": str(box)}))


def put(box: Path, number: int = 1, turns: list[tuple[str, str]] = TALK) -> Path:
    own = session_id_of(number)
    return write_transcript(box / "copied" / f"{own}.jsonl", records(own, turns))


def test_sessions_of_every_agent_are_archived_with_all_that_is_not_yet(bench: Workbench, box: Path) -> None:
    put(box)
    Rollout().meta().user("a rollout of old").agent("Yes.").write(box / "codex")
    chat(box / "gemini", lines(opening(), user("1", "a chat of old"), agent("2", "Yes.")))
    before = tree(box)
    found = list(bench.unarchived())
    assert len(found) == 3 and [bench.capture(path).status for path in found] == ["archived"] * 3
    assert {entry.agent for entry in bench.archive.entries()} == {"claude", "codex", "gemini"}
    assert list(bench.unarchived()) == [] and tree(box) == before


def test_a_session_is_found_by_its_id_shown_and_added(bench: Workbench, box: Path) -> None:
    path = put(box)
    assert find_transcript(bench.store, ONE[:8]) == path
    assert WORD in bench.document(ONE).text and WORD in bench.document(str(path)).text
    assert resolve_request(bench.store, path).path == path
    assert [one.session_id for one in session_draft.latest_sessions(bench.store)] == [ONE]
    assert session_draft.prepare_session(bench.store, ONE).conversation is not None


def test_a_file_outside_of_the_folders_is_not_shown(bench: Workbench, box: Path, tmp_path: Path) -> None:
    outside = put(tmp_path / "outside")
    (box / "link.jsonl").symlink_to(outside)
    for name in (outside, box / "link.jsonl"):
        with pytest.raises(NotFoundError):
            bench.document(str(name))


def test_an_archive_that_is_behind_its_transcript_is_caught_up_with(bench: Workbench, box: Path) -> None:
    bench = Workbench(bench.store._replace(now=lambda: datetime.now(UTC)), "made for a test")
    bench.capture(put(box))
    path = put(box, turns=MORE)
    archive = bench.archive.get(1).path
    _aged(path, timedelta(hours=1))
    _aged(archive, timedelta(hours=2))
    assert [decision.did for _, decision in bench.hooks.catch_up().decisions] == ["captured"]
    assert bench.archive.get(1).messages == len(MORE)


def _aged(path: Path, age: timedelta) -> None:
    moment = time.time() - age.total_seconds()
    os.utime(path, (moment, moment))


def test_a_copy_stays_while_a_further_folder_has_the_transcript(environment: Environment, box: Path) -> None:
    env = {**environment.env, "RECALL_TRANSCRIPTS_SOURCES": str(box), "RECALL_KEEP_DAYS": "30"}
    bench = bench_at(environment._replace(env=env))
    own = transcript(environment, 1, TALK)
    _aged(own, timedelta(days=29))
    bench = Workbench(bench.store._replace(now=lambda: datetime.now(UTC)), "made for a test")
    for days in range(30, 0, -1):
        trusted_clock.note_day(bench.store.state, datetime.now(UTC) - timedelta(days=days))
    bench.hooks.catch_up()
    bench.capture(own)
    (copy,) = retained.list_copies(environment.kept, ONE)
    _aged(copy, timedelta(days=31))
    own.rename(box / own.name)
    assert prune(bench.store).edits == ()
    (box / own.name).unlink()
    assert [edit.path for edit in prune(bench.store).edits] == [copy]


def test_what_is_forgotten_is_forgotten_there_too_and_does_not_come_back(bench: Workbench, box: Path) -> None:
    path = put(box)
    bench.capture(path)
    bench.sync()
    assert bench.search(WORD).hits
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == [] and path.is_file()
    bench.sync()
    assert bench.search(WORD).hits == () and list(bench.unarchived()) == []
    assert bench.capture(path).status == "skipped"
    with pytest.raises(NotFoundError, match="forgotten"):
        bench.document(ONE)


def test_forgetting_says_of_every_copy_that_it_stays(bench: Workbench, box: Path, environment: Environment) -> None:
    own, copy = transcript(environment, 1, TALK), put(box)
    notes = "\n".join(forget(bench.store, [ONE]).notes)
    assert f"a transcript of Claude Code stays at {copy}" in notes
    assert f"Claude Code's own transcript stays at {own}" in notes


def test_what_an_agent_does_not_find_itself_it_cannot_go_on_with(
    bench: Workbench, box: Path, environment: Environment, tmp_path: Path
) -> None:
    program = tmp_path / "bin" / "claude"
    program.parent.mkdir()
    program.touch(0o755)
    write_transcript(box / f"{ONE}.jsonl", records(ONE, TALK, cwd=str(environment.cwd)))
    store = bench.store._replace(
        environment=bench.store.environment._replace(env={**bench.store.environment.env, "PATH": str(program.parent)}),
    )
    said = find_resume_command(store, bench.document(ONE))
    assert isinstance(said, SkippedResult) and "further folder" in said.reason


def test_doctor_and_status_say_which_folder_is_passed_over(bench: Workbench, box: Path) -> None:
    assert doctor.run_checks(bench.store) == () and assess_health(bench.store).level == "healthy"
    box.rmdir()
    (problem,) = doctor.run_checks(bench.store)
    assert problem.kind == "settings" and f"{box} is skipped" in problem.message
    assert assess_health(bench.store).reasons == (problem.message,)
