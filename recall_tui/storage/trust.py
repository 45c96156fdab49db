"""Whether the person, and not somebody whose folder they opened, chose which program or server is asked.

A memory may come with a repository that others wrote; what its settings say of models counts only after it was set with
this program, or confirmed, on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from recall_tui.storage import atomic
from recall_tui.storage.store import Store

FILE = "trusted.json"
TABLES = ("llm.", "embeddings.", "memory.follow_links")
"""Settings that name programs to run, servers to send text to, or open the way to files outside of the memory."""
_MOST = 50
"""States that are remembered."""


def is_trusted(store: Store) -> bool:
    """Whether what the settings' file says of models was confirmed, or it says nothing of them.

    What the environment says is the person's own.
    """
    told = said(store)
    return not told or _digest(told) in _known(store)


def trust(store: Store) -> bool:
    """Confirm what the settings' file says of models as it is now; False when there is nothing to confirm."""
    if is_trusted(store):
        return False
    path = _path(store)
    atomic.make_folder(path.parent)
    atomic.write(path, json.dumps({"models": [*_known(store), _digest(said(store))][-_MOST:]}).encode())
    return True


@contextmanager
def kept(store: Store) -> Iterator[None]:
    """Changes of the settings that the person makes here: what was trusted before them is so after them."""
    was = is_trusted(store)
    yield
    if was:
        trust(store)


def said(store: Store) -> dict[str, str]:
    """What the file says of models, by key."""
    config = store.config
    return {
        key: str(config.get(key))
        for key in sorted(config.values)
        if key.startswith(TABLES) and config.origin(key) == "file"
    }


def _digest(told: dict[str, str]) -> str:
    return atomic.digest(json.dumps(told, sort_keys=True))


def _known(store: Store) -> list[str]:
    """Digests of what was confirmed, the newest last: what is taken back to an older state is known too."""
    try:
        held = json.loads(atomic.read_bytes(_path(store)) or b"null")
    except (ValueError, RecursionError):
        return []
    models = held.get("models") if isinstance(held, dict) else None
    return [str(one) for one in models] if isinstance(models, list) else []


def _path(store: Store) -> Path:
    return store.state / FILE
