"""Very many texts for every parser: `python -m tests.trust.atheris_run [EXECUTIONS]`, which prints its figures as JSON.

Where atheris is installed it chooses the texts by the code that they reach; else they are the seeds changed at random,
and the figures say which it was. What breaks a parser is named with the number or the bytes that break it again.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path
from random import Random

from recall_tui.errors import RecallError
from tests.trust.mutating import mutated
from tests.trust.parsers import PARSERS, Parser

EXECUTIONS = 1_000_000
"""Over all parsers."""
SLOWER = 20
"""How many times fewer a slow parser gets."""
PATIENCE_SECONDS = 6 * 3600
CHECKOUT = Path(__file__).resolve().parents[2]


@dataclass
class Figures:
    """What came of it."""

    guided: bool
    """Whether coverage chose the texts."""
    executions: int = 0
    crashes: list[str] = field(default_factory=list)
    """Parser, error and what to read to see it again."""


def shares(executions: int) -> dict[str, int]:
    """How many texts each parser gets."""
    whole = sum(1 if parser.is_slow else SLOWER for parser in PARSERS)
    return {one.name: executions * (1 if one.is_slow else SLOWER) // whole + 1 for one in PARSERS}


def run(executions: int = EXECUTIONS) -> Figures:
    """Attack every parser, each in a process of its own where atheris does it."""
    figures = Figures(find_spec("atheris") is not None)
    for parser in PARSERS:
        share = shares(executions)[parser.name]
        (_guided if figures.guided else _at_random)(parser, share, figures)
    return figures


def _at_random(parser: Parser, share: int, figures: Figures) -> None:
    for number in range(share):
        figures.executions += 1
        try:
            parser.read(mutated(parser.seeds, Random(number)))
        except RecallError:
            continue
        except Exception as error:
            figures.crashes.append(f"{parser.name}: {type(error).__name__}: {error} (number {number})")
            return


def _guided(parser: Parser, share: int, figures: Figures) -> None:
    with tempfile.TemporaryDirectory(prefix="recall-atheris-") as folder:
        told = Path(folder, "told")
        done = subprocess.run(
            [sys.executable, "-m", "tests.trust.atheris_one", parser.name, str(share), str(told)],
            cwd=CHECKOUT,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
        )
        figures.executions += int(told.read_text()) if told.exists() else 0
        if done.returncode:
            reason = next((line for line in reversed(done.stdout.splitlines()) if "Error" in line), done.stderr[-300:])
            figures.crashes.append(f"{parser.name}: {reason}")


if __name__ == "__main__":
    made = run(int(sys.argv[1]) if sys.argv[1:] else EXECUTIONS)
    print(json.dumps(asdict(made), indent=1))
    sys.exit(1 if made.crashes else 0)
