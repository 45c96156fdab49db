"""Finding a document by what a person calls it, a transcript shown as its archive would be among them."""

from __future__ import annotations

import pytest

from recall_tui.errors import NotFoundError
from recall_tui.paths import Places
from tests.makers import bench_at, session_id_of, transcript

TALK = [("user", "Why does the login crash?"), ("assistant", "The validator fails."), ("user", "Mend it please")]


def test_an_archive_is_found_by_number_name_and_session(places: Places) -> None:
    bench = bench_at(places)
    bench.capture(transcript(places, 1, TALK))
    found = {bench.document(name).path for name in ("1", "001", "conversation-001", session_id_of(1)[:8])}
    assert found == {bench.archive.get(1).path}
    assert bench.document("memory").path == bench.layout.memory_file


def test_a_transcript_is_shown_as_its_archive_would_be_and_its_lines_are_found_in_it(places: Places) -> None:
    bench = bench_at(places)
    path = transcript(places, 1, TALK)
    document = bench.document(path)
    assert document.kind == "transcript" and "### User" in document.text
    lines = document.text.split("\n")
    for line, (_, words) in enumerate(TALK, 1):
        first, last = document.lines_in_text((line, line))
        assert words in "\n".join(lines[first - 1 : last]), line


def test_a_file_outside_is_no_document(places: Places) -> None:
    bench = bench_at(places)
    outside = places.home / "secret.jsonl"
    outside.write_text("{}\n")
    for name in (str(outside), "../../etc/passwd", "nothing", ""):
        with pytest.raises(NotFoundError):
            bench.document(name)
