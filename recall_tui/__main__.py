"""`python -m recall_tui` is `recall-tui`; a hook, which an agent waits for, goes a shorter way."""

import gc
import sys


def main() -> None:
    """Run the command that the process was started with, and end the process."""
    from recall_tui.cli.argv import is_hook_call

    if is_hook_call(sys.argv[1:]):
        # Imports make no garbage; to look for it meanwhile costs as much as the watch.
        gc.disable()
        from recall_tui.cli import hook_watchdog

        # First of all: what is in memory by then is copied.
        watch = hook_watchdog.start_watchdog()
        from recall_tui.cli import hook_process

        hook_process.main(sys.argv[1:], watch)
    from recall_tui.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
