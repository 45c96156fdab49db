"""A session is one hit, opened where it was spoken, and recognized by its title."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import pytest

from recall_tui.domain import SearchResult
from recall_tui.environment import Environment
from recall_tui.search.session_labels import with_labels
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files

RACE: Sequence[Turn] = (
    ("user", "hi"),
    ("user", "Please stop the login race between two browser tabs"),
    ("Edit", "/home/u/api/src/refresh_token.py"),
    ("assistant", "The second tab sent a rotated token. I decided to honour a rotated token for thirty seconds."),
    ("user", "And the audit log?"),
    ("assistant", "It names the family that was revoked."),
)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory with an archived session, whose transcript is still there, and one that is not archived."""
    made = bench_at(environment)
    made.capture(transcript(environment, 1, RACE, start=NOON - timedelta(hours=5)))
    transcript(environment, 2, [("user", "Rename the parcel table"), ("assistant", "Renamed.")], start=NOON)
    made.sync()
    return made


def _ask(bench: Workbench, text: str) -> SearchResult:
    return with_labels(bench.index, bench.store, bench.search(text, sync=False))


def _shown(bench: Workbench, answer: SearchResult) -> str:
    hit = answer.hits[0]
    reader = bench.index.reader()
    assert reader is not None
    from recall_tui.index.opener import memory_key

    passage = reader.by_id(memory_key(bench.store), hit.id)
    assert passage is not None
    return passage.body


def test_archive_transcript_day_line_and_window_are_one_hit(bench: Workbench) -> None:
    answer = _ask(bench, "rotated token honoured")
    assert [hit.session_id for hit in answer.hits] == [session_id_of(1)]
    assert "thirty seconds" in _shown(bench, answer)
    assert answer.hits[0].kind == "transcript"


def test_a_day_log_stays_a_hit_for_what_it_says_besides(bench: Workbench) -> None:
    log = next(bench.layout.days.glob("*.md"))
    log.write_text(log.read_text("utf-8") + "\nThe rotated token rule was praised by the team.\n", "utf-8")
    bench.sync()
    assert "daily" in {hit.kind for hit in _ask(bench, "rotated token").hits}


def test_a_file_finds_its_session_and_is_not_the_passage_shown(bench: Workbench) -> None:
    kept = next(bench.layout.archives[0].folder.glob("conversation-*.md"))
    text = kept.read_text("utf-8")
    assert "## Tags" in text, "the archive lists its files"
    kept.write_text(text.replace("**Files**: ", "**Files**: /home/u/api/quokka.py, "), "utf-8")
    bench.sync()
    answer = _ask(bench, "quokka")
    assert [hit.session_id for hit in answer.hits] == [session_id_of(1)]
    assert "quokka" not in _shown(bench, answer) and "**Files**" not in answer.hits[0].snippet
    single = bench.search("quokka", passages=True, sync=False)
    assert not [hit for hit in single.hits if "**Files**" in hit.snippet]


def test_a_session_without_a_title_is_called_by_its_first_request(bench: Workbench) -> None:
    label = _ask(bench, "parcel table").hits[0].label
    assert label is not None
    assert (label.title, label.project, label.agent, label.length) == ("Rename the parcel table", "api", "claude", "1m")
    assert label.ended_at == NOON + timedelta(minutes=1)


def test_an_archived_session_is_called_by_its_archives_title(bench: Workbench) -> None:
    hit = _ask(bench, "rotated token honoured").hits[0]
    title = bench.archive.get(1).title
    assert hit.label is not None
    assert hit.title == hit.label.title == title
    assert title not in ("hi", "")


def test_a_colleagues_page_of_a_session_is_called_by_its_own_title(environment: Environment) -> None:
    bench = bench_at(environment, "project")
    page = "# Why the okapi import failed\n\n## Context\n\nThe okapi had a semicolon.\n"
    write_files(bench.store.root, {"_memory/conversations/0a1b2c3d-0000-4000-8000-000000000001.md": page})
    bench.sync()
    answer = with_labels(bench.index, bench.store, bench.search("okapi semicolon"))
    assert [(hit.title, hit.label.title if hit.label else "") for hit in answer.hits] == [
        ("Why the okapi import failed", "Why the okapi import failed")
    ]
