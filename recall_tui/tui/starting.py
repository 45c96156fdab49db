"""The start of the app, without pauses: garbage is not collected before the first paint.

What was made until then lives as long as the app does, so it is not looked through afterwards either.
"""

from __future__ import annotations

import gc


def hold() -> None:
    """Collect no garbage until `let_go`."""
    gc.disable()


def let_go() -> None:
    """Collect garbage again, of what is made from now on; without `hold` nothing changes."""
    if not gc.isenabled():
        gc.freeze()
        gc.enable()
