"""Which files are a memory's own: all of them, and nothing that an agent keeps beside them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.storage.inventory import is_memory_path, list_files, points_outside, resolve_name, written_documents
from recall_tui.storage.layout import LAYOUT_NAMES, make_layout, open_layout


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text")


def names_of(root: Path, layout: str) -> set[str]:
    found, _ = list_files(open_layout(root, layout))  # type: ignore[arg-type]
    return {path.relative_to(root).as_posix() for path in found}


def test_the_agents_own_files_are_none(tmp_path: Path) -> None:
    own = ("EPHEMERAL.md", "ARCHIVE.md", "memories/archive-log-001.md", "conversations/a.md", "memory/deep/er/x.txt")
    own += (".recall-echo.toml", ".recall-echo.json")
    write(tmp_path, *own, "settings.json", ".credentials.json", "CLAUDE.md", "projects/p/s.jsonl", "rules/x.md")
    assert names_of(tmp_path, "user") == set(own)


def test_places_that_a_setting_names_hold_only_what_the_design_has(tmp_path: Path) -> None:
    write(tmp_path, "MEMORY.md", "auth.md", "settings.json", "log/archive-log-001.md", "log/other.md")
    (tmp_path / ".recall-echo.json").write_text('{"paths": {"memory": "MEMORY.md", "memories": "log"}}')
    expected = {"MEMORY.md", "auth.md", "log/archive-log-001.md", ".recall-echo.json"}
    assert names_of(tmp_path, "user") == expected
    layout = open_layout(tmp_path, "user")
    assert {resolve_name(layout, name).relative_to(tmp_path).as_posix() for name in expected} == expected
    for name in ("settings.json", "log/other.md", "log", "deep/auth.md"):
        with pytest.raises(ValueError):
            resolve_name(layout, name)


def test_a_place_outside_the_folder_is_said(tmp_path: Path) -> None:
    root = tmp_path / "agent"
    write(tmp_path, "elsewhere/MEMORY.md", "agent/memory/x.md")
    (root / ".recall-echo.json").write_text('{"paths": {"memory": "../elsewhere/MEMORY.md"}}')
    found, left_out = list_files(open_layout(root, "user"))
    assert {path.name for path in found} == {"x.md", ".recall-echo.json"}
    assert "outside" in left_out[0].reason


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_file_that_goes_out_has_a_place_to_come_back_to(name: str, tmp_path: Path) -> None:
    layout = make_layout(tmp_path, name)  # type: ignore[arg-type]
    for path in (
        *layout.fixed_files(),
        layout.config,
        layout.wiki / "a.md",
        layout.topics / "t.md",
        layout.base / "x.bin",
    ):
        write(tmp_path, path.relative_to(tmp_path).as_posix())
    found, left_out = list_files(layout)
    assert len(found) >= 11 and left_out == ()
    assert [resolve_name(layout, path.relative_to(tmp_path).as_posix()) for path in found] == list(found)
    assert all(is_memory_path(layout, path) and not points_outside(layout, path) for path in found)


def test_a_name_that_is_no_utf8_is_left_out_and_said(tmp_path: Path) -> None:
    write(tmp_path, "memory/caf\udce9.md", "memory/a.md")
    found, left_out = list_files(make_layout(tmp_path, "entity"))
    assert [path.name for path in found] == ["a.md"]
    assert [one.path for one in left_out] == ["memory/caf\\xe9.md"]


def test_a_memory_that_is_a_link_as_a_whole_is_a_memory(tmp_path: Path) -> None:
    write(tmp_path, "cloud/a.md", "cloud/MEMORY.md")
    root = tmp_path / "agent"
    root.mkdir()
    (root / "memory").symlink_to(tmp_path / "cloud")
    layout = make_layout(root, "entity")
    assert list_files(layout)[0] == ()
    layout = layout._replace(owns_folders=True)
    assert {path.name for path in list_files(layout)[0]} == {"a.md", "MEMORY.md"}
    assert not points_outside(layout, resolve_name(layout, "memory/new.md"))
    assert is_memory_path(layout, tmp_path / "cloud" / "export.json")


def test_a_ring_of_links_is_no_place(tmp_path: Path) -> None:
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "a").symlink_to(tmp_path / "memory" / "b")
    (tmp_path / "memory" / "b").symlink_to(tmp_path / "memory" / "a")
    layout = make_layout(tmp_path, "entity")
    found, left_out = list_files(layout)
    assert found == () and len(left_out) == 2


def test_notes_that_became_pages_go_along_and_nothing_else_that_is_hidden(tmp_path: Path) -> None:
    own = ("memory/MEMORY.md", "memory/.archive/typed-memories/user_sam.md")
    write(tmp_path, *own, "memory/.archive/other.md", "memory/.archive/typed-memories/.hidden.md", "memory/.git/x.md")
    assert names_of(tmp_path, "entity") == set(own)
    layout = make_layout(tmp_path, "entity")
    assert resolve_name(layout, own[1]) == tmp_path / own[1]
    for name in ("memory/.archive/other.md", "memory/.archive/typed-memories/.hidden.md", "memory/.git/x.md"):
        with pytest.raises(ValueError, match="hidden"):
            resolve_name(layout, name)


def test_what_was_written_is_every_document_but_the_settings(tmp_path: Path) -> None:
    own = ("memory/MEMORY.md", "memory/deep/er/notes.txt", "memory/.archive/typed-memories/user_sam.md")
    write(tmp_path, *own, "memory/.recall-echo.toml", "memory/picture.png")
    found = {path.relative_to(tmp_path).as_posix() for path in written_documents(make_layout(tmp_path, "entity"))}
    assert found == set(own)
