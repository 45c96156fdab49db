"""The end of the app with its terminal."""

from __future__ import annotations

import signal


def end_with_terminal() -> None:
    """End when the terminal is closed, also where whoever started the app ignores that: it would run on unseen."""
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
