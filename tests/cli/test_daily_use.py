"""Items of the published designs as somebody meets them who uses one every day."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.cli.older_generations import SECOND, TALK, THIRD
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files


@pytest.mark.parametrize("files", [SECOND, THIRD], ids=["second", "last"])
@pytest.mark.parametrize("way", ["hook", "batch"])
def test_a_memory_of_an_older_generation_in_the_agents_home_captures_every_project(
    recall: Recall, environment: Environment, files: dict[str, str], way: str
) -> None:
    root = environment.claude
    write_files(root, files)
    settings = next(name for name in files if name.endswith(".toml"))
    (root / settings).write_text('[llm]\nprovider = "claude-code"\n\n[pipeline]\nauto_sync = false\n')
    path = transcript(environment, 1, TALK)
    told = {"session_id": session_id_of(1), "transcript_path": str(path), "cwd": "/home/u/api"}
    words = ("archive-session",) if way == "hook" else ("archive", "--all-unarchived")
    assert recall(*words, stdin=json.dumps({**told, "hook_event_name": "SessionEnd"})).code == 0
    assert session_id_of(1) in recall("show", "2").out


CREATED: list[Turn] = [
    ("user", "Add a createTestApp helper with options in snake case"),
    ("assistant", "createTestApp takes port_number and seed_data; it lives in src/testing.ts."),
]


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_short_question_about_a_name_is_answered(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    start = NOON - timedelta(days=9)
    transcript(environment, 1, CREATED, start=start, cwd=cwd)
    for number in range(2, 40):
        talk: list[Turn] = [("user", f"Where is part {number}?"), ("assistant", f"Part {number} is on shelf {number}.")]
        transcript(environment, number, talk, start=start, cwd=cwd)
    recall(root, "sync")
    told = {"hook_event_name": "UserPromptSubmit", "session_id": session_id_of(90), "cwd": cwd}
    for prompt in ("where does createTestApp live?", "what does createTestApp take?"):
        said = recall("hook", root, stdin=json.dumps({**told, "prompt": prompt, "session_id": prompt}))
        assert "it lives in src/testing.ts" in said.out, prompt
    asked = json.dumps({**told, "prompt": "where does createTestApp keep its certificates?"})
    assert not recall("hook", root, stdin=asked).out


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize(
    "end", [", find out why", ", can you look into it?", " - check why", " and tell me what it is"]
)
def test_what_somebody_only_wants_to_be_found_out_is_no_answer(
    recall: Recall, environment: Environment, layout: str, end: str
) -> None:
    bench = bench_at(environment, layout)
    talk: list[Turn] = [
        ("user", f"The login test is flaky on the build machine{end}"),
        ("assistant", "The login test was flaky because the cookie banner covers its button."),
    ]
    recall(root := f"--root={bench.store.root}", "archive", transcript(environment, 1, talk))
    said = recall(root, "recall", "why was the login test flaky", "--json").json["extracts"]
    assert "because the cookie banner" in said[0]["text"], said


def test_pages_of_parts_are_listed_named_and_brought_up_to_date_in_their_part(
    recall: Recall, environment: Environment
) -> None:
    bench_at(environment, "project")
    cwd, memory = str(environment.cwd), environment.cwd / "_memory"
    for number, part in enumerate(("frontend", "backend"), 1):
        path = transcript(environment, number, TALK, cwd=cwd)
        assert recall("summarize", session_id_of(number), "--scope", part, "--yes").code == 0
    shown = recall("list", "summary").out
    assert session_id_of(1) in shown and session_id_of(2) in shown
    said = recall("recall")
    assert said.code == 1 and "recall --scope backend or frontend" in said.err

    grown: list[Turn] = [
        *TALK,
        ("user", "And its user?"),
        ("assistant", "Decision: use the user numbat, for the logs."),
    ]
    transcript(environment, 2, grown, cwd=cwd)
    assert recall("summarize", path.stem, "--yes").code == 0
    assert not list((memory / "conversations").iterdir())
    assert "user numbat" in (memory / f"backend/conversations/{path.stem}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("mark", [";", " —"])
def test_a_cause_with_its_fix_in_one_sentence_is_a_lesson(recall: Recall, environment: Environment, mark: str) -> None:
    root = bench_at(environment, "claude-project").store.root
    talk: list[Turn] = [
        ("user", "The nightly import dies with EBUSY"),
        ("assistant", f"The cause is that two crons start at 02:00{mark} fixed by a lock file. All runs pass."),
    ]
    path = transcript(environment, 1, talk, cwd=str(environment.cwd))
    told = {"hook_event_name": "SessionEnd", "session_id": path.stem, "transcript_path": str(path)}
    said = recall(f"--root={root}", "remember", "--session-end", stdin=json.dumps(told))
    assert said.code == 0, said
    lessons = next((root / "memory/sessions").iterdir()).read_text(encoding="utf-8")
    assert "two crons start at 02:00" in lessons and "fixed by a lock file" in lessons


def test_a_ranked_search_is_ranked_whatever_context_is_named(recall: Recall, environment: Environment) -> None:
    root = f"--root={bench_at(environment).store.root}"
    for number in range(1, 5):
        talk: list[Turn] = [
            ("user", f"Name port {number} of the numbat"),
            ("assistant", f"It is port {9000 + number}."),
        ]
        path = transcript(environment, number, talk, start=NOON - timedelta(days=number))
        assert recall(root, "archive", path).code == 0
    said = recall(root, "search", "numbat", "--ranked", "-C", "1", "--max-results", "2", "--json").json
    assert len(said["hits"]) == 2
    assert "matches" in recall(root, "search", "numbat", "--ranked", "--lines", "--json").json
    assert "matches" in recall(root, "search", "numbat", "-C", "1", "--json").json


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_what_the_person_says_to_an_open_question_is_a_decision_and_closes_it(
    recall: Recall, environment: Environment, layout: str
) -> None:
    root = f"--root={bench_at(environment, layout).store.root}"
    cwd = "/home/u/api" if layout == "claude-project" else str(environment.cwd)
    talk: list[Turn] = [
        ("user", "The CSV export is too slow for big customers, can you find out why?"),
        ("assistant", "Fixed: rows are serialised once, 4 s instead of 15 s.\nOpen question: do we need a row limit?"),
    ]
    transcript(environment, 1, talk, cwd=cwd)

    def items() -> list[tuple[str, str]]:
        shown = recall(root, "summarize", session_id_of(1), "--dry-run", "--json").json
        return [(item["kind"], item["text"]) for item in shown["items"]]

    assert any(kind == "open" and "row limit" in text for kind, text in items())
    more: list[Turn] = [("user", "A limit of 1 million rows is fine."), ("assistant", "Done, see EXPORT_MAX_ROWS.")]
    transcript(environment, 1, [*talk, *more], cwd=cwd)
    assert ("decision", "A limit of 1 million rows is fine.") in items()
    assert not any(kind == "open" for kind, _ in items())
    more = [("user", "Is a row limit what the others have?"), ("assistant", "I do not know.")]
    transcript(environment, 1, [*talk, *more], cwd=cwd)
    assert any(kind == "open" and "row limit" in text for kind, text in items())


def test_a_decision_that_is_taken_back_leaves_the_master(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    told = {
        1: ["Decision: deploy on Fridays.", "Decision: freeze the schema on Mondays."],
        2: ["Decision: no deployments on Fridays any more, because two rollbacks hit the weekend."],
    }
    for number, points in told.items():
        start = NOON - timedelta(days=9 - number)
        transcript(environment, number, TALK, start=start, cwd=str(environment.cwd))
        page = "# When we deploy\n\n## Context\n\nWe spoke of it.\n\n## Tracking Points\n\n"
        page += "".join(f"- {point}\n" for point in points)
        assert recall("summarize", session_id_of(number), "--text", "-", "--yes", stdin=page).code == 0
    assert recall("synthesize", "--full", "--yes").code == 0
    master = (environment.cwd / "_memory/master.md").read_text(encoding="utf-8")
    assert "no deployments on Fridays any more" in master and "freeze the schema on Mondays" in master
    assert "- deploy on Fridays" not in master


@pytest.mark.parametrize("label", ["Agreed", "Decision"])
def test_a_choice_in_a_project_without_code_reaches_the_master(
    recall: Recall, environment: Environment, label: str
) -> None:
    bench_at(environment, "project")
    talk: list[Turn] = [
        ("user", "Should the narrator be Mira or her brother?"),
        ("assistant", "Mira would give the mystery away too early."),
        ("user", "Then the brother, in past tense."),
        ("assistant", f"{label}: the brother narrates in past tense, and the storm opens the book."),
    ]
    transcript(environment, 1, talk, cwd=str(environment.cwd))
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    master = (environment.cwd / "_memory/master.md").read_text(encoding="utf-8")
    decisions = master.partition("## Key Decisions")[2].partition("## ")[0]
    assert "- the brother narrates in past tense, and the storm opens the book." in decisions


def test_a_month_has_its_milestones_and_carries_nothing_forward_that_was_completed(
    recall: Recall, environment: Environment
) -> None:
    days = {
        "2025-10-06": "Started the audit of 31 services; 9 have no owner.",
        "2025-10-07": "Decided to write runbooks in English because support is in Porto.",
        "2025-10-09": "Blocked: the CMDB export lacks 4 services.",
        "2025-10-13": "The CMDB export is complete now, 31 of 31.",
        "2025-10-14": "Runbook template agreed: purpose, checks, rollback.",
        "2025-10-16": "Milestone: all 31 services have an owner.",
        "2025-10-20": "Cost review: 6,100 EUR a month, of it 2,300 for logs.",
        "2025-10-21": "Decided to keep logs 14 days instead of 90 because of the cost.",
        "2025-10-23": "Open: retention of audit logs must be 400 days by law?",
    }
    root = bench_at(environment, "hierarchical").store.root
    write_files(
        root, {f"memory/{day}.md": f"---\ntype: daily\n---\n\n## {day}\n\n{text}\n" for day, text in days.items()}
    )
    assert recall("compact", "--yes").code == 0
    page = (root / "memory/monthly/2025-10.md").read_text(encoding="utf-8")
    reached = page.partition("## Milestones")[2].partition("\n## ")[0]
    ahead = page.partition("## Carried Forward")[2]
    assert "all 31 services have an owner" in reached and "31 of 31" in reached
    assert "audit logs" in ahead and "CMDB" not in ahead


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_log_of_another_machine_is_a_log_of_its_day(recall: Recall, environment: Environment, layout: str) -> None:
    root = f"--root={bench_at(environment, layout).store.root}"
    assert recall(root, "log", "The pump was oiled.").code == 0
    day = NOON.date().isoformat()
    page = "---\ntype: daily\n---\n\n## {}\n\nFrom the laptop: the kettle is broken.\n"
    other, old = environment.home / f"laptop/{day}.md", environment.home / "laptop/2025-10-09.md"
    write_files(environment.home / "laptop", {one.name: page.format(one.stem) for one in (other, old)})
    for path in (other, old, other):
        assert recall(root, "import", path, "--yes").code == 0
    said = recall(root, "read", day).out
    assert "The pump was oiled." in said and said.count("the kettle is broken") == 1
    assert "the kettle is broken" in recall(root, "read", "2025-10-09").out
    topic = environment.home / "laptop/2025-10-10.md"
    topic.write_text("---\ntype: insight\n---\n\n# Kettles\n", encoding="utf-8")
    assert recall(root, "import", topic, "--yes").code == 0
    assert recall(root, "list", "daily", "--json").out.count('"kind": "daily"') == 3


def test_a_call_without_words_shows_its_arguments(recall: Recall, environment: Environment) -> None:
    root = f"--root={bench_at(environment).store.root}"
    path = transcript(environment, 1, [*TALK, ("mcp__tracker__issue", "x")])
    path.write_text(path.read_text(encoding="utf-8").replace('{"file_path": "x"}', '{"number": 4711, "dry": false}'))
    assert recall(root, "archive", path).code == 0
    assert '> **mcp__tracker__issue** `{"number": 4711, "dry": false}`' in recall(root, "show", "1").out
