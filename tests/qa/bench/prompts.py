"""How often what is shown beside a prompt is right, and how often it stays silent when it should.

The prompts stand in `prompts.toml` with the sessions that would answer them; those data sets are in the form that
`retrieval.py` reads. A part of them is kept out of any tuning. A pointer is right when its session is one of the
prompt's own; a prompt that is answered counts once for each pointer it is shown.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from recall_tui.domain.hook import HookEvent
from recall_tui.environment import Environment
from recall_tui.features.context.prompt_context import recall_for_prompt
from recall_tui.workbench import Workbench
from tests.generate import table
from tests.qa.bench.measure import heading, percentile
from tests.qa.bench.retrieval import place_of

PROMPTS = Path(__file__).with_name("prompts.toml")
COLUMNS = ("prompts", "to answer", "answered", "shown", "right", "precision", "recall", "silent as it should")
Half = Literal["tuned", "read once", "kept out"]
HALVES: tuple[Half, ...] = ("tuned", "read once", "kept out")
"""What tunes, what was kept out until what was shown to it was read, and what nobody looked at."""
_READ, _SPENT = 160, 200
"""Prompts of the first round, and with those of the second."""
ALL = "all"


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a person types, and what would be right."""

    data: str
    """The folder of its data set."""
    sort: str
    text: str
    gold: frozenset[str]
    """Sessions that hold an answer; none when silence is right."""
    half: Half


@dataclass(frozen=True, slots=True)
class Shown:
    """What a prompt was shown."""

    prompt: Prompt
    sessions: tuple[str, ...]
    why: str
    took_ms: float

    @property
    def right(self) -> int:
        """How many of the pointers are to a session that answers."""
        return len(self.prompt.gold.intersection(self.sessions))


def prompts() -> list[Prompt]:
    """All labelled prompts, in the order of the file."""
    rows = tomllib.loads(PROMPTS.read_text(encoding="utf-8"))["prompt"]
    return [
        Prompt(row["data"], row["sort"], row["text"], frozenset(row["gold"]), _half(number))
        for number, row in enumerate(rows)
    ]


def _half(number: int) -> Half:
    if number % 2 == 0 or _READ <= number < _SPENT:
        return "tuned"
    return "read once" if number < _READ else "kept out"


def asked(bench: Workbench, wanted: Iterable[Prompt]) -> list[Shown]:
    """What each prompt is shown, as the first of a session of its own."""
    found = []
    for prompt in wanted:
        start = time.perf_counter()
        _, decision = recall_for_prompt(
            bench.store, bench.index, HookEvent("prompt", prompt=prompt.text), patience=math.inf
        )
        took = (time.perf_counter() - start) * 1000
        sessions = dict(decision.facts).get("shown", ())
        assert isinstance(sessions, tuple)
        found.append(Shown(prompt, sessions, decision.why, took))
    return found


def measure(data: Path, half: Half | None = None) -> list[Shown]:
    """Index each data set below `data` and ask the prompts, or those of one half."""
    found: list[Shown] = []
    every = [prompt for prompt in prompts() if half in (None, prompt.half)]
    for name in dict.fromkeys(prompt.data for prompt in every):
        with tempfile.TemporaryDirectory() as folder:
            place = place_of(data / name, Path(folder))
            place.run("sync")
            # The person names the memory: prompts are answered from every project.
            env = {"RECALL_STATE": str(place.folder / "state"), "RECALL_ECHO_HOME": str(place.root)}
            bench = Workbench.open(place.root, environment=Environment(place.home, place.folder, env))
            found += asked(bench, (prompt for prompt in every if prompt.data == name))
    return found


def judged(found: Sequence[Shown]) -> dict[str, Any]:
    """What the answers are worth together; precision of nothing shown is 1."""
    to_answer = [one for one in found if one.prompt.gold]
    shown, right = sum(len(one.sessions) for one in found), sum(one.right for one in found)
    answered = sum(bool(one.right) for one in to_answer)
    return {
        "prompts": len(found),
        "to answer": len(to_answer),
        "answered": answered,
        "shown": shown,
        "right": right,
        "precision": right / shown if shown else 1.0,
        "recall": answered / len(to_answer) if to_answer else 1.0,
        "silent as it should": sum(not one.sessions for one in found if not one.prompt.gold),
    }


def by_half(found: Sequence[Shown]) -> dict[str, dict[str, Any]]:
    """The same for each half that was asked, and for all."""
    groups = {half: [one for one in found if one.prompt.half == half] for half in HALVES} | {ALL: list(found)}
    return {name: judged(group) for name, group in groups.items() if group}


def by_sort(found: Sequence[Shown]) -> dict[str, dict[str, Any]]:
    """The same for each sort of prompt that should be answered, or not."""
    names = dict.fromkeys(f"{one.prompt.sort}, {'answer' if one.prompt.gold else 'silence'}" for one in found)
    return {
        name: judged(
            [one for one in found if name == f"{one.prompt.sort}, {'answer' if one.prompt.gold else 'silence'}"]
        )
        for name in names
    }


def report(found: Sequence[Shown]) -> str:
    """The result as markdown."""
    took = [one.took_ms for one in found]
    first = f"{len(found)} prompts, each {percentile(took, 0.5):.1f} ms (p95 {percentile(took, 0.95):.1f} ms)"
    tables = [_table("half", by_half(found)), _table("sort", by_sort(found))]
    return "\n\n".join((heading(), first, *tables))


def _table(what: str, rows: Mapping[str, Mapping[str, Any]]) -> str:
    def cell(value: object) -> str:
        return f"{value:.3f}" if isinstance(value, float) else str(value)

    return table((what, *COLUMNS), [(name, *(cell(row[column]) for column in COLUMNS)) for name, row in rows.items()])


def mistakes(found: Sequence[Shown]) -> str:
    """A line for each prompt that was not served as it should be."""
    wrong = [one for one in found if len(one.sessions) > one.right or (one.prompt.gold and not one.right)]
    return "\n".join(f"{one.prompt.sort}: {one.prompt.text!r} was shown {one.sessions}: {one.why}" for one in wrong)


def main() -> int:
    """Print the tables, or with --json the same for programs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder that holds the data sets")
    parser.add_argument("--half", choices=HALVES, help="ask only this half")
    parser.add_argument("--json", action="store_true", help="one JSON document")
    parser.add_argument("--mistakes", action="store_true", help="list what was not served as it should be")
    options = parser.parse_args()
    found = measure(options.data.resolve(), options.half)
    if options.json:
        print(json.dumps({"made": heading(), "half": by_half(found), "sort": by_sort(found)}, indent=2))
    else:
        print(report(found))
    if options.mistakes:
        print(f"\n{mistakes(found)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
