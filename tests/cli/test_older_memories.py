"""Memories of older generations, wherever their programs kept them: read as they lie, and none is made beside."""

from __future__ import annotations

from typing import cast

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Recall, Stand
from tests.cli.older_generations import FIRST, SECOND, TALK, THIRD
from tests.makers import transcript, write_files


def test_the_last_generation_is_read_in_the_agents_home(recall: Recall, environment: Environment) -> None:
    root = environment.claude
    write_files(root, THIRD)
    assert "mended the quokka matrix" in recall("consume", "--no-clear").out
    assert recall("config", "get", "ephemeral.max_entries").out.strip() == "9"
    assert recall("search", "quokka").code == 0
    assert recall("archive", transcript(environment, 1, TALK)).code == 0
    assert not (root / "EPHEMERAL.md").exists() and not (root / "ARCHIVE.md").exists()
    assert recall("init", "--yes", "--no-install").code == 0
    assert not (root / "EPHEMERAL.md").exists() and not (root / "ARCHIVE.md").exists()


@pytest.mark.long
@pytest.mark.parametrize("files", [FIRST, SECOND], ids=["first", "second"])
@pytest.mark.parametrize("way", ["variable", "root", "standing"])
def test_a_users_memory_is_read_wherever_it_lies(
    stand: Stand, environment: Environment, files: dict[str, str], way: str
) -> None:
    root = environment.home / "agentmem"
    write_files(root, files)

    if way == "variable":
        cast("dict[str, str]", environment.env)["RECALL_ECHO_HOME"] = str(root)

    def run(*words: str) -> str:
        given = [f"--root={root}"] if way == "root" else []
        return stand(root if way == "standing" else environment.cwd, *given, *words).out

    assert "mended the quokka matrix" in run("consume", "--no-clear")
    assert "quokka" in run("search", "quokka matrix")
    assert "archives    1" in run("status")
    run("init", "--yes", "--no-install")
    assert not (root / "memory/EPHEMERAL.md").exists() and not (root / "memory/conversations").exists()


def test_an_entitys_memory_beside_a_page_of_that_name_stays_one(recall: Recall, environment: Environment) -> None:
    root = environment.home / "project"
    write_files(root, {**THIRD, "ARCHIVE.md": "# Old releases\n", "EPHEMERAL.md": "Notes.\n"})
    assert "layout      entity" in recall(f"--root={root}", "status").out


def test_the_default_folder_of_hierarchical_recall_is_found(stand: Stand, environment: Environment) -> None:
    project = environment.home / "project"
    day = "---\ntype: daily\n---\n\n## 2026-05-04\n\nWe moved the numbat to port 9090.\n"
    write_files(project, {"memory/memory/2026-05-04.md": day, "memory/WISDOM.md": "# Wisdom\n", "src/a.py": ""})
    for folder in (project, project / "src", project / "memory", project / "memory/memory"):
        assert "2026-05-04" in stand(folder, "list", "daily").out, folder
        assert "numbat" in stand(folder, "search", "numbat").out, folder
    assert stand(project, "init", ".", "--yes", "--no-install").code == 0
    assert stand(project, "log", "The numbat is at port 9091 now.").code == 0
    days = sorted(path.name for path in (project / "memory/memory").glob("????-??-??.md"))
    assert len(days) == 2 and not (project / "memory/days").exists()
