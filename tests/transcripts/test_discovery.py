from __future__ import annotations

import os
from pathlib import Path

import pytest

from recall_tui.errors import RecallError, UsageError
from recall_tui.paths import Places
from recall_tui.transcripts.discovery import claude_transcripts, find_session
from recall_tui.transcripts.reader import readers


def session(places: Places, name: str, *, project: str = "-home-u-api", at: int = 1000) -> Path:
    path = places.claude / "projects" / project / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}\n")
    os.utime(path, (at, at))
    return path


def test_sessions_are_found_oldest_first_and_by_name_within_a_moment(places: Places) -> None:
    session(places, "cccc", at=3000)
    session(places, "bbbb", at=1000)
    session(places, "aaaa", at=1000, project="-home-u-web")
    session(places, "agent-1")
    session(places, "deep", project="-home-u-api/cccc/subagents")
    (places.claude / "projects" / "-home-u-api" / "folder.jsonl").mkdir()
    (places.claude / "projects" / "notes.jsonl").write_text("{}")
    found = list(claude_transcripts(places))
    assert [file.session_id for file in found] == ["bbbb", "aaaa", "cccc"]
    assert (found[0].agent, found[0].size, found[0].modified.timestamp()) == ("claude", 3, 1000)
    assert found[0].modified.tzinfo is not None


def test_no_folder_means_no_sessions(places: Places) -> None:
    assert list(claude_transcripts(places)) == []


def test_links_make_no_session_twice_and_no_endless_walk(places: Places) -> None:
    session(places, "aaaa")
    projects = places.claude / "projects"
    (projects / "-a-link").symlink_to(projects / "-home-u-api")
    (projects / "-home-u-api" / "loop").symlink_to(projects)
    (projects / "-home-u-api" / "dangling.jsonl").symlink_to(projects / "nowhere")
    assert [file.path.parent.name for file in claude_transcripts(places)] == ["-home-u-api"]


def test_a_reader_discovers_what_the_folder_holds(places: Places) -> None:
    session(places, "aaaa")
    (reader,) = readers()
    assert [file.session_id for file in reader.discover(places)] == ["aaaa"]


def test_a_session_is_found_by_its_id_or_the_start_of_it(places: Places) -> None:
    path = session(places, "5e551011-0000-4000-8000-000000000001")
    session(places, "5e559999-0000-4000-8000-000000000001")
    assert find_session(places, "5e551011-0000-4000-8000-000000000001") == path
    assert find_session(places, " 5E551 ") == path
    assert find_session(places, "0000") is None


def test_a_start_that_several_sessions_share_names_them(places: Places) -> None:
    session(places, "5e551011-a")
    session(places, "5e551011-b")
    with pytest.raises(RecallError, match=r"5e551011-a, 5e551011-b"):
        find_session(places, "5e55")


def test_a_start_that_is_too_short_is_refused_and_a_short_id_is_not(places: Places) -> None:
    path = session(places, "abc")
    session(places, "abcdef")
    assert find_session(places, "abc") == path
    with pytest.raises(UsageError):
        find_session(places, "ab")


def test_a_session_in_two_folders_is_the_newer_file(places: Places) -> None:
    session(places, "aaaa-1", at=1000)
    newer = session(places, "aaaa-1", at=2000, project="-home-u-moved")
    assert find_session(places, "aaaa") == newer
