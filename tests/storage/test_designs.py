"""Each of the five published designs has a module of its own, and says itself what sets it apart."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.storage import layouts
from recall_tui.storage.layout import LAYOUT_NAMES, find_design, make_layout

MODULES = {path.stem for path in Path(layouts.__file__).parent.glob("*.py")} - {"__init__"}


def test_each_layout_has_a_module_and_each_module_is_of_a_layout() -> None:
    assert {name.replace("-", "_") for name in LAYOUT_NAMES} == MODULES


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_layout_is_called_what_its_design_is(tmp_path: Path, name: LayoutName) -> None:
    assert make_layout(tmp_path, name).name == find_design(name).name == name


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_session_has_one_kind_of_archive(tmp_path: Path, name: LayoutName) -> None:
    design = find_design(name)
    kinds = (bool(design.archives), design.summaries_are_archives, design.retains_transcripts)
    assert kinds.count(True) == 1
    assert make_layout(tmp_path, name).has_archive_files is not design.retains_transcripts


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_day_log_holds_lines_of_sessions_or_lessons_and_never_both(name: LayoutName) -> None:
    design = find_design(name)
    assert not (design.keeps_day_lines and design.writes_lessons)
