"""Standing anywhere inside a memory is being in it: every command reads and writes the same files from each folder."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import DOCUMENT_FOLDERS, LAYOUT_NAMES, find_design
from tests.cli.conftest import Stand
from tests.hooks import settled
from tests.makers import bench_at, session_id_of, transcript, tree, write_files
from tests.processes import Machine

TALK = [
    ("user", "Fix the token refresh race in the auth module"),
    ("assistant", "We decided to use a lock around the refresh. Next step: write a test for expiry."),
]
READING = (
    "status",
    "dashboard",
    "list",
    "show memory",
    "show 1",
    "read MEMORY.md",
    "search --json --no-sync refresh",
    "search --lines heron",
    "recall refresh lock",
    "recall",
    "consume --no-clear",
    "config path",
    "config show",
    "wiki list",
    "wiki lint",
    "dream --dry-run",
    "compact all --dry-run",
    "distill",
    "synthesize --dry-run",
    "doctor",
    "index status",
    "ledger",
    "undo --list",
    "report",
    "export memory",
    "agents",
    "redact --check",
    "forget 1 --dry-run",
    "review list",
)
CHANGING = ("status", "dashboard", "doctor", "export memory", "search --json --no-sync refresh")
"""What is said in them changes with the clock, or by asking."""


def folders_of(root: Path, base: Path, archives: Iterator[Path]) -> list[Path]:
    """Every folder among a memory's documents, the base first."""
    tops = [base, *archives]
    return [*tops, *(path for top in tops for path in sorted(top.rglob("*")) if path.is_dir())]


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_command_finds_the_same_memory_from_every_folder_in_it(
    environment: Environment, stand: Stand, name: str
) -> None:
    bench = bench_at(environment, name)
    root, layout = bench.store.root, bench.layout
    stand(root, "archive", str(transcript(environment, 1, TALK)))
    stand(root, "summarize", session_id_of(1), "--yes")
    stand(root, "synthesize", "--yes")
    stand(root, "wiki", "stub", "token-refresh")
    stand(root, "log", "looked at the refresh")
    stand(root, "remember", "The staging database is called heron")
    write_files(layout.base, {"WISDOM.md": "# Wisdom\n", "conversations/2026/old.md": "# Old\n"})
    if layout.summaries:
        write_files(layout.base / "frontend", {"conversations/a.md": "# A\n", "master.md": "# Project Memory\n"})
    stand(root, "sync")
    assert f"memory      {root}" in stand(root, "status").out and "heron" in stand(root, "show", "memory").out
    before = set(tree(root))

    folders = folders_of(root, layout.base, (one.folder for one in layout.archives if one.folder.is_dir()))
    for at, folder in enumerate(dict.fromkeys(folders)):
        for words in READING:
            there, here = stand(root, *words.split()), stand(folder, *words.split())
            is_same = words in CHANGING or here.out == there.out
            assert is_same and here.code == there.code, (folder, words, here, there)
        assert f"memory      {root}" in stand(folder, "status").out
        assert f"memory      {root}" in stand(environment.cwd, "status", "--root", str(folder)).out
        assert stand(folder, "remember", f"fact {at} of heron").code == 0
        assert f"fact {at} of heron" in layout.memory_file.read_text(encoding="utf-8")
        assert stand(folder, "log", f"entry {at}").code == 0
        assert stand(folder, "undo").code == 0
        event = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(folder), "source": "startup"}
        stand(environment.cwd, "hook", stdin=json.dumps(event))
        assert not settled(Machine(environment, root))
        assert stand(folder, "init", "--yes", "--no-install").code == 0
        assert stand(folder, "init", str(folder), "--yes", "--no-install").code == 0
        assert stand(folder, "init", "--layout", name, "--yes", "--no-install").code == 0
        assert set(tree(root)) == before, folder
    assert not environment.claude.joinpath("memory").exists() or name == "user"


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_folders_that_hold_documents_are_known_for_every_design(name: str) -> None:
    design = find_design(name)  # type: ignore[arg-type]
    assert design.base in DOCUMENT_FOLDERS
    assert {folder.split("/")[0] for folder, _ in design.archives} <= DOCUMENT_FOLDERS


def test_what_lies_below_a_memory_made_by_hand_is_a_part_of_it(environment: Environment, stand: Stand) -> None:
    write_files(environment.cwd, {"memory/MEMORY.md": "# Memory\n\n- heron\n", "memory/WISDOM.md": "# Wisdom\n"})
    write_files(environment.cwd, {"memory/memory/MEMORY.md": "# Memory\n", "memory/deep/er/notes.md": "x\n"})
    for folder in ("memory", "memory/memory", "memory/deep/er"):
        said = stand(environment.cwd / folder, "status")
        assert f"memory      {environment.cwd}\n" in said.out, folder


def test_a_memory_in_a_work_tree_of_its_own_below_another_is_its_own(environment: Environment, stand: Stand) -> None:
    write_files(environment.cwd, {"memory/MEMORY.md": "# Memory\n", "memory/api/_memory/MEMORY.md": "# Memory\n"})
    (environment.cwd / "memory/api/.git").mkdir()
    assert (
        f"memory      {environment.cwd / 'memory/api'}\n" in stand(environment.cwd / "memory/api/_memory", "status").out
    )


def test_a_link_to_the_folder_of_documents_makes_no_memory_beside_it(environment: Environment, stand: Stand) -> None:
    bench_at(environment)
    link = environment.home / "notes"
    link.symlink_to(environment.cwd / "memory")
    assert f"memory      {environment.cwd}\n" in stand(environment.home, "status", "--root", str(link)).out
    assert stand(environment.home, "remember", "a fact", "--root", str(link)).code == 0
    assert "a fact" in (environment.cwd / "memory/MEMORY.md").read_text(encoding="utf-8")
    assert not (environment.cwd / "memory/memory").exists()


def test_init_stays_in_the_memory_where_an_agents_home_exists_too(environment: Environment, stand: Stand) -> None:
    bench_at(environment)
    environment.claude.mkdir()
    for folder in (environment.cwd, environment.cwd / "memory", environment.cwd / "memory/conversations"):
        assert f"{environment.cwd}  (layout entity)" in stand(folder, "init", "--yes").out
    assert tree(environment.claude) == {}
    other = environment.cwd / "src"
    other.mkdir()
    assert f"{environment.claude}  (layout user)" in stand(other, "init", "--no-install").out
