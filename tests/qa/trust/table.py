"""What is promised and how it held, row by row: `make trust`, or `python -m tests.qa.trust.table NAME…` for some rows.

A row is a module `tests/qa/trust/row_NAME.py` with `def row() -> Row`, which attacks and counts; nothing else has to
know of it. What came of it is stored in `tests/qa/trust/results/NAME.json` with the commit and the day, so that
rows can be run apart; the table in SECURITY.md and the figures below it, between `<!-- begin: trust -->` and
`<!-- end: trust -->`, are made of what is stored, and a row that is wanted and was not run says so. The exit code is 1
when a row that was run does not hold.
"""

from __future__ import annotations

import importlib
import json
import re
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.generate import table as markdown_table

CHECKOUT = Path(__file__).resolve().parents[3]
FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"
PAGE = CHECKOUT / "SECURITY.md"
HEADS = ("row", "promise", "holds", "commit", "day")
WANTED = ("crash", "concurrency", "writers", "fuzz", "secrets", "hostile", "load", "backups", "soak", "supply", "docs")
"""The rows that the page has a place for whether they were run or not, in its order; others follow."""
NOT_RUN = "not run yet"
_BLOCK = re.compile(r"<!-- begin: trust -->.*?<!-- end: trust -->", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Row:
    """What came of one attack."""

    promise: str
    """What a person is promised, in a few words."""
    tried: str
    """How it was attacked, in a sentence."""
    figures: Mapping[str, int | float | str]
    """What was counted, by name, in the order in which it is shown."""
    holds: bool
    """Whether the promise was kept throughout."""


def names() -> list[str]:
    """The rows there are."""
    return sorted(path.stem.removeprefix("row_") for path in FOLDER.glob("row_*.py"))


def run(name: str) -> Row:
    """Run a row and store what came of it."""
    begun = time.monotonic()
    row: Row = importlib.import_module(f"tests.qa.trust.row_{name}").row()
    stored = asdict(row) | {
        "commit": commit(),
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": round(time.monotonic() - begun, 1),
    }
    RESULTS.mkdir(exist_ok=True)
    text = json.dumps(stored, indent=2, ensure_ascii=False) + "\n"
    (RESULTS / f"{name}.json").write_text(text, encoding="utf-8")
    return row


def commit() -> str:
    """The commit that is checked out, with `+` when files of the package differ from it."""
    head = _git("rev-parse", "--short=12", "HEAD")
    changed = _git("status", "--porcelain", "--", "recall_tui", "styles", "templates")
    return f"{head}+" if changed else head


def _git(*words: str) -> str:
    return subprocess.run(["git", *words], cwd=CHECKOUT, capture_output=True, text=True, check=True).stdout.strip()


def rendered() -> str:
    """The table of all rows, and below it how each was tried and what was counted, in markdown."""
    stored = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in RESULTS.glob("*.json")}
    every = dict.fromkeys((*WANTED, *names(), *sorted(stored)))
    lines = [_line(name, stored.get(name)) for name in every]
    parts = [_part(name, stored[name]) for name in every if name in stored]
    return "\n\n".join((markdown_table(HEADS, lines), *parts))


def block() -> str:
    """What stands in the page between its marks, as it should be."""
    return f"<!-- begin: trust -->\n{rendered()}\n<!-- end: trust -->"


def _line(name: str, one: Mapping[str, Any] | None) -> tuple[str, ...]:
    if one is None:
        return (name, NOT_RUN, "", "", "")
    return (f"[{name}](#{name})", _sentence(one["promise"]), _yes(one["holds"]), f"`{one['commit']}`", one["date"])


def _part(name: str, one: Mapping[str, Any]) -> str:
    figures = [f"- {what}: {_figure(value)}" for what, value in one["figures"].items()]
    return "\n".join((f"### {name}", "", f"{_sentence(one['tried'])}.", "", *figures))


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".")


def _figure(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "**no**"


def write() -> None:
    """Make the page's block anew of what is stored."""
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(_BLOCK.sub(lambda _match: block(), page), encoding="utf-8")


def main(wanted: Sequence[str]) -> int:
    """Run the rows named, or all, print the table and write it into SECURITY.md; with --page only write it."""
    if list(wanted) == ["--page"]:
        write()
        return 0
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"no such row: {', '.join(unknown)}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    rows = [run(name) for name in wanted or names()]
    print(rendered())
    write()
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
