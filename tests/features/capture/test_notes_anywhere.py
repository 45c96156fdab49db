"""A line that a person puts anywhere in an archive is there once after its session grew, and no turn is missing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from recall_tui.environment import Places
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.file import read_entry
from recall_tui.workbench import Workbench
from tests.features.capture.test_archive_notes import MORE, NAMES, TALK
from tests.makers import bench_at, transcript

NOTES = (
    "NOTE of mine",
    "  NOTE of mine, indented",
    "\tNOTE of mine after a tab",
    "note: of mine",
    "## NOTE of mine",
    "<<<<<<< NOTE",
    "> NOTE of mine",
    "# NOTE of mine",
    "*NOTE of mine, 2026-03-06 12:00 UTC*",
)
EXTRAS = ("message_count: many", "title: NOTE of mine", '"note of mine: [', "=======")
ALL = [text for _, text in (*TALK, *MORE)]


def put(path: Path, at: int, note: str, end: str = "\n") -> None:
    """Put the note before the line `at` of the file, counted from 0."""
    lines = path.read_bytes().decode().splitlines(keepends=True)
    lines[at:at] = [note + end]
    path.write_bytes("".join(lines).encode())


def kept(bench: Workbench, path: Path, note: str, count: int = 1) -> str:
    """Of what is wrong with a grown archive a line for a person; empty when nothing is."""
    text = path.read_bytes().decode()
    wrong = []
    if text.splitlines().count(note) != count:
        wrong.append(f"the note is there {text.splitlines().count(note)} times")
    entry = read_entry(path)
    if entry is None or entry.messages != 6 or not entry.session_id:
        wrong.append(f"the head reads {entry and (entry.messages, entry.session_id)}")
    said = "\n".join(message.text for message in parse_body(text))
    missing = [line for one in ALL for line in one.split("\n") if line and line != "make test" and line not in said]
    if missing or "make test" not in text:
        wrong.append(f"missing: {missing}")
    if re.findall(r"^### \w+", text, re.MULTILINE) != ["### User", "### Assistant"] * 3:
        wrong.append("other turns")
    return "; ".join(wrong)


def lines_in(bench: Workbench, places: Places) -> int:
    return len(Path(bench.capture(transcript(places, 1, TALK)).archive).read_text().splitlines())


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("note", [*NOTES, *EXTRAS])
def test_a_line_at_any_place_stays_when_the_session_grows(places: Places, name: str, note: str) -> None:
    bench = bench_at(places, name)
    count = lines_in(bench, places)
    wrong = []
    for at in range(count + 1):
        path = Path(bench.capture(transcript(places, at + 10, TALK)).archive)
        put(path, at, note)
        before = path.read_text().splitlines().count(note)
        done = bench.capture(transcript(places, at + 10, [*TALK, *MORE]), by="hook")
        if Path(done.archive) != path or done.status != "updated":
            wrong.append(f"line {at}: {done.status} {Path(done.archive).name}")
        elif found := kept(bench, path, note, before):
            wrong.append(f"line {at}: {found}")
    assert not wrong, "\n".join(wrong)
