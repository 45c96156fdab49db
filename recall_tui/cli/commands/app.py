"""The app, on a memory or on the sample that ships with the package.

The app is found by its name: the command line never depends on it.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import click

from recall_tui.cli.frame import Run, command
from recall_tui.errors import RecallError

APP = "recall_tui.tui.start"
DEMO = "recall_tui.tui.demo"


def open_app(run: Run, root: Path | None = None) -> int | None:
    """Open the app on `root`, else on the memory that the run finds; an error without a terminal."""
    if not (run.out.is_terminal and sys.stdin.isatty()):
        raise RecallError("the app needs a terminal", hint="in a pipe use a command, such as: recall-tui status")
    start = importlib.import_module(APP).start
    start(root or run.folder(), layout=run.layout, places=run.places, now=run.now)
    return None


@command()
@click.option("--print-root", is_flag=True, help="make the copy, print its folder and leave it there")
def demo(run: Run, print_root: bool) -> int | None:
    """Open the app on a throw-away copy of sample memory that ships with the package."""
    sample = importlib.import_module(DEMO)
    if print_root:
        run.out.line(str(sample.copy()))
        return None
    with sample.throw_away() as root:
        return open_app(run, root)
