"""Every command that changes something has `--dry-run`, and with it changes nothing in the whole home folder."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from recall_tui.cli.command_table import COMMANDS
from recall_tui.environment import Environment
from tests.makers import bench_at, session_id_of, transcript, tree

Recall = Callable[..., Any]
TALK = [("user", "Why did we pick JWT over sessions?"), ("assistant", "We decided on JWT: the API is stateless.")]
READERS = {
    "agents", "status", "dashboard", "show", "read", "list", "report", "search", "recall", "review list", "review show",
    "wiki list", "wiki show", "wiki lint", "wiki targets", "wiki status", "journal", "config show", "config get",
    "config path", "ledger", "help", "completions",
}  # fmt: skip
"""Commands that change nothing but the index, which is a cache, and the numbers of the last hits."""
OTHERS = {
    "demo": "works on a throw-away copy",
    "index": "the index is a cache",
    "add": "the index is a cache",
    "watch": "runs until it is stopped",
    "hook": "is called by agents",
    "mcp": "is called by agents, and only proposes",
    "export": "writes the one file that --to names, and never over another without --force",
    "journal show": "writes the one file that --to names, and never over another without --force",
}
CALLS: dict[str, tuple[str, ...]] = {
    "init": ("{home}/new", "--no-install", "--dry-run"),
    "install": ("claude", "--scope", "user", "--dry-run"),
    "uninstall": ("claude", "--scope", "user", "--dry-run"),
    "sync": ("--dry-run",),
    "archive": ("--all-unarchived", "--all-projects", "--dry-run"),
    "archive-session": ("--dry-run",),
    "checkpoint": ("{transcript}", "--dry-run"),
    "summarize": ("1", "--dry-run"),
    "promote": ("--dry-run",),
    "log": ("we deploy on Fridays", "--dry-run"),
    "import": ("{home}/notes.md", "--dry-run"),
    "consume": ("--clear", "--dry-run"),
    "distill": ("--apply", "all", "--dry-run"),
    "compact": ("all", "--dry-run"),
    "dream": ("--dry-run",),
    "remember": ("we deploy on Fridays", "--dry-run"),
    "review accept": ("{proposal}", "--dry-run"),
    "review dismiss": ("{proposal}", "--dry-run"),
    "review restore": ("{dismissed}", "--dry-run"),
    "synthesize": ("--dry-run",),
    "migrate": ("--to", "hierarchical", "--dry-run"),
    "wiki stub": ("auth", "--category", "concept", "--name", "Auth", "--description", "Tokens", "--dry-run"),
    "wiki append": ("tokens", "--source", "memory/MEMORY.md:1", "--body", "They last an hour.", "--dry-run"),
    "wiki rebuild": ("tokens", "--dry-run"),
    "wiki merge": ("tokens", "sessions", "--dry-run"),
    "wiki rename": ("tokens", "jwt", "--dry-run"),
    "wiki supersede": ("tokens", "--source", "memory/MEMORY.md:1", "--fact", "a", "--by", "b", "--dry-run"),
    "wiki knowledge-map": ("--dry-run",),
    "wiki migrate-typed-memories": ("--dry-run",),
    "wiki migrate-insights": ("--dry-run",),
    "undo": ("--dry-run",),
    "redo": ("--dry-run",),
    "doctor": ("--fix", "--dry-run"),
    "forget": (session_id_of(1), "--dry-run"),
    "redact": ("--dry-run",),
    "config set": ("ephemeral.max_entries", "9", "--dry-run"),
    "config unset": ("ephemeral.max_entries", "--dry-run"),
    "config trust": ("--dry-run",),
    "config join": ("{home}/other", "--dry-run"),
}
MAY_FIND_NOTHING = {
    "wiki rebuild", "wiki supersede", "wiki migrate-typed-memories", "wiki migrate-insights", "migrate", "synthesize",
}  # fmt: skip
"""Commands that end with another code than 0 on this memory, because it holds nothing for them."""


def _commands(name: str, one: click.Command) -> Iterator[tuple[str, click.Command]]:
    if isinstance(one, click.Group):
        for inner, each in one.commands.items():
            yield from _commands(f"{name} {inner}", each)
    else:
        yield name, one


def all_commands() -> dict[str, click.Command]:
    """Every command by its words."""
    found: dict[str, click.Command] = {}
    for name, info in COMMANDS.items():
        module, _, function = info.target.partition(":")
        found |= dict(_commands(name, getattr(importlib.import_module(module), function)))
    return found


def test_every_command_reads_or_has_a_dry_run() -> None:
    for name, one in all_commands().items():
        has_dry_run = any("--dry-run" in param.opts for param in one.params)
        assert has_dry_run != (name in READERS or name in OTHERS), name
        assert has_dry_run == (name in CALLS), name


@pytest.fixture
def home(recall: Recall, environment: Environment) -> dict[str, str]:
    """A memory with something of everything that a command could change."""
    bench = bench_at(environment)
    for number in (1, 2):
        path = transcript(environment, number, TALK)
        assert recall("archive", path).code == 0
    waiting = transcript(environment, 3, TALK)
    assert recall("remember", "JWT keys rotate weekly").code == 0
    assert recall("config", "set", "ephemeral.max_entries", "7").code == 0
    for slug in ("tokens", "sessions"):
        words = ("--category", "concept", "--name", slug.title(), "--description", f"About {slug}")
        assert recall("wiki", "stub", slug, *words).code == 0
    bench.layout.window.write_text(bench.layout.window.read_text() + "\nA person's own words, which nobody archived.\n")
    (environment.home / "notes.md").write_text("# Notes\n\n- we deploy on Fridays\n")
    (environment.home / "other").mkdir()
    proposals = _proposals(bench)
    assert recall("review", "dismiss", proposals[1]).code == 0
    assert recall("undo").code == 0 and recall("redo").code == 0
    assert recall("remember", "taken back at once").code == 0 and recall("undo").code == 0
    recall("sync")
    return {
        "home": str(environment.home),
        "transcript": str(waiting),
        "proposal": proposals[0],
        "dismissed": proposals[1],
    }


def _proposals(bench: Any) -> list[str]:
    from recall_tui.storage.state import proposals
    from recall_tui.storage.state.proposals import DocumentChange, Proposal

    found = []
    for name in ("one", "two"):
        changes = (DocumentChange(f"memory/{name}.md", f"# {name}\n"),)
        saved = proposals.save(bench.store, Proposal("wiki", name, f"Propose {name}", "a reason", changes))
        assert saved is not None
        found.append(saved.id)
    return found


def _everything(environment: Environment) -> dict[str, bytes]:
    return {f"{root}/{name}": data for root in _roots(environment) for name, data in tree(root).items()}


def _roots(environment: Environment) -> set[Path]:
    return {environment.home, environment.cwd, environment.state}


@pytest.mark.parametrize("name", CALLS)
def test_a_dry_run_changes_nothing(recall: Recall, environment: Environment, home: dict[str, str], name: str) -> None:
    words = [word.format(**home) for word in CALLS[name]]
    stdin = json.dumps({"session_id": session_id_of(3), "transcript_path": home["transcript"]})
    before = _everything(environment)
    said = recall(*name.split(), *words, stdin=stdin if name == "archive-session" else "")
    after = _everything(environment)
    assert said.code == 0 or name in MAY_FIND_NOTHING, (said.out, said.err)
    assert sorted(after) == sorted(before)
    assert [path for path in before if after[path] != before[path]] == []
    recall(*name.split(), *words, "--json", stdin=stdin if name == "archive-session" else "")
    assert _everything(environment) == before
