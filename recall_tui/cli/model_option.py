"""Whether a command asks a model, and which: one that is named and cannot be asked is said, with what to do.

Nothing is asked here, and without a name nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.llm.client import Purpose
    from recall_tui.storage.memory_context import Store
    from recall_tui.workbench import Workbench


def has_model(run: CommandContext, store: Store, purpose: Purpose) -> bool:
    """Whether a model answers for the purpose."""
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.selection import configuration_error

    if ModelClient(store).is_offered(purpose):
        return True
    if why := configuration_error(store, purpose):
        run.out.note(one_line(f"without a model: {why.words}"))
    return False


def with_provider(bench: Workbench, agent: str | None, purpose: Purpose = "dream") -> Workbench:
    """The workbench with this provider, or `provider/model`, for the purpose; UsageError when it cannot be asked.

    `off` is no model. What the settings say stays as it is.
    """
    from dataclasses import replace

    from recall_tui.config import env_name
    from recall_tui.errors import UsageError
    from recall_tui.llm.selection import configuration_error

    if not agent:
        return bench
    store = bench.store
    places = replace(store.places, env={**store.places.env, env_name(f"llm.{purpose}"): agent})
    chosen = replace(store, places=places)
    if why := configuration_error(chosen, purpose):
        raise UsageError(why.reason, hint=why.hint)
    return replace(bench, store=chosen)
