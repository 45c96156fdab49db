"""A whole memory out and in: every byte of every layout comes back, a merge loses nothing, and no damage comes in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import RecallError
from recall_tui.features.transfer import bundle as parcel
from recall_tui.features.transfer import importer as importing
from recall_tui.memory import bound
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, tree
from tests.qa.trust.lived import hostile_files, lived_in


def exported(environment: Environment, name: str, to: Path) -> tuple[Workbench, Path]:
    bench = lived_in(environment, name)
    return bench, bench.export(None, to).path


def own(bench: Workbench) -> dict[str, bytes]:
    found = tree(bench.store.root)
    return {name: data for name, data in found.items() if not name.endswith((".jsonl", ".gitignore"))}


def new_at(environment: Environment, root: Path, name: str) -> Workbench:
    return Workbench.at(LocatedMemory(make_layout(root, name), "made for a test"), environment, lambda: NOON)  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_every_file_of_every_kind_comes_back_to_the_byte(name: str, environment: Environment, tmp_path: Path) -> None:
    bench, path = exported(environment, name, tmp_path / "all.json")
    again = new_at(environment, tmp_path / "new", name)
    plan = again.preview(importing.import_bundle, importing.load_import(path))
    assert again.store.commit(bound(importing.import_bundle, importing.load_import(path)), expected=plan) is not None
    assert importing.find_unverified(plan) == ()
    assert own(again) == own(bench)
    layout = again.layout
    for place in (*layout.fixed_files(), layout.config):
        assert place.is_file(), place


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_into_a_memory_that_has_its_own_nothing_is_lost_on_either_side(
    name: str, environment: Environment, tmp_path: Path
) -> None:
    bench, path = exported(environment, name, tmp_path / "all.json")
    theirs = own(bench)
    mine = bench_at(environment, name, tmp_path / "mine")
    for file in hostile_files(mine.layout):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"mine\n")
    before = own(mine)
    plan = mine.preview(importing.import_bundle, importing.load_import(path))
    mine.store.commit(bound(importing.import_bundle, importing.load_import(path)), expected=plan)
    after = own(mine)
    conflicts: Any = plan.facts["conflicts"]
    for file, data in before.items():
        kept = after[file]
        # Nobody had written into what `init` made, and to the rows those of the archives that came are added.
        assert kept == data or kept == theirs[file] or file.endswith("ARCHIVE.md"), file
        assert (kept == data) or file not in conflicts
    for file, data in theirs.items():
        assert data in after.values() or file in conflicts or file.endswith("ARCHIVE.md"), file
    mine.undo()
    assert own(mine) == before


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_line_that_is_cut_changed_moved_doubled_or_gone_is_refused_with_its_place(
    name: str, environment: Environment, tmp_path: Path
) -> None:
    _, path = exported(environment, name, tmp_path / "all.json")
    lines = path.read_bytes().split(b"\n")
    broken = tmp_path / "broken.json"
    new = new_at(environment, tmp_path / "new", name)
    tried = 0
    for at in range(len(lines) - 1):
        line = lines[at]
        for harmed in (
            [],
            [line, line],
            [line[: len(line) // 2]],
            [line[: len(line) // 3] + bytes([line[len(line) // 3] ^ 1]) + line[len(line) // 3 + 1 :]],
            [line.replace(b'"kind"', b'"kinD"')],
            [line.replace(b'"path": "m', b'"path": "M').replace(b'"path": "_', b'"path": "-')],
        ):
            if harmed == [line]:
                continue
            broken.write_bytes(b"\n".join([*lines[:at], *harmed, *lines[at + 1 :]]))
            with pytest.raises(RecallError) as error:
                new.preview(importing.import_bundle, importing.load_import(broken))
            assert str(broken) in error.value.message and error.value.hint
            assert error.value.message != str(broken)
            tried += 1
    assert tried > 4 * len(lines) - 12
    assert not (tmp_path / "new").exists()


def test_a_file_that_ends_anywhere_is_refused(environment: Environment, tmp_path: Path) -> None:
    _, path = exported(environment, "entity", tmp_path / "all.json")
    data = path.read_bytes()
    broken = tmp_path / "broken.json"
    for end in {*range(0, len(data) - 2, max(1, len(data) // 200)), len(data) - 2}:
        broken.write_bytes(data[:end])
        with pytest.raises(RecallError, match="broken"):
            importing.load_import(broken)


def test_two_rows_that_changed_places_are_refused(environment: Environment, tmp_path: Path) -> None:
    _, path = exported(environment, "entity", tmp_path / "all.json")
    lines = path.read_bytes().split(b"\n")
    lines[1], lines[2] = lines[2], lines[1]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(RecallError, match=r"all\.json:2: "):
        importing.load_import(path)


def test_an_export_of_before_lines_were_marked_is_still_read(environment: Environment, tmp_path: Path) -> None:
    _, path = exported(environment, "entity", tmp_path / "all.json")
    values = json.loads(path.read_text())
    del values["lines"]
    path.write_text(json.dumps(values))
    assert isinstance(parcel.load_bundle(path), parcel.BundledMemory)
