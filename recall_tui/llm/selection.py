"""Select the model for a purpose from the `[llm]` settings and the environment.

Without a setting there is none, and nothing leaves this machine.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain.hook import BACKGROUND_VALUE, GUARD_VARIABLE
from recall_tui.llm.model import Failure, Model, Usage
from recall_tui.storage.trust import is_trusted

if TYPE_CHECKING:
    from recall_tui.config import Config
    from recall_tui.llm.providers.presets import Preset
    from recall_tui.storage.memory_context import Store

ENTRY_POINTS = "recall_tui.models"
"""The entry point group of plugins; each is a function of the memory's Config and the model's name."""
OFF_VALUES = ("", "off", "none", "offline")
PROGRAMS = ("claude", "codex", "copilot", "gemini", "ollama", "llm")
SERVERS = ("openai", "anthropic")
PROVIDERS = (*PROGRAMS, "command", *SERVERS)
KEY_VARIABLE = "RECALL_LLM_API_KEY"
"""The environment variable of the key, unless the settings hold one."""
_ADDRESSABLE = (*SERVERS, "ollama")
ALIASES = {"claude-code": "claude", "claudecode": "claude"}
"""The spellings of recall-echo."""
_TOKENS_PER_PRICE = 1_000_000
_NOT_CONFIGURED = Failure("no model is configured", "recall-tui config set llm.provider claude", is_refusal=True)

_UNTRUSTED = Failure(
    "the settings of models are not confirmed on this machine",
    "see them with recall-tui config, then: recall-tui config trust",
    is_refusal=True,
)


def select_model(store: Store, purpose: str) -> Model | Failure:
    """Return the model for `purpose`; a refusal when there is none, or when a model started this process."""
    if not _may_call_models(store):
        return Failure("a model started this process", is_refusal=True)
    config = store.config
    general = provider_name(config.text("llm.provider"))
    provider, _, name = config.text(f"llm.{purpose}").partition("/")
    if not provider.strip():
        provider, _, name = config.text("llm.provider").partition("/")
    provider = provider_name(provider)
    if provider in OFF_VALUES:
        return _NOT_CONFIGURED
    if not is_trusted(store):
        return _UNTRUSTED
    # `llm.model` belongs to the general provider and means nothing to another.
    is_general = provider == general or general in OFF_VALUES
    name = name.strip() or (config.text("llm.model").strip() if is_general else "")
    return _build_model(store, provider, name, is_own=is_general or general not in _ADDRESSABLE)


def model_name(store: Store, purpose: str) -> str:
    """Return the name of the model for `purpose`; empty when there is none."""
    model = select_model(store, purpose)
    return "" if isinstance(model, Failure) else model.name


def configuration_error(store: Store, purpose: str) -> Failure | None:
    """Return the reason that the model configured for `purpose` is unavailable; None when it is available or not
    configured.
    """
    model = select_model(store, purpose)
    return model if isinstance(model, Failure) and model is not _NOT_CONFIGURED and _may_call_models(store) else None


def missing_program(store: Store, purpose: str) -> str:
    """Return the program of the model for `purpose` if it is not on the PATH; else empty."""
    program: str = getattr(select_model(store, purpose), "program", "")
    is_known = bool(store.environment.env.get("PATH"))
    return program if program and is_known and store.environment.program(program) is None else ""


def _may_call_models(store: Store) -> bool:
    """Return whether this process may call models: one started by a model may not."""
    return store.environment.env.get(GUARD_VARIABLE, "") in ("", BACKGROUND_VALUE)


def with_cost(usage: Usage, config: Config) -> Usage:
    """Return the usage with its cost: the provider's, else by the configured prices, else unknown."""
    asked, answered = config.get("llm.price_asked"), config.get("llm.price_answered")
    if usage.cost is not None or not isinstance(asked, int | float) or not isinstance(answered, int | float):
        return usage
    return usage._replace(cost=(usage.asked * asked + usage.answered * answered) / _TOKENS_PER_PRICE)


def provider_name(name: str) -> str:
    """Return the provider that a setting names, with or without a model."""
    word = name.partition("/")[0].strip().lower()
    return ALIASES.get(word, word)


def _build_model(store: Store, provider: str, name: str, *, is_own: bool) -> Model | Failure:
    """Build the model; `is_own` if the configured address and key belong to this provider."""
    base = store.config.text("llm.api_base").strip() if is_own else ""
    if provider in SERVERS or (provider == "ollama" and base):
        key = store.config.text("llm.api_key") or store.environment.env.get(KEY_VARIABLE, "")
        return _server_model(store, provider, name, base, key if is_own else "")
    if provider in PROGRAMS:
        from recall_tui.llm.providers.presets import PRESETS

        preset = PRESETS[provider]
        return (
            _missing_name(provider)
            if preset.needs_model and not name
            else _program_model(store, provider, preset, name)
        )
    return _command_model(store, name) if provider == "command" else _plugin_model(store, provider, name)


def _command_model(store: Store, name: str) -> Model | Failure:
    from recall_tui.llm.providers.presets import Preset

    try:
        words = tuple(shlex.split(store.config.text("llm.command")))
    except ValueError as error:
        return Failure(f"llm.command cannot be read: {error}", is_refusal=True)
    if not words:
        return Failure("llm.command is empty", "recall-tui config set llm.command '…'", is_refusal=True)
    if any("{prompt}" in word for word in words):
        hint = "take {prompt} out: others could read it in the list of processes"
        return Failure("llm.command is given the question on its stdin", hint, is_refusal=True)
    if not name and any("{model}" in word for word in words):
        return _missing_name("llm.command")
    provider = "command" if name else f"command/{Path(words[0]).name}"
    return _program_model(store, provider, Preset(words, hint="is llm.command right?"), name)


def _program_model(store: Store, provider: str, preset: Preset, name: str) -> Model:
    from recall_tui.llm.providers.command import CommandModel

    return CommandModel(
        _display_name(provider, name), preset, name, store.environment, store.state, _timeout_seconds(store)
    )


def _server_model(store: Store, provider: str, name: str, base: str, key: str) -> Model | Failure:
    from recall_tui.llm.providers.dialects import Anthropic, OpenAi
    from recall_tui.llm.providers.endpoints import BASE_URLS, resolve_endpoint
    from recall_tui.llm.providers.http_model import HttpModel

    if not name:
        return _missing_name(provider)
    where = resolve_endpoint(provider, base, key, store.environment.env)
    if isinstance(where, Failure):
        return where
    is_openai = where.url.startswith(f"{BASE_URLS['openai']}/")
    dialect = Anthropic() if provider == "anthropic" else OpenAi(is_openai)
    return HttpModel(_display_name(provider, name), dialect, where, name, _timeout_seconds(store))


def _plugin_model(store: Store, provider: str, name: str) -> Model | Failure:
    """Return the model of a plugin; every error becomes a failure."""
    from recall_tui.installed_plugins import installed_plugins
    from recall_tui.llm.failure_text import first_line

    offers = {point.name.lower(): point for point in installed_plugins(ENTRY_POINTS)}
    if provider not in offers:
        return _unknown_provider(provider, [*PROVIDERS, *offers])
    try:
        made = offers[provider].load()(store.config, name)
        if isinstance(made, Model) and isinstance(made.name, str):
            return made
        why = "it is no model"
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    hint = f"fix or remove the package that offers {offers[provider].value}"
    return Failure(first_line(f"the model provider {provider} cannot be loaded: {why}"), hint, is_refusal=True)


def _unknown_provider(provider: str, known: list[str]) -> Failure:
    import difflib

    near = difflib.get_close_matches(provider, known, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known: {', '.join(known)}"
    return Failure(f"unknown model provider: {provider}", hint, is_refusal=True)


def _missing_name(provider: str) -> Failure:
    hint = "recall-tui config set llm.model NAME"
    return Failure(f"{provider} needs the name of a model", hint, is_refusal=True)


def _timeout_seconds(store: Store) -> float:
    return float(store.config.whole("llm.timeout_seconds"))


def _display_name(provider: str, name: str) -> str:
    return f"{provider}/{name}" if name else provider
