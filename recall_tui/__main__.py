"""`python -m recall_tui` runs `recall-tui`; a hook, which an agent waits for, takes a faster path."""

import gc
import sys


def main() -> None:
    """Run the command given to the process, and exit."""
    from recall_tui.cli.argv import is_hook_call

    if is_hook_call(sys.argv[1:]):
        # Imports create no garbage; collecting it meanwhile would cost as much as the watchdog.
        gc.disable()
        from recall_tui.cli import hook_watchdog

        # Start it first: a fork copies everything that is in memory.
        watch = hook_watchdog.start_watchdog()
        from recall_tui.cli import hook_process

        hook_process.main(sys.argv[1:], watch)
    from recall_tui.cli.main import main as run

    run()


if __name__ == "__main__":
    main()
