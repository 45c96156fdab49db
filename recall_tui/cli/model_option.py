"""Select the model of a command; a configured but unavailable model is reported with the next step.

No model is called here, and without a configured model nothing is printed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.output import one_line
from recall_tui.workbench import Workbench

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import CommandContext
    from recall_tui.llm.client import Purpose
    from recall_tui.storage.memory_context import Store


def has_model(run: CommandContext, store: Store, purpose: Purpose) -> bool:
    """Return whether a model is configured for the purpose."""
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.selection import configuration_error

    if ModelClient(store).is_offered(purpose):
        return True
    if why := configuration_error(store, purpose):
        run.out.note(one_line(f"without a model: {why.words}"))
    return False


def with_provider(bench: Workbench, agent: str | None, purpose: Purpose = "dream") -> Workbench:
    """Return the workbench with this provider, or `provider/model`, for the purpose; UsageError when unavailable.

    `off` disables models. The settings stay unchanged.
    """

    from recall_tui.config import env_name
    from recall_tui.errors import UsageError
    from recall_tui.llm.selection import configuration_error

    if not agent:
        return bench
    store = bench.store
    environment = store.environment._replace(env={**store.environment.env, env_name(f"llm.{purpose}"): agent})
    chosen = store._replace(environment=environment)
    if why := configuration_error(chosen, purpose):
        raise UsageError(why.reason, hint=why.hint)
    return Workbench(chosen, bench.why)
