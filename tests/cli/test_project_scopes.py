"""Parts of a project with a memory of their own, and the page that tells what the folder is."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import Turn, bench_at, session_id_of, transcript, tree

TALK: list[Turn] = [
    ("user", "Which cache should the basket use?"),
    ("assistant", "We decided to use Valkey for the basket, because Redis changed its licence."),
]


def test_a_new_project_memory_explains_itself(recall: Recall, environment: Environment) -> None:
    assert recall("init", "--layout", "project", "--yes", "--no-install").code == 0
    page = environment.cwd / "_memory/ARCHITECTURE.md"
    text = page.read_text(encoding="utf-8")
    assert all(words in text for words in ("conversations/<session-id>.md", "master.md", "/summarize", "/synthesize"))
    page.write_text("ours\n", encoding="utf-8")
    assert recall("init", "--yes", "--no-install").code == 0
    assert page.read_text(encoding="utf-8") == "ours\n"
    page.unlink()
    assert recall("init", "--yes", "--no-install").code == 0
    assert not page.exists() and "missing" not in recall("doctor").out
    for line in (line for line in text.split("\n") if line.startswith(("| `/", "| |"))):
        command = line.split("`recall-tui ")[1].split("`")[0].split()[0]
        assert recall(command, "--help").code == 0


@pytest.mark.parametrize("name", [name for name in LAYOUT_NAMES if name != "project"])
def test_other_layouts_have_no_such_page(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    assert not list(bench.store.root.rglob("ARCHITECTURE.md"))


def test_a_summary_goes_into_a_scope_and_is_found_there(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    said = recall("summarize", session_id_of(1), "--scope", "frontend", "--yes")
    assert said.code == 0, said
    scope = environment.cwd / "_memory/frontend"
    assert (scope / f"conversations/{session_id_of(1)}.md").is_file() and (scope / "master.md").is_file()
    assert not list((environment.cwd / "_memory/conversations").iterdir())
    assert not (environment.cwd / "_memory/master.md").exists()
    assert "Valkey" in recall("recall", "--scope", "frontend", "which cache does the basket use").out
    assert "Valkey" in recall("recall", "--scope", "frontend").out
    assert recall("synthesize", "--scope", "frontend", "--full", "--yes").code in (0, 1)
    assert "Valkey" in recall("show", session_id_of(1)[:8], "--summary").out


def test_an_unknown_scope_is_an_error_everywhere(recall: Recall, environment: Environment) -> None:
    bench_at(environment, "project")
    transcript(environment, 1, TALK, cwd=str(environment.cwd))
    recall("summarize", session_id_of(1), "--yes")
    before = tree(environment.cwd)
    for words in (
        ("synthesize", "--scope", "nosuch", "--yes"),
        ("synthesize", "--scope", "nosuch", "--full", "--yes"),
        ("synthesize", "--scope", "nosuch", "--dry-run"),
        ("recall", "--scope", "nosuch"),
        ("recall", "--scope", "nosuch", "basket"),
        ("summarize", session_id_of(1), "--scope", "no/such", "--yes"),
        ("summarize", session_id_of(1), "--scope", "conversations", "--yes"),
    ):
        said = recall(*words)
        assert said.code == 2 and "scope" in said.err, (words, said)
    assert tree(environment.cwd) == before


@pytest.mark.parametrize("name", [name for name in LAYOUT_NAMES if name != "project"])
def test_a_layout_without_scopes_says_so(recall: Recall, environment: Environment, name: str) -> None:
    root = f"--root={bench_at(environment, name).store.root}"
    for words in (("summarize", "x"), ("synthesize",), ("recall",)):
        said = recall(root, *words, "--scope", "frontend")
        assert said.code == 2 and f"layout {name} has no scopes" in said.err
