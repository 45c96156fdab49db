"""Items of the published designs on a later day: older sessions, transcripts that are gone, pages of other programs."""

from __future__ import annotations

import json
import os
import re
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import NOON, bench_at, records, session_id_of, transcript, write_files, write_transcript
from tests.session_recall import Recalled


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_that_is_older_than_the_full_window_is_summarized(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", "/home/u/api" if name == "claude-project" else str(environment.cwd)
    for number in range(1, 8):
        said = [
            ("user", f"Please look at mailer {number} in src/a{number}.py"),
            ("assistant", f"Decision: mailer {number} is kept because reason {number}."),
        ]
        transcript(environment, number, said, cwd=cwd, start=NOON - timedelta(days=number))
    for number in range(1, 8):
        made = recall(root, "summarize", session_id_of(number), "--yes")
        assert made.code == 0, (number, made.err)
    window = bench.layout.window.read_text()
    assert name == "user" or (session_id_of(5) in window and session_id_of(6) not in window)
    assert "mailer 7" not in window, "nothing of a session stays that is older than all in the window"


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_whose_transcript_vanished_unarchived_is_shown_and_forgotten(
    recall: Recall, environment: Environment, name: str
) -> None:
    root = f"--root={bench_at(environment, name).store.root}"
    cwd = "/home/u/api" if name == "claude-project" else str(environment.cwd)
    said = [("user", "How do we shard the pangolin table?"), ("assistant", "By tenant, because of hot tenants.")]
    file = transcript(environment, 1, said, cwd=cwd)
    assert recall(root, "sync").code == 0
    file.unlink()
    assert recall(root, "search", "pangolin").code == 0
    for reference in (session_id_of(1), session_id_of(1)[:8], file, file.name, "@1"):
        shown = recall(root, "show", reference)
        assert shown.code == 0 and "hot tenants" in shown.out, (reference, shown.err)
    assert "hot tenants" in recall(root, "show", f"{file}:2").out
    assert "pangolin" not in recall(root, "show", f"{file}:2").out
    assert recall(root, "show", "nothing-like-it").code == 1
    assert recall(root, "forget", file.name, "--yes").code == 0
    for words in (("search", "pangolin"), ("show", session_id_of(1)), ("show", file)):
        assert recall(root, *words).code == 1, words
    assert recall(root, "sync", "--rebuild").code == 0
    assert recall(root, "search", "pangolin").code == 1


def test_a_vanished_session_of_another_project_is_not_shown(recall: Recall, environment: Environment) -> None:
    root = f"--root={bench_at(environment, 'project').store.root}"
    file = transcript(environment, 1, [("user", "the pangolin"), ("assistant", "x")], cwd=str(environment.home / "b"))
    assert recall(root, "sync").code == 0
    file.unlink()
    assert recall(root, "search", "pangolin").code == 1
    assert recall(root, "show", session_id_of(1)).code == 1


def test_a_line_of_a_transcript_is_shown_with_all_that_was_said_on_it(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    rows = records(session_id_of(1), [("user", "make it fast"), ("assistant", "")], cwd=str(environment.cwd))
    edit = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "fast.py"}}
    rows[1]["message"]["content"] = [{"type": "text", "text": "By a cache."}, edit]
    file = write_transcript(environment.claude / "projects" / "-home-u-api" / f"{session_id_of(1)}.jsonl", rows)
    shown = recall("show", f"{file}:2").out
    assert "By a cache." in shown and "fast.py" in shown


def test_a_label_that_was_said_stands_once_in_the_log_of_the_day(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = [
        ("user", "Debug the quoll job at night"),
        ("assistant", "Root cause: it runs twice. Decision: schedule it in UTC because local hours repeat."),
    ]
    assert recall("archive", transcript(environment, 1, said, cwd=str(environment.cwd))).code == 0
    log = recall("read", "2026-03-06").out
    assert "  - Decision: schedule it in UTC" in log and "Decision: Decision" not in log


@pytest.mark.parametrize("name", ["claude-project", "entity"])
def test_a_preview_shows_no_bytes_of_a_compressed_copy(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", "/home/u/api" if name == "claude-project" else str(environment.cwd)
    transcript(environment, 1, [("user", "Debug the quoll"), ("assistant", "Decision: in UTC because x.")], cwd=cwd)
    for words in (("summarize", session_id_of(1), "--dry-run"), ("undo", "--dry-run")):
        shown = recall(root, *words).out
        assert (".zst" not in shown) or "[compressed, " in shown
        assert shown.isprintable() or all(one.isprintable() or one == "\n" for one in shown), words
        assert recall(root, "summarize", session_id_of(1), "--yes").code == 0


@pytest.mark.parametrize("name", ["claude-project", "project", "user"])
def test_what_the_older_database_holds_beside_pruned_sessions_is_found_in_its_project(
    recall: Recall, environment: Environment, name: str
) -> None:
    cwd = environment.home / "my-api"
    cwd.mkdir()
    where = environment.claude / "projects" / str(cwd).replace("/", "-").replace("_", "-").replace(".", "-")
    bench = bench_at(environment, name, {"claude-project": where, "project": cwd}.get(name))
    transcript(environment, 3, [("user", "hello gull"), ("assistant", "The gull.")], cwd=str(cwd))
    with Recalled(environment.session_index) as made:
        made.note("summary", session_id_of(1), "The heron deploy is blue-green.")
        made.note("first_prompt", session_id_of(2), "Where is the gannet config?")
        made.run(f"UPDATE content SET project_path = '{str(cwd).replace('-', '/')}'")
    root = f"--root={bench.store.root}"
    (hit,) = recall(root, "search", "heron deploy", "--json").json["hits"]
    assert "blue-green" in recall(root, "show", hit["session_id"]).out
    (hit,) = recall(root, "search", "gannet config", "--json").json["hits"]
    assert "Where is the gannet config?" in recall(root, "show", hit["session_id"]).out


def test_recall_takes_the_published_project_flag_and_no_empty_time(recall: Recall, environment: Environment) -> None:
    root = f"--root={bench_at(environment, 'user').store.root}"
    for number, name in enumerate(("api", "web"), 1):
        said = [
            ("user", f"Which heron port does {name} use?"),
            ("assistant", f"The heron port of {name} is 80{number}."),
        ]
        transcript(environment, number, said, cwd=f"/home/u/{name}")
    for flag in ("-p", "--project"):
        found = recall(root, "recall", "heron port", flag, "web").out
        assert "of web is 802" in found and "of api" not in found
    assert recall(root, "recall", "heron port", "-p", "nosuch").code == 1
    for command in ("recall", "search"):
        empty = recall(root, command, "heron port", "--since", "")
        assert empty.code == 2 and "--since" in empty.err


def test_pages_that_name_no_time_are_ordered_by_their_files(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    for number in (3, 1, 2):
        page = f"# Heron {number}\n\n## Context\n\nThe heron context {number}.\n\n## Tracking Points\n\n- Decision: x\n"
        write_files(bench.store.layout.base, {f"conversations/{session_id_of(number)}.md": page})
        path = bench.store.layout.base / "conversations" / f"{session_id_of(number)}.md"
        at = (NOON - timedelta(days=10 - number)).timestamp()
        os.utime(path, (at, at))
    root = f"--root={bench.store.root}"
    rows = [row for row in recall(root, "list", "--json").json["documents"] if row["kind"] == "summary"]
    assert [row["title"] for row in rows] == ["Heron 3", "Heron 2", "Heron 1"] and all(row["date"] for row in rows)
    assert re.search(r"newest (\S+ of )?2026-02-27 \(.+ ago\)", recall(root, "status").out)
    event = {"hook_event_name": "SessionStart", "session_id": "s", "source": "startup", "cwd": str(bench.store.root)}
    given = recall(root, "hook", stdin=json.dumps(event)).out
    assert "heron context 3" in given and "heron context 1" not in given


def test_an_attempt_stands_between_what_was_replaced_and_what_was_settled_on(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, "project")
    points = (
        "use SQLite for storage because it needs no server",
        "tried MongoDB instead of SQLite for storage",
        "settled on PostgreSQL instead of MongoDB for storage, because of transactions",
    )
    root = f"--root={bench.store.root}"
    for number, point in enumerate(points, 1):
        page = f"# Storage {number}\n\n## Context\n\nStorage.\n\n## Tracking Points\n\n- Decision: {point}\n"
        write_files(bench.store.layout.base, {f"conversations/{session_id_of(number)}.md": page})
        at = (NOON - timedelta(days=10 - number)).timestamp()
        os.utime(bench.store.layout.base / "conversations" / f"{session_id_of(number)}.md", (at, at))
        assert recall(root, "synthesize", "--yes").code == 0
    master = bench.store.layout.master.read_text()
    assert "- SQLite → tried MongoDB → settled on PostgreSQL (" in master
    assert "use SQLite" not in master and "tried MongoDB instead" not in master


def test_the_master_stands_below_the_summary_that_it_was_made_from(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    point = "settled on PostgreSQL instead of MongoDB for storage, because of transactions"
    page = f"# Storage\n\n## Context\n\nFinal.\n\n## Tracking Points\n\n- Decision: {point}\n" + "- Status: heron\n" * 5
    first = page.replace(point, "use MongoDB for storage because it is there").replace("# Storage", "# Begin")
    for number, text in enumerate((first, page), 1):
        write_files(bench.store.layout.base, {f"conversations/{session_id_of(number)}.md": text})
        at = (NOON - timedelta(days=10 - number)).timestamp()
        os.utime(bench.store.layout.base / "conversations" / f"{session_id_of(number)}.md", (at, at))
    root = f"--root={bench.store.root}"
    assert recall(root, "synthesize", "--yes").code == 0
    hits = recall(root, "search", "when did we decide on PostgreSQL", "--json").json["hits"]
    assert [hit["kind"] for hit in hits][:2] == ["summary", "master"]


def test_a_name_that_no_file_can_have_is_no_session(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    said = recall("summarize", "x" * 300, "--yes")
    assert said.code == 1 and "nothing is there of session" in said.err


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_question_that_a_later_decision_of_its_session_answers_is_not_open(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", "/home/u/api" if name == "claude-project" else str(environment.cwd)
    said = [
        ("user", "Choose a queue for the mailer"),
        (
            "assistant",
            "Decision: use RabbitMQ because Redis loses mail.\nOpen question: who owns the dead letter queue?",
        ),
        ("assistant", "Open question: who pays for the broker?"),
        ("user", "The platform team owns it."),
        ("assistant", "Decision: the dead letter queue belongs to the platform team, because they run it."),
    ]
    transcript(environment, 1, said, cwd=cwd)
    shown = recall(root, "summarize", session_id_of(1), "--dry-run", "--json").json
    items = [(item["kind"], item["text"]) for item in shown["items"]]
    assert ("open", "who pays for the broker?") in [(kind, text.rpartition(": ")[2]) for kind, text in items]
    assert not any("who owns" in text for _, text in items)
    assert any("belongs to the platform team" in text for _, text in items)


def test_the_outcome_is_the_decision_and_not_the_attempt_that_failed(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    said = [
        ("user", "We need to choose a queue for the mailer. Which one fits?"),
        ("assistant", "Decision: use RabbitMQ for the mailer because Redis loses messages on restart."),
        ("user", "ok, what about streams?"),
        ("assistant", "Failed approach: Redis streams, because consumer groups lost acks on failover."),
    ]
    transcript(environment, 1, said, cwd=str(environment.cwd))
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    page = recall("show", session_id_of(1), "--summary").out
    context = page.partition("## Context")[2].partition("## Tracking Points")[0]
    assert "RabbitMQ" in context and "Failed" not in context and "- Failed approach: Redis streams" in page


def test_a_plan_is_told_by_what_is_ahead_in_it(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    plans = {
        "plan.md": "# Plan\n\n- [x] heron storage\n- [ ] gannet export\n",
        "over.md": "# Over\n\n- [x] tern import\n",
    }
    write_files(bench.store.root / "_docs", plans)
    assert recall(f"--root={bench.store.root}", "synthesize", "--yes").code == 0
    master = bench.store.layout.master.read_text()
    assert "- Plan: gannet export (_docs/plan.md)" in master and "- Over: tern import (_docs/over.md)" in master
