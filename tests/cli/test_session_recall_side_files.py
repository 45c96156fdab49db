"""Claude Code's plans, todo lists and history of typed prompts are found, shown, kept apart and forgotten."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall
from tests.conftest import NOON
from tests.makers import Turn, bench_at, records, session_id_of, transcript, write_files, write_transcript
from tests.session_recall import Recalled

PLAN = "# Move the queue\n\nFirst some context.\n\n## Steps\n\nDrain the heron queue, then switch the consumers.\n"
TODOS = [
    {"content": "Write the pelican migration", "status": "completed", "activeForm": "Writing the pelican migration"},
    {"content": "Rotate the gannet keys", "status": "pending"},
]
SECRET = "ghp_" + "a1B2" * 9


def prompt(text: str, *, session: str = "", project: str = "/home/u/api", minute: int = 0) -> str:
    """A line of the history."""
    record = {"display": text, "pastedContents": {}, "timestamp": int(NOON.timestamp() * 1000) + minute * 60_000}
    return json.dumps({**record, "project": project} | ({"sessionId": session} if session else {})) + "\n"


@pytest.fixture
def beside(environment: Environment) -> Path:
    """Claude Code's folder with a plan, two todo lists, and prompts of three sessions."""
    write_files(
        environment.claude,
        {
            "plans/quiet-humming-heron.md": PLAN,
            f"todos/{session_id_of(1)}-agent-{session_id_of(1)}.json": json.dumps(TODOS),
            f"todos/{session_id_of(9)}-agent-{session_id_of(9)}.json": "[]",
            "history.jsonl": prompt("where is the cormorant config kept", session=session_id_of(7))
            + prompt("and who owns the cormorant config", session=session_id_of(7), minute=3)
            + prompt("rename the dunlin module", project="/home/u/web")
            + prompt("/clear"),
        },
    )
    return environment.claude


def hits(recall: Recall, root: Path, *words: str) -> list[dict[str, object]]:
    said = recall(f"--root={root}", "search", *words, "--json")
    return list(said.json["hits"]) if said.code in (0, 1) else []


def test_each_is_found_with_its_kind_and_shown(recall: Recall, environment: Environment, beside: Path) -> None:
    root = bench_at(environment).store.root
    for kind, words, title, text in (
        ("plan", "drain heron queue", "Move the queue", "## Steps"),
        ("todo", "gannet keys", "Todo list (2 items)", "[pending] Rotate the gannet keys\n"),
        ("history", "cormorant config kept", "where is the cormorant config kept", "who owns the cormorant config"),
        ("history", "dunlin module", "rename the dunlin module", "rename the dunlin module"),
    ):
        for more in ((), (f"--kind={kind}",)):
            hit = hits(recall, root, words, *more)[0]
            assert (hit["kind"], hit["title"]) == (kind, title), hit
            assert text in recall(f"--root={root}", "show", hit["document"]).out
    done = "[completed] Write the pelican migration (Writing the pelican migration)"
    assert done in recall(f"--root={root}", "show", f"{session_id_of(1)}-agent-{session_id_of(1)}").out
    assert "## Steps" in recall(f"--root={root}", "show", "quiet-humming-heron").out
    assert hits(recall, root, "cormorant", "--kind=prompt") and not hits(recall, root, "cormorant", "--kind=plan,todo")
    assert f"session   {session_id_of(7)}" not in recall(f"--root={root}", "list").out


def test_a_hit_names_the_lines_of_what_is_shown(recall: Recall, environment: Environment, beside: Path) -> None:
    root = bench_at(environment).store.root
    for words, first in (("switch consumers", "## Steps"), ("who owns cormorant", "and who owns the cormorant config")):
        hit = hits(recall, root, words)[0]
        lines = hit["lines"]
        assert isinstance(lines, list)
        shown = recall(f"--root={root}", "show", f"{hit['document']}:{lines[0]}-{lines[1]}").out
        assert first in shown, (hit, shown)


@pytest.mark.long
def test_a_sync_reads_what_changed_and_drops_what_is_gone(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    sync = ("--root", root, "sync", "--json")
    assert recall(*sync).json["added"] >= 5
    again = recall(*sync).json
    assert (again["added"], again["changed"], again["removed"], again["passages"]) == (0, 0, 0, 0)
    with (beside / "history.jsonl").open("a") as history:
        history.write(prompt("what became of the fulmar branch", session=session_id_of(8)))
    (beside / "plans/quiet-humming-heron.md").write_text(PLAN.replace("heron", "egret"))
    changed = recall(*sync).json
    assert (changed["added"], changed["changed"], changed["removed"]) == (1, 1, 0)
    assert hits(recall, root, "fulmar branch") and hits(recall, root, "egret queue")
    assert "heron" not in str([one["snippet"] for one in hits(recall, root, "drain queue")])
    (beside / "plans/quiet-humming-heron.md").unlink()
    (beside / "history.jsonl").unlink()
    recall(*sync)
    assert not hits(recall, root, "egret") and not hits(recall, root, "cormorant") and hits(recall, root, "gannet")
    assert recall("--root", root, "doctor", "--deep").code == 0
    assert recall("--root", root, "index").code == 0
    assert hits(recall, root, "gannet") and not hits(recall, root, "cormorant")


def test_a_project_takes_in_its_own_and_nobody_elses(recall: Recall, environment: Environment, beside: Path) -> None:
    root = bench_at(environment).store.root
    recall("--root", root, "config", "set", "transcripts.projects", "here")
    other: list[Turn] = [("user", "Plan the move"), ("Write", str(beside / "plans/quiet-humming-heron.md"))]
    place = beside / "projects" / "-home-u-web" / f"{session_id_of(3)}.jsonl"
    write_transcript(place, records(session_id_of(3), other, cwd="/home/u/web"))
    transcript(environment, 1, [("user", "Begin"), ("assistant", "Begun")], cwd=str(root))
    assert hits(recall, root, "gannet keys")
    for words in ("drain heron queue", "cormorant config", "dunlin module"):
        assert not [one for one in hits(recall, root, words) if one["kind"] != "topic"], words
    mine = [("user", "Plan it"), ("Write", str(beside / "plans/loud-singing-crane.md"))]
    write_files(beside, {"plans/loud-singing-crane.md": "# Cranes\n\nLift the whimbrel crates.\n"})
    transcript(environment, 2, mine, cwd=str(root))
    with (beside / "history.jsonl").open("a") as history:
        history.write(prompt("paint the avocet door", project=str(root)))
    assert hits(recall, root, "whimbrel crates") and hits(recall, root, "avocet door")


def test_a_prompt_is_found_once_where_its_session_can_be_read(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    assert [one["kind"] for one in hits(recall, root, "cormorant config kept")] == ["history"]
    transcript(environment, 7, [("user", "where is the cormorant config kept"), ("assistant", "In etc.")])
    assert [one["kind"] for one in hits(recall, root, "cormorant config kept")] == ["transcript"]


def test_a_plan_on_disk_stands_before_that_of_an_older_database(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    with Recalled(environment.session_index) as made:
        made.note("plan", "quiet-humming-heron", "# Move the queue\n\nDrain the heron queue first.\n")
        made.note("plan", "old-resting-stork", "# Storks\n\nCount the stork nests.\n")
    assert [one["kind"] for one in hits(recall, root, "drain heron queue")] == ["plan"]
    assert hits(recall, root, "stork nests")


def test_secrets_are_redacted_and_ignored_files_are_passed_over(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    write_files(
        beside,
        {
            "plans/loud-singing-crane.md": f"# Cranes\n\nThe whimbrel token is {SECRET}.\n",
            "plans/private-plan.md": "# Private\n\nThe avocet affair.\n",
            ".recall-ignore": "~/.claude/plans/private-*\n",
        },
    )
    with (beside / "history.jsonl").open("a") as history:
        history.write(prompt(f"use the turnstone token {SECRET}", session=session_id_of(8)))
    for words in ("whimbrel token", "turnstone token"):
        hit = hits(recall, root, words)[0]
        assert SECRET not in str(hit) and SECRET not in recall("--root", root, "show", hit["document"]).out
    assert not hits(recall, root, "avocet affair")
    (beside / ".recall-ignore").write_text("~/.claude/history.jsonl\n")
    assert not hits(recall, root, "turnstone") and hits(recall, root, "avocet affair")
    held = b"".join(path.read_bytes() for path in environment.index_folder.rglob("*") if path.is_file())
    assert SECRET.encode() not in held


@pytest.mark.long
def test_what_is_forgotten_leaves_and_stays_out(recall: Recall, environment: Environment, beside: Path) -> None:
    root = bench_at(environment).store.root
    todo, history = f"{session_id_of(1)}-agent-{session_id_of(1)}", beside / "history.jsonl" / session_id_of(7)
    for reference, words in (("quiet-humming-heron", "drain heron"), (todo, "gannet"), (str(history), "cormorant")):
        assert hits(recall, root, words)
        said = recall("--root", root, "forget", reference, "--yes")
        assert said.code == 0 and "Claude Code's own file stays" in said.out + said.err, said
        assert not hits(recall, root, words)
        assert recall("--root", root, "show", reference).code == 1
    assert (beside / "plans/quiet-humming-heron.md").read_text() == PLAN
    assert recall("--root", root, "forget", "--undo", "quiet-humming-heron", "--yes").code == 0
    assert hits(recall, root, "drain heron") and not hits(recall, root, "gannet")


def test_with_a_session_its_plan_and_its_list_are_forgotten(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    transcript(environment, 1, [("user", "Plan the move"), ("Write", str(beside / "plans/quiet-humming-heron.md"))])
    assert hits(recall, root, "drain heron") and hits(recall, root, "gannet")
    assert recall("--root", root, "forget", session_id_of(1), "--yes").code == 0
    assert not hits(recall, root, "drain heron") and not hits(recall, root, "gannet")


def test_what_cannot_be_read_is_named_and_costs_nothing_else(
    recall: Recall, environment: Environment, beside: Path
) -> None:
    root = bench_at(environment).store.root
    os.mkfifo(beside / "plans/pipe.md")
    outside = environment.home / "outside.md"
    outside.write_text("# Outside\n\nThe bittern memorandum.\n")
    (beside / "plans/link.md").symlink_to(outside)
    write_files(beside, {"todos/broken.json": "{not json", "todos/odd.json": '[1, null, {"content": 3}, [[]]]'})
    with (beside / "history.jsonl").open("a") as history:
        history.write('{"display": 3}\n[]\nnull\n{"display": "x", "timestamp": 1e400}\n{"display": "cut')
    assert hits(recall, root, "drain heron") and hits(recall, root, "cormorant") and not hits(recall, root, "bittern")
    said = recall("--root", root, "index", "status")
    assert "broken.json" in recall("--root", root, "doctor").out + said.out
