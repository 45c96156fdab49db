"""How well weeks, months, WISDOM.md and search serve a team that writes daily logs by hand.

    python -m tests.qa.team_logs [--logs DIR] [--keep DIR]

The logs are `YYYY-MM-DD.md` in `tests/fixtures/team_logs/`, or in another folder with an `expected.toml` beside them,
such as `bakery_logs` or `school_logs`, whose head says what it holds. The program makes a memory of layout hierarchical
in a temporary folder, gets the logs as its days, compacts them without a model, and answers the questions, each as a
process whose clock stands weeks after the last log. Then the pages are held against the facts to keep and the things to
leave out, and the answers against the days that hold what is true now:

- first, within five: the first hit, or one of the first five, is the log of such a day, or a page whose snippet has its
  words
- recall: the same of the first passage that `recall` returns
- older first: a log with an outdated value, or with the question itself, stands above every answer, and no mark says
  until which day it held
- marked, though it holds: a log that says what holds to this day has a mark of its end

Misses are named in the table. Nothing here knows how pages are made.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from tests.generate import table
from tests.qa.bench.measure import fail, process_env, run

LOGS = Path(__file__).resolve().parents[1] / "fixtures" / "team_logs"
DAYS_AFTER = 38
"""From the last log to the program's clock, so that its week and its month are over."""
PROGRAM = """
from datetime import datetime
from recall_tui.cli import main
main._local_now = lambda: datetime.fromisoformat({now!r})
main.main()
"""
"""The program as its installed script runs it, with a clock that stands still."""
DEPTH = 5
MAX_LINE_CHARS = 400
"""A longer line of a page is a copy of its log; a reader does not find a fact in it."""
_FRONTMATTER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
_CITATION = re.compile(r"\((?:memory/)?[\w./-]+\.md(?::[\d-]+)?(?:[,;] *[^()]*)?\)")


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a log, and its day."""

    day: date
    words: str


@dataclass(frozen=True, slots=True)
class Item:
    """A fact to keep, or a thing to leave out."""

    id: str
    stands: tuple[Place, ...]
    phrases: tuple[str, ...]

    def is_in(self, line: str) -> bool:
        """Tell whether a line, as `plain` returns it, has all parts of a phrase."""
        return any(all(part in line for part in map(plain, phrase.split(" + "))) for phrase in self.phrases)


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the present."""

    ask: str
    present: tuple[Place, ...]
    outdated: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Standing:
    """A statement that holds, and a question that finds it."""

    ask: str
    stands: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Expected:
    """All that the logs of a team are held to."""

    facts: tuple[Item, ...]
    left_out: tuple[Item, ...]
    questions: tuple[Question, ...]
    holds: tuple[Standing, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """The places that an answer and an outdated value have among the hits, from 0; None when they have none."""

    present: int | None
    outdated: int | None
    is_marked: bool
    """The first outdated hit says until when it held, and names the day of a later value."""
    is_recalled: bool

    @property
    def is_first(self) -> bool:
        return self.present == 0

    @property
    def is_found(self) -> bool:
        return self.present is not None and self.present < DEPTH

    @property
    def is_older_first(self) -> bool:
        is_above = self.outdated is not None and (self.present is None or self.outdated < self.present)
        return is_above and not self.is_marked


def plain(text: str) -> str:
    """The text on one line, in lower case, without emphasis and citations."""
    return " ".join(re.sub(r"[*_`]", "", _CITATION.sub("", text)).casefold().split())


def read_expected(logs: Path) -> Expected:
    """Parse the `expected.toml` of a folder of logs."""
    rows = tomllib.loads((logs / "expected.toml").read_text(encoding="utf-8"))

    def places(pairs: Sequence[Sequence[str]]) -> tuple[Place, ...]:
        return tuple(Place(date.fromisoformat(day), words) for day, words in pairs)

    def items(kind: str) -> tuple[Item, ...]:
        return tuple(Item(row["id"], places(row["stands"]), tuple(row["phrases"])) for row in rows.get(kind, ()))

    asked = (Question(row["ask"], places(row["present"]), places(row["outdated"])) for row in rows["question"])
    holds = (Standing(row["ask"], places(row["stands"])) for row in rows.get("holds", ()))
    return Expected(items("fact"), items("left_out"), tuple(asked), tuple(holds))


def read_logs(logs: Path) -> dict[date, str]:
    """The text of each log by its day, in order."""
    return {date.fromisoformat(path.stem): path.read_text(encoding="utf-8") for path in sorted(logs.glob("????-*.md"))}


class Machine:
    """A computer of its own, with a memory of the logs and a clock behind them."""

    def __init__(self, folder: Path, logs: dict[date, str]) -> None:
        self.folder, self.root, self.home = folder, folder / "team", folder / "home"
        self.home.mkdir(parents=True)
        noon = datetime.combine(max(logs) + timedelta(days=DAYS_AFTER), time(12), UTC)
        self._program = (sys.executable, "-P", "-c", PROGRAM.format(now=noon.isoformat()))
        self.run("init", str(self.root), "--layout", "hierarchical", "--no-install", "--yes")
        for day, text in logs.items():
            path = self.root / "memory" / f"{day}.md"
            path.write_text(text, encoding="utf-8")
            evening = datetime.combine(day, time(18), UTC).timestamp()
            os.utime(path, (evening, evening))

    def run(self, *words: str, stdin: str = "") -> str:
        """Run the program and return what it prints; a failure ends the script."""
        done = run((*self._program, *words), process_env(self.home, self.folder), self.folder, stdin)
        fail(words[0], done)
        return done.out

    def compact(self) -> str:
        """Make weeks, months and WISDOM.md without a model; what was said of it."""
        return self.run("compact", "--root", str(self.root), "--agent", "off", "--yes")

    def pages(self) -> dict[str, list[str]]:
        """The lines of each derived page without its frontmatter, by the page's name."""
        below = self.root / "memory"
        paths = [*sorted(below.glob("weekly/*.md")), *sorted(below.glob("monthly/*.md"))]
        paths += [path for path in (self.root / "WISDOM.md", below / "WISDOM.md") if path.is_file()]
        return {p.stem: _FRONTMATTER.sub("", p.read_text(encoding="utf-8")).splitlines() for p in paths}

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """Search for each question, and recall it."""
        answers = self._search([question.ask for question in questions])
        return [self._judge(question, hits) for question, hits in zip(questions, answers, strict=True)]

    def marked(self, holds: Sequence[Standing]) -> list[str]:
        """Search for what holds; the end that a hit is marked with, for each, and empty where none is."""
        found = []
        for standing, hits in zip(holds, self._search([standing.ask for standing in holds]), strict=True):
            ends = (hit["why"].get("validity", {}) for hit in hits if _is_of(standing.stands, hit, "snippet"))
            found.append(next((f"until {end['until'] or '?'}" for end in ends if "until" in end), ""))
        return found

    def _search(self, asked: Sequence[str]) -> list[list[dict[str, Any]]]:
        lines = "".join(f"{ask}\n" for ask in asked)
        found = self.run("search", "--root", str(self.root), "--json", "--limit", "10", "--batch", "-", stdin=lines)
        return [json.loads(line)["hits"] for line in found.splitlines()]

    def _judge(self, question: Question, hits: Sequence[dict[str, Any]]) -> Answer:
        present = _first(question.present, hits, "snippet")
        outdated = _first(question.outdated, hits, "snippet")
        recalled = json.loads(self.run("recall", question.ask, "--root", str(self.root), "--json"))
        later = {str(place.day) for place in (*question.present, *question.outdated)}
        validity = {} if outdated is None else hits[outdated]["why"].get("validity", {})
        is_recalled = _first(question.present, recalled["extracts"], "text") == 0
        return Answer(present, outdated, validity.get("until") in later, is_recalled)


def _first(places: Sequence[Place], hits: Sequence[dict[str, Any]], field: str) -> int | None:
    """The first hit that is the log of one of the places, or a page that shows its words."""
    return next((number for number, hit in enumerate(hits) if _is_of(places, hit, field)), None)


def _is_of(places: Sequence[Place], hit: dict[str, Any], field: str) -> bool:
    """Tell whether a hit is the log of one of the places, or a page that shows its words."""
    if re.fullmatch(r"memory/\d{4}-\d\d-\d\d\.md", hit["document"]):
        return any(hit["document"] == f"memory/{place.day}.md" for place in places)
    return any(plain(place.words) in plain(hit[field]) for place in places)


def pages_with(item: Item, pages: dict[str, list[str]], most: int = sys.maxsize) -> list[str]:
    """The names of the pages with a line, of at most so many characters, that has a phrase of the item."""
    return [
        name
        for name, lines in pages.items()
        if any(len(short) <= most and item.is_in(short) for short in map(plain, lines))
    ]


def report(
    expected: Expected, pages: dict[str, list[str]], answers: Sequence[Answer], marked: Sequence[str] = ()
) -> Iterator[str]:
    """The figures, then each fact, thing and question in a table; `marked` has the mark of each thing that holds."""
    kept = {one.id: pages_with(one, pages, MAX_LINE_CHARS) for one in expected.facts}
    left_in = {one.id: pages_with(one, pages) for one in expected.left_out}
    asked = len(expected.questions)
    yield table(
        ("figure", "reached", "of"),
        [
            ("facts kept", str(sum(map(bool, kept.values()))), str(len(kept))),
            ("things left in", str(sum(map(bool, left_in.values()))), str(len(left_in))),
            ("present fact first", str(sum(one.is_first for one in answers)), str(asked)),
            (f"present fact within {DEPTH}", str(sum(one.is_found for one in answers)), str(asked)),
            ("present fact first in recall", str(sum(one.is_recalled for one in answers)), str(asked)),
            ("older value first, unmarked", str(sum(one.is_older_first for one in answers)), str(asked)),
            ("marked, though it holds", str(sum(map(bool, marked))), str(len(marked))),
        ],
    )
    rows = []
    for one in expected.facts:
        is_long = not kept[one.id] and pages_with(one, pages)
        rows.append((one.id, ", ".join(kept[one.id]) or ("MISSED: only in overlong lines" if is_long else "MISSED")))
    yield table(("fact", "kept in"), rows)
    yield table(("to leave out", "left in"), [(name, ", ".join(found)) for name, found in left_in.items()])
    yield table(
        ("question", "present fact", "outdated value", "recall"),
        [
            (
                question.ask,
                _place(one.present) + ("" if one.is_first else " MISSED"),
                _place(one.outdated) + (" marked" if one.is_marked else ""),
                "first" if one.is_recalled else "MISSED",
            )
            for question, one in zip(expected.questions, answers, strict=True)
        ],
    )
    if marked:
        rows = [(standing.ask, mark) for standing, mark in zip(expected.holds, marked, strict=True)]
        yield table(("what holds", "mark"), rows)


def _place(number: int | None) -> str:
    return "-" if number is None else str(number + 1)


def main(words: Sequence[str] | None = None) -> None:
    """Build the memory, ask the program, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--logs", type=Path, default=LOGS, help="a folder of logs with its expected.toml")
    parser.add_argument("--keep", type=Path, help="copy the finished memory to this new folder, to read its pages")
    options = parser.parse_args(words)
    expected = read_expected(options.logs)
    with tempfile.TemporaryDirectory() as name:
        machine = Machine(Path(name).resolve(), read_logs(options.logs))
        print(machine.compact())
        pages = machine.pages()
        answers, marked = machine.ask(expected.questions), machine.marked(expected.holds)
        print("\n\n".join(report(expected, pages, answers, marked)))
        if options.keep:
            shutil.copytree(machine.root, options.keep)


if __name__ == "__main__":
    main()
