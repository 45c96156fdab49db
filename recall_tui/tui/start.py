"""Start of the app: on a memory, or on the first run when there is none."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError
from recall_tui.tui.app import CHOOSE_AGAIN, RecallApp
from recall_tui.tui.runtime.hang_up import end_with_terminal
from recall_tui.workbench import Workbench, clean_up, current_environment, local_now


def run_app(
    root: Path | None = None,
    layout: str | None = None,
    environment: Environment | None = None,
    now: Callable[[], datetime] | None = None,
    commands: Sequence[tuple[str, str, str, tuple[str, ...]]] = (),
) -> int:
    """Open the app on a memory, or on the first run when there is none; the exit code.

    `commands` are the name, the help and the usage of each command, for the palette, with the words of other programs
    that people try for it.
    """
    from recall_tui.tui.program_commands import ProgramCommand

    named = tuple(ProgramCommand(*one) for one in commands)
    end_with_terminal()
    environment = environment or current_environment()
    now = now or local_now
    code = CHOOSE_AGAIN
    while code == CHOOSE_AGAIN:
        app: RecallApp
        try:
            bench = Workbench.open(root, layout=layout, environment=environment, now=now)
        except NotFoundError:
            from recall_tui.tui.screens.first_run.app import FirstRunApp

            app = FirstRunApp(environment, now=now, root=root)
        else:
            app = RecallApp(clean_up(bench), environment)
        app.program_commands = named
        code = app.run() or 0
    return code
