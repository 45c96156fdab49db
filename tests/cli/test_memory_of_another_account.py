"""A memory that another account made is neither written nor handed to an agent before the person says so."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.host_plugin import create
from recall_tui.storage import trust
from recall_tui.storage.layout import find_memory
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.hooks import SCRIPT, process_env, said
from tests.makers import tree
from tests.processes import Machine
from tests.repositories import holding, session

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files of another account")
NOBODY = 65534
WORD, BAIT = "ZEBRAWORD", "BAITWORD"
FILES = {
    "entity": ("memory/MEMORY.md", "memory/EPHEMERAL.md", "memory/conversations/"),
    "user": (".claude/memory/MEMORY.md", ".claude/EPHEMERAL.md", ".claude/memories/"),
    "project": ("_memory/MEMORY.md", "_memory/EPHEMERAL.md", "_memory/conversations/"),
    "hierarchical": ("WISDOM.md", "memory/MEMORY.md", "memory/weekly/"),
    "claude-project": (".claude/projects/p/memory/MEMORY.md", ".claude/projects/p/memory/EPHEMERAL.md"),
}


def laid(top: Path, layout: str, owner: int) -> Path:
    """A memory in a folder that all may write to, made by an account; its root."""
    for name in FILES[layout]:
        path = top / name
        (path if name.endswith("/") else path.parent).mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_text(f"# Memory\n\n- {BAIT}\n")
    root = {"user": top / ".claude", "claude-project": top / ".claude" / "projects" / "p"}.get(layout, top)
    for path in sorted(top.rglob("*")):
        os.chown(path, owner, owner)
        path.chmod(0o777 if path.is_dir() else 0o666)
    return root


@pytest.fixture
def shared(environment: Environment) -> Path:
    """A folder as /tmp is."""
    folder = environment.home.parent / "shared"
    folder.mkdir()
    folder.chmod(0o1777)
    return folder


def hook(
    environment: Environment, cwd: Path, told: dict[str, object], *words: str, **env: str
) -> subprocess.CompletedProcess[bytes]:
    """Call the hook as an agent does that works in the folder."""
    machine = Machine(Environment(environment.home, cwd, environment.env), cwd)
    line = [sys.executable, "-P", "-c", SCRIPT, "hook", *words]
    data = json.dumps(told | {"cwd": str(cwd)}).encode()
    return subprocess.run(line, env=process_env(machine, **env), cwd=cwd, input=data, capture_output=True)


def logged(environment: Environment) -> str:
    """All that hooks wrote down."""
    return "".join(path.read_text() for path in Path(environment.env["RECALL_STATE"]).rglob("hooks.jsonl"))


def end_of(file: Path) -> dict[str, object]:
    return said("SessionEnd", file.stem, file)


@pytest.mark.long
@pytest.mark.parametrize("layout", FILES)
def test_hooks_neither_capture_into_it_nor_answer_from_it(environment: Environment, shared: Path, layout: str) -> None:
    root = laid(shared, layout, NOBODY)
    before = tree(shared)
    scratch = root / "scratch"
    scratch.mkdir()
    file = session(environment, "claude", 1, scratch, WORD)
    for told in (
        said("SessionStart", file.stem, file, source="startup"),
        said("UserPromptSubmit", file.stem, file, prompt=f"what of {BAIT}"),
        said("PreCompact", file.stem, file),
        end_of(file),
    ):
        for words in ((), ("--root", str(root))):
            done = hook(environment, scratch, told, *words)
            assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    scratch.rmdir()
    assert tree(shared) == before and holding(shared, WORD) == []
    assert "belongs to another account, nobody" in logged(environment)


def test_settings_of_another_account_silence_no_memory(environment: Environment, shared: Path) -> None:
    own = laid(environment.home, "entity", 0)
    settings = shared / ".claude" / "settings.json"
    settings.parent.mkdir()
    handler = {"type": "command", "command": "recall-tui hook --root /elsewhere"}
    settings.write_text(json.dumps({"hooks": {"SessionStart": [{"hooks": [handler]}]}}))
    told = said("SessionStart", "s1", source="startup")
    assert hook(environment, shared, told, "--root", str(own)).stdout == b""
    os.chown(settings, NOBODY, NOBODY)
    assert BAIT.encode() in hook(environment, shared, told, "--root", str(own)).stdout


@pytest.mark.parametrize("layout", FILES)
def test_commands_say_so_and_a_word_of_the_person_suffices(
    environment: Environment, shared: Path, recall: Recall, layout: str
) -> None:
    root = laid(shared, layout, NOBODY)
    before = tree(shared)
    for words in (("status",), ("consume",), ("search", BAIT), ("remember", "x"), ("archive", "--all-unarchived")):
        done = recall("--root", root, *words)
        assert done.code == 1 and BAIT not in done.out and f"--root {root} config trust" in done.err
    (problem,) = recall("--root", root, "doctor", "--json").json["problems"]
    assert problem["kind"] == "owner" and "nobody" in problem["message"]
    assert recall("--root", root, "doctor", "--fix").code == 1
    assert recall("--root", root, "config", "set", "theme", "recall-light").code == 1
    assert recall("init", root).code == 1
    assert tree(shared) == before
    assert "belongs to nobody" in recall("--root", root, "config", "trust", "--yes").out
    assert recall("--root", root, "remember", "Deploys are on Tuesdays").code == 0
    assert recall("--root", root, "consume").code == 0


DEEPER = {
    "entity": (
        "memory/zebra.md",
        "memory/days/2026-11-19.md",
        "memory/wiki/zebra.md",
        "memory/conversations/conversation-001.md",
    ),
    "user": (".claude/memory/zebra.md", ".claude/memory/days/2026-11-19.md"),
    "project": ("_memory/topics/zebra.md", "_memory/days/2026-11-19.md", "_memory/wiki/zebra.md"),
    "hierarchical": ("memory/topics/zebra.md", "memory/weekly/2026-W47.md"),
    "claude-project": (".claude/projects/p/memory/zebra.md",),
}


@pytest.mark.long
@pytest.mark.parametrize(("layout", "name"), [(layout, name) for layout in DEEPER for name in DEEPER[layout]])
def test_a_file_of_another_account_deeper_in_an_own_memory_is_neither_handed_out_nor_written(
    environment: Environment, shared: Path, recall: Recall, layout: str, name: str
) -> None:
    root = laid(shared, layout, 0)
    file = shared / name
    file.parent.mkdir(parents=True, exist_ok=True)
    words = f"The {WORD} parser fix: the stale lock of the {WORD} job fails test number 2."
    file.write_text(f"---\ntitle: {WORD} parser\n---\n# {WORD} parser\n\n## User\n\n- {words}\n")
    os.chown(file, NOBODY, NOBODY)
    before = file.read_bytes()
    scratch = root / "scratch"
    scratch.mkdir()
    asked = said("UserPromptSubmit", "s1", prompt=f"what of the {WORD} parser fix, the stale lock and test number 2?")

    def handed() -> str:
        recall("--root", root, "sync")
        texts = recall("--root", root, "recall", f"{WORD} parser stale lock").out
        return texts + hook(environment, scratch, asked, "--root", str(root)).stdout.decode()

    assert "stale lock of the" not in handed()
    found = recall("--root", root, "doctor", "--json").json["problems"]
    assert any(one["kind"] == "owner" and "nobody" in one["message"] and file.name in one["message"] for one in found)
    reported = recall("--root", root, "status")
    assert reported.code == 0 and "nobody" in reported.out and file.name in reported.out
    assert "config trust" in reported.out
    for line in (
        ("remember", "a line of the person"),
        ("export", shared / "out.tar.zst"),
        ("doctor", "--fix", "--yes"),
    ):
        recall("--root", root, *line)
    assert file.read_bytes() == before and file.stat().st_uid == NOBODY
    assert "belongs to nobody" in recall("--root", root, "config", "trust", "--yes").out
    assert not any(one["kind"] == "owner" for one in recall("--root", root, "doctor", "--json").json["problems"])
    assert "another account" not in recall("--root", root, "status").out
    assert "stale lock of the" in handed()


def test_a_session_whose_day_is_of_another_account_is_archived_beside_it(
    environment: Environment, shared: Path, recall: Recall
) -> None:
    root = laid(shared, "entity", 0)
    file = session(environment, "claude", 1, root, WORD)
    recall("--root", root, "archive", file)
    (archive,) = (root / "memory" / "conversations").glob("conversation-*.md")
    days = [one for one in holding(root, WORD) if Path(one).name.startswith("20")]
    for one in (archive, *(root / name for name in days)):
        os.chown(one, NOBODY, NOBODY)
    before = archive.read_bytes()
    other = session(environment, "claude", 2, root, WORD)
    done = recall("--root", root, "archive", other)
    assert done.code == 0 and archive.read_bytes() == before
    assert len(list((root / "memory" / "conversations").glob("conversation-*.md"))) == 2
    with file.open("a") as more:
        more.write(other.read_text())
    recall("--root", root, "archive", file)
    assert archive.read_bytes() == before and archive.stat().st_uid == NOBODY


@pytest.mark.parametrize(
    "part",
    ["memory", "memory/EPHEMERAL.md", "memory/.recall-echo.toml", "memory/conversations", "", ".recall-echo.toml"],
)
def test_every_part_of_a_memory_has_to_be_the_persons(
    environment: Environment, shared: Path, recall: Recall, part: str
) -> None:
    root = laid(shared, "entity", 0)
    (root / "memory" / ".recall-echo.toml").write_text('layout = "entity"\n')
    (root / ".recall-echo.toml").write_text("")
    assert recall("--root", root, "status").code == 0
    os.chown(root / part, NOBODY, NOBODY)
    assert "another account" in recall("--root", root, "status").err


def test_a_link_of_another_account_is_no_way_around_it(environment: Environment, shared: Path, recall: Recall) -> None:
    root = laid(shared, "entity", 0)
    (root / "memory").rename(root / "mine")
    (root / "memory").symlink_to("mine")
    assert recall("--root", root, "status").code == 0
    os.lchown(root / "memory", NOBODY, NOBODY)
    assert "another account" in recall("--root", root, "status").err


def test_the_account_that_called_sudo_is_the_persons(environment: Environment, shared: Path, recall: Recall) -> None:
    root = laid(shared, "entity", NOBODY)
    done = hook(environment, root, said("SessionStart", "s1", source="startup"), SUDO_UID=str(NOBODY))
    assert BAIT.encode() in done.stdout
    assert hook(environment, root, said("SessionStart", "s1", source="startup"), SUDO_UID="1").stdout == b""


def test_a_person_may_make_a_memory_in_a_folder_of_another_account(
    environment: Environment, shared: Path, recall: Recall
) -> None:
    os.chown(shared, NOBODY, NOBODY)
    assert recall("init", shared).code == 0
    assert recall("--root", shared, "remember", "Deploys are on Tuesdays").code == 0
    (shared / "memory").rename(shared / "was")
    laid(shared, "entity", NOBODY)
    assert "another account" in recall("--root", shared, "remember", "x").err


def test_the_host_plugin_and_the_python_api_refuse_it(
    environment: Environment, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = laid(shared, "entity", NOBODY)
    monkeypatch.setenv("HOME", str(environment.home))
    monkeypatch.setenv("RECALL_STATE", environment.env["RECALL_STATE"])
    with pytest.raises(RecallError, match="another account"):
        asyncio.run(create({"root": str(root)}))
    with pytest.raises(RecallError, match="another account"):
        Workbench.at(find_memory(environment, root), environment)


@contextmanager
def being(account: int) -> Iterator[None]:
    """Act as another account, as far as files go."""
    os.seteuid(account)
    try:
        yield
    finally:
        os.seteuid(0)


def test_another_account_than_root_has_its_own_memory_and_no_other() -> None:
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o1777)
        environment = Environment(top / "home", top, {"RECALL_STATE": str(top / "state")})
        laid(top, "entity", 1)
        environment.home.mkdir()
        os.chown(environment.home, NOBODY, NOBODY)
        own = laid(environment.home, "project", NOBODY)
        with being(NOBODY):
            assert trust.foreign(find_memory(environment, own).layout, {"SUDO_UID": "1"}) == ()
            others = trust.foreign(find_memory(environment, top).layout, {"SUDO_UID": "1"})
        assert {one.owner for one in others} == {1} and top not in {one.path for one in others}
