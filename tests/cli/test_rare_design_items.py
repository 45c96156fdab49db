"""Items of the published designs in unusual circumstances: small memories, other generations, marks around words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, records, session_id_of, transcript, write_files, write_transcript

TURBINE = {
    "2025-07-01": "Turbine idea born.",
    "2026-03-01": "The turbine budget is 40k euro. Mira presented it.",
    "2026-03-12": "The turbine budget is 55k euro. Mira revised it.",
    "2026-04-10": "Turbine trip to Oslo.",
    "2026-06-15": "Turbine audit by Kai.",
}
AT = ("--at", "2026-11-27")


def hierarchical(environment: Environment, days: dict[str, str]) -> str:
    """A memory of these days; its `--root`."""
    root = bench_at(environment, "hierarchical").store.root
    write_files(root, {f"memory/{day}.md": f"## {day}\n\n{text}\n" for day, text in days.items()})
    return f"--root={root}"


def found(recall: Recall, *words: str) -> list[str]:
    """The names of the documents that a search finds, best first."""
    hits = recall("search", *words, *AT, "--json").json["hits"]
    return [str(hit["document"]).rpartition("/")[2] for hit in hits]


def test_the_figure_of_a_lone_day_is_no_word_of_a_small_memory(recall: Recall, environment: Environment) -> None:
    root = hierarchical(environment, TURBINE)
    for question in ("turbine Mar 1", "turbine 1 March", "turbine March 1st"):
        assert found(recall, root, question)[:2] == ["2026-03-01.md", "2026-03-12.md"], question
    assert found(recall, root, "Mar 1") == ["2026-03-01.md"]
    assert found(recall, root, "Mar 12?") == ["2026-03-12.md"]


def test_a_word_that_is_also_a_day_is_found_in_texts(recall: Recall, environment: Environment) -> None:
    root = hierarchical(environment, TURBINE)
    assert recall(root, "remember", "Deploys happen on Friday").code == 0
    assert found(recall, root, "friday")[0] == "MEMORY.md"
    write_files(Path(root.removeprefix("--root=")), {"memory/2026-11-20.md": "## 2026-11-20\n\nPaint arrived.\n"})
    assert {*found(recall, root, "friday")[:2]} == {"2026-11-20.md", "MEMORY.md"}, "the day and the word go first"


def test_what_holds_stands_above_what_it_superseded_whatever_is_asked(recall: Recall, environment: Environment) -> None:
    root = hierarchical(environment, TURBINE)
    for question in ("turbine budget", "what is the turbine budget", "budget of the turbine"):
        assert found(recall, root, question)[:2] == ["2026-03-12.md", "2026-03-01.md"], question
    for question in ("turbine budget 40k", "turbine budget on March 1", "turbine budget originally"):
        assert found(recall, root, question)[0] == "2026-03-01.md", question


def test_a_greeting_is_no_title(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = [
        ("user", "hello there friend of mine"),
        ("assistant", "Hello! How can I help?"),
        ("user", "Good morning! How are you today?"),
        ("assistant", "Fine, thanks."),
        ("user", "Move the event log off Postgres"),
        ("assistant", "Moved the event log to NATS."),
    ]
    path = transcript(environment, 1, said, cwd=str(environment.cwd))
    assert recall("search", "event log", "--json").json["hits"][0]["title"] == "Move the event log off Postgres"
    assert recall("archive", path).code == 0
    assert "Move the event log off Postgres" in recall("list", "conversation").out


@pytest.mark.parametrize("fix", ["The fix is to warm the cache first.", "The workaround was to warm it by hand."])
def test_a_lesson_keeps_its_fix_in_wisdom_and_weeks(recall: Recall, environment: Environment, fix: str) -> None:
    days = {
        "2026-01-05": f"Lesson: the deploy fails when the cache is cold. {fix}",
        "2026-01-06": "Never restart the broker by hand, because consumers lose offsets.",
        "2026-01-07": "The root cause of the outage was a full disk. Fixed by rotating logs daily.",
    }
    root = hierarchical(environment, days | {f"2026-01-1{day}": "Painted the crane." for day in (2, 3, 4)})
    assert recall(root, "compact", "--yes").code == 0
    told = f"the deploy fails when the cache is cold. {fix}"
    memory = Path(root.removeprefix("--root="))
    assert told in (memory / "WISDOM.md").read_text()
    assert told in (memory / "memory/weekly/2026-W02.md").read_text()


def test_bugs_with_their_fix_and_finds_are_lessons_of_a_session_archived_before_its_end(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment, "claude-project")
    root = f"--root={bench.store.root}"
    said = [
        ("user", "Look into the slow checkout"),
        ("assistant", "I traced the request.\nDiscovery: the checkout locks the cart table twice."),
        ("user", "And the uploader?"),
        ("assistant", "The root cause was a hard coded port 5433. Fixed by reading DB_PORT from the environment."),
        ("user", "And the timeouts?"),
        ("assistant", "PaymentTimeoutError is raised because the loop holds the lock. Fixed by moving the sleep out."),
    ]
    path = transcript(environment, 1, said, cwd=str(environment.cwd))
    assert recall(root, "archive", path).code == 0
    event = {"session_id": session_id_of(1), "hook_event_name": "SessionEnd", "transcript_path": str(path)}
    assert recall("hook", root, stdin=json.dumps(event | {"cwd": str(environment.cwd)})).code == 0
    recall(root, "sync")
    (log,) = (bench.layout.base / "sessions").glob("*.md")
    text = log.read_text()
    assert "the checkout locks the cart table twice." in text
    assert "a hard coded port 5433. Fixed by reading DB_PORT from the environment." in text
    assert "because the loop holds the lock. Fixed by moving the sleep out." in text


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_labelled_finds_and_states_reach_the_master(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    labelled = "Discovery: the checkout locks the cart table twice.\nStatus: tracing of the checkout is done."
    said = [("user", "Look into the slow checkout"), ("assistant", f"I traced the request.\n{labelled}")]
    path = transcript(environment, 1, said, cwd=str(environment.cwd))
    if name == "project":
        assert recall(root, "summarize", session_id_of(1), "--yes").code == 0
    else:
        assert recall(root, "archive", path).code == 0
        assert recall(root, "remember", "--session-end", stdin=json.dumps({"transcript_path": str(path)})).code == 0
    recall(root, "synthesize", "--yes")
    master = bench.layout.master.read_text()
    learned = master.partition("## Learnings & Discoveries")[2].partition("\n## ")[0]
    assert "the checkout locks the cart table twice." in learned
    if name != "claude-project":
        status = master.partition("## Current Status")[2].partition("\n## ")[0]
        assert "tracing of the checkout is done." in status


def test_a_question_with_its_answer_is_no_open_question(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    page = "# Session\n\n## Context\n\nWork on the shop.\n\n## Tracking Points\n\n{}\n"
    asked = "- Open question: do we shard by customer or by region?\n- Open question: who owns the domain?"
    answered = "- Question: do we shard by customer or by region? Resolved: by customer."
    for number, points in enumerate((asked, answered), 1):
        said = page.format(points)
        assert recall("summarize", session_id_of(number), "--text", "-", "--yes", stdin=said).code == 0
    assert recall("synthesize", "--yes").code == 0
    master = bench.layout.master.read_text()
    questions = master.partition("## Active Questions")[2]
    assert "who owns the domain?" in questions and "shard" not in questions
    assert "do we shard by customer or by region? Resolved: by customer." in master


OLD_LOG = (
    '---\nlog: 7\ndate: "2026-02-25T10:00:00Z"\ntrigger: precompact\ncontext: "pelican work"\ntopics: []\n---\n\n'
    "# Archive Log 007\n\n## Summary\n\nThe pelican was tamed.\n"
)
FIRST_ARCHIVE = (
    '---\nlog: 12\ndate: "2026-03-05T10:00:00Z"\nsession_id: "abc123"\nmessage_count: 2\nduration: "20m"\n'
    'source: "jsonl"\ntopics: ["ci"]\n---\n\n# Conversation 012\n\n---\n\n### User\n\nFix the flamingo build\n\n---\n\n'
    "### Assistant\n\nThe flamingo build works again.\n"
)


def test_logs_of_the_first_generation_are_read_beside_archives(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment).store.root
    files = {"memories/archive-log-007.md": OLD_LOG, "memory/conversations/conversation-012.md": FIRST_ARCHIVE}
    write_files(root, files)
    assert recall("search", "pelican", "--json").json["hits"][0]["document"] == "memories/archive-log-007.md"
    assert "archive-log-007" in recall("list", "conversation").out
    assert "tamed" in recall("show", "7").out
    path = transcript(environment, 1, [("user", "Paint the crane"), ("assistant", "Painted.")])
    assert recall("archive", path).code == 0
    assert (root / "memory/conversations/conversation-013.md").is_file(), "new archives are written as ever"


def test_a_window_that_is_rebuilt_tells_of_archives_without_a_summary(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    write_files(bench.store.root, {"memory/conversations/conversation-012.md": FIRST_ARCHIVE})
    bench.layout.window.unlink(missing_ok=True)
    recall("doctor", "--fix")
    assert "**Summary**: Fix the flamingo build → The flamingo build works again." in bench.layout.window.read_text()


def test_a_reminder_behind_a_prompt_and_a_picture_are_no_words_of_the_person(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment)
    rows = records(session_id_of(1), [("user", "x"), ("assistant", "Built the login form.")])
    reminder = "<system-reminder>Be nice as you answer</system-reminder>"
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "AAAA"}}
    text = {"type": "text", "text": f"Build the login form <b>now</b>\n\n{reminder}"}
    rows[0]["message"]["content"] = [text, image]
    path = write_transcript(environment.claude / "projects" / "-home-u-api" / f"{session_id_of(1)}.jsonl", rows)
    assert recall("archive", path).code == 0
    page = (bench.store.root / "memory/conversations/conversation-001.md").read_text()
    assert "Build the login form <b>now</b>" in page and "[image]" in page and "Be nice" not in page
    (row,) = [line for line in (bench.store.root / "memory/ARCHIVE.md").read_text().splitlines() if "001" in line]
    assert "image" not in row and "login" in row


def test_a_month_without_a_week_of_its_own_is_not_missed(recall: Recall, environment: Environment) -> None:
    days = ("2025-12-29", "2025-12-30", "2026-01-02", "2026-01-06", "2026-01-07", "2026-01-08")
    root = hierarchical(environment, dict.fromkeys(days, "We decided to use Kafka because of replay."))
    said = recall(root, "compact", "monthly", "--dry-run")
    assert "2025-12 gets no page" not in said.out + said.err, "its days are of the first week of January"


def test_recent_sessions_have_their_number_of_messages(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    path = transcript(environment, 1, [("user", "Paint the crane"), ("assistant", "Painted.")])
    assert recall("archive", path).code == 0
    (line,) = [line for line in recall("dashboard").out.splitlines() if line.startswith("conversation-001")]
    assert line.split()[-1] == "2"


def test_answers_are_what_was_said_and_not_what_was_announced(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = [
        ("user", "Why does the uploader leak file handles in uploader.py?"),
        ("assistant", "Let me look at it."),
        ("Read", "/x/uploader.py"),
        ("Read", "/x/pool.py"),
        ("assistant", "The loop never closed them. Fixed by a context manager."),
        ("user", "And the retries?"),
        ("assistant", "We decided to keep five retries because the network is flaky."),
    ]
    transcript(environment, 1, said, cwd=str(environment.cwd))
    extracts = recall("recall", "why does the uploader leak file handles?", "--json").json["extracts"]
    assert extracts[0]["text"] == "The loop never closed them. Fixed by a context manager."
    assert "Let me look" not in json.dumps(extracts)


def test_a_word_is_found_by_its_beginning(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for number in (1, 2, 3):
        said = [("user", f"Rename the module to swan{number}"), ("assistant", "Renamed with createTestApp.")]
        transcript(environment, number, said, cwd=str(environment.cwd))
    hits = recall("search", "swan", "--json").json["hits"]
    assert {hit["session_id"] for hit in hits} == {session_id_of(number) for number in (1, 2, 3)}
    assert hits[0]["why"]["rung"] == "spelling"
    assert "modu → module" in recall("search", "modu").err
    assert recall("search", "ren").code == 1, "so few letters are the beginning of anything"


def test_the_outcome_is_what_was_settled_and_not_what_was_looked_at(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    reply = "We looked at three caches. In the end we settled on Redis with a 5 minute TTL. Next step: write the test"
    path = transcript(environment, 1, [("user", "Choose a cache for the sessions"), ("assistant", reply)])
    assert recall("archive", path).code == 0
    assert "→ In the end we settled on Redis with a 5 minute TTL." in bench.layout.window.read_text()
