"""`project:` and `agent:` find all that a project's memory holds, whoever wrote it; hits name its sessions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Stand
from tests.repositories import git, repository, session, with_git


@pytest.fixture
def clone(environment: Environment, stand: Stand) -> Path:
    """A clone of a team memory with a summary and a note of a colleague, whose transcript is on no other machine."""
    theirs = repository(environment.home / "ann" / "api")
    assert stand(theirs, "init", ".", "--layout", "project", "--no-install").code == 0
    transcript = session(environment, "claude", 1, theirs, "walrus")
    assert stand(theirs, "archive", str(transcript)).code == 0
    assert stand(theirs, "remember", "API keys rotate every 90 days").code == 0
    transcript.unlink()
    git(theirs, "add", "--all")
    git(theirs, "commit", "--quiet", "--message", "memory")
    place = environment.home / "code" / "api"
    git(environment.home, "clone", "--quiet", str(theirs), str(place))
    return place


def found(stand: Stand, place: Path, *query: str) -> list[dict[str, Any]]:
    said = stand(place, "search", *query, "--json")
    assert said.code in (0, 1), said.err
    return list(said.json["hits"])


@with_git
def test_a_colleagues_summary_in_a_clone_is_found_by_project_and_agent(stand: Stand, clone: Path) -> None:
    for query in ("project:api walrus", "agent:claude walrus", "project:api kind:summary walrus"):
        hits = found(stand, clone, query)
        assert [hit["kind"] for hit in hits] == ["summary"], query
    assert not found(stand, clone, "project:other walrus") and not found(stand, clone, "agent:codex walrus")
    (hit,) = found(stand, clone, "project:api walrus")
    assert hit["project"] == "api"
    assert " · api · claude · 6 Mar · 1m  " in stand(clone, "search", "walrus").out
    assert "_memory/conversations/" in stand(clone, "search", "--lines", "walrus", "--project", "api").out


@with_git
def test_a_colleagues_note_in_a_clone_is_found_by_project(stand: Stand, clone: Path) -> None:
    assert [Path(hit["document"]).name for hit in found(stand, clone, "project:api rotate")] == ["MEMORY.md"]
    assert not found(stand, clone, "project:other rotate")
    assert "MEMORY.md" in stand(clone, "search", "--lines", "rotate", "--project", "api").out


@with_git
def test_verify_reads_pages_of_a_clone_as_they_were_indexed(stand: Stand, clone: Path) -> None:
    assert stand(clone, "sync").code == 0
    said = stand(clone, "doctor", "--deep")
    assert "other passages" not in said.out + said.err and "differs" not in said.out + said.err
    (clone / "_memory" / "conversations" / "notes.md").write_text("# Walrus notes\n\nA walrus swims.\n")
    assert stand(clone, "sync").code == 0
    assert {hit["kind"] for hit in found(stand, clone, "project:api swims")} == {"summary"}


@with_git
@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_all_of_a_projects_memory_answers_to_its_name(environment: Environment, stand: Stand, layout: str) -> None:
    place = repository(environment.home / "shop")
    root = place
    if layout == "claude-project":
        slug = "".join(letter if letter.isalnum() else "-" for letter in str(place))
        root = environment.claude / "projects" / slug
        root.mkdir(parents=True)
    elif layout == "user":
        root = environment.claude
    assert stand(place, "--root", str(root), "init", "--layout", layout, "--no-install", "--yes").code == 0
    assert stand(place, "--root", str(root), "remember", "API keys rotate every 90 days").code == 0
    hits = found(stand, place, "--root", str(root), "project:shop rotate")
    assert bool(hits) is (layout != "user"), "the memory of every project is no project's"
    assert not found(stand, place, "--root", str(root), "project:other rotate")


@with_git
def test_a_page_of_another_program_has_no_empty_facts(stand: Stand, clone: Path) -> None:
    (clone / "_memory" / "conversations" / "notes.md").write_text("# Walrus notes\n\nA walrus swims.\n")
    said = stand(clone, "search", "swims").out
    assert "@1 Walrus notes · api · claude  " in said


@with_git
def test_a_secret_in_the_comment_of_a_page_is_not_indexed(environment: Environment, stand: Stand, clone: Path) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    (page,) = (clone / "_memory" / "conversations").glob("*.md")
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("} -->", f', "branch": "{secret}", "topics": ["{secret}"]}} -->'), encoding="utf-8")
    assert secret in page.read_text(encoding="utf-8")
    said = found(stand, clone, "project:api walrus")
    assert len(said) == 1 and secret not in str(said)
    index = (path for path in environment.state.rglob("*") if path.is_file() and "index" in path.parts)
    assert not any(secret.encode() in path.read_bytes() for path in index)
    assert not found(stand, clone, f"branch:{secret} walrus") and not found(stand, clone, f"topic:{secret} walrus")
