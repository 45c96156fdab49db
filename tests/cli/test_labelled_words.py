"""Whatever is named a decision, a lesson, a warning or an open question is taken for one, once and under that name."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript

LABELLED = """Open question: should we batch by day?
Discovery: the CSV reader is single-threaded.
Blocker: no staging database.
Failed approach: multiprocessing, because the pickling cost more than it won.
Status: half of the files import in 4 s.
Pattern: keep readers pure."""
LESSONS = (
    "Lesson learned: never retry non-idempotent calls.",
    "Warning: do not run the migration twice, it drops the index.",
    "Pattern: every handler logs its request id.",
    "Mistake: I retried POST requests, which charged customers twice.",
    "The bug was caused by a missing await in src/pay.ts.",
)
CUES = {
    "We are choosing Postgres for the ledger.": "Decisions",
    "Let's use Postgres for the ledger.": "Decisions",
    "I used Postgres instead of SQLite for the ledger.": "Decisions",
    "I switched to Postgres for the ledger.": "Decisions",
    "We still need to rotate the API keys.": "Action",
    "We will need new API keys.": "Action",
    "Don't forget to rotate the API keys.": "Action",
    "Please follow up with the security team.": "Action",
}


def test_labels_of_a_summary_are_the_sessions_own(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "project").store.root
    transcript(environment, 1, [("user", "Make the import faster"), ("assistant", LABELLED)], cwd=str(root))
    assert recall(f"--root={root}", "summarize", session_id_of(1), "--yes").code == 0
    text = (root / f"_memory/conversations/{session_id_of(1)}.md").read_text()
    points = text.partition("## Tracking Points\n\n")[2].partition("\n\n")[0]
    assert sorted(points.splitlines()) == sorted(f"- {line}" for line in LABELLED.splitlines())


@pytest.mark.parametrize("line", LESSONS)
def test_a_lesson_that_is_named_one_is_kept(recall: Recall, environment: Environment, line: str) -> None:
    root = bench_at(environment, "claude-project").store.root
    talk: list[Turn] = [("user", "please work on the payments module today"), ("assistant", line)]
    path = transcript(environment, 1, talk)
    assert "Wrote 1 lesson" in recall(f"--root={root}", "remember", "--session-end", path).out
    days = list((root / "memory/sessions").glob("*.md"))
    assert len(days) == 1 and line in days[0].read_text()


@pytest.mark.parametrize(("line", "label"), CUES.items())
def test_a_published_cue_is_a_tag(recall: Recall, environment: Environment, line: str, label: str) -> None:
    bench = bench_at(environment, "entity")
    talk: list[Turn] = [("user", "Set up caching for the API"), ("assistant", line)]
    assert recall(f"--root={bench.store.root}", "archive", transcript(environment, 1, talk)).code == 0
    assert f"**{label}" in bench.archive.get(1).path.read_text()


def test_a_request_stands_beside_its_own_outcome(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    talk: list[Turn] = [
        ("user", "Why does the login page crash on empty forms?"),
        (
            "assistant",
            "The validator in src/login.ts fails on an empty form; we decided to guard it with a null check.",
        ),
        ("user", "Also make the error message translatable"),
        ("assistant", "I moved the text to i18n/en.json. Next step: translate it to German."),
    ]
    assert recall(f"--root={bench.store.root}", "archive", transcript(environment, 1, talk)).code == 0
    window = bench.layout.window.read_text()
    assert "translatable → The validator" not in window
    assert "crash on empty forms? → The validator" in window


@pytest.mark.parametrize("name", ["entity", "hierarchical", "project", "user"])
def test_labels_below_the_first_line_reach_the_master(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    said = [("user", "Set up the importer"), ("assistant", f"We decided to use SQLite for invoices.\n{LABELLED}")]
    path = transcript(environment, 1, said, cwd=str(bench.store.root))
    recall(root, "archive", str(path))
    recall(root, "summarize", session_id_of(1), "--yes")
    recall(root, "synthesize", "--yes")
    master = bench.layout.master.read_text()

    def section(title: str) -> str:
        return master.partition(f"## {title}")[2].partition("\n## ")[0]

    assert "should we batch by day?" in section("Active Questions")
    assert "no staging database." in section("Active Questions")
    assert "Pattern: keep readers pure." in section("Key Decisions")
    assert "half of the files import in 4 s." in section("Current Status")


CHOICES = """Decision: use Kafka for invoices because the ops team runs it.
Failed approach: tried cron jobs, one run overtook the other.
Warning: never replay the dead letters by hand."""


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_named_choices_failures_and_warnings_reach_the_master(
    recall: Recall, environment: Environment, name: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    path = transcript(environment, 1, [("user", "Pick a queue for invoices"), ("assistant", CHOICES)], cwd=cwd)
    recall(root, "archive", str(path))
    if name == "project":
        recall(root, "summarize", session_id_of(1), "--yes")
    if name == "claude-project":
        recall(root, "remember", "--session-end", str(path))
    recall(root, "synthesize", "--yes")
    master = _sections(bench)
    assert "use Kafka for invoices because the ops team runs it." in master["Key Decisions"]
    assert "Failed approach: tried cron jobs, one run overtook the other." in master["Learnings & Discoveries"]
    assert "Warning: never replay the dead letters by hand." in master["Learnings & Discoveries"]
    assert recall(root, "synthesize").out.startswith("nothing new") or not recall(root, "synthesize").out


@pytest.mark.parametrize(
    "words",
    [
        "we use RabbitMQ for order mails, because Redis lost messages on restart.",
        "we'll keep the orders in Postgres, because the reports join them.",
        "uploads go to S3 instead of the disk, because the pods have no volume.",
    ],
)
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_decision_with_its_reason_reaches_the_master_however_it_is_worded(
    recall: Recall, environment: Environment, name: str, words: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talk: list[Turn] = [
        ("user", "Which queue and which store should we use for orders?"),
        ("assistant", f"Decision: {words}"),
        ("user", "Fine. Implement it in mailer.py"),
        ("assistant", "Discovery: the mailer had no timeout. Status: mailer.py is done."),
    ]
    path = transcript(environment, 1, talk, cwd=cwd)
    recall(root, "archive", str(path))
    if name == "project":
        recall(root, "summarize", session_id_of(1), "--yes")
    if name == "claude-project":
        recall(root, "remember", "--session-end", str(path))
    recall(root, "synthesize", "--yes")
    assert words in _sections(bench)["Key Decisions"]


def test_a_topic_without_a_decision_is_an_active_question(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    page = "# Sharding\n\n## Context\n\nTalked.\n\n## Tracking Points\n\n- Discussed, not decided: shards for orders.\n"
    words = ("summarize", session_id_of(1), "--text", "-", "--yes", f"--root={bench.store.root}")
    assert recall(*words, stdin=page).code == 0
    master = _sections(bench)
    assert "shards for orders" in master["Active Questions"] and "shards" not in master["Key Decisions"]


def test_a_change_names_what_was_settled_on_and_not_what_it_is_for(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root = f"--root={bench.store.root}"
    for number, words in enumerate(
        (
            "use SQS for the mailer.",
            "settled on Kafka for the mailer instead of SQS.",
            "NATS for the mailer instead of Kafka.",
        ),
        1,
    ):
        page = f"# Queue\n\n## Context\n\nQueues.\n\n## Tracking Points\n\n- Decision: {words}\n"
        recall(root, "summarize", session_id_of(number), "--text", "-", "--yes", stdin=page)
        recall(root, "synthesize", "--yes")
    assert "SQS → tried Kafka → settled on NATS" in _sections(bench)["Evolution & Changes"]


def test_a_choice_between_two_changes_only_what_had_been_decided(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root = f"--root={bench.store.root}"
    for number, words in enumerate(
        ("use Kafka for the mailer.", "chose Postgres over MySQL for the ledger.", "picked NATS over Kafka."), 1
    ):
        page = f"# Queue\n\n## Context\n\nQueues.\n\n## Tracking Points\n\n- Decision: {words}\n"
        recall(root, "summarize", session_id_of(number), "--text", "-", "--yes", stdin=page)
        recall(root, "synthesize", "--yes")
    master = _sections(bench)
    assert "Kafka → settled on NATS" in master["Evolution & Changes"] and "MySQL →" not in master["Evolution & Changes"]
    assert "chose Postgres over MySQL for the ledger." in master["Key Decisions"]


def test_a_reminder_is_an_action_and_a_standing_rule_is_none(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    talk: list[Turn] = [
        ("user", "Set up the eviction of the cache"),
        ("assistant", "The eviction runs every five minutes now."),
        ("user", "don't forget to rotate the keys of staging\nplease always sign the release tags"),
        ("assistant", "Noted."),
    ]
    recall(f"--root={bench.store.root}", "archive", transcript(environment, 1, talk))
    text = bench.archive.get(1).path.read_text()
    actions = text.partition("**Action Items**:")[2].partition("\n\n")[0]
    assert "don't forget to rotate the keys of staging" in actions and "sign the release tags" not in actions
    assert "Preference: please always sign the release tags" in text


def test_the_banner_of_a_chat_is_no_topic_and_no_decision(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    said = "[Channel: ops-room]\nUser message: deploy deploy staging staging cluster"
    recall(
        f"--root={bench.store.root}", "archive", transcript(environment, 1, [("user", said), ("assistant", "Done.")])
    )
    text = bench.archive.get(1).path.read_text()
    assert bench.archive.get(1).topics == ("deploy", "staging", "cluster")
    assert "**Decisions**" not in text and said.splitlines()[1] in text


def _sections(bench: Workbench) -> dict[str, str]:
    parts = bench.layout.master.read_text().split("\n## ")[1:]
    return {title: text for title, _, text in (part.partition("\n") for part in parts)}
