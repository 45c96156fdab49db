"""Select the embedder from the `[embeddings]` settings and the environment.

Without a setting there is none. The selection loads no model and calls no server.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from recall_tui.llm.model import Failure
from recall_tui.storage.trust import is_trusted

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Embedder
    from recall_tui.llm.embedders.model_folder import ModelFolder
    from recall_tui.storage.memory_context import Store

ENTRY_POINTS = "recall_tui.embedders"
"""The entry point group of plugins; each is a function of the memory's Config and the model's name."""
LOCAL, SERVER = "local", "openai"
OFF_VALUES = ("", "off", "none")
KEY_VARIABLE = "RECALL_EMBEDDINGS_API_KEY"
"""The environment variable of the key, unless the settings hold one."""
PACKAGE_PREFIX = "package:"
_UNTRUSTED = Failure(
    "the settings of vectors are not confirmed on this machine",
    "see them with recall-tui config, then: recall-tui config trust",
    is_refusal=True,
)


def select_embedder(store: Store) -> Embedder | Failure | None:
    """Return the configured embedder; None when none is configured, a refusal with the next step when it is
    unavailable.
    """
    provider = _provider(store)
    if provider in OFF_VALUES:
        return None
    if not is_trusted(store):
        return _UNTRUSTED
    if provider == LOCAL:
        return _local(store)
    return _served(store) if provider == SERVER else _plugin_embedder(store, provider)


def served_embedder(store: Store) -> Embedder | Failure | None:
    """Return the embedder if it is a server, whose calls may cost money; None otherwise."""
    return select_embedder(store) if _provider(store) == SERVER else None


def configuration_error(store: Store) -> Failure | None:
    """Return the reason that the configured embedder is unavailable; None if it is available or none is configured."""
    embedder = select_embedder(store)
    return embedder if isinstance(embedder, Failure) else None


def _provider(store: Store) -> str:
    return store.config.text("embeddings.provider").strip().lower()


def _local(store: Store) -> Embedder | Failure:
    folder = _folder(store)
    if isinstance(folder, Failure):
        return folder
    if missing := _missing_package("numpy", "onnxruntime", "tokenizers"):
        return Failure(f"{missing} is not installed", "pip install 'recall-tui[semantic]'", is_refusal=True)
    from recall_tui.llm.embedders.local import LocalEmbedder

    return LocalEmbedder(folder)


def _folder(store: Store) -> ModelFolder | Failure:
    """Return the model's folder: from the path (folder or `package:NAME`), else the package named by the model."""
    from recall_tui.llm.embedders.model_folder import find_packaged_folder, open_model_folder

    path, model = (store.config.text(f"embeddings.{key}").strip() for key in ("path", "model"))
    if path.startswith(PACKAGE_PREFIX):
        return find_packaged_folder(path.removeprefix(PACKAGE_PREFIX))
    if path:
        return open_model_folder(store.named(path))
    if model:
        return find_packaged_folder(model)
    hint = "recall-tui config set embeddings.path FOLDER, or package:NAME"
    return Failure("embeddings.path names no model", hint, is_refusal=True)


def _served(store: Store) -> Embedder | Failure:
    config, env = store.config, store.environment.env
    model = config.text("embeddings.model").strip()
    if not model:
        hint = "recall-tui config set embeddings.model NAME"
        return Failure("the server needs the name of a model", hint, is_refusal=True)
    if missing := _missing_package("httpx", "numpy"):
        return Failure(f"{missing} is not installed", "pip install 'recall-tui[llm,semantic]'", is_refusal=True)
    from recall_tui.llm.embedders.dialect import EMBEDDINGS_PATH
    from recall_tui.llm.embedders.served import ServedEmbedder
    from recall_tui.llm.providers.endpoints import resolve_endpoint

    key = config.text("embeddings.api_key") or env.get(KEY_VARIABLE, "")
    where = resolve_endpoint(
        SERVER, config.text("embeddings.api_base"), key, env, table="embeddings", path=EMBEDDINGS_PATH
    )
    return where if isinstance(where, Failure) else ServedEmbedder(store, where, model)


def _plugin_embedder(store: Store, provider: str) -> Embedder | Failure:
    """Return the embedder of a plugin; every error becomes a failure."""
    from recall_tui.installed_plugins import installed_plugins
    from recall_tui.llm.embedders.plugin import PluginEmbedder
    from recall_tui.llm.failure_text import first_line

    offers = {point.name.lower(): point for point in installed_plugins(ENTRY_POINTS)}
    if provider not in offers:
        hint = f"known: {', '.join((LOCAL, SERVER, *offers))}"
        return Failure(first_line(f"unknown provider of vectors: {provider}"), hint, is_refusal=True)
    try:
        return PluginEmbedder(offers[provider].load()(store.config, store.config.text("embeddings.model").strip()))
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
    hint = f"fix or remove the package that offers {offers[provider].value}"
    return Failure(first_line(f"the provider of vectors {provider} cannot be loaded: {why}"), hint, is_refusal=True)


def _missing_package(*names: str) -> str:
    """Return the first of the packages that is not installed, without importing any; empty when all are."""
    return next((name for name in names if find_spec(name) is None), "")
