"""Details of the published designs, as a person meets them: what is listed, counted, dated and filtered."""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui import __version__
from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import bench_at, records, session_id_of, transcript, write_files, write_transcript

TALK = [("user", "Repaint the gangway before the audit"), ("assistant", "We decided to use marine paint.")]


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_list_has_the_titles_of_sessions(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    path = transcript(environment, 1, TALK, cwd=cwd)
    own = session_id_of(1)
    for title in ("Paint", "Gangway of the audit repaint"):
        with path.open("a") as file:
            file.write(json.dumps({"type": "custom-title", "customTitle": title, "sessionId": own}) + "\n")
    assert recall(root, "archive", path).code == 0
    recall(root, "sync")
    rows = recall(root, "list", "all", "--json").json["documents"]
    assert [row["title"] for row in rows if row["session_id"] == own] == ["Gangway of the audit repaint"]


@pytest.mark.parametrize("name", ["entity", "user", "hierarchical"])
def test_a_topic_is_a_filter(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talks = (TALK, [("user", "Which paint did the crane get, paint or varnish?"), ("assistant", "Varnish.")])
    for number, talk in enumerate(talks, 1):
        recall(root, "archive", transcript(environment, number, talk, start=NOON - timedelta(days=number), cwd=cwd))
    topics = {row["number"]: row for row in recall(root, "list", "conversation", "--json").json["documents"]}
    assert len(topics) == 2
    found = recall(root, "search", "paint", "--topic", "Gangway", "--json").json["hits"]
    assert found == recall(root, "search", "topic:gangway paint", "--json").json["hits"]
    assert {hit["session_id"] for hit in found} == {session_id_of(1)}
    assert recall(root, "search", "paint topic:submarine").code == 1


def test_the_newest_entry_of_the_window_is_cut_with_a_note(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    words = " ".join(f"word{number} of the long tale" for number in range(900))
    write_files(
        bench.store.root,
        {
            "memory/EPHEMERAL.md": "## Session s-old — 2026-03-01 10:00:00 UTC\n"
            "**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-001.md\n**Summary**: Old.\n\n---\n\n"
            "## Session s-new — 2026-03-02 10:00:00 UTC\n"
            f"**Duration**: ~5m | **Messages**: 2 | **Archive**: conversation-002.md\n**Summary**: {words}\n"
        },
    )
    told = {"hook_event_name": "SessionStart", "session_id": session_id_of(9), "source": "startup"}
    said = recall("hook", root, stdin=json.dumps(told))
    context = said.json["hookSpecificOutput"]["additionalContext"]
    assert "word0 of the long tale" in context and len(context) <= 9_500
    assert "(cut; the rest: recall-tui show conversation-002.md)" in context


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_status_and_dashboard_tell_ages_and_counts(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    for number, days in ((1, 40), (2, 3)):
        recall(root, "archive", transcript(environment, number, TALK, start=NOON - timedelta(days=days), cwd=cwd))
    oldest = f"{(NOON - timedelta(days=40)).date()}"
    assert recall(root, "status", "--json").json["archives"]["oldest_at"] == oldest
    assert f"oldest {oldest}" in recall(root, "status").out
    said = recall(root, "dashboard").out
    assert f"version     {__version__}" in said and "last archived" in said and "d ago" in said and "section" in said
    assert "MEMORY.md written 2" in said
    if bench.layout.archives:
        assert "  1m" in said
        assert recall(root, "dashboard", "--json").json["recent"][0]["duration"] == "1m"


def test_passages_of_summary_pages_have_their_day(recall: Recall, environment: Environment) -> None:
    root = bench_at(environment, "project").store.root
    transcript(environment, 1, TALK, cwd=str(root))
    recall(f"--root={root}", "summarize", session_id_of(1), "--yes")
    found = recall(f"--root={root}", "--json", "recall", "when did we decide on marine paint?").json["extracts"]
    pages = [one for one in found if "conversations/" in one["document"]]
    assert pages and all(one["date"].startswith(f"{NOON.date()}") for one in pages)


@pytest.mark.parametrize("name", ["entity", "claude-project"])
def test_a_hit_counts_the_passages_of_its_session(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    long = [("user", f"The okapi ate bale {number}") for number in range(4)]
    transcript(environment, 1, long, cwd=cwd)
    transcript(environment, 2, [("user", "An okapi slept"), ("assistant", "Well.")], cwd=cwd)
    recall(root, "sync")
    said = recall(root, "search", "okapi", "--kind", "prompt", "--json").json["hits"]
    assert {hit["session_id"]: hit["matches"] for hit in said} == {session_id_of(1): 4, session_id_of(2): 1}
    assert "4 passages" in recall(root, "search", "okapi", "--kind", "prompt").out


def test_claude_is_run_from_where_the_variable_says(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    root = f"--root={bench.store.root}"
    program = tmp_path / "my claude"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nopen({str(tmp_path / 'asked')!r}, 'w').write(sys.stdin.read())\n"
    )
    program.chmod(0o755)
    environment.env["CLAUDE_BIN"] = str(program)  # type: ignore[index]
    recall(root, "config", "set", "llm.provider", "claude")
    recall(root, "archive", transcript(environment, 1, TALK))
    assert "gangway" in (tmp_path / "asked").read_text()


@pytest.mark.parametrize(("sources", "confidence"), [(2, "low"), (3, "medium")])
def test_a_rebuilt_page_is_sure_by_its_sources(
    recall: Recall, environment: Environment, sources: int, confidence: str
) -> None:
    bench = bench_at(environment, "hierarchical")
    root = f"--root={bench.store.root}"
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    days = [f"2026-02-0{number}" for number in range(1, sources + 1)]
    for day in days:
        (bench.layout.days / f"{day}.md").write_text(f"# {day}\n\nThe event store writes {day} into SQLite tables.\n")
    cited = "".join(f"  - uri: {bench.store.relative(bench.layout.days / f'{day}.md')}\n" for day in days)
    head = "name: Event store\ndescription: the event store\ncategory: project\nconfidence: low\n"
    page = f"---\n{head}sources:\n{cited}---\n\nThe event store.\n"
    write_files(bench.layout.wiki, {"event-store.md": page})
    said = recall(root, "wiki", "rebuild", "event-store", "--yes")
    assert said.code == 0, said.err
    assert f"confidence: {confidence}" in (bench.layout.wiki / "event-store.md").read_text().replace('"', "")


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_paths_of_searches_and_commands_are_found(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    rows = records(session_id_of(1), [*TALK, ("Grep", "x"), ("Bash", "x"), *TALK], cwd=cwd)
    rows[2]["message"]["content"][0]["input"] = {"pattern": "okapi", "path": "src/zoo/keeper.py"}
    command = "cd lib && sed -n 1,9p stalls/straw.ts | grep -c bale > out.txt"
    rows[3]["message"]["content"][0]["input"] = {"command": command}
    folder = environment.claude / "projects" / "-home-u-api"
    write_transcript(folder / f"{session_id_of(1)}.jsonl", rows)
    recall(root, "sync")
    for path in ("src/zoo/keeper.py", "keeper.py", "stalls/straw.ts", "out.txt"):
        assert recall(root, "search", "--file", path, "okapi OR bale").code == 0, path
    assert recall(root, "search", "--file", "horse.py", "okapi").code == 1


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Can you explain the login flow and the session store to me?", "Explain the login flow and the session store"),
        ("Please tell me what the okapi eats in the zoo", "Tell me what the okapi eats in the zoo"),
    ],
)
def test_a_session_is_called_by_its_first_real_request(
    recall: Recall, environment: Environment, name: str, prompt: str, title: str
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    talk = [("user", prompt), ("assistant", "It is so."), ("user", "Where does the okapi sleep at night")]
    path = transcript(environment, 1, [*talk, ("assistant", "It sleeps on straw in the old stall.")], cwd=cwd)
    recall(root, "archive", path)
    recall(root, "summarize", session_id_of(1), "--yes")
    assert title in recall(root, "consume", "--no-clear").out
    assert title in recall(root, "show", session_id_of(1), "--summary").out or name == "claude-project"


def test_a_session_that_goes_on_after_its_summary_is_named(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    own = session_id_of(1)
    transcript(environment, 1, TALK, cwd=cwd)
    recall(root, "summarize", own, "--yes")
    note = f"1 session went on after the summary: recall-tui summarize {own}"
    commands = (("status",), ("doctor",), ("synthesize", "--dry-run"))
    for words in commands:
        said = recall(root, *words)
        assert "went on" not in said.out + said.err, words
    transcript(environment, 1, [*TALK, ("user", "And the rail?"), ("assistant", "The rail too.")], cwd=cwd)
    for words in commands:
        said = recall(root, *words)
        assert note in said.out + said.err, words
    recall(root, "summarize", own, "--yes")
    assert "went on" not in recall(root, "status").out


@pytest.mark.parametrize("name", ["entity", "hierarchical", "user"])
def test_a_page_stands_above_its_history(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    said = [f"The event store keeps its events in {place}." for place in ("flat files", "Postgres", "FoundationDB")]
    days = []
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    for number, text in enumerate(said, 1):
        path = bench.layout.days / f"2026-02-0{number}.md"
        path.write_text(f"## 2026-02-0{number}\n\n{text}\n")
        days.append(bench.store.relative(path))
    stub = ("--name", "Event store", "--category", "entity", "--lede", said[0], "--source", days[0])
    assert recall(root, "wiki", "stub", "event-store", *stub).code == 0
    for number in (1, 2):
        change = ("--fact", said[number - 1], "--by", said[number])
        assert recall(root, "wiki", "supersede", "event-store", "--source", days[number], *change).code == 0
    question = "where does the event store keep its events"
    found = [hit["document"] for hit in recall(root, "search", question, "--json").json["hits"]]
    page, history = (next(at for at, one in enumerate(found) if one.endswith(end)) for end in PAGES)
    assert page < history, found


PAGES = ("/event-store.md", "/event-store-trajectory.md")


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_todo_list_of_a_transcript_is_found_by_its_kind(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    rows = records(session_id_of(1), [*TALK, ("TodoWrite", "x"), ("TaskCreate", "x"), *TALK], cwd=cwd)
    todos = [{"content": "Weigh the okapi", "status": "pending", "activeForm": "Weighing"}]
    rows[2]["message"]["content"][0]["input"] = {"todos": todos}
    rows[3]["message"]["content"][0]["input"] = {"subject": "Feed the tapir", "description": "With hay"}
    write_transcript(environment.claude / "projects" / "-home-u-api" / f"{session_id_of(1)}.jsonl", rows)
    recall(root, "sync")
    for words in ("okapi", "tapir"):
        hits = recall(root, "search", words, "--kind", "todo", "--json").json["hits"]
        assert [hit["session_id"] for hit in hits] == [session_id_of(1)]
    assert recall(root, "search", "gangway", "--kind", "todo").code == 1


@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("how", [(), ("--passages",)])
def test_what_a_fork_repeats_is_found_once(
    recall: Recall, environment: Environment, name: str, how: tuple[str, ...]
) -> None:
    bench = bench_at(environment, name)
    root, cwd = f"--root={bench.store.root}", str(bench.store.root)
    rows = records(session_id_of(1), TALK, cwd=cwd)
    more = [("user", "And the rail of the deck?"), ("assistant", "Varnish the rail.")]
    new = records(session_id_of(2), more, cwd=cwd, start=NOON + timedelta(hours=1))
    folder = environment.claude / "projects" / "-home-u-api"
    write_transcript(folder / f"{session_id_of(1)}.jsonl", rows)
    write_transcript(
        folder / f"{session_id_of(2)}.jsonl", [*({**row, "sessionId": session_id_of(2)} for row in rows), *new]
    )
    recall(root, "sync")
    hits = recall(root, "search", "marine paint gangway", "--kind", "prompt", *how, "--json").json["hits"]
    assert len(hits) == 1, hits
    (hit,) = recall(root, "search", "varnish the rail", "--kind", "reply", "--json").json["hits"][:1]
    assert hit["session_id"] == session_id_of(2)
