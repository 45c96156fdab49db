"""What is promised and how it held, row by row: `make trust`, or `python -m tests.trust.table NAME…` for some rows.

A row is a module `tests/trust/row_NAME.py` with `def row() -> Row`, which attacks and counts; nothing else has to know
of it. What came of it is stored in `tests/trust/results/NAME.json` with the commit and the day, so that rows can be
run apart and on different days; the table in SECURITY.md, between `<!-- begin: trust -->` and `<!-- end: trust -->`,
is made of what is stored. The exit code is 1 when a row that was run does not hold.
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

from tests.generate import table as markdown_table

CHECKOUT = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).resolve().parent
RESULTS = FOLDER / "results"
PAGE = CHECKOUT / "SECURITY.md"
HEADS = ("promise", "how it was tried", "figures", "holds", "commit", "day")
_BLOCK = re.compile(r"(<!-- begin: trust -->).*?(<!-- end: trust -->)", re.DOTALL)


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
    row: Row = importlib.import_module(f"tests.trust.row_{name}").row()
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
    """The table of all that is stored, in markdown."""
    lines = []
    for path in sorted(RESULTS.glob("*.json")):
        one = json.loads(path.read_text(encoding="utf-8"))
        figures = ", ".join(f"{name} {_figure(value)}" for name, value in one["figures"].items())
        lines.append((one["promise"], one["tried"], figures, _yes(one["holds"]), one["commit"], one["date"]))
    return markdown_table(HEADS, lines)


def _figure(value: int | float | str) -> str:
    return value if isinstance(value, str) else f"{value:,}"


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "**no**"


def main(wanted: Sequence[str]) -> int:
    """Run the rows named, or all, print the table and write it into SECURITY.md where that has a place for it."""
    unknown = sorted(set(wanted) - set(names()))
    if unknown:
        print(f"no such row: {', '.join(unknown)}; there are: {', '.join(names())}", file=sys.stderr)
        return 2
    rows = [run(name) for name in wanted or names()]
    text = rendered()
    print(text)
    if PAGE.exists():
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(_BLOCK.sub(lambda block: f"{block[1]}\n{text}\n{block[2]}", page), encoding="utf-8")
    return 0 if all(row.holds for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
