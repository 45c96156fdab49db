"""Measure the claim checker on labelled pairs, by kind of change.

    python -m tests.qa.grounding.measure DATA [--lines 40-99] [--misses]

DATA is a JSON Lines file, or a folder of them, of `{"source", "claim", "supported", "mutation"}`. The table says how
many faithful claims are accepted and how many false ones rejected, and the time for a pair. `--lines` takes a range of
lines alone, `--others` all lines but these: rules that were made with one side in view are measured on the other.
`--misses` prints each pair that is judged wrongly.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from time import process_time
from typing import NamedTuple

from recall_tui.features.grounding.verify import unsupported_reasons

FAITHFUL = "none"
"""The kind of a pair whose claim was not changed."""


class Pair(NamedTuple):
    """A claim, the lines that it cites, and the label."""

    source: str
    claim: str
    is_supported: bool
    kind: str


class Judged(NamedTuple):
    """A pair with the reasons against it."""

    pair: Pair
    reasons: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Return whether the checker says what the label says."""
        return self.pair.is_supported == (not self.reasons)


def read_pairs(path: Path) -> list[Pair]:
    """Read the pairs of a file, or of all files of a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    rows = [json.loads(line) for file in files for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [Pair(row["source"], row["claim"], row["supported"], row["mutation"]) for row in rows]


def judge(pairs: Iterable[Pair]) -> list[Judged]:
    """Check every pair."""
    return [Judged(pair, unsupported_reasons(pair.claim, pair.source)) for pair in pairs]


def share_right(judged: Sequence[Judged], supported: bool) -> float:
    """Return the share of faithful claims accepted, or of false ones rejected."""
    those = [one for one in judged if one.pair.is_supported == supported]
    return sum(one.is_right for one in those) / len(those) if those else 0.0


def render_table(judged: Sequence[Judged]) -> str:
    """Return the table by kind as Markdown."""
    rows = ["| kind of change | pairs | judged right | share |", "| --- | ---: | ---: | ---: |"]

    def add(name: str, those: Sequence[Judged]) -> None:
        right = sum(one.is_right for one in those)
        rows.append(
            f"| {name} | {len(those)} | {right} | {right / len(those):.2f} |" if those else f"| {name} | 0 | | |"
        )

    kinds = sorted({one.pair.kind for one in judged} - {FAITHFUL})
    for kind in kinds:
        add(kind, [one for one in judged if one.pair.kind == kind])
    add("**false, all kinds (rejected)**", [one for one in judged if not one.pair.is_supported])
    add("**faithful (accepted)**", [one for one in judged if one.pair.is_supported])
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--lines", default="", help="a range of lines from 1, such as 40-99")
    parser.add_argument("--others", action="store_true", help="all lines but those of --lines")
    parser.add_argument("--misses", action="store_true", help="print what is judged wrongly")
    chosen = parser.parse_args()
    pairs = read_pairs(chosen.data)
    if chosen.lines:
        first, last = map(int, chosen.lines.split("-"))
        pairs = [pair for line, pair in enumerate(pairs, 1) if (first <= line <= last) != chosen.others]
    started = process_time()
    judged = judge(pairs)
    spent = process_time() - started
    print(render_table(judged))
    print(f"\n{1000 * spent / max(1, len(pairs)):.2f} ms a pair")
    if chosen.misses:
        for one in judged:
            if not one.is_right:
                print(
                    f"\n{one.pair.kind}\n  source: {one.pair.source}\n  claim:  {one.pair.claim}\n  {list(one.reasons)}"
                )


if __name__ == "__main__":
    main()
