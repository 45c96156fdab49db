"""Promises of the designs that were broken in ordinary use: each is what somebody does, and what they are told."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

CHOICES = """# Cart

## Context

The cart was rebuilt.

## Tracking Points

- Decision: use express for the cart, because it is small.
- Decision: use rich text in mails, because customers asked for it.
"""


def manifest(*names: str) -> str:
    return json.dumps({"name": "shop", "dependencies": dict.fromkeys(names, "^4")})


def test_a_project_names_what_it_depends_on_and_marks_a_choice_of_what_has_left(
    recall: Recall, environment: Environment
) -> None:
    bench_at(environment, "project")
    write_files(environment.cwd, {"package.json": manifest("express")})
    write_files(environment.cwd, {f"_memory/conversations/{session_id_of(1)}.md": CHOICES})
    recall("synthesize", "--yes")
    said = recall("recall").out
    assert "shop; depends on express." in said and "(check:" not in said
    for names in (("koa",), ("koa", "pg")):
        write_files(environment.cwd, {"package.json": manifest(*names)})
        recall("synthesize", "--yes")
        assert "use express for the cart, because it is small. (check: dependency express is not there)" in (
            said := recall("recall").out
        )
        assert said.count("(check:") == 1
    write_files(environment.cwd, {"package.json": manifest("express", "koa")})
    recall("synthesize", "--yes")
    assert "(check:" not in recall("recall").out


def test_a_project_names_eight_of_its_dependencies(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    write_files(environment.cwd, {"package.json": manifest(*(f"part-{number}" for number in range(10, 20)))})
    write_files(environment.cwd, {f"_memory/conversations/{session_id_of(1)}.md": CHOICES})
    recall("synthesize", "--yes")
    assert "part-17 and 2 more." in recall("recall").out


def test_a_change_that_somebody_tells_is_a_path(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    talks = ("We will use memcached.", "We switched from memcached to Redis because memcached lost sessions.")
    for number, words in enumerate(talks, 1):
        talk: list[Turn] = [("user", "Which cache do we have?"), ("assistant", words)]
        transcript(environment, number, talk, cwd=str(environment.cwd), start=NOON - timedelta(days=9 - number))
        recall("summarize", session_id_of(number), "--yes")
    recall("synthesize", "--full", "--yes")
    assert "memcached → settled on Redis" in recall("recall").out


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_a_machine_without_an_agent_is_told_so(recall: Recall, environment: Environment, layout: str) -> None:
    root = f"--root={bench_at(environment, layout).store.root}"
    if layout not in ("user", "claude-project"):
        assert "no agent was found on this machine" in recall(root, "status").out
    environment.claude.mkdir(parents=True, exist_ok=True)
    assert "no agent has this memory's hooks" in recall(root, "status").out


def test_days_of_one_month_are_days_and_no_range(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "hierarchical").store.root
    days = (7, 10, 15, 20, 24)
    write_files(root, {f"memory/2025-11-{day:02}.md": f"## 2025-11-{day:02}\n\nThe crane ran.\n" for day in days})

    def found(question: str) -> list[str]:
        hits = recall(f"--root={root}", "search", question, "--json", "--at", "2025-11-27").json["hits"]
        return [hit["document"][-5:-3] for hit in hits]

    for words in ("Nov 7 and 24", "7 and 24 November", "7th and 24th of November", "Nov 24 or 7"):
        assert set(found(f"crane {words}")[:2]) == {"07", "24"}, words
    assert set(found("crane Nov 7, 15 and 24")[:3]) == {"07", "15", "24"}
    assert set(found("crane between Nov 10 and 20")[:3]) == {"10", "15", "20"}


ARCHIVE = """---
log: 1
date: "2026-01-05T10:00:00Z"
session_id: "abc123"
message_count: 2
duration: "20m"
source: "jsonl"
topics: ["ci"]
---

# Conversation 001

---

### User

Why does the walrus pipeline fail?

---

### Assistant

The walrus runner had no disk left.
"""


@pytest.mark.parametrize("layout", ["hierarchical", "entity"])
def test_an_archive_of_another_program_is_found_though_it_names_no_project(
    recall: Recall, environment: Environment, layout: str
) -> None:
    root = bench_at(environment, layout).store.root
    (root / ".git").mkdir()
    write_files(root, {"memory/conversations/conversation-001.md": ARCHIVE})
    said = recall(f"--root={root}", "search", "walrus runner", "--json")
    assert said.code == 0 and said.json["hits"][0]["document"].endswith("conversation-001.md")
    assert "no disk left" in recall(f"--root={root}", "recall", "why did the walrus runner fail").out


@pytest.mark.parametrize("layout", ["project", "entity"])
@pytest.mark.parametrize("role", ["user", "assistant"])
def test_a_label_is_no_part_of_a_title(recall: Recall, environment: Environment, layout: str, role: str) -> None:
    bench = bench_at(environment, layout)
    words = "Decision: use Vite for the build, because webpack is slow."
    talk: list[Turn] = [("user", words), ("assistant", "Done.")]
    if role == "assistant":
        talk = [("user", "hi"), ("assistant", words)]
    path = transcript(environment, 1, talk, cwd=str(bench.store.root))
    recall(*(("summarize", session_id_of(1), "--yes") if layout == "project" else ("archive", path)))
    assert "Use Vite for the build" in (said := recall("list").out) and "Decision:" not in said


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize(
    ("order", "reply", "question"),
    [
        ("Choose a queue for exports", "RQ it is, because Redis runs exports.", "which queue for exports"),
        ("Change the emu budget to 40", "Set: the emu budget is 40 in birds.toml.", "what is the emu budget now"),
    ],
)
def test_what_came_of_an_order_goes_before_it(
    recall: Recall, environment: Environment, layout: str, order: str, reply: str, question: str
) -> None:
    bench = bench_at(environment, layout)
    path = transcript(environment, 1, [("user", order), ("assistant", reply)], cwd=str(bench.store.root))
    recall(root := f"--root={bench.store.root}", "archive", path)
    said = recall(root, "recall", question, "--json").json["extracts"]
    assert reply in said[0]["text"], said


def test_an_order_with_a_value_answers_where_nothing_came_of_it(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    talk: list[Turn] = [("user", "Change the emu budget to 40"), ("assistant", "Done.")]
    recall("archive", transcript(environment, 1, talk, cwd=str(bench.store.root)))
    assert "Change the emu budget to 40" in recall("recall", "what is the emu budget").out


def test_doctor_takes_the_answer_that_it_does_not_ask_for(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity")
    assert recall("doctor", "--fix", "--yes").code in (0, 1)
    assert recall("doctor", "--yes").code == 2


def test_both_reports_of_the_index_count_alike(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "hierarchical")
    talk: list[Turn] = [("user", "Fix the gull"), ("assistant", "The gull is fixed.")]
    transcript(environment, 1, talk, cwd="/elsewhere")
    recall("log", "The walrus moved.")
    recall("sync")
    own = recall("index", "status", "--json").json["own"]
    assert own == recall("status", "--json").json["index"]["own"]
    assert f"{own['passages']} of them" in recall("index", "status").out


def test_a_reminder_on_its_own_line_is_an_action_of_its_own(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity")
    words = (
        "We looked at three caches. In the end we settled on Redis with a 5 minute TTL. Next step: write the eviction "
        "test\ndon't forget to rotate keys\nremaining: docs"
    )
    recall("archive", transcript(environment, 1, [("user", "compare caches"), ("assistant", words)]))
    said = recall("show", "1").out
    assert "- Next step: write the eviction test\n- don't forget to rotate keys\n- remaining: docs\n" in said


@pytest.mark.parametrize(
    "words",
    [
        "We discussed Postgres and MySQL for billing, but nothing is decided yet.",
        "The cache size is undecided until Mara is back.",
        "We have not yet decided whether the API keeps version 1.",
    ],
)
def test_what_was_left_undecided_is_an_open_question(recall: Recall, environment: Environment, words: str) -> None:
    bench_at(environment, "project")
    talk: list[Turn] = [("user", "What about the release plan then?"), ("assistant", words)]
    transcript(environment, 1, talk, cwd=str(environment.cwd))
    recall("summarize", session_id_of(1), "--yes")
    assert f"- Open question: {words}" in recall("show", session_id_of(1), "--summary").out
    recall("synthesize", "--full", "--yes")
    assert words in recall("recall").out.split("## Active Questions")[1]


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_an_outcome_begins_without_its_label(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    root = f"--root={bench.store.root}"
    talk: list[Turn] = [("user", "Pick a queue for exports"), ("assistant", "Decision: RQ, because Redis is there.")]
    path = transcript(environment, 1, talk, cwd=str(bench.store.root))
    if layout == "project":
        recall(root, "summarize", session_id_of(1), "--yes")
        assert "Pick a queue for exports → RQ, because" in recall(root, "show", session_id_of(1), "--summary").out
        return
    recall(root, "archive", path)
    assert "→ Decision:" not in recall(root, "consume").out


def test_what_a_compaction_left_is_a_summary(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "claude-project").store.root
    told = "This session is being continued from a previous conversation that ran out of context. The walnut is next."
    talk: list[Turn] = [("user", "Sort the lark files"), ("assistant", "Sorted."), ("user", told)]
    transcript(environment, 1, [*talk, ("assistant", "The puffin index is built.")], cwd=str(root))
    found = recall(f"--root={root}", "search", "walnut", "--kind", "summary", "--json")
    assert found.code == 0 and found.json["hits"][0]["session_id"] == session_id_of(1)
    assert recall(f"--root={root}", "search", "walnut", "--kind", "plan").code == 1


def test_a_page_that_became_another_is_none_that_links_to_it(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "hierarchical")
    recall("log", "The gateway listens on 9443.")
    for slug, lede in (("gateway", "It listens on 9443."), ("proxy", "It talks to [[gateway]].")):
        words = ("--category", "entity", "--name", slug, "--description", slug, "--lede", lede, "--source", "today")
        assert recall("wiki", "stub", slug, *words).code == 0
    recall("wiki", "rename", "gateway", "front-door", "--yes")
    assert "Linked from: proxy\n" in recall("wiki", "show", "front-door").out


def test_one_message_is_counted_as_one(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity")
    assert "(1 message)" in recall("archive", transcript(environment, 1, [("user", "Remember the walrus port")])).out


@pytest.mark.parametrize("name", ["MySQL", "GraphQL", "RabbitMQ", "iOS"])
def test_a_product_is_no_inside_of_the_code(recall: Recall, environment: Environment, name: str) -> None:
    bench_at(environment, "project")
    words = f"We have not yet decided whether {name} stays for billing."
    talk: list[Turn] = [("user", "What about the release plan then?"), ("assistant", words)]
    transcript(environment, 1, talk, cwd=str(environment.cwd))
    recall("summarize", session_id_of(1), "--yes")
    assert words in recall("recall").out


def test_summaries_that_say_nothing_lasting_are_read_once(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    talk: list[Turn] = [("user", "What is the weather on the moon?"), ("assistant", "There is none up there.")]
    transcript(environment, 1, talk, cwd=str(environment.cwd))
    recall("summarize", session_id_of(1), "--yes")
    recall("synthesize", "--yes")
    said = recall("recall")
    assert said.code == 1 and "1 summary read, and nothing in them" in said.err and "wait" not in said.err
    event = {"hook_event_name": "SessionStart", "session_id": session_id_of(9), "cwd": str(environment.cwd)}
    assert "new summar" not in recall("hook", stdin=json.dumps({**event, "source": "startup"})).out


def test_an_outcome_that_is_the_title_is_said_once(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "entity")
    talk: list[Turn] = [("user", "Pick a walrus for us"), ("assistant", "Decision: walrus c, because it is calm.")]
    recall("archive", transcript(environment, 1, talk))
    assert recall("consume").out.count("because it is calm") == 1
