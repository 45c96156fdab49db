"""Which folder is a memory, of which design, and which one a command works on."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.storage.layout import LAYOUT_NAMES, detect_layout, find_memory, make_layout

MARKS: list[tuple[str, LayoutName | None]] = [
    ("x/_memory/", "project"),
    ("x/memory/conversations/", "entity"),
    ("x/memory/EPHEMERAL.md", "entity"),
    ("x/memory/ARCHIVE.md", "entity"),
    ("x/memory/MEMORY.md", "entity"),
    ("x/memory/2026-03-06.md", "hierarchical"),
    ("x/memory/weekly/", "hierarchical"),
    ("x/memory/wiki/", "hierarchical"),
    ("x/WISDOM.md", "hierarchical"),
    ("x/DREAMS.md", "hierarchical"),
    ("x/.claude/memories/", "user"),
    ("x/.claude/conversations/", "user"),
    ("x/.claude/EPHEMERAL.md", "user"),
    ("x/.claude/rules/recall-echo.md", "user"),
    ("x/.claude/memory/MEMORY.md", "user"),
    ("x/.claude/settings.json", None),
    ("x/.claude/projects/-home-u-p/a.jsonl", "claude-project"),
    ("x/.claude/projects/-home-u-p/memory/", "claude-project"),
    ("x/memory/notes.md", None),
    ("x/README.md", None),
]


def touch(base: Path, mark: str) -> Path:
    path = base / mark
    if mark.endswith("/"):
        path.mkdir(parents=True)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("text\n")
    if "projects" in mark:
        return base / "x/.claude/projects/-home-u-p"
    return base / "x/.claude" if ".claude" in mark else base / "x"


@pytest.mark.parametrize(("mark", "expected"), MARKS)
def test_a_folder_is_known_by_its_marks(tmp_path: Path, mark: str, expected: LayoutName | None) -> None:
    found = detect_layout(touch(tmp_path, mark))
    assert (found and found[0]) == expected


def test_the_recorded_layout_comes_before_every_mark(tmp_path: Path) -> None:
    (tmp_path / "memory/conversations").mkdir(parents=True)
    (tmp_path / "memory/.recall-echo.toml").write_text('layout = "hierarchical"\n')
    assert detect_layout(tmp_path) == ("hierarchical", f"layout in {tmp_path / 'memory/.recall-echo.toml'}")
    (tmp_path / "memory/.recall-echo.toml").write_text("layout = 'nonsense'\n[broken\n")
    assert detect_layout(tmp_path) == ("entity", "it holds memory/conversations")


def test_the_given_root_wins_then_the_environment_then_upward_then_the_agents_home(environment: Environment) -> None:
    for folder in ("given", "env", "work/up"):
        (environment.home.parent / folder / "memory/conversations").mkdir(parents=True)
    (environment.claude / "memories").mkdir(parents=True)
    base = environment.home.parent
    deep = base / "work/up/a/b"
    deep.mkdir(parents=True)
    there = environment._replace(cwd=deep, env={**environment.env, "RECALL_ECHO_HOME": str(base / "env")})
    assert find_memory(there, base / "given").layout.root == base / "given"
    assert find_memory(there).layout.root == base / "env"
    assert find_memory(there._replace(env=environment.env)).layout.root == base / "work/up"
    assert find_memory(environment).layout == make_layout(environment.claude, "user")


def test_the_memory_folder_itself_may_be_named(environment: Environment) -> None:
    (environment.cwd / "memory/conversations").mkdir(parents=True)
    assert find_memory(environment, Path("memory")).layout.root == environment.cwd


def test_no_memory_is_an_error_with_a_next_step(environment: Environment) -> None:
    environment.claude.mkdir()
    with pytest.raises(NotFoundError) as error:
        find_memory(environment)
    assert error.value.hint == "run: recall-tui init"
    with pytest.raises(NotFoundError):
        find_memory(environment, environment.cwd)


def test_the_layout_can_be_said_and_nonsense_is_refused(environment: Environment) -> None:
    assert find_memory(environment, environment.cwd, "project").layout.name == "project"
    with pytest.raises(UsageError):
        find_memory(environment, environment.cwd, "pile")


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_what_a_layout_writes_is_found_as_that_layout_again(tmp_path: Path, name: LayoutName) -> None:
    root = tmp_path / ".claude" if name == "user" else tmp_path / "x"
    if name == "claude-project":
        root = tmp_path / ".claude/projects/-p"
    layout = make_layout(root, name)
    for folder in layout.folders():
        folder.mkdir(parents=True, exist_ok=True)
    layout.config.write_text(f'layout = "{name}"\n')
    found = detect_layout(root)
    assert found is not None and found[0] == name
    assert len({*layout.fixed_files()}) == 7


def test_a_user_memory_keeps_its_files_where_its_json_settings_say(environment: Environment) -> None:
    root = environment.claude
    (root / "memory").mkdir(parents=True)
    (root / "memory/MEMORY.md").write_text("# Memory\n")
    (root / ".recall-echo.json").write_text(
        '{"paths": {"ephemeral": "short/NOW.md", "memories": "logs", "archive": 3}}'
    )
    layout = find_memory(environment, root).layout
    assert layout.window == root / "short/NOW.md"
    assert layout.archives[0].folder == root / "logs" and layout.archives[0].prefix == "archive-log"
    assert layout.rows == root / "ARCHIVE.md"
    (root / ".recall-echo.json").write_text("{broken")
    assert find_memory(environment, root).layout == make_layout(root, "user")


@pytest.mark.parametrize("place", ["home/.claude", "named"])
def test_json_settings_that_name_places_make_a_folder_a_user_memory(environment: Environment, place: str) -> None:
    root = environment.home.parent / place
    root.mkdir(parents=True)
    (root / ".recall-echo.json").write_text('{"paths": {"memory": "~/notes/MEM.md", "ephemeral": "now/EPH.md"}}')
    for there in (environment, environment._replace(cwd=root)):
        found = find_memory(there, root).layout
        assert (found.name, found.root, found.window) == ("user", root, root / "now/EPH.md")
        assert found.memory_file == environment.home / "notes/MEM.md"
    (root / ".recall-echo.json").write_text('{"paths": {}}')
    with pytest.raises(NotFoundError):
        find_memory(environment, root)
