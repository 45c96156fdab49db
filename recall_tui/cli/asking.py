"""Whether a command asks a model, and which: one that is named and cannot be asked is said, with what to do.

Nothing is asked here, and without a name in the settings or on the command line nothing is said.
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


def with_agent(store: Store, purpose: Purpose, agent: str) -> Store:
    """The memory with the model that --agent names for the purpose, such as `claude` or `claude/haiku`."""
    if not agent:
        return store
    from recall_tui.paths import Places
    from recall_tui.storage.store import Store as Opened

    places = store.places
    env = {**places.env, f"RECALL_LLM_{purpose.upper()}": agent}
    return Opened(store.layout, Places(places.home, places.cwd, env), store.now)
