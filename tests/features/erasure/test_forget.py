"""What is forgotten is nowhere any more, and does not come back."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.domain import Create, Plan, SkippedResult, WindowEntry
from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, ConflictError, NotFoundError, RecallError, UsageError
from recall_tui.features.capture import archive, lessons
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.features.capture.expiry import expiry_report, last_capture_time
from recall_tui.features.consolidation.timeline import propose_period
from recall_tui.features.context import consume
from recall_tui.features.curation.remember import remember
from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming import state as dream_state
from recall_tui.features.dreaming.state import DreamState, SignalAnalysis, WikiOperation
from recall_tui.features.erasure.forget import forget, unforget
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.health import doctor
from recall_tui.features.summaries import synthesize
from recall_tui.index.maintenance.disk_state import read_disk_state
from recall_tui.llm.model import Usage
from recall_tui.llm.usage_ledger import CallRequest, UsageLedger, UsageLimits
from recall_tui.storage.archives import index_file
from recall_tui.storage.documents import window_file
from recall_tui.storage.files import atomic, staging
from recall_tui.storage.layout import LAYOUT_NAMES, detect_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.scopes import open_scope
from recall_tui.storage.state import proposals, saved_searches, tombstones
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.features.erasure.erasure_samples import ONE, TWO, WORD
from tests.makers import bench_at, records, session_id_of, sub_agent, transcript, tree, write_transcript
from tests.session_recall import Recalled
from tests.traces import in_index, traces

SECRET_TALK = [
    ("user", f"Plan the {WORD} surprise party for the whole team"),
    ("Edit", f"/home/u/api/{WORD}.py"),
    ("assistant", f"We decided that the {WORD} is in the park. Next step: invite {WORD} guests."),
]
TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh."),
]


def two_sessions(environment: Environment, layout: str = "entity") -> tuple[Workbench, Path]:
    """A memory of two sessions, and the transcript of the one that is to go."""
    bench = bench_at(environment, layout)
    path = transcript(environment, 1, SECRET_TALK)
    bench.capture(path)
    bench.capture(transcript(environment, 2, TALK))
    bench.sync()
    return bench, path


def answers(bench: Workbench, words: str) -> list[str]:
    """The sessions, each once, of the passages that hold the words."""
    hits = bench.search(words, passages=True).hits
    return sorted({hit.session_id for hit in hits if words in hit.snippet})


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_session_leaves_no_trace_in_memory_state_and_index(environment: Environment, layout: str) -> None:
    bench, path = two_sessions(environment, layout)
    assert traces(bench, WORD)
    before = detect_layout(bench.store.root)
    entry, cleared = bench.eraser.forget(ONE)
    assert entry is not None and entry.title.startswith("Forgot ") and cleared.left == ()
    assert traces(bench, WORD) == []
    assert answers(bench, WORD) == [] and answers(bench, "token") != []
    assert path.exists() and detect_layout(bench.store.root) == before
    assert not [row for row in bench.rows if row.session_id == ONE]
    assert [row.session_id for row in bench.rows] == [TWO]
    with pytest.raises(NotFoundError, match="forgotten on 2026-03-06"):
        bench.document(ONE)
    with pytest.raises(NotFoundError):
        bench.document(str(path))
    assert [one for one in bench.check() if not one.is_note] == [] or layout == "claude-project"
    assert traces(bench, WORD) == []


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_neither_capture_nor_sync_nor_a_new_index_brings_it_back(environment: Environment, layout: str) -> None:
    bench, path = two_sessions(environment, layout)
    bench.eraser.forget(ONE)
    again = bench.capture(path)
    assert (again.status, again.reason) == ("skipped", "forgotten on 2026-03-06")
    assert bench.capture(path, source="checkpoint", by="hook").status == "skipped"
    assert path not in list(bench.unarchived())
    grown = transcript(environment, 1, [*SECRET_TALK, ("user", f"more {WORD}")])
    assert bench.capture(grown).status == "skipped"
    assert path not in [one.file.path for one in expiry_report(bench.store).soon]
    bench.sync()
    assert read_disk_state(bench.index, bench.store).is_current
    bench.sync(anew=True)
    bench.apply(doctor.plan_fixes)
    assert traces(bench, WORD) == [] and answers(bench, WORD) == []
    assert bench.index.coverage(bench.store).is_whole


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_master_and_proposals_of_one_keep_no_word_of_it(environment: Environment, layout: str) -> None:
    bench, _ = two_sessions(environment, layout)
    bench.layout.master.write_text("# Project Memory\n\n## Key Decisions\n\n- mine\n")
    synthesize.propose_master(bench.store, synthesize.draft_master(bench.store))
    made = synthesize.draft_master(bench.store)
    assert WORD in made.text
    bench.apply(lambda _: synthesize.plan_master(bench.store, made))
    synthesize.record_written(bench.store, made)
    bench.eraser.forget(ONE)
    text = bench.layout.master.read_text()
    assert WORD not in text and "- mine" in text and "*Last synthesized: 2026-03-06*" in text
    assert traces(bench, WORD) == [] and answers(bench, WORD) == []
    assert synthesize.draft_master(bench.store).is_same


@pytest.mark.long
def test_a_summary_in_a_scope_goes_too(environment: Environment) -> None:
    bench, _ = two_sessions(environment, "project")
    scope = open_scope(bench.store, "frontend")
    assert scope.layout.summaries is not None
    path = scope.layout.summaries / f"{ONE}.md"
    path.parent.mkdir(parents=True)
    path.write_text(f"# Page\n\n## Tracking Points\n\n- Decision: the {WORD} is on the page\n")
    made = synthesize.draft_master(scope)
    bench.apply(lambda _: synthesize.plan_master(scope, made))
    bench.sync()
    assert WORD in scope.layout.master.read_text() and answers(bench, WORD)
    bench.eraser.forget(ONE)
    assert not path.exists() and WORD not in scope.layout.master.read_text()
    assert traces(bench, WORD) == [] and answers(bench, WORD) == []


def test_logs_of_one_session_all_go(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    path = transcript(environment, 1, SECRET_TALK)
    bench.capture(path, source="checkpoint")
    bench.capture(transcript(environment, 1, [*SECRET_TALK, ("user", f"and the {WORD}?"), ("assistant", "Yes.")]))
    assert len(bench.archive.entries()) == 2
    entry, _ = bench.eraser.forget("archive-log-001")
    assert entry is not None and "1 more log of its session" in entry.title
    assert bench.archive.entries() == () and bench.rows == () and bench.layout.window.read_text() == ""
    assert traces(bench, WORD) == []


def test_what_a_person_wrote_into_the_window_stays(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("Mine: call Anna.\n")
    bench.capture(transcript(environment, 1, SECRET_TALK))
    bench.eraser.forget("1")
    assert bench.layout.window.read_text().strip() == "Mine: call Anna."


def test_a_summary_in_the_window_that_a_person_edited_goes_too(environment: Environment) -> None:
    bench = bench_at(environment, "user")
    bench.capture(transcript(environment, 1, SECRET_TALK))
    bench.layout.window.write_text(bench.layout.window.read_text() + "\nand more\n")
    bench.eraser.forget(ONE)
    assert bench.layout.window.read_text() == ""


def test_it_goes_by_number_name_beginning_and_path(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    archive = bench.archive.get(1).path
    for reference in ("1", "001", "conversation-001", "conversation-001.md", ONE, ONE.upper(), str(path), str(archive)):
        plan = bench.preview(forget, (reference,))
        assert plan.facts["forgotten"] == [{"name": "conversation-001", "sessions": (ONE,)}], reference
    with pytest.raises(RecallError, match="start of several sessions"):
        bench.preview(forget, (ONE[:8],))
    with pytest.raises(NotFoundError) as nothing:
        bench.preview(forget, ("nobody",))
    assert "list" in nothing.value.hint
    with pytest.raises(UsageError):
        bench.preview(forget, ("  ",))


@pytest.mark.long
@pytest.mark.parametrize(
    "reference", ["../../etc/passwd", "*", "-rf", "[/x] [b", "a\x00b", "\x1b[31m", "x" * 5000, "~nobody/x", "%s", "99"]
)
def test_a_hostile_reference_means_nothing_and_changes_nothing(environment: Environment, reference: str) -> None:
    bench, _ = two_sessions(environment)
    before = tree(bench.store.root), tree(environment.state)
    with pytest.raises(RecallError):
        bench.eraser.forget(reference)
    assert (tree(bench.store.root), tree(environment.state)) == before


@pytest.mark.long
@pytest.mark.parametrize("id", ["../up", "a/b", "[/x] [b", "| pipe |", "-v", "конь", "with space", "a" * 200])
def test_a_session_of_any_name_goes_alone(environment: Environment, id: str) -> None:
    bench = bench_at(environment)
    safe = "".join(char if char.isalnum() else "-" for char in id)
    for number, (name, talk) in enumerate(((id, SECRET_TALK), (f"{safe}-", TALK))):
        folder = environment.claude / "projects" / "-home-u-api"
        bench.capture(write_transcript(folder / f"file-{number}.jsonl", records(name, talk)))
    bench.sync()
    bench.eraser.forget("conversation-001")
    assert traces(bench, WORD) == []
    assert [entry.number for entry in bench.archive.entries()] == [2]
    bench.sync(anew=True)
    assert traces(bench, WORD) == [] and answers(bench, "token")


def test_copies_of_another_session_in_the_same_folder_stay(environment: Environment) -> None:
    bench = bench_at(environment, "claude-project")
    folder = environment.claude / "projects" / "-home-u-api"
    bench.capture(write_transcript(folder / "one.jsonl", records("a/b", SECRET_TALK)))
    bench.capture(write_transcript(folder / "two.jsonl", records("a-b", TALK)))
    assert len(list((environment.kept / "a-b").iterdir())) == 2
    bench.eraser.forget("a/b")
    assert len(list((environment.kept / "a-b").iterdir())) == 1
    assert traces(bench, WORD) == []


def test_a_number_is_an_archive_though_a_file_has_it_as_its_name(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    for name in ("2", ONE):
        (environment.cwd / name).write_text("somebody's own")
    assert bench.preview(forget, ("2",)).facts["forgotten"] == [{"name": "conversation-002", "sessions": (TWO,)}]
    assert bench.preview(forget, (ONE,)).facts["forgotten"] == [{"name": "conversation-001", "sessions": (ONE,)}]


def test_several_go_as_one_change_and_the_same_one_twice_once(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    entry, _ = bench.eraser.forget("1", "conversation-002", ONE)
    assert entry is not None and entry.title == "Forgot conversation-001, conversation-002"
    assert bench.archive.entries() == () and bench.rows == ()
    assert len(bench.journal.entries()) and bench.journal.entries()[0].id == entry.id
    assert bench.eraser.forget("1")[0] is None


def test_a_number_that_was_forgotten_is_given_to_no_other(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    bench.eraser.forget("2")
    assert bench.capture(transcript(environment, 3, TALK)).number == 3


def test_sub_agents_words_and_a_session_that_was_never_archived_go(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    sub_agent(path, SECRET_TALK, start=NOON)
    bench.sync()
    assert in_index(bench, WORD)
    entry, _ = bench.eraser.forget(ONE)
    assert entry is not None and ONE in entry.title
    assert traces(bench, WORD) == []


def test_a_vanished_transcript_that_only_the_index_had_goes_for_good(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    path.unlink()
    bench.sync()
    bench.eraser.forget(ONE)
    bench.sync(anew=True)
    assert traces(bench, WORD) == []


def test_session_recalls_database_does_not_bring_it_back(environment: Environment) -> None:
    bench = bench_at(environment)
    with Recalled(environment.session_index) as made:
        for id, words in ((ONE, WORD), (TWO, "gnus")):
            made.session(id, "T").row(id, "user", f"why {words}?").row(id, "assistant", "because")
    bench.sync()
    assert answers(bench, WORD) == [ONE]
    plan = bench.preview(forget, (ONE,))
    assert any("session recall's own database" in note for note in plan.notes)
    bench.eraser.forget(ONE)
    assert answers(bench, WORD) == [] and answers(bench, "gnus") == [TWO]
    bench.sync(anew=True)
    assert traces(bench, WORD) == [] and answers(bench, "gnus") == [TWO]
    with pytest.raises(NotFoundError):
        bench.document(ONE)
    bench.eraser.unforget(ONE)
    assert answers(bench, WORD) == [ONE]


@pytest.mark.long
def test_an_archive_that_is_put_back_is_not_indexed(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    archive = bench.archive.get(1).path
    text = archive.read_text()
    bench.eraser.forget(ONE)
    path.unlink()
    archive.write_text(text)
    bench.sync()
    assert answers(bench, WORD) == [] and read_disk_state(bench.index, bench.store).is_current
    bench.sync(anew=True)
    assert answers(bench, WORD) == [] and bench.index.coverage(bench.store).is_whole
    bench.eraser.unforget("conversation-001")
    assert answers(bench, WORD) == [ONE]
    bench.eraser.forget("conversation-001")
    assert not archive.exists() and traces(bench, WORD) == []


def test_another_memory_neither_finds_nor_captures_it_and_keeps_its_own_archive(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    other = bench_at(environment, root=environment.home / "other")
    other.capture(path)
    other.sync()
    plan = bench.preview(forget, (ONE,))
    bench.eraser.forget(ONE, seen=plan)
    assert f"another memory holds an archive of it too, and keeps it: {other.store.root}" in plan.notes
    assert other.archive.get(1).path.is_file() and {*answers(other, WORD), ""} == {ONE, ""}
    with pytest.raises(NotFoundError) as refused:
        other.eraser.unforget(ONE)
    assert f"--root {bench.store.root} forget --undo" in refused.value.hint
    late = bench_at(environment, root=environment.home / "late")
    assert late.capture(path).status == "skipped"
    late.sync()
    assert answers(late, WORD) == []


def test_a_line_that_goes_too_is_not_said_to_stay(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", f"where is the {WORD}?"), ("assistant", "In the shed.")]))
    (log,) = bench.layout.days.glob("*.md")
    assert "conversation-001" in log.read_text()
    notes = bench.preview(forget, ("1",)).notes
    assert not any("names it" in note for note in notes)
    log.write_text(f"{log.read_text()}\n- see conversation-001 for more\n")
    (note,) = [note for note in bench.preview(forget, ("1",)).notes if "names it" in note]
    assert note.startswith(f"{bench.store.relative(log)}:"), "what a person wrote stays"
    bench.eraser.forget("1")
    assert last_capture_time(bench.store) is None, "to forget a session is not to capture one"


@pytest.mark.long
def test_a_topic_goes_with_its_text_and_what_names_it_is_said(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.apply(remember, f"the {WORD} is on Friday", "party")
    topic = bench.layout.topics / "party.md"
    bench.layout.memory_file.write_text("# Memory\n\nSee party.md for more.\n")
    bench.sync()
    plan = bench.preview(forget, (str(topic),))
    assert any(note.startswith("memory/MEMORY.md:3 names it") for note in plan.notes)
    text = topic.read_text()
    bench.eraser.forget(topic)
    assert not topic.exists() and "party.md" in bench.layout.memory_file.read_text()
    # The change that wrote it named it with its words.
    assert traces(bench, WORD) == []
    topic.write_text("# party\n\n- something else\n")
    bench.sync()
    assert answers(bench, "something else")
    (bench.layout.topics / "again.md").write_text(text)
    bench.sync()
    bench.sync(anew=True)
    assert answers(bench, WORD) == []
    bench.eraser.unforget("party.md")
    assert answers(bench, WORD)


@pytest.mark.parametrize("name", ["memory_file", "window", "rows", "config"])
def test_what_a_memory_is_made_of_is_not_forgotten(environment: Environment, name: str) -> None:
    bench, _ = two_sessions(environment)
    with pytest.raises(RecallError):
        bench.eraser.forget(getattr(bench.layout, name))
    assert getattr(bench.layout, name).exists()


def test_a_promoted_archive_without_a_session_goes_with_its_row(environment: Environment) -> None:
    from recall_tui.features.capture.promotion import promote

    bench = bench_at(environment)
    bench.layout.window.write_text(f"The {WORD} is on.\n")
    bench.apply(promote)
    bench.capture(transcript(environment, 2, TALK))
    bench.eraser.forget("conversation-001")
    assert [row.number for row in bench.rows] == [2]
    assert [entry.number for entry in bench.archive.entries()] == [2]


def test_it_cannot_be_undone_and_the_journal_says_what_to_do(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    entry, cleared = bench.eraser.forget("1")
    assert entry is not None and cleared.changes
    newest = bench.journal.entries()[0]
    assert newest.title == "Forgot conversation-001" and newest.no_way_back
    for number in (None, entry.id):
        with pytest.raises(ConflictError) as refused:
            bench.undo(number)
        assert "recall-tui forget --undo conversation-001" in refused.value.hint


def test_earlier_changes_are_still_taken_back_and_bring_nothing_of_it(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    note = bench.apply(remember, "we deploy on Fridays")
    emptied = bench.apply(consume.clear_window, consume.window_text(bench.store))
    bench.eraser.forget("1")
    assert note is not None and emptied is not None
    assert bench.undo(emptied.id)
    assert [entry.session_id for entry in bench.window.entries] == [TWO]
    assert bench.undo(note.id) and "Fridays" not in bench.layout.memory_file.read_text()
    captured = next(entry for entry in bench.journal.entries() if entry.title.startswith("Archived"))
    assert bench.undo(captured.id)
    assert bench.archive.entries() == () and bench.rows == ()
    assert traces(bench, WORD) == []


def test_a_title_in_the_journal_goes_with_its_session_also_where_lessons_were_written(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    said = [("user", "Why is it late?"), ("assistant", "The root cause was a clock that is ahead by two minutes.")]
    path = transcript(environment, 1, said)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "custom-title", "customTitle": f"The {WORD} clock", "sessionId": ONE}) + "\n")
    found = lessons.extract_lessons(bench.store, path)
    assert not isinstance(found, SkippedResult)
    entry = bench.apply(lessons.plan_lessons, found)
    assert entry is not None and WORD in entry.title
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []


def test_what_an_undone_capture_left_in_the_journal_goes(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    first = bench.journal.entries()[1]
    bench.undo(first.id)
    assert not (bench.layout.archives[0].folder / "conversation-001.md").exists()
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []


def test_files_in_the_making_logs_and_backups_go(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    made = staging.new_path(bench.store.spool, ONE, ".md")
    made.write_text(f"half made {WORD}")
    others = staging.new_path(bench.store.spool, TWO, ".md")
    others.write_text("half made too")
    log = bench.store.state / "logs" / "hook.log"
    backup = bench.store.state / "backups" / "ARCHIVE.md"
    for file, text in ((log, f"captured {ONE} {WORD}\ncaptured {TWO}\n"), (backup, f"| {ONE} | {WORD} |\n")):
        atomic.write_file(file, text.encode())
    aside = bench.index.folder / "catalogue.db.broken-1"
    aside.write_text(WORD)
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []
    assert others.exists() and log.read_text() == f"captured {TWO}\n"


def test_the_ledger_keeps_what_was_spent_and_not_on_which_session(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    ledger, limits = UsageLedger(bench.store.state), UsageLimits(10, 10**6, 10)
    for session in (ONE, TWO):
        row = ledger.begin(CallRequest(NOON, "summary", "m", session, Usage(10, 5)), limits)
        assert isinstance(row, int)
        ledger.end(row, Usage(8, 2, 0.5), 100.0, "failed", f"{session} said: {WORD if session == ONE else 'oak'}")
    bench.eraser.forget(ONE)
    assert [(one.session_id, one.usage.cost) for one in ledger.calls()] == [(TWO, 0.5), ("", 0.5)]
    held = b"".join(path.read_bytes() for path in bench.store.state.glob("ledger.db*"))
    assert ONE.encode() not in held and WORD.encode() not in held and b"oak" in held
    assert traces(bench, WORD) == []


def test_a_ledger_that_cannot_be_read_is_told_and_all_else_goes(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    (bench.store.state / "ledger.db").write_bytes(b"no database at all, whatever its length" * 100)
    _, cleared = bench.eraser.forget(ONE)
    assert "ledger" in cleared.left[0] and traces(bench, WORD) == []
    (bench.store.state / "ledger.db").unlink()
    assert bench.eraser.finish_forgetting().left == ()


def test_questions_that_name_the_session_go_and_others_stay(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    saved_searches.update(bench.store, lambda held: held.with_asked(f"session:{ONE} {WORD}").with_asked("token"))
    bench.eraser.forget(ONE)
    assert saved_searches.read_searches(bench.store).recent == ("token",)
    assert traces(bench, WORD) == []


def test_what_killed_processes_left_of_it_goes(environment: Environment) -> None:
    bench, _ = two_sessions(environment, "claude-project")
    for folder in (bench.store.spool, environment.kept / ONE):
        (folder / ".recall-0123456789ab.tmp").write_text(WORD)
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == [] and not (environment.kept / ONE).exists()


def test_lifting_the_mark_says_what_comes_back(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    bench.eraser.forget(ONE)
    plan = bench.preview(unforget, ("conversation-001",))
    assert any(str(path) in note for note in plan.notes)
    assert any("archive --session" in note for note in plan.notes)
    entry = bench.eraser.unforget("1")
    assert entry is not None
    assert answers(bench, WORD) == [ONE]
    assert bench.capture(path).status == "archived"
    with pytest.raises(NotFoundError, match="was forgotten"):
        bench.eraser.unforget("1")


@pytest.mark.long
def test_lifting_the_mark_of_what_is_gone_says_so(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    bench.eraser.forget(ONE)
    path.unlink()
    assert any("nothing of it comes back" in note for note in bench.preview(unforget, (ONE,)).notes)


def test_a_plan_that_was_seen_is_the_one_that_is_made(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    seen = bench.preview(forget, ("1",))
    bench.capture(transcript(environment, 3, TALK))
    with pytest.raises(ConflictError):
        bench.eraser.forget("1", seen=seen)
    assert bench.archive.get(1).path.exists()


def test_a_session_that_was_read_before_it_was_forgotten_is_not_archived_after(
    environment: Environment, monkeypatch: pytest.MonkeyPatch
) -> None:
    from recall_tui.features.capture import archive as archiving

    bench, _ = two_sessions(environment)
    real: Callable[..., Plan] = archiving.archive

    def forgotten_meanwhile(*given: object) -> Plan:
        monkeypatch.setattr(archiving, "archive", real)
        stone = tombstones.Tombstone("x", NOON.date(), sessions=(ONE,))
        atomic.write_file(
            tombstones.tombstones_path(bench.store.state),
            tombstones.render_tombstones(tombstones.Tombstones((stone,))).encode(),
        )
        return real(*given)

    monkeypatch.setattr(archiving, "archive", forgotten_meanwhile)
    before = tree(bench.store.root)
    assert bench.capture(transcript(environment, 1, [*SECRET_TALK, *TALK])).status == "skipped"
    assert tree(bench.store.root) == before
    assert list(bench.store.spool.iterdir()) == []


def test_marks_that_cannot_be_read_stop_whoever_would_take_in(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    bench.eraser.forget(ONE)
    file = tombstones.tombstones_path(bench.store.state)
    file.write_text("{")
    for do in (lambda: bench.capture(path), bench.sync, lambda: bench.eraser.forget("2")):
        with pytest.raises(BrokenFileError, match=r"tombstones\.json"):
            do()


def test_marks_are_read_back_as_they_were_written() -> None:
    stone = tombstones.Tombstone("a\udcff", NOON.date(), ("x", "й"), (3,), ("p\udcff.md",), ("d",), True, "/r")
    rows = json.loads(tombstones.render_tombstones(tombstones.Tombstones((stone, stone._replace(sessions=())))))
    assert [tombstones._parse_tombstone(row) for row in rows["forgotten"]] == [stone, stone._replace(sessions=())]


@pytest.mark.long
def test_the_state_is_private(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    bench.eraser.forget("1")
    assert tombstones.tombstones_path(bench.store.state).stat().st_mode & 0o777 == 0o600


@pytest.mark.long
@pytest.mark.parametrize("layout", [layout for layout in LAYOUT_NAMES if layout != "claude-project"])
def test_pages_that_wait_and_a_dream_on_its_way_keep_no_word_of_it(environment: Environment, layout: str) -> None:
    bench, _ = two_sessions(environment, layout)
    log = bench.store.layout.days / "2026-03-06.md"
    log.parent.mkdir(exist_ok=True)
    for name in ("2026-02-24", "2026-02-25", "2026-02-26", "2026-03-03", "2026-03-04", "2026-03-05"):
        log.with_name(f"{name}.md").write_text(f"# {name}\n\n- Oak Street has new lamps.\n")
    later = bench.store._replace(now=lambda: NOON + timedelta(days=20))
    other, week = propose_period(later, "2026-W09"), propose_period(later, "2026-W10")
    assert other is not None and week is not None
    line = SourceLine(f"The park is called {WORD}.", bench.store.relative(log), (1, 1))
    made = WikiOperation("park", "entity", "Park", "it is new", (line,))
    if log.exists():
        dream_state.save_state(later, DreamState({"entity_cluster park": SignalAnalysis((made,))}))
    held = {Path(path).name for path in traces(bench, WORD)}
    assert held >= {"analyses.json", f"{week.id}.json"} or not log.exists()
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []
    waiting = {one.id for one in proposals.list_open(later)}
    assert other.id in waiting and (week.id in waiting) != log.exists()


@pytest.mark.long
def test_a_dream_on_its_way_is_waited_for_before_forgetting_is_done(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    dream.gather_signals(bench.store)
    with dream_state.dream_lock(bench.store):
        _, cleared = bench.eraser.forget(ONE)
        assert "dreaming" in cleared.left[0]
    assert bench.eraser.finish_forgetting().left == () and traces(bench, WORD) == []


def promote_as_it_was(store: Store) -> Plan:
    """The plan that archives the whole window, as older versions did also with what we wrote into it."""
    rows, text = store.register.look(is_exact=True).text, store.layout.window.read_text()
    number = archive.next_number(store)
    entry = archive.build_promoted_entry(store, number, store.register.new_path(number), text)
    made = Create(entry.path, archive.render_promoted(entry, text))
    return Plan("", (made, *extend_file(store.layout.rows, index_file.add_row(rows, entry))))


@pytest.mark.long
@pytest.mark.parametrize("layout", ["entity", "user", "hierarchical"])
def test_an_archive_of_the_window_loses_the_session_and_keeps_all_else(environment: Environment, layout: str) -> None:
    bench, _ = two_sessions(environment, layout)
    bench.layout.window.write_text(
        window_file.render_entry(WindowEntry(ONE, NOON, "3m", 3, "x-001.md", f"About the {WORD}."))
        + window_file.SEPARATOR
        + window_file.render_entry(WindowEntry(TWO, NOON, "3m", 3, "x-002.md", "About the token."))
        + "\n"
    )
    bench.apply(promote_as_it_was)
    bench.layout.window.write_text(
        window_file.render_last_session(WindowEntry(ONE, NOON, "3m", 3, "x-001.md", f"About the {WORD}."), "")
    )
    bench.apply(promote_as_it_was)
    bench.layout.window.write_text("")
    mixed, alone = (entry.path for entry in bench.archive.entries()[-2:])
    beside = alone.with_name(f"{alone.stem}.sync-conflict-20260101-120000-ABCDEFG.md")
    beside.write_bytes(alone.read_bytes())
    assert WORD in mixed.read_text() and WORD in alone.read_text()
    bench.sync()
    bench.eraser.forget(ONE)
    assert "About the token." in mixed.read_text() and not alone.exists() and not beside.exists()
    assert traces(bench, WORD) == []
    assert not [one for one in bench.check() if not one.is_note]
    bench.sync(anew=True)
    assert traces(bench, WORD) == []


def test_a_file_that_a_person_put_deeper_into_the_memory_is_named(environment: Environment) -> None:
    bench, _ = two_sessions(environment)
    mine = bench.layout.base / "mine" / "party.txt"
    mine.parent.mkdir()
    mine.write_text(f"From conversation-001: the {WORD} is in the park.\n")
    notes = bench.preview(forget, (ONE,)).notes
    assert "memory/mine/party.txt:1 names it, and is left unchanged" in notes


def test_a_resumed_copy_under_another_id_is_named(environment: Environment) -> None:
    bench, path = two_sessions(environment)
    new = session_id_of(7)
    said = [*SECRET_TALK, ("user", "And what about the cake?"), ("assistant", "It is ordered.")]
    rows = [{**row, "sessionId": new} for row in records(ONE, said)]
    copy = write_transcript(path.with_name(f"{new}.jsonl"), rows)
    plan = bench.preview(forget, (ONE,))
    assert plan.facts["resumed"] == [new]
    assert any(f"recall-tui forget {new}" in note for note in plan.notes)
    bench.eraser.forget(ONE)
    assert bench.preview(forget, (new,)).facts["resumed"] == []
    bench.capture(copy)
    bench.eraser.forget(new)
    assert traces(bench, WORD) == [] and bench.preview(forget, (new,)).facts["resumed"] == []
