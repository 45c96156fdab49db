"""Whether a command asks a model: one that is named in the settings and cannot be asked is said, with what to do.

Nothing is asked here, and without a name in the settings nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.frame import Run
    from recall_tui.llm.calls import Purpose
    from recall_tui.storage.store import Store


def is_offered(run: Run, store: Store, purpose: Purpose) -> bool:
    """Whether a model answers for the purpose."""
    from recall_tui.llm.calls import Calls
    from recall_tui.llm.choice import trouble

    if Calls(store).is_offered(purpose):
        return True
    if why := trouble(store, purpose):
        run.out.note(one_line(f"without a model: {why.words}"))
    return False
