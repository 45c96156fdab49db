"""Places that a memory's own settings name: below its folder, or nowhere, until the person confirms them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.storage import trust
from recall_tui.storage.layout import LocatedMemory, open_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.qa.trust.calling import called
from tests.qa.trust.hostile_memory import put

STOLEN = "stolen_words_of_mine"
KEYS = ("memory", "ephemeral", "archive", "memories")
SPELLINGS = (
    "{home}/diary.md", "{home}/.bashrc", "../diary.md", "../../home/diary.md", "memory/../../diary.md", "./../diary.md",
    "~/diary.md", "link/diary.md", "link.md", "up/diary.md", "//{home}/diary.md", "{home}/./diary.md",
    "memory/../link/diary.md",
)  # fmt: skip
INSIDE = (
    "settings.json",
    "settings.local.json",
    "CLAUDE.md",
    "claude.MD",
    "memory",
    "memory/.env",
    "{other}",
    "{twin}",
)
"""Below the root, and yet no page of the memory's own."""
READERS = (
    ("status",),
    ("show", "memory"),
    ("consume",),
    ("search", STOLEN),
    ("list",),
    ("export", "--all"),
    ("doctor",),
)
WRITERS = (("remember", "a line of theirs"), ("consume", "--clear"), ("doctor", "--fix"), ("log", "a line of theirs"))


def mine(environment: Environment) -> dict[str, str]:
    """Files of the person's that are no memory's."""
    for name in ("diary.md", ".bashrc", "private/diary.md", "private/archive-log-001.md"):
        put(environment.home / name, f"{STOLEN}\n\n## Session\n\nmore\n")
    return held(environment)


def held(environment: Environment) -> dict[str, str]:
    own = (
        path for path in environment.home.rglob("*") if path.is_file() and not path.is_relative_to(environment.claude)
    )
    return {str(path): path.read_text() for path in own}


def laid(environment: Environment, root: Path, key: str, spelling: str) -> Path:
    """A memory of layout user whose older settings file puts a document elsewhere."""
    put(root / "memory" / "MEMORY.md", "# Memory\n")
    put(root / "EPHEMERAL.md", "")
    put(root / "settings.json", f'{{"env": "{STOLEN}"}}\n')
    put(root / "settings.local.json", f'{{"env": "{STOLEN}"}}\n')
    put(root / "CLAUDE.md", f"{STOLEN}\n")
    put(root / "memory" / ".env", f"{STOLEN}\n")
    (root / "link").symlink_to(environment.home / "private")
    (root / "link.md").symlink_to(environment.home / "diary.md")
    (root / "up").symlink_to(environment.home)
    other = {"memory": "EPHEMERAL.md", "ephemeral": "ARCHIVE.md", "archive": "memory/MEMORY.md"}.get(
        key, "EPHEMERAL.md"
    )
    path = spelling.format(home=environment.home, other=other, twin="both.md")
    if key == "memories":
        path = str(Path(path).parent) if path.endswith((".md", ".bashrc")) else path
    twin = {"memory": "ephemeral", "ephemeral": "archive", "archive": "memory"}.get(key)
    paths = {key: path, **({twin: path} if twin and spelling == "{twin}" else {})}
    put(root / ".recall-echo.json", json.dumps({"paths": paths}))
    return root


@pytest.mark.long
@pytest.mark.parametrize(
    ("key", "spelling"),
    [
        pytest.param(key, one, marks=() if (key, one) in (("ephemeral", SPELLINGS[0]), ("memory", "link.md")) else long)
        for long in (pytest.mark.long,)
        for key in KEYS
        for one in SPELLINGS
    ],
)
@pytest.mark.parametrize("at", ["work/.claude", "home/.claude"])
def test_a_document_elsewhere_is_not_read_handed_on_emptied_or_written(
    environment: Environment, tmp_path: Path, at: str, key: str, spelling: str
) -> None:
    before, root = mine(environment), laid(environment, tmp_path / at, key, spelling)
    for words in (*READERS, *WRITERS):
        came = called(environment, "--root", str(root), *words)
        assert STOLEN not in came.out.replace(f'"query": "{STOLEN}"', ""), words
        assert "Traceback" not in came.err
    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": f"the {STOLEN}"})):
        told = {"hook_event_name": event, "session_id": "new", "cwd": str(root), **more}
        came = called(environment, "--root", str(root), "hook", stdin=json.dumps(told).encode())
        assert (came.code, came.err) == (0, "") and f"{STOLEN}\n" not in came.out
    assert held(environment) == before


@pytest.mark.parametrize("key", KEYS[:3])
@pytest.mark.parametrize("spelling", INSIDE)
def test_a_file_within_that_is_no_page_of_its_own_waits_too(environment: Environment, key: str, spelling: str) -> None:
    root = laid(environment, environment.cwd / ".claude", key, spelling)
    for words in (("show", "memory"), ("consume",), ("remember", "a line of theirs"), ("consume", "--clear")):
        came = called(environment, "--root", str(root), *words)
        assert came.code and "paths." in came.err and "config trust" in came.err
        assert STOLEN not in came.out
    assert (root / "settings.json").read_text() == f'{{"env": "{STOLEN}"}}\n'


@pytest.mark.parametrize("at", ["work/.claude", "home/.claude"])
def test_what_the_person_confirms_is_theirs_until_it_changes(environment: Environment, tmp_path: Path, at: str) -> None:
    mine(environment)
    diary = environment.home / "diary.md"
    root = laid(environment, tmp_path / at, "memory", "{home}/diary.md")
    shown = called(environment, "--root", str(root), "config", "trust", "--yes")
    assert shown.code == 0 and f"paths.memory = {str(diary)!r}" in shown.out
    assert called(environment, "--root", str(root), "remember", "a line of mine").code == 0
    assert "a line of mine" in diary.read_text()
    put(root / ".recall-echo.json", json.dumps({"paths": {"memory": str(environment.home / ".bashrc")}}))
    came = called(environment, "--root", str(root), "remember", "a line of theirs")
    assert came.code and "config trust" in came.err
    assert "theirs" not in (environment.home / ".bashrc").read_text()


@pytest.mark.parametrize("value", ["memory\\mine.md", "C:\\Users\\me\\diary.md", "..\\diary.md", "a/./b.md"])
def test_what_lies_within_by_its_name_needs_no_word(environment: Environment, value: str) -> None:
    before, root = mine(environment), environment.cwd / ".claude"
    put(root / "memory" / "MEMORY.md", "# Memory\n")
    put(root / ".recall-echo.json", json.dumps({"paths": {"memory": value}}))
    store = Memory(open_layout(root, "user"), environment, lambda: NOON)
    assert trust.is_trusted(store)
    assert called(environment, "--root", str(root), "remember", "a line").code == 0
    assert held(environment) == before and store.layout.memory_file.read_text().endswith("a line\n")


@pytest.mark.parametrize("value", ["\0", "a\0b.md", "", " ", 3, None, [], {"a": "b"}])
def test_what_names_no_file_is_passed_over(environment: Environment, value: object) -> None:
    root = environment.cwd / ".claude"
    put(root / "memory" / "MEMORY.md", "# Memory\n")
    put(root / ".recall-echo.json", json.dumps({"paths": {"memory": value, "ephemeral": value}}))
    bench = Workbench.at(LocatedMemory(open_layout(root, "user"), "made for a test"), environment, lambda: NOON)
    assert bench.layout.memory_file == root / "memory" / "MEMORY.md"


@pytest.mark.parametrize("folder", ["{home}/notes", "../home/notes", "~/notes", "link", "a\\u0000b"])
def test_a_shared_wiki_elsewhere_is_asked_for_by_the_same_check(
    environment: Environment, tmp_path: Path, folder: str
) -> None:
    (tmp_path / "home" / "notes").mkdir()
    put(environment.cwd / "memory" / "MEMORY.md", "# Memory\n")
    (environment.cwd / "link").symlink_to(tmp_path / "home" / "notes")
    named = folder.format(home=environment.home)
    put(environment.cwd / "memory" / ".recall-echo.toml", f'layout = "entity"\n[wiki]\nshared = ["team = {named}"]\n')
    came = called(environment, "config", "show")
    assert came.code and "wiki.shared names folders outside the memory" in came.err
