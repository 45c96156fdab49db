"""The transcripts of further folders are found, searched and kept like those of the agents' own folders."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.maintenance.disk_state import read_disk_state
from recall_tui.index.opener import Index
from recall_tui.index.sources.transcripts import (
    extra_folders,
    find_session,
    is_extra,
    list_all_copies,
    list_transcripts,
    source_problems,
)
from recall_tui.index.text.passage import TRANSCRIPTS_KEY
from recall_tui.memory import Memory
from recall_tui.search.engine import search
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.trust import confirm
from tests.makers import records, session_id_of, transcript, write_transcript

TALK = [("user", "where is the zebra?"), ("assistant", "In the zebra house.")]


def naming(store: Store, *folders: object, is_trusted: bool = True, more: str = "") -> Store:
    """The memory with these further folders in its settings."""
    listed = ", ".join(f'"{folder}"' for folder in folders)
    store.layout.config.parent.mkdir(parents=True, exist_ok=True)
    store.layout.config.write_text(f'layout = "{store.layout.name}"\n[transcripts]\nsources = [{listed}]\n{more}')
    if is_trusted:
        confirm(store)
    return store


def elsewhere(folder: Path, number: int, **options: object) -> Path:
    """A transcript that is in no agent's folder."""
    own = session_id_of(number)
    return write_transcript(folder / f"{own}.jsonl", records(own, TALK, **options))  # type: ignore[arg-type]


def answers(index: Index, store: Store) -> set[int]:
    numbers = {session_id_of(number): number for number in range(1, 10)}
    return {numbers[hit.session_id] for hit in search(index, store, "zebra").hits}


def test_folders_are_named_from_the_home_the_root_or_in_full(store: Store, tmp_path: Path) -> None:
    assert extra_folders(store) == ()
    named = extra_folders(naming(store, "~/copied", "exports", tmp_path / "box", "~/copied"))
    assert named == (store.environment.home / "copied", store.root / "exports", tmp_path / "box")


def test_what_lies_in_a_further_folder_is_searched_as_if_an_agent_had_it(
    store: Store, index: Index, tmp_path: Path
) -> None:
    transcript(store.environment, 1, TALK)
    path = elsewhere(tmp_path / "box" / "deeper", 2)
    refresh(index, store)
    assert answers(index, store) == {1}
    naming(store, tmp_path / "box")
    assert read_disk_state(index, store).new == [str(path)]
    assert refresh(index, store).added == 1 and read_disk_state(index, store).is_current
    assert answers(index, store) == {1, 2}
    assert find_session(store, session_id_of(2)) == path and is_extra(store, path)
    rebuild(index, store)
    assert answers(index, store) == {1, 2}


def test_sub_agents_beside_a_session_come_with_it(store: Store, index: Index, tmp_path: Path) -> None:
    main = elsewhere(tmp_path / "box", 1)
    rows = [{**row, "isSidechain": True} for row in records(main.stem, [("user", "count the giraffes")], seed="aside")]
    write_transcript(main.parent / main.stem / "subagents" / "agent-1.jsonl", rows)
    refresh(index, naming(store, tmp_path / "box"))
    assert [hit.session_id for hit in search(index, store, "giraffes").hits] == [main.stem]


def test_nothing_outside_is_read_until_the_person_confirmed_the_folders(
    store: Store, index: Index, tmp_path: Path
) -> None:
    elsewhere(tmp_path / "box", 1)
    naming(store, tmp_path / "box", is_trusted=False)
    refresh(index, store)
    assert extra_folders(store) == () and list_transcripts(store) == [] and answers(index, store) == set()
    said = Memory(
        store.layout, store.environment._replace(env={**store.environment.env, **_said(tmp_path / "box")}), store.now
    )
    assert len(list_transcripts(said)) == 1, "what the environment says is the person's own"
    confirm(store)
    refresh(index, store)
    assert answers(index, store) == {1}


def _said(folder: Path) -> dict[str, str]:
    return {"RECALL_TRANSCRIPTS_SOURCES": str(folder)}


def test_of_a_session_that_an_agent_has_itself_its_own_file_counts(store: Store, index: Index, tmp_path: Path) -> None:
    own = transcript(store.environment, 1, [("user", "only the lion is here")])
    copy = elsewhere(tmp_path / "box", 1)
    os.utime(own, (1000, 1000))
    naming(store, tmp_path / "box")
    assert [file.path for file in list_transcripts(store)] == [own] and find_session(store, own.stem) == own
    assert [file.path for file in list_all_copies(store)] == [own, copy]
    refresh(index, store)
    assert answers(index, store) == set() and search(index, store, "lion").hits
    own.unlink()
    refresh(index, store)
    assert answers(index, store) == {1} and find_session(store, copy.stem) == copy


def test_the_agents_own_folder_named_as_a_further_one_changes_nothing(store: Store, index: Index) -> None:
    path = transcript(store.environment, 1, TALK)
    refresh(index, store)
    naming(store, "~/.claude", "~")
    assert refresh(index, store).added == 0 and read_disk_state(index, store).is_current
    assert [file.path for file in list_all_copies(store)] == [path] and not is_extra(store, path)


@pytest.mark.parametrize("projects", ["", 'projects = "here"\n'])
def test_a_memory_of_one_project_takes_only_what_was_said_in_it(
    environment: Environment, now: object, index: Index, projects: str
) -> None:
    root = environment.home / "api"
    store = Memory(make_layout(root, "hierarchical"), environment, now)  # type: ignore[arg-type]
    naming(store, "copied", more=projects)
    elsewhere(root / "copied", 1, cwd=str(root))
    elsewhere(root / "copied", 2, cwd="/home/u/web")
    refresh(index, store)
    assert answers(index, store) == {1}


def test_another_memory_marks_them_as_gone_and_nothing_is_read_again_afterwards(
    store: Store, index: Index, tmp_path: Path, environment: Environment
) -> None:
    path = elsewhere(tmp_path / "box", 1)
    refresh(index, naming(store, tmp_path / "box"))
    other = Memory(make_layout(environment.cwd / "other", "entity"), environment, store.now)
    other.layout.base.mkdir(parents=True)
    refresh(index, other)
    assert answers(index, other) == {1}, "what was indexed stays, as of any transcript that is gone"
    with index.facts() as facts:
        assert facts is not None and [one.is_gone for one in facts.known(TRANSCRIPTS_KEY).values()] == [True]
    done = refresh(index, store)
    assert (done.passages, done.bytes_to_do) == (0, 0) and read_disk_state(index, store).is_current
    with path.open("a") as file:
        file.write(path.read_text().replace("zebra", "okapi").replace('"uuid": "', '"uuid": "0'))
    refresh(index, other)
    assert refresh(index, store).passages and search(index, store, "okapi").hits


def test_a_folder_that_is_taken_away_leaves_what_was_indexed_of_it(store: Store, index: Index, tmp_path: Path) -> None:
    elsewhere(tmp_path / "box", 1)
    refresh(index, naming(store, tmp_path / "box"))
    shutil.rmtree(tmp_path / "box")
    refresh(index, store)
    assert answers(index, store) == {1}


def test_a_folder_that_cannot_be_looked_into_is_named_and_the_others_are_used(
    store: Store, index: Index, tmp_path: Path
) -> None:
    path = elsewhere(tmp_path / "box", 1)
    naming(store, tmp_path / "gone", path, tmp_path / "box")
    refresh(index, store)
    assert answers(index, store) == {1}
    gone, file = source_problems(store)
    assert gone == f"transcripts.sources: {tmp_path / 'gone'} is skipped: No such file or directory"
    assert str(path) in file and "Not a directory" in file
