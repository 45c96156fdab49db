"""A line that a person puts anywhere in an archive is there once after its session grew, and no turn is missing."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.capture.compaction_summary import plan_compaction_summary
from recall_tui.features.health.doctor import run_checks
from recall_tui.features.summaries.session_draft import prepare_session
from recall_tui.features.summaries.summarize import summarize
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.file import read_entry
from recall_tui.storage.layout import LocatedMemory
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.features.capture.note_samples import (
    LAST,
    MORE,
    NAMES,
    TALK,
    Way,
    below_a_note,
    with_two_heads,
    without_session,
)
from tests.makers import bench_at, session_id_of, transcript

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


def parse(path: Path, kind: str) -> list[str]:
    return [message.text for message in parse_body(path.read_text()) if message.kind == kind]


def kept(path: Path, note: str, count: int) -> str:
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


def lines_in(bench: Workbench, environment: Environment) -> int:
    return len(Path(bench.capture(transcript(environment, 1, TALK)).archive).read_text().splitlines())


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("note", [*NOTES, *EXTRAS])
def test_a_line_at_any_place_stays_when_the_session_grows(environment: Environment, name: str, note: str) -> None:
    bench = bench_at(environment, name)
    count = lines_in(bench, environment)
    wrong = []
    for at in range(count + 1):
        path = Path(bench.capture(transcript(environment, at + 10, TALK)).archive)
        put(path, at, note)
        before = path.read_text().splitlines().count(note)
        done = bench.capture(transcript(environment, at + 10, [*TALK, *MORE]), by="hook")
        if Path(done.archive) != path or done.status != "updated":
            wrong.append(f"line {at}: {done.status} {Path(done.archive).name}")
        elif found := kept(path, note, before):
            wrong.append(f"line {at}: {found}")
    assert not wrong, "\n".join(wrong)


PLACES = (0, 1, 2, 19, 21, 22, 24, 26, 27, 29, 31, 33, 34, 36, 44, 60)
"""Lines of an archive: above, in and below its frontmatter, around its title, in its turns and its tags."""


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("note", ["NOTE of mine", "<<<<<<< NOTE"])
def test_a_line_stays_in_every_part_of_an_archive(environment: Environment, name: str, note: str) -> None:
    bench = bench_at(environment, name)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    count = len(path.read_text().splitlines())
    for number, at in enumerate(sorted({min(at, count) for at in PLACES})):
        put(path, at + number, f"{note} {number}")
    mine = [line for line in path.read_text().splitlines() if line.startswith(note)]
    for turns in ([*TALK, *MORE], [*TALK, *MORE, *LAST]):
        done = bench.capture(transcript(environment, 1, turns), by="hook")
        assert (done.status, done.reason, Path(done.archive)) == ("updated", "your notes kept", path)
        assert [line for line in path.read_text().splitlines() if line.startswith(note)] == mine
        assert len(parse(path, "prompt")) == len([turn for turn in turns if turn[0] == "user"])
    assert [one.message for one in run_checks(bench.store) if one.path == path] == []


@pytest.mark.parametrize("name", NAMES)
def test_all_that_stands_above_the_title_stays_however_much_it_is(environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    mine = "".join(f"Line {number} of my notes on all of this.\n" for number in range(12_000))
    above, title, below = path.read_text().partition("# Conversation 001\n")
    path.write_text(above + mine + title + below)
    assert bench.capture(transcript(environment, 1, [*TALK, *MORE]), by="hook").reason == "your notes kept"
    assert mine + "# Conversation 001\n" in path.read_text() and "Released." in path.read_text()


def with_mark(text: str) -> str:
    return "\ufeff" + text


def with_crlf(text: str) -> str:
    return text.replace("\n", "\r\n")


def far_below_a_note(text: str) -> str:
    return "NOTE and more of it\n" * 20_000 + text


def without_head(text: str) -> str:
    return text[text.index("## Summary") :]


WAYS = (with_mark, with_crlf, below_a_note, far_below_a_note, without_session, without_head, with_two_heads)


@pytest.mark.long
@pytest.mark.parametrize("name", ["entity", "hierarchical", "user"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_an_archive_that_was_edited_is_that_of_its_session_still(environment: Environment, name: str, way: Way) -> None:
    bench = bench_at(environment, name)
    source = transcript(environment, 1, TALK)
    path = Path(bench.capture(source).archive)
    path.write_bytes(way(path.read_bytes().decode()).encode())
    bench = Workbench.at(LocatedMemory(bench.layout, "opened again"), environment, lambda: NOON)
    assert bench.capture(source).status == "unchanged"
    assert [one.message for one in run_checks(bench.store) if one.path == path] == []
    before = path.read_bytes()
    mine = path.read_text().partition("\n")[0]
    bench.capture(transcript(environment, 1, [*TALK, *MORE]), by="hook")
    logs = sorted(path.parent.glob("*-0*.md"))
    text = "".join(one.read_bytes().decode() for one in logs)
    assert len(logs) == (2 if name == "user" else 1)
    assert text.count("\nReleased.") == len(re.findall(r"^### User\r?$", text, re.MULTILINE)) - 2 == 1
    assert text.splitlines()[0] == ("---" if way is without_head and name != "user" else mine)
    assert name != "user" or path.read_bytes() == before
    if way is with_crlf and name != "user":
        assert text.count("\n") == text.count("\r\n")
    assert {entry.session_id for entry in map(read_entry, logs) if entry} <= {source.stem, ""}
    assert read_entry(logs[-1]).session_id == source.stem


def test_new_lines_of_a_file_of_mixed_line_ends_take_those_of_most(environment: Environment) -> None:
    bench = bench_at(environment)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    lines = path.read_text().splitlines()
    mixed = "".join(line + ("\n" if number % 3 == 0 else "\r\n") for number, line in enumerate(lines))
    path.write_bytes(mixed.encode())
    bench.capture(transcript(environment, 1, [*TALK, *MORE]))
    after = path.read_bytes().decode().split("\n")
    there = mixed.split("\n")
    assert sum(line in after for line in there) > len(there) * 0.7
    assert all(line.endswith("\r") for line in after[:-1] if line.rstrip("\r") in ("Now release it", "Released."))


def test_the_summary_of_a_compaction_leaves_what_a_person_wrote(environment: Environment) -> None:
    bench = bench_at(environment)
    path = Path(bench.capture(transcript(environment, 1, TALK), source="checkpoint").archive)
    for number, (before, after) in enumerate(
        (
            ("log: 1\n", "# NOTE in the head\nlog: 1\n"),
            ("# Conversation 001\n\n", "# Conversation 001\n\nNOTE below the title\n\n"),
            ("## Summary\n", "NOTE above the summary\n\n## Summary\n"),
        )
    ):
        assert before in path.read_text()
        path.write_text(path.read_text().replace(before, after, 1))
        bench.journal.commit(
            partial(plan_compaction_summary, bench.store, session_id_of(1), f"It went well, {number}.")
        )
        assert path.read_text().count(after) == 1
    assert "It went well, 1." in path.read_text() and "It went well, 2." not in path.read_text()


def test_what_a_person_wrote_into_the_head_stays_when_a_summary_is_handed_in(environment: Environment) -> None:
    bench = bench_at(environment)
    path = Path(bench.capture(transcript(environment, 1, TALK)).archive)
    path.write_text("NOTE on top\n" + path.read_text().replace("log: 1\n", "# NOTE in the head\nlog: 1\nno colon\n", 1))
    text = "# A talk\n\n## Context\n\nIt went well.\n"
    bench.journal.commit(
        lambda: summarize(bench.store, prepare_session(bench.store, session_id_of(1), text).draft, text)
    )
    assert "It went well." in path.read_text()
    assert "NOTE on top\n---\n# NOTE in the head\nlog: 1\nno colon\n" in path.read_text()
