"""`config` marks the settings that came with a repository and wait for a confirmation."""

from __future__ import annotations

from recall_tui.environment import Environment
from recall_tui.storage import trust
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.repositories import git, repository, with_git

WRITTEN = 'layout = "project"\n\n[llm]\nprovider = "command"\ncommand = "touch /tmp/never"\n'
CAME = "its file came with the repository"


@with_git
def test_a_program_that_a_clone_names_is_marked_until_it_is_confirmed(environment: Environment, recall: Recall) -> None:
    root = repository(environment.home / "work" / "shop")
    (root / "_memory").mkdir()
    (root / "_memory" / "MEMORY.md").write_text("# Memory\n")
    (root / "_memory" / ".recall-echo.toml").write_text(WRITTEN)
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "memory")
    said = recall("--root", root, "config")
    row = next(line for line in said.out.splitlines() if line.lstrip().startswith("llm.command"))
    assert "unconfirmed" in row
    assert "llm.command names a program to run or a server to ask" in said.err and CAME in said.err
    trust.confirm(Workbench.open(root, environment=environment).store)
    said = recall("--root", root, "config")
    assert "unconfirmed" not in said.out and CAME not in said.err


@with_git
def test_what_is_confirmed_says_what_it_does(environment: Environment, recall: Recall) -> None:
    root = repository(environment.home / "work" / "shop")
    (root / "_memory").mkdir()
    (root / "_memory" / ".recall-echo.toml").write_text(f"{WRITTEN}\n[capture]\nauto = true\n")
    said = recall("--root", root, "config", "trust", "--dry-run")
    assert "capture.auto = 'true'" in said.out and "llm.command = 'touch /tmp/never'" in said.out
    assert "it names a program to run" in said.err and "it writes conversations into a shared folder" in said.err
