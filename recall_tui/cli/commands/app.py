"""The app, on a memory or on the sample that ships with the package.

The app is found by its name, so the command line never depends on it.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.errors import RecallError

_APP_MODULE = "recall_tui.tui.start"
_DEMO_MODULE = "recall_tui.tui.screens.first_run.demo"
_START_MODULE = "recall_tui.tui.runtime.textual_repairs"


def open_app(run: CommandContext) -> int:
    """Open the app on the memory that the run finds, or on its first-run screen; the exit code."""
    _require_terminal(run)
    from recall_tui.cli.command_table import COMMANDS, familiar_words

    commands = [(name, row.help, row.usage, familiar_words(name)) for name, row in COMMANDS.items()]
    code: int = _load_app(_APP_MODULE).run_app(run.folder(), run.layout, run.environment, run.now, commands)
    return code


@command()
@click.option("--print-root", is_flag=True, help="create the copy, print its folder and keep it")
def demo(run: CommandContext, print_root: bool) -> int | None:
    """Open the app on a throw-away copy of sample memory that ships with the package."""
    if not print_root:
        _require_terminal(run)
        code: int = _load_app(_DEMO_MODULE).run_demo(run.environment)
        return code
    root = importlib.import_module(_DEMO_MODULE).create_demo().root
    if run.json:
        run.out.document({"root": root})
    else:
        run.out.line(str(root))
    return None


def _load_app(module: str) -> ModuleType:
    """The module that runs the app; nothing pauses from now on until the first paint."""
    importlib.import_module(_START_MODULE).begin_startup()
    return importlib.import_module(module)


def _require_terminal(run: CommandContext) -> None:
    if not (run.out.is_terminal and sys.stdin is not None and sys.stdin.isatty()):
        raise RecallError("the app needs a terminal", hint="in a pipe use a command, such as: recall-tui status")
