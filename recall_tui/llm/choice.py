"""Which model answers for what: by the settings under `[llm]` and the environment, for each purpose its own if wanted.

Without a setting there is none, and nothing leaves this machine.
"""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from recall_tui.domain.hook import BACKGROUND, GUARD
from recall_tui.llm.model import Failure, Model

if TYPE_CHECKING:
    from recall_tui.storage.store import Store

ENTRY_POINTS = "recall_tui.models"
"""The group under which other packages offer a provider: a function of the memory's Config and the model's name."""
OFF = ("", "off", "none")
_NONE = Failure("no model is configured", "recall-tui config set llm.provider claude", is_refusal=True)


def chosen(store: Store, purpose: str) -> Model | Failure:
    """The model that answers for `purpose`; a refusal when there is none, or when a model started this process."""
    if store.places.env.get(GUARD, "") not in ("", BACKGROUND):
        return Failure("a model started this process", is_refusal=True)
    config = store.config
    provider, _, name = (config.text(f"llm.{purpose}") or config.text("llm.provider")).partition("/")
    if provider.strip().lower() in OFF:
        return _NONE
    return _made(store, provider.strip(), name.strip() or config.text("llm.model"))


def _made(store: Store, provider: str, name: str) -> Model | Failure:
    config = store.config
    if provider == "command":
        from recall_tui.llm.command import CommandModel

        try:
            words = tuple(shlex.split(config.text("llm.command")))
        except ValueError as error:
            return Failure(f"llm.command cannot be read: {error}", is_refusal=True)
        if not words:
            return Failure("llm.command is empty", "recall-tui config set llm.command '…'", is_refusal=True)
        timeout = float(config.whole("llm.timeout_seconds"))
        return CommandModel(f"command/{name or words[0]}", words, store.places, store.state, timeout)
    return Failure(f"unknown model provider: {provider}", is_refusal=True)
