"""A pass over transcripts that did not change reads none, and no change of any file goes unseen."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recall_tui.index.ingest import transcript_files
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.maintenance.purge import recheck_sources
from recall_tui.index.opener import Index
from recall_tui.storage.memory_context import Store
from recall_tui.transcripts.folder_reader import FolderReader
from recall_tui.transcripts.registry import file_states, own_reader
from tests.makers import transcript
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, WORKED_IN, copied_home

Look = Callable[[], bool]
"""Makes a pass; True when the transcripts were looked at one by one."""


@pytest.fixture
def look(index: Index, store: Store, monkeypatch: pytest.MonkeyPatch) -> Look:
    """A pass over everything."""
    seen: list[Store] = []
    real = transcript_files.list_sessions

    def listed(at: Store) -> Iterator[transcript_files.SessionState]:
        seen.append(at)
        return real(at)

    monkeypatch.setattr(transcript_files, "list_sessions", listed)

    def once() -> bool:
        seen.clear()
        refresh(index, store)
        return bool(seen)

    return once


@pytest.fixture
def session(store: Store) -> Path:
    """A transcript in the agent's own folder."""
    return transcript(store.environment, 1, [("user", "Which port?"), ("assistant", "It is 8080.")])


def _append(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as file:
        file.write("\n")


CHANGES: dict[str, Callable[[Store, Path], object]] = {
    "grown": lambda store, session: _append(session),
    "touched": lambda store, session: os.utime(session, ns=(1, 1)),
    "deleted": lambda store, session: session.unlink(),
    "moved": lambda store, session: session.rename(session.with_name("00000000-0000-4000-8000-00000000abcd.jsonl")),
    "another": lambda store, session: transcript(store.environment, 2, [("user", "Which host?")]),
    "a sub-agent": lambda store, session: _append(session.with_suffix("") / "subagents" / "agent-1.jsonl"),
    "a sub-agent beside it": lambda store, session: _append(session.with_name("agent-2.jsonl")),
    "a workflow's sub-agent": lambda store, session: _append(
        session.with_suffix("") / "subagents" / "workflows" / "wf" / "agent-3.jsonl"
    ),
    "ignored": lambda store, session: (store.environment.claude / ".recall-ignore").write_text("*api*\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_is_looked_at_and_nothing_else(look: Look, store: Store, session: Path, change: str) -> None:
    assert look() and not look()
    CHANGES[change](store, session)
    assert look() and not look()


UNREADABLE: dict[str, Callable[[Path], None]] = {
    "a folder": lambda path: path.mkdir(),
    "a link that leads nowhere": lambda path: path.symlink_to("/nowhere/at/all"),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_what_could_not_be_read_is_tried_each_time(look: Look, session: Path, kind: str) -> None:
    assert look() and not look()
    place = session.with_name("unreadable.jsonl")
    UNREADABLE[kind](place)
    assert look() and look()
    place.rmdir() if place.is_dir() else place.unlink()
    assert look() and not look()


def test_pages_that_change_do_not_have_transcripts_looked_at_again(look: Look, store: Store, session: Path) -> None:
    assert look()
    store.layout.memory_file.write_text("## A\n\nA page.\n")
    assert not look() and not look()


def test_what_was_read_by_other_rules_is_looked_at(look: Look, index: Index, store: Store, session: Path) -> None:
    session.with_name("00000000-0000-4000-8000-00000000abcd.jsonl").write_text('{"type": "summary", "summary": "x"}\n')
    assert look() and not look()
    recheck_sources(index)
    assert look() and not look()
    rebuild(index, store)
    assert look() and not look()


@NEEDS_SAMPLES
@pytest.mark.parametrize("agent", READ)
def test_every_file_of_an_agent_counts(look: Look, store: Store, agent: str) -> None:
    copied_home(agent, store.environment.home)
    # Aider keeps its history in the projects, which are known from other agents' sessions.
    transcript(store.environment, 1, [("user", "Which port?")], cwd=str(store.environment.home / WORKED_IN))
    assert look() and not look()
    states = sorted(file_states(store.environment))
    files = {Path(path.partition("#")[0]) for path, *_ in states}
    assert len(files) > 1
    for file in files:
        os.utime(file, ns=(1, 1))
        changed = sorted(file_states(store.environment))
        assert changed != states or "#" in str(states)
        states = changed


@NEEDS_SAMPLES
def test_claude_codes_files_are_those_that_its_sessions_are_read_from(store: Store) -> None:
    copied_home("claude", store.environment.home)
    reader = own_reader("claude")
    assert set(FolderReader.file_states(reader, store.environment)) <= set(reader.file_states(store.environment))
