"""A wiki page put in order for a person to look at: told by the memory's model, or in its sources' own words.

Nothing is changed here; what was shown is what is made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from recall_tui.tui import messages

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench


def planned(bench: Workbench, slug: str, shared: str, is_stopped: Callable[[], bool]) -> messages.RebuildPlanned:
    """What putting the page in order changes, and with which words it is made."""
    from recall_tui.features.wiki.rebuild import rebuild
    from recall_tui.features.wiki.rebuild_model import told
    from recall_tui.llm.client import Calls
    from recall_tui.llm.model import Failure
    from recall_tui.llm.selection import trouble
    from recall_tui.storage.journal.plan_diff import diff

    words: tuple[Any, ...] = (slug, shared)
    note = ""
    calls = Calls(bench.store, is_stopped)
    if calls.is_offered("dream"):
        said = told(bench.store, slug, calls, shared)
        if isinstance(said, Failure):
            note = f"In its sources' own words: {said.reason}"
        else:
            words = (*words, said.body, said.stale)
    elif why := trouble(bench.store, "dream"):
        note = f"Without a model: {why.words}"
    plan = bench.preview(rebuild, *words)
    return messages.RebuildPlanned(plan, diff(plan), words, note)
