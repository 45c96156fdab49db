"""`export` and `import` from the command line."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript, tree
from tests.processes import Machine

Recall = Callable[..., Any]
SECRET = "hunter2-Zq9x7Lm3"
TALK = [("user", "Why did we pick JWT over sessions?"), ("assistant", "Because the API is stateless.")]


def filled(environment: Environment, name: str = "entity") -> Any:
    bench = bench_at(environment, name)
    bench.capture(transcript(environment, 1, TALK))
    bench.layout.memory_file.write_text(f"# Memory\n\n- JWT keys rotate weekly\n- password = {SECRET}\n")
    return bench


def test_a_document_goes_to_stdout_with_its_secrets_masked(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("export", "memory")
    assert said.out == "# Memory\n\n- JWT keys rotate weekly\n- password = [redacted:password]\n"
    assert said.code == 0 and "1 secret masked" in said.err


@pytest.mark.parametrize(("words", "start"), [([], "# Why"), (["--format", "html"], "<!doctype"), (["--json"], "{")])
def test_a_session_goes_out_in_each_form(
    words: list[str], start: str, recall: Recall, environment: Environment
) -> None:
    filled(environment)
    for name in ("1", "conversation-001", session_id_of(1)):
        said = recall("export", name, *words)
        assert said.code == 0 and said.out.startswith(start) and "stateless" in said.out


def test_a_search_goes_out_and_finds_or_says_so(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    filled(environment)
    said = recall("export", "--search", "jwt keys", "--kind", "memory", "--limit", "1")
    assert said.code == 0 and said.out.startswith("# Search: jwt keys") and "`memory/MEMORY.md:" in said.out
    made = recall("export", "--search", "jwt", "--json").json
    assert made["content"] == "search" and made["hits"][0]["text"]
    said = recall("export", "--search", "xylophone", "--to", tmp_path / "x.md")
    assert (said.code, said.out) == (1, "") and "nothing found" in said.err and not (tmp_path / "x.md").exists()
    assert recall("export", "--search", "  ").code == 2


@pytest.mark.parametrize(
    "words",
    [[], ["--all"], ["1", "--kind", "memory"], ["1", "--all", "--to", "x.md"], ["1", "--search", "x"],
     ["1", "--to", "x.pdf"], ["1", "--json", "--format", "md"], ["--search", "x", "--since", "whenever"]],
)  # fmt: skip
def test_what_cannot_be_meant_is_a_usage_error(words: list[str], recall: Recall, environment: Environment) -> None:
    filled(environment)
    assert recall("export", *words).code == 2


def test_what_is_not_there_is_said(recall: Recall, environment: Environment) -> None:
    filled(environment)
    said = recall("export", "1", "nothing")
    assert (said.code, said.out) == (1, "") and "nothing" in said.err


def test_a_file_is_written_once(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    filled(environment)
    to = tmp_path / "one.md"
    said = recall("export", "1", "--to", to)
    assert said.code == 0 and str(to) in said.out and "verified" in said.out
    assert stat.S_IMODE(to.stat().st_mode) == 0o600
    said = recall("export", "memory", "--to", to)
    assert said.code == 3 and "--force" in said.err and to.read_text().startswith("# Why")
    assert recall("export", "memory", "--to", to, "--force").code == 0
    assert to.read_text().startswith("# Memory")
    report = recall("export", "--all", "--to", tmp_path / "all.json", "--json").json
    assert report["format"] == "json" and report["verified"] and report["masked"] == 1
    assert recall("undo", "--list", "--json").json["changes"][0]["title"].startswith("Archived")


def test_a_memory_goes_into_an_empty_folder_and_comes_back(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench = filled(environment)
    bench.layout.memory_file.write_bytes(b"# Memory\r\n\r\n- no secrets")
    recall("export", "--all", "--to", tmp_path / "all.json")
    root = tmp_path / "new"
    said = recall("--root", root, "import", tmp_path / "all.json", "--dry-run")
    assert said.code == 0 and "+++ b/memory/MEMORY.md" in said.out and not root.exists()
    said = recall("--root", root, "import", tmp_path / "all.json", "--yes")
    assert said.code == 0 and "Imported 5 files from all.json" in said.out
    assert tree(root) == tree(environment.cwd)
    said = recall("--root", root, "import", tmp_path / "all.json", "--yes", "--json").json
    assert said["change"] is None and said["same"] == 6 and said["conflicts"] == []
    assert recall("--root", root, "undo").code == 0
    assert tree(root) == {}


def test_whoever_has_no_memory_is_told_to_name_a_folder(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench = bench_at(environment, root=tmp_path / "agent")
    bench.export(None, tmp_path / "all.json")
    said = recall("import", tmp_path / "all.json", "--yes")
    assert said.code == 1 and "--root FOLDER" in said.err


def test_an_import_is_asked_for(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    filled(environment)
    (tmp_path / "Auth notes.md").write_text("# Auth\n")
    file = tmp_path / "Auth notes.md"
    for answer in ("", "n\n", "maybe\n"):
        said = recall("import", file, stdin=answer)
        assert said.code == 1 and "+# Auth" in said.out and "nothing was done" in said.err
    assert recall("import", file, "--json").code == 2
    assert not (environment.cwd / "memory/auth-notes.md").exists()
    assert recall("import", file, stdin="y\n").code == 0
    assert (environment.cwd / "memory/auth-notes.md").read_text() == "# Auth\n"
    said = recall("import", file)
    assert said.code == 0 and "nothing new" in said.err


def test_a_conflict_is_said_and_the_rest_comes_in(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    bench = filled(environment)
    recall("remember", "Use the staging key", "--topic", "staging")
    recall("export", "--all", "--to", tmp_path / "all.json")
    bench.layout.memory_file.write_text("# Mine\n")
    (bench.layout.topics / "staging.md").unlink()
    for words in (["--yes"], ["--dry-run"], ["--yes", "--json"]):
        said = recall("import", tmp_path / "all.json", *words)
        assert said.code == 3 and "memory/MEMORY.md" in said.out + said.err
    assert (bench.layout.topics / "staging.md").exists()
    assert bench.layout.memory_file.read_text() == "# Mine\n"
    assert recall("import", tmp_path / "all.json", "--theirs", "--yes").code == 0
    assert "JWT" in bench.layout.memory_file.read_text()
    recall("undo")
    assert bench.layout.memory_file.read_text() == "# Mine\n"


def test_a_broken_file_says_where(recall: Recall, environment: Environment, tmp_path: Path) -> None:
    filled(environment)
    before = tree(environment.cwd)
    recall("export", "--all", "--to", tmp_path / "all.json")
    text = (tmp_path / "all.json").read_text()
    (tmp_path / "cut.json").write_text(text[: len(text) // 2])
    (tmp_path / "evil.json").write_text(text.replace("memory/MEMORY.md", "../MEMORY.md"))
    (tmp_path / "changed.json").write_text(text.replace("weekly", "monthly"))
    for name, where in (("cut", "cut.json:"), ("evil", "evil.json:2:"), ("changed", "files[0]")):
        said = recall("import", tmp_path / f"{name}.json", "--yes")
        assert said.code == 1 and where in said.err, said.err
    assert recall("import", tmp_path / "gone.json").code == 1
    assert recall("import", tmp_path).code == 2
    assert tree(environment.cwd) == before


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_layout_is_itself_again_after_an_import(
    name: str, recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    filled(environment, name)
    root = bench_at(environment, name).store.root
    recall("--root", root, "export", "--all", "--to", tmp_path / "all.json")
    assert recall("--root", tmp_path / "new", "import", tmp_path / "all.json", "--yes").code == 0
    assert Workbench.open(tmp_path / "new", environment=environment).layout.name == name
    assert recall("--root", tmp_path / "new", "search", "--ranked", "jwt").code == 0


def test_the_reader_of_a_pipe_may_go(environment: Environment) -> None:
    bench = filled(environment)
    bench.layout.memory_file.write_text("# Memory\n" + "- words\n" * 100_000)
    process = Machine(environment, environment.cwd).start("export", "memory")
    assert process.stdout is not None and process.stdin is not None and process.stderr is not None
    os.read(process.stdout.fileno(), 10)
    process.stdout.close()
    process.stdin.close()
    assert process.wait() == 0 and process.stderr.read() == b""


@pytest.mark.long
def test_what_goes_out_on_a_pipe_is_exact_and_json(environment: Environment) -> None:
    bench = filled(environment)
    bench.layout.memory_file.write_bytes(b"caf\xe9\r\n\x1b[31m")
    machine = Machine(environment, environment.cwd)
    assert machine.run("export", "memory").out == b"caf\xe9\r\n\x1b[31m"
    made = json.loads(machine.run("export", "memory", "1", "--json").out)
    assert made["items"][0]["base64"] and made["items"][1]["messages"][0]["role"] == "user"
