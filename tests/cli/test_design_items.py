"""Items of the published designs that a person meets rarely, such as forks, short claims and dates in words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, records, session_id_of, transcript, write_files, write_transcript

DESIGNED = [
    ("user", "Design the marmot ingestion pipeline"),
    ("assistant", "We decided to use Kafka for marmot because of replay."),
]
TRIED = [("user", "Try Pulsar for marmot instead"), ("assistant", "We settled on Pulsar because it is lighter.")]
SUMMARY = "# {title}\n\n## Context\n\nWork on the shop.\n\n## Tracking Points\n\n{points}\n"


def fork(environment: Environment, number: int, *, is_marked: bool = True) -> str:
    """A fork of session 1 as Claude Code writes it: the first one's records, each with its origin, then its own."""
    first, own = session_id_of(1), session_id_of(number)
    copied = [row | {"sessionId": own} for row in records(first, DESIGNED, cwd=str(environment.cwd))]
    if is_marked:
        copied = [row | {"forkedFrom": {"sessionId": first, "messageUuid": row["uuid"]}} for row in copied]
    tried = records(own, [*DESIGNED, *TRIED], cwd=str(environment.cwd))[2:]
    path = environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
    return str(write_transcript(path, [*copied, *tried]))


@pytest.mark.parametrize("name", [name for name in LAYOUT_NAMES if name != "project"])
def test_a_fork_is_called_by_its_own_part_and_holds_the_whole(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    first = transcript(environment, 1, DESIGNED, cwd=str(environment.cwd))
    assert recall(root, "archive", first).code == 0
    assert recall(root, "archive", fork(environment, 2)).code == 0
    recall(root, "sync")
    window = recall(root, "consume").out
    assert "Pulsar" in window.replace("# Last session", "").split("marmot ingestion")[-1]
    told = recall(root, "show", session_id_of(2), "--summary").out
    assert "Kafka" not in told.partition("# Conversation")[0].partition("---\n\n### User")[0]
    said = recall(root, "show", session_id_of(2)).out
    assert "Design the marmot" in said and "We settled on Pulsar" in said


def test_a_fork_that_says_nothing_itself_is_called_like_its_session(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    path = Path(fork(environment, 2))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:2]))
    assert recall("archive", path).code == 0
    assert "Design the marmot ingestion pipeline" in recall("consume").out


def test_what_the_person_ignores_is_neither_archived_nor_missed(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    path = transcript(environment, 1, DESIGNED, cwd=str(environment.cwd))
    (environment.claude / ".recall-ignore").write_text("-home-u-api/**\n")
    assert recall("archive", "--all-unarchived", "--all-projects").err.count("nothing to archive") == 1
    event = {"session_id": session_id_of(1), "hook_event_name": "SessionEnd", "transcript_path": str(path)}
    assert recall("hook", stdin=json.dumps(event | {"cwd": str(environment.cwd)})).code == 0
    assert ".recall-ignore keeps it out" in recall("agents", "--log").out
    assert recall("search", "marmot", "--json").json["hits"] == []
    assert "none of 1" not in recall("status").out
    assert recall("archive", path).code == 0, "one that is named is wanted"


@pytest.mark.parametrize(
    ("question", "day"),
    [
        ("tenant quota April 10-20", "2026-04-15"),
        ("tenant quota 10-20 April", "2026-04-15"),
        ("tenant quota of April 10th – 20th", "2026-04-15"),
    ],
)
def test_a_range_of_days_is_no_words_to_look_for(
    recall: Recall, environment: Environment, question: str, day: str
) -> None:
    bench = bench_at(environment, "hierarchical")
    days = ("2025-07-01", "2026-03-02", "2026-04-15", "2026-05-20", "2026-08-10")
    others = [f"2026-06-{number:02}" for number in range(2, 30)]
    said = dict.fromkeys(days, "The quota of the tenant was raised.") | dict.fromkeys(others, "The crane was painted.")
    write_files(bench.store.root, {f"memory/{one}.md": f"## {one}\n\n{text}\n" for one, text in said.items()})
    hits = recall("search", question, "--at", "2026-11-26", "--json").json["hits"]
    assert hits[0]["document"] == f"memory/{day}.md"


def test_a_short_claim_is_replaced_on_its_page(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    write_files(bench.store.root, {"memory/2026-03-09.md": "## 2026-03-09\n\nThe bus runs version 3.\n"})
    stub = ("--category", "entity", "--source", "2026-03-09", "--lede", "The bus has brokers. Version 2. See [[x]].")
    assert recall("wiki", "stub", "bus", *stub).code == 0
    claim = ("--source", "2026-03-09", "--fact", "Version 2.", "--by", "Version 3.")
    assert recall("wiki", "supersede", "bus", *claim).code == 0
    body = (bench.layout.wiki / "bus.md").read_text().rpartition("---\n")[2]
    assert body.strip() == "The bus has brokers. Version 3. See [[x]]."


def test_a_resolved_question_leaves_the_master(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    asked = "- Open question: who pays for the cluster?\n- Open question: who owns the domain?"
    answered = "- Resolved: who pays for the cluster? The platform team pays."
    for number, points in enumerate((asked, answered), 1):
        page = SUMMARY.format(title=f"Session {number}", points=points)
        assert recall("summarize", session_id_of(number), "--text", "-", "--yes", stdin=page).code == 0
    assert recall("synthesize", "--yes").code == 0
    questions = (bench.store.root / "_memory/master.md").read_text().partition("## Active Questions")[2]
    assert "who owns the domain?" in questions and "who pays" not in questions


def test_a_failure_with_its_reason_and_a_document_reach_the_master(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    write_files(bench.store.root, {"_docs/plan.md": "# Plan\n\n- Milestone: launch in May 2026\n"})
    said = [
        ("user", "Make the workers faster. Failed approach: pooling with threads failed because of the GIL."),
        ("assistant", "Decision: we use processes because they have a GIL each."),
    ]
    transcript(environment, 1, said, cwd=str(environment.cwd))
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    recall("synthesize", "--yes")
    master = (bench.store.root / "_memory/master.md").read_text()
    learned = master.partition("## Learnings & Discoveries")[2].partition("\n## ")[0]
    assert "Failed approach: pooling with threads failed because of the GIL." in learned
    assert "- Plan: Milestone: launch in May 2026 (_docs/plan.md)" in master


def test_lists_of_files_and_entries_that_only_ask_are_no_answers(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    asked = "Which cache should we use for the session store?"
    said = [("user", asked), ("Write", "src/cache.py"), ("assistant", "Decision: we settled on Redis.")]
    transcript(environment, 1, said, cwd=str(environment.cwd))
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    entry = "## Session s-9 — 2026-03-01 10:00:00 UTC\n**Duration**: ~5m | **Messages**: 2 | **Archive**: —\n"
    write_files(bench.store.root, {"_memory/EPHEMERAL.md": f"{entry}**Summary**: Which cache did the store have?\n"})
    extracts = recall("recall", "which cache", "--limit", "9", "--json").json["extracts"]
    assert "Redis" in extracts[0]["text"]
    assert not [one for one in extracts if "Related Files" in one["text"]]
    assert not [one for one in extracts if one["document"].endswith("EPHEMERAL.md")]


def test_a_labelled_line_below_a_long_one_is_an_item_of_its_own(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    reply = (
        "We decided to use JWT tokens in auth.rs instead of sessions because v1.2 dropped them. don't forget to rotate"
        " keys\nremaining: docs"
    )
    path = transcript(environment, 1, [("user", "Which tokens do we use in auth.rs?"), ("assistant", reply)])
    assert recall("archive", path).code == 0
    text = (bench.store.root / "memory/conversations/conversation-001.md").read_text()
    assert "- don't forget to rotate keys\n- remaining: docs\n" in text


def test_a_search_of_a_tool_names_its_pattern_and_its_place(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    rows = records(session_id_of(1), [*DESIGNED, ("Grep", "x"), *DESIGNED])
    rows[2]["message"]["content"][0]["input"] = {"pattern": "createTestApp", "path": "src/app"}
    path = write_transcript(environment.claude / "projects" / "-home-u-api" / f"{session_id_of(1)}.jsonl", rows)
    assert recall("archive", path).code == 0
    text = (bench.store.root / "memory/conversations/conversation-001.md").read_text()
    assert "> **Grep** `createTestApp in src/app`" in text


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_week_is_read_by_its_monday(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    sessions = bench.layout.base / "sessions"
    sessions.mkdir(parents=True, exist_ok=True)
    (sessions / "week-2026-11-09.md").write_text("# Week\n\n## Themes\n\n- Okapi work\n")
    root = f"--root={bench.store.root}"
    for called in ("week-2026-11-09", "week-2026-11-09.md", "2026-W46"):
        assert "Okapi work" in recall(root, "read", called).out


def test_a_month_has_its_sections_in_the_published_order(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    sections = ("Key Outcomes", "Decisions", "Blockers & Open Items", "Context")
    lines = (
        "Released version 1.{0} of the exporter with {0} columns.",
        "Decided to use Postgres {0} instead of MySQL because of JSON.",
        "Blocked by the missing key {0} of the payment provider.",
        "Worked on part {0} of the importer for the tariff of the customers.",
    )
    for week in (6, 7, 8):
        said = "\n".join(f"## {one}\n\n- {line.format(week)}\n" for one, line in zip(sections, lines, strict=True))
        name = f"memory/weekly/2026-W{week:02}.md"
        head = f"---\ntype: weekly\nperiod: 2026-W{week:02}\n---\n\n# Week 2026-W{week:02}\n\n"
        write_files(bench.store.root, {name: head + said})
    assert recall("compact", "monthly", "--yes").code == 0
    page = (bench.layout.monthly / "2026-02.md").read_text()
    found = [line for line in page.splitlines() if line.startswith("## ")]
    order = ["## Themes", "## Milestones", "## Trajectory", "## Carried Forward"]
    assert found == [one for one in order if one in found] and len(found) > 2


def test_a_memory_of_curated_lines_alone_is_not_empty(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    assert "the memory is empty" in recall("status").out
    with bench.layout.memory_file.open("a") as file:
        file.write("\n- The crane is inspected in May.\n")
    assert "the memory is empty" not in recall("status").out


def test_numbers_and_missing_parts_are_said_in_whole_words(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    write_files(bench.store.root, {"_memory/topics/a.md": "The okapi sleeps.\n"})
    assert recall("search", "--lines", "okapi").err.startswith("1 line in 1 of ")
    said = recall("summarize", session_id_of(1), "--text", "-", "--yes", stdin="nothing\n")
    assert said.code == 2 and "the summary has no title (# …), no ## Context" in said.err
