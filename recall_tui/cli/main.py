"""The program's entry point: reads the environment, the clock and the arguments, and returns an exit code.

An error prints a traceback only with --verbose; a closed pipe is not an error.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from recall_tui.cli.argv import COMPLETION_VARIABLE, is_hook_call, plain_consume_root, plain_search, plain_server_root
from recall_tui.cli.context import CommandContext
from recall_tui.cli.output import Output, close_streams, prepare_streams
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.environment import Environment

EXIT_INTERRUPTED = 130
"""128 + SIGINT, the shell convention."""


def main() -> None:
    """Run the command given to the process, and exit."""
    if is_hook_call(sys.argv[1:]):
        from recall_tui.cli import hook_process

        hook_process.main(sys.argv[1:])
    prepare_streams()
    code = run(sys.argv[1:])
    trouble = close_streams()
    if trouble is not None and code == 0:
        Output().error(f"not everything could be printed: {trouble.strerror}")
        code = 1
    if all(thread.daemon or thread is threading.main_thread() for thread in threading.enumerate()):
        # All output is written and only daemon threads remain: a full interpreter shutdown costs as long as
        # its start.
        os._exit(code)
    sys.exit(code)


def run(
    words: Sequence[str], *, environment: Environment | None = None, now: Callable[[], datetime] | None = None
) -> int:
    """Run one command and return its exit code; `places` and `now` default to the process's own."""
    env = os.environ if environment is None else environment.env
    has_color = not env.get("NO_COLOR")
    this = CommandContext(
        (lambda: environment) if environment is not None else _read_environment, now or _local_now, has_color=has_color
    )
    try:
        if instruction := env.get(COMPLETION_VARIABLE):
            from recall_tui.cli.program import print_completions

            return print_completions(this, instruction)
        if is_hook_call(words):
            return _run_hook(words, this)
        if (root := plain_consume_root(words)) is not None:
            # It runs at every start of a session: loading click would double its time.
            from recall_tui.cli.window_output import print_window

            return print_window(this, root or None)
        if (root := plain_server_root(words)) is not None:
            # Agents start it with every session.
            from recall_tui.cli.agent_server import serve_agent

            this.root = root or None
            return serve_agent(this)
        if asked := plain_search(words):
            # Loading click would take longer than the search.
            from recall_tui.cli.ranked_search import DEFAULT_LIMIT, search_plainly

            this.root, this.json = asked.root, asked.json
            return search_plainly(this, asked.query, limit=asked.limit or DEFAULT_LIMIT, no_sync=asked.no_sync)
        from recall_tui.cli.program import run_program

        return run_program(words, this)
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt as stop:
        this.out.note(str(stop) or "interrupted")
        return EXIT_INTERRUPTED
    except RecallError as error:
        this.out.error(error.message, error.hint)
        return error.exit_code
    except Exception as error:
        return _report_unexpected(error, this)


def _run_hook(words: Sequence[str], this: CommandContext) -> int:
    """Answer a hook inside another process."""
    from recall_tui.cli import hook_process

    edge = hook_process.HookIO(
        this.environment, this.now, lambda: sys.stdin.buffer.read(hook_process.MAX_STDIN_BYTES), this.out.exact
    )
    hook_process.run(words, edge, this.stopwatch())
    return 0


def _report_unexpected(error: Exception, this: CommandContext) -> int:
    from recall_tui.cli.os_errors import error_message

    message, hint = error_message(error) if isinstance(error, OSError) else ("", "")
    if this.verbose:
        import traceback

        this.out.detail("".join(traceback.format_exception(error)).rstrip())
    this.out.error(message or f"{type(error).__name__}: {error}", hint or "run with --verbose for the traceback")
    return 1


def _read_environment() -> Environment:
    from pathlib import Path

    from recall_tui.environment import Environment

    try:
        return Environment(home=Path.home(), cwd=Path.cwd(), env=dict(os.environ))
    except RuntimeError:
        raise RecallError("the home folder is unknown", hint="set HOME") from None
    except FileNotFoundError:
        raise RecallError("the current folder is gone", hint="cd to one that exists") from None


def _local_now() -> datetime:
    from datetime import datetime

    return datetime.now().astimezone()
