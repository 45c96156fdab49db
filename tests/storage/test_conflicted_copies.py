"""Second copies that sync services leave are told by their names, and a person's own files are not taken for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.storage.archives.conflicted_copies import copied_archive_name, find_copies
from recall_tui.storage.layout import LAYOUT_NAMES, make_layout

WAYS = [
    "{} (conflicted copy).md",
    "{} (conflicted copy of laptop 2026-11-24).md",
    "{} (Ann's conflicted copy 2026-11-24).md",
    "{} (conflicted copy 2026-01-01 120000).md",
    "{} (Konfliktkopie von Ann 2026-11-24).md",
    "{} (copie en conflit de Ann 2026-11-24).md",
    "{}.sync-conflict-20260101-120000-ABCDEFG.md",
    "{}_conflict-20260101-120000.md",
    "{} 2.md",
    "{} (1).md",
    "{}-DESKTOP-7H2.md",
    "{}.md.orig",
]


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_every_file_of_a_fixed_name_is_found(tmp_path: Path, layout: LayoutName, way: str) -> None:
    own = make_layout(tmp_path / ".claude" if layout == "user" else tmp_path, layout)
    for path in (own.memory_file, own.window, own.rows):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n")
        copy = path.with_name(way.format(path.stem))
        copy.write_text("y\n")
    found = {(copy.path.name, copy.of) for copy in find_copies(own)}
    assert found == {(way.format(path.stem), path) for path in (own.memory_file, own.window, own.rows)}


@pytest.mark.parametrize("way", WAYS[:-1])
def test_a_copy_of_an_archive_is_found_though_the_archive_is_gone(tmp_path: Path, way: str) -> None:
    own = make_layout(tmp_path, "entity")
    folder = own.archives[0].folder
    folder.mkdir(parents=True)
    name = way.format("conversation-002")
    (folder / name).write_text("y\n")
    (copy,) = find_copies(own)
    assert (copy.path.name, copy.of.name, copy.is_certain) == (name, "conversation-002.md", True)
    assert copied_archive_name(name) == "conversation-002.md"


@pytest.mark.parametrize(
    "name", ["deploy-API.md", "notes 2026.md", "part 2.md", "the (big) plan.md", "conflict.md", "a-b.md", "x.txt"]
)
def test_a_persons_own_name_is_no_copy(tmp_path: Path, name: str) -> None:
    own = make_layout(tmp_path, "entity")
    own.topics.mkdir(parents=True)
    (own.topics / "deploy.md").write_text("x\n")
    (own.topics / name).write_text("x\n")
    assert find_copies(own) == ()


def test_a_name_that_may_be_a_persons_is_not_certain(tmp_path: Path) -> None:
    own = make_layout(tmp_path, "entity")
    own.topics.mkdir(parents=True)
    for name in ("part.md", "part 2.md", "note.md", "note (conflicted copy).md"):
        (own.topics / name).write_text("x\n")
    assert [(copy.path.name, copy.is_certain) for copy in find_copies(own)] == [
        ("note (conflicted copy).md", True),
        ("part 2.md", False),
    ]
