"""A session that only session recall's database holds is found, once, whatever happens to database and transcript."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.domain import Hit
from recall_tui.index.ingest.refresh import RefreshResult, rebuild, refresh
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.text import partitions
from recall_tui.search.engine import search
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts import session_recall_database, sqlite_file
from tests.conftest import NOON
from tests.index.contents import everything
from tests.index.contents import scores_in as answers
from tests.makers import session_id_of, transcript
from tests.session_recall import Recalled, changed

ONE, TWO, THREE = map(session_id_of, (1, 2, 3))
IDLE = (0, 0, 0, 0)


def database(store: Store, *, later: bool = False) -> Recalled:
    return Recalled(store.environment.session_index, later)


def hits(index: Index, store: Store, words: str) -> list[Hit]:
    return list(search(index, store, words, limit=20, passages=True).hits)


def found(index: Index, store: Store, words: str) -> list[tuple[str, str]]:
    """Session and text of what has the words in it."""
    said = [(one.session_id, one.snippet) for one in hits(index, store, words)]
    return sorted(one for one in said if all(word in one[1] for word in words.split()))


def done(refreshed: RefreshResult) -> tuple[int, int, int, int]:
    return refreshed.added, refreshed.changed, refreshed.removed, refreshed.passages


@pytest.mark.long
@pytest.mark.parametrize("later", [False, True])
def test_the_words_of_a_gone_session_are_found_with_date_title_and_session(
    index: Index, store: Store, later: bool
) -> None:
    with database(store, later=later) as made:
        made.session(ONE, "Tokens").row(ONE, "user", "why zebra tokens?")
        made.row(ONE, "assistant", '{"file_path": "src/login.py"}', tool="Edit", files="src/login.py")
    assert done(refresh(index, store))[0] == 1
    (hit,) = hits(index, store, "zebra")
    assert (hit.session_id, hit.title, hit.kind, hit.project) == (ONE, "Tokens", "transcript", "/home/u/api")
    assert hit.date == NOON + timedelta(minutes=1)
    assert hit.document == f"{store.environment.session_index}/{ONE}"
    assert [one.session_id for one in hits(index, store, f"zebra session:{ONE}")] == [ONE]
    assert not hits(index, store, f"zebra session:{TWO}")
    assert [one.snippet for one in hits(index, store, "file:login.py tool:edit")] == ["Edit src/login.py"]
    assert index.coverage(store).is_whole


def test_a_second_sync_reads_nothing_and_a_rebuild_answers_the_same(
    index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database(store) as made:
        for id in (ONE, TWO):
            made.session(id, "T").row(id, "user", f"zebra {id}").row(id, "assistant", "because of gnus")
    refresh(index, store)
    before = [hits(index, store, words) for words in ("zebra", "gnus")]
    opened: list[Path] = []
    monkeypatch.setattr(
        session_recall_database, "open_read_only", lambda path: opened.append(path) or sqlite_file.open_read_only(path)
    )
    edition = partitions.read_version(index.passages_path)
    assert done(refresh(index, store)) == IDLE and opened == []
    assert partitions.read_version(index.passages_path) == edition
    rebuild(index, store)
    assert opened == [store.environment.session_index]
    assert [hits(index, store, words) for words in ("zebra", "gnus")] == before
    assert done(refresh(index, store)) == IDLE and len(opened) == 1 and index.coverage(store).gone == 0


def test_a_database_that_changed_costs_the_sessions_that_changed(
    index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database(store) as made:
        for id in (ONE, TWO):
            made.session(id).row(id, "user", "zebra")
    refresh(index, store)
    read: list[str] = []
    reading = session_recall_database.SessionRecallDatabase.conversation
    monkeypatch.setattr(
        session_recall_database.SessionRecallDatabase,
        "conversation",
        lambda self, one: read.append(one.id) or reading(self, one),
    )
    with database(store) as made:
        made.row(TWO, "assistant", "a gnu")
        assert done(refresh(index, store)) == (0, 1, 0, 2) and read == [TWO]
    assert found(index, store, "gnu") == [(TWO, "a gnu")]
    assert done(refresh(index, store)) == IDLE


def test_the_transcript_on_disk_wins_and_nothing_is_doubled(index: Index, store: Store) -> None:
    path = transcript(store.environment, 1, [("user", "zebra in the transcript")])
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra in the database")
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript")]
    path.unlink()
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript")] and index.coverage(store).gone == 1
    rebuild(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript")] and index.coverage(store).gone == 1


def test_a_transcript_that_comes_back_takes_over(index: Index, store: Store) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra in the database").session(TWO).row(TWO, "user", "zebra two")
    refresh(index, store)
    assert len(found(index, store, "zebra")) == 2
    path = transcript(store.environment, 1, [("user", "zebra in the transcript")])
    assert done(refresh(index, store))[:3] == (0, 1, 0)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript"), (TWO, "zebra two")]
    assert {one.document for one in hits(index, store, "transcript")} == {str(path)}
    assert index.coverage(store).gone == 0 and index.coverage(store).is_whole


@pytest.mark.parametrize("is_first", [True, False])
def test_a_session_whose_transcript_bears_another_name_is_there_once(
    index: Index, store: Store, is_first: bool
) -> None:
    def write() -> Path:
        path = transcript(store.environment, 1, [("user", "zebra in the transcript")])
        return path.rename(path.with_name("renamed.jsonl"))

    if is_first:
        write()
    with database(store) as made:
        made.session(ONE, path="-home-u-api/else.jsonl").row(ONE, "user", "zebra in the database")
        made.session(TWO, path="-home-u-api/renamed.jsonl").row(TWO, "user", "zebra under its name")
    refresh(index, store)
    write()
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript")]
    rebuild(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra in the transcript")]


def test_a_vanished_transcript_that_could_not_be_read_leaves_its_session_to_the_database(
    index: Index, store: Store
) -> None:
    path = transcript(store.environment, 1, [])
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra")
    refresh(index, store)
    assert not found(index, store, "zebra")
    path.unlink()
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra")] and index.coverage(store).is_whole


def test_what_was_read_is_kept_when_the_database_or_a_session_in_it_vanishes(index: Index, store: Store) -> None:
    with database(store) as made:
        made.session(ONE, "T").row(ONE, "user", "zebra one").session(TWO).row(TWO, "user", "zebra two")
    refresh(index, store)
    before = hits(index, store, "zebra")
    path = store.environment.session_index
    changed(path, f"DELETE FROM messages WHERE session_id = '{ONE}'", f"DELETE FROM sessions WHERE id = '{ONE}'")
    refresh(index, store)
    assert hits(index, store, "zebra") == before and index.coverage(store).gone == 1
    aside = path.rename(path.with_suffix(".aside"))
    for _ in range(2):
        refresh(index, store)
        assert hits(index, store, "zebra") == before and index.coverage(store).gone == 2
    rebuild(index, store)
    assert hits(index, store, "zebra") == before and index.coverage(store).gone == 2
    aside.rename(path)
    refresh(index, store)
    assert hits(index, store, "zebra") == before and index.coverage(store).gone == 1


@pytest.mark.long
@pytest.mark.parametrize(
    "pattern",
    [
        "-home-u-api/*",
        "~/.claude/projects/-home-u-api",
        "~/.claude/session-index.db",
        f"*/session-index.db/{ONE[:13]}*",
    ],
)
def test_ignored_sessions_are_not_read_and_leave(index: Index, store: Store, pattern: str) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra")
    refresh(index, store)
    ignore = store.environment.claude / ".recall-ignore"
    ignore.write_text(f"{pattern}\n")
    refresh(index, store)
    assert not hits(index, store, "zebra") and index.coverage(store).is_whole
    assert done(refresh(index, store)) == IDLE
    ignore.unlink()
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra")]


def test_one_project_can_be_ignored_and_the_others_stay(index: Index, store: Store) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra one")
        made.session(TWO, path=f"-home-u-web/{TWO}.jsonl").row(TWO, "user", "zebra two")
        made.session(THREE, path=None).row(THREE, "user", "zebra three")
    refresh(index, store)
    store.environment.claude.joinpath(".recall-ignore").write_text("-home-u-web/*\n")
    assert refresh(index, store).removed == 1
    assert found(index, store, "zebra") == [(ONE, "zebra one"), (THREE, "zebra three")]


def test_secrets_and_the_programs_own_tasks_are_no_memory(index: Index, store: Store) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    with database(store) as made:
        made.session(ONE, f"Use {secret}").row(ONE, "user", f"zebra {secret}")
        made.session(TWO).row(TWO, "user", "<recall-tui-task>\nzebra: sum this up").row(TWO, "assistant", "zebra done")
        made.row(ONE, "user", "<system-reminder>zebra reminder</system-reminder>")
    refresh(index, store)
    (hit,) = hits(index, store, "zebra")
    assert hit.session_id == ONE and secret[:12] not in hit.snippet + hit.title
    assert index.coverage(store).is_whole


@pytest.mark.long
def test_the_archive_of_a_session_stands_before_the_database(
    index: Index, store: Store, archive: Callable[..., Path]
) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra indexed").session(TWO).row(TWO, "user", "zebra two")
    refresh(index, store)
    path = archive(1, "zebra archived", "yes", session_id=ONE)
    for bring in (refresh, refresh, rebuild):
        bring(index, store)
        assert sorted((one.session_id, one.kind) for one in hits(index, store, "zebra")) == [
            (ONE, "conversation"),
            (TWO, "transcript"),
        ]
        assert index.coverage(store).is_whole
    path.unlink()
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra indexed"), (TWO, "zebra two")]


@pytest.mark.long
@pytest.mark.parametrize(
    ("content", "reason"),
    [(b"", "empty"), (b"no database at all", "no SQLite database"), (None, "malformed|disk image|not a database")],
)
def test_a_broken_database_is_a_source_that_failed_and_everything_else_is_indexed(
    index: Index, store: Store, content: bytes | None, reason: str
) -> None:
    transcript(store.environment, 2, [("user", "zebra on disk")])
    path = store.environment.session_index
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra in the database")
    refresh(index, store)
    before = found(index, store, "zebra")
    whole = path.read_bytes()
    path.write_bytes(whole[:4096] + b"\xff" * 8192 if content is None else content)
    for bring in (refresh, refresh, rebuild):
        bring(index, store)
        assert found(index, store, "zebra") == before and len(before) == 2
        (failed,) = index.failures(store)
        assert failed.path == str(path) and any(word in failed.failed for word in reason.split("|"))
    path.write_bytes(whole)
    refresh(index, store)
    assert found(index, store, "zebra") == before and index.coverage(store).is_whole
    assert index.coverage(store).gone == 0 and done(refresh(index, store)) == IDLE


def test_a_session_that_cannot_be_read_fails_alone_and_is_tried_again(
    index: Index, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra one").session(TWO).row(TWO, "user", "zebra two")
    with monkeypatch.context() as damaged:
        damaged.setattr(session_recall_database, "message_drafts", _failing_on("zebra one"))
        refresh(index, store)
        assert found(index, store, "zebra") == [(TWO, "zebra two")]
        assert [one.path for one in index.failures(store)] == [f"{store.environment.session_index}/{ONE}"]
    refresh(index, store)
    assert found(index, store, "zebra") == [(ONE, "zebra one"), (TWO, "zebra two")] and index.coverage(store).is_whole


def _failing_on(text: str) -> Callable[..., object]:
    from recall_tui.transcripts.session_recall_database import message_drafts

    def reading(kind: str, words: str, *more: object) -> object:
        if words == text:
            raise ValueError("damaged")
        return message_drafts(kind, words, *more)  # type: ignore[arg-type]

    return reading


def test_a_run_that_was_stopped_goes_on_where_it_was(index: Index, store: Store) -> None:
    with database(store) as made:
        for number in range(6):
            id = session_id_of(number)
            made.session(id).row(id, "user", f"zebra {number}")
    calls = iter(range(100))
    stopped = refresh(index, store, is_cancelled=lambda: next(calls) > 1)
    assert stopped.is_cancelled and len(found(index, store, "zebra")) < 6
    steps: list[tuple[int, int]] = []
    refresh(index, store, lambda now, all_of_it: steps.append((now, all_of_it)))
    assert len(found(index, store, "zebra")) == 6 and index.coverage(store).is_whole
    assert steps == sorted(steps) and steps[-1][0] == steps[-1][1]
    assert done(refresh(index, store)) == IDLE


STEPS = st.lists(
    st.tuples(
        st.integers(1, 3),
        st.sampled_from(["row", "row", "write", "unlink", "prune", "ignore", "heed", "drop", "touch", "title"]),
        st.sampled_from(["alpha beta", "gamma createTestApp", "İß 日本語 alpha"]),
    ),
    min_size=1,
    max_size=9,
)


@pytest.mark.long
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_bit_by_bit_each_session_is_there_once_and_a_rebuild_answers_the_same(
    index: Index, store: Store, steps: list[tuple[int, str, str]]
) -> None:
    for number, step, text in steps:
        _take(store, number, step, text)
        refresh(index, store)
        assert index.coverage(store).is_whole
        assert done(refresh(index, store)) == IDLE
    grown = (everything(index), answers(index))
    assert len({one.id for one in grown[0]}) == len(grown[0])
    assert len({one.document for one in grown[0]}) == len({one.session_id for one in grown[0]})
    rebuild(index, store)
    assert index.coverage(store).is_whole
    assert (everything(index), answers(index)) == grown


def _take(store: Store, number: int, step: str, text: str) -> None:
    id = session_id_of(number)
    path = store.environment.session_index
    ignore = store.environment.claude / ".recall-ignore"
    match step:
        case "row" | "title":
            with database(store) as made:
                known = made.connection.execute("SELECT 1 FROM sessions WHERE id = ?", (id,)).fetchone()
                if not known:
                    made.session(id)
                made.row(id, "user", f"{text} words")
                if step == "title":
                    made.connection.execute("UPDATE sessions SET title = ? WHERE id = ?", (text, id))
        case "write":
            transcript(store.environment, number, [("user", f"{text} written words"), ("assistant", text)])
        case "unlink":
            (store.environment.claude / "projects" / "-home-u-api" / f"{id}.jsonl").unlink(missing_ok=True)
        case "prune" if path.exists():
            changed(path, f"DELETE FROM messages WHERE session_id = '{id}'", f"DELETE FROM sessions WHERE id = '{id}'")
        case "ignore":
            ignore.parent.mkdir(parents=True, exist_ok=True)
            ignore.write_text(f"*{id}*\n")
        case "heed":
            ignore.unlink(missing_ok=True)
        case "drop":
            path.unlink(missing_ok=True)
        case "touch" if path.exists():
            os.utime(path, ns=(1, 1))


def test_memories_share_what_was_read_from_the_database(index: Index, store: Store) -> None:
    with database(store) as made:
        made.session(ONE).row(ONE, "user", "zebra")
    refresh(index, store)
    reader = index.reader()
    assert reader is not None and reader.count_of_memory(memory_key(store)) == 0
    assert reader.count(reader.within("another")) == 1
