"""Programs are started in a few named places, each with words that no repository chooses, and looked for in one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.trees import tree

PACKAGE = Path(__file__).resolve().parents[2] / "recall_tui"
STARTING = {
    "agents/status.py": "our own hook, as the person's agent runs it; of a project only what an installation writes",
    "agents/server_check.py": "our own server, as the person's agent runs it",
    "cli/hook_watchdog.py": "a copy of the hook itself, which ends it when it takes too long",
    "cli/watcher.py": "this program, for a person who watches",
    "features/hooks/catch_up.py": "this program, behind a hook",
    "index/ingest/parallel.py": "this program's own readers of transcripts, beside a long build",
    "llm/providers/processes.py": "the model's program, which the person confirmed, in a folder of its own",
    "tui/app.py": "the person's editor or agent, in the terminal that the app runs in",
}
LOOKING = {"environment.py": "the folders of PATH that do not depend on where one stands"}
_MODULES = {"subprocess", "webbrowser", "multiprocessing", "pty", "pexpect", "git", "dulwich", "pygit2"}
_OF_OS = ("fork", "forkpty", "exec", "spawn", "posix_spawn", "system", "popen", "startfile")


def starts(tree: ast.AST) -> Iterator[int]:
    """The lines that import what starts programs, or start one."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                if any(one.name.partition(".")[0] in _MODULES for one in names):
                    yield node.lineno
            case ast.ImportFrom(module=str(module), level=0):
                if module.partition(".")[0] in _MODULES or (
                    module == "os" and any(_is_one(x.name) for x in node.names)
                ):
                    yield node.lineno
            case ast.Attribute(value=ast.Name(id="os"), attr=name) if _is_one(name):
                yield node.lineno
            case ast.Attribute(attr="create_subprocess_exec" | "create_subprocess_shell" | "open_url"):
                yield node.lineno


def looks(tree: ast.AST) -> Iterator[int]:
    """The lines that look for a program."""
    for node in ast.walk(tree):
        if (isinstance(node, ast.ImportFrom) and any(one.name == "which" for one in node.names)) or (
            isinstance(node, ast.Attribute) and node.attr == "which"
        ):
            yield node.lineno


def _is_one(name: str) -> bool:
    return any(name == one or (one in ("exec", "spawn", "posix_spawn") and name.startswith(one)) for one in _OF_OS)


@pytest.mark.long
def test_programs_are_started_and_looked_for_where_it_is_said() -> None:
    names = [path.relative_to(PACKAGE).as_posix() for path in sorted(PACKAGE.rglob("*.py"))]
    starting = {name for name in names if any(starts(tree(f"recall_tui/{name}")))}
    looking = {name for name in names if any(looks(tree(f"recall_tui/{name}")))}
    assert (starting, looking) == (set(STARTING), set(LOOKING))


@pytest.mark.parametrize(
    "line",
    [
        "import subprocess", "from subprocess import run", "import webbrowser as w", "import git", "os.execvp(a, b)",
        "os.posix_spawnp(a, b, c)", "from os import system", "asyncio.create_subprocess_exec('x')", "app.open_url(x)",
    ],
)  # fmt: skip
def test_each_way_of_starting_is_seen(line: str) -> None:
    assert list(starts(ast.parse(line)))
