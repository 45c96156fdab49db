"""A stranger finds the room: no folder is too full or too empty, no file too long, and no import goes in a circle."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.architecture.graph import cycle, imports
from tests.architecture.trees import CHECKOUT

PACKAGE = CHECKOUT / "recall_tui"
MAX_MODULES = 25
MAX_MODULES_OF = {"tui/widgets": 40, "cli/commands": 40}
MIN_MODULES = 4
MIN_LINES = 600
MAX_FILE_LINES = 400
SMALL = ("transcripts/", "features/grounding", "storage/layouts")
"""Packages that may be small: one for each agent's transcripts, and rooms that are filled from elsewhere."""


def _modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if path.name != "__init__.py"]


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_a_folder_can_be_looked_through() -> None:
    count = Counter(path.parent.relative_to(PACKAGE).as_posix() for path in _modules())
    full = {name: number for name, number in count.items() if number > MAX_MODULES_OF.get(name, MAX_MODULES)}
    assert not full


def test_a_package_is_worth_a_folder() -> None:
    count: Counter[str] = Counter()
    lines: Counter[str] = Counter()
    for path in _modules():
        name = path.parent.relative_to(PACKAGE).as_posix()
        count[name] += 1
        lines[name] += _lines(path)
    small = {name for name in count if count[name] < MIN_MODULES and lines[name] < MIN_LINES}
    assert {name for name in small if not name.startswith(SMALL)} == set()


def test_a_file_can_be_read_at_one_sitting() -> None:
    long = {path.relative_to(PACKAGE).as_posix(): _lines(path) for path in _modules()}
    assert {name: n for name, n in long.items() if n > MAX_FILE_LINES} == {}


def test_no_import_goes_in_a_circle() -> None:
    assert cycle(imports()) == []


def test_the_rooms_of_a_package_import_each_other_in_one_direction() -> None:
    for package in ("index", "storage", "transcripts", "tui", "tui.screens"):
        inside = f"recall_tui.{package}."
        rooms: dict[str, set[str]] = {}
        for name, found in imports().items():
            if (room := _room(name, inside)) is not None:
                rooms.setdefault(room, set()).update({other for one in found if (other := _room(one, inside))} - {room})
        assert cycle({room: frozenset(others) for room, others in rooms.items()}) == [], package


def _room(module: str, inside: str) -> str | None:
    """The room of a package that a module lies in; None for one beside the rooms or elsewhere."""
    room, dot, _ = module.removeprefix(inside).partition(".")
    return room if module.startswith(inside) and dot else None


def test_a_circle_is_found() -> None:
    assert cycle({"a": frozenset({"b"}), "b": frozenset({"c"}), "c": frozenset({"a"})})
    assert "recall_tui.tui.app" in imports() and imports()["recall_tui.workbench"]
