"""Whether the person, and not somebody whose folder they opened, said what reaches out of a memory.

A memory may come with a repository that others wrote; what its settings say of models, of folders elsewhere and of what
happens unasked counts only after it was set with this program, or confirmed, on this machine.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from recall_tui.config import Config, Value, shared_wikis
from recall_tui.storage import atomic, links
from recall_tui.storage.store import Store
from recall_tui.storage.surroundings import takes_every_project

FILE = "trusted.json"
_MOST = 50
"""States that are remembered."""
_DAYS_OF_BACKUPS = 7
"""Fewer than these, the default, take copies away."""


class Reach(NamedTuple):
    """Why a setting counts only when it is the person's own."""

    does: str
    """What it does, after the setting's name."""
    is_meant: Callable[[Store, Value], bool] = lambda _, value: bool(value)
    """Whether that value does so in that memory."""
    is_refused: bool = False
    """Whoever uses it refuses by itself, as it stands; others run on its default until then."""


def _leads_out(store: Store, value: Value) -> bool:
    wikis = shared_wikis(value if isinstance(value, tuple) else ())
    root = Path(os.path.realpath(store.root))
    return any(not Path(os.path.realpath(store.named(one.folder))).is_relative_to(root) for one in wikis)


REACHING: Mapping[str, Reach] = {
    "llm.": Reach("names a program to run or a server to ask", lambda *_: True, is_refused=True),
    "embeddings.": Reach("names a program to run or a server to ask", lambda *_: True, is_refused=True),
    "memory.follow_links": Reach("opens files outside of the memory", lambda *_: True, is_refused=True),
    "wiki.shared": Reach("names folders outside of the memory, which are read and written", _leads_out),
    "transcripts.sources": Reach("names folders outside of the memory, which are read"),
    "transcripts.projects": Reach(
        "brings in what was said in other projects",
        lambda store, value: value == "all" and not takes_every_project(store),
    ),
    "transcripts.aliases": Reach("brings in what was said in other folders"),
    "capture.auto": Reach(
        "writes what is said into a folder that is shared",
        lambda store, value: value is True and store.layout.name == "project",
    ),
    "recall.synthesize_prompts": Reach("hands prompts to a model unasked"),
    "review.auto": Reach("makes changes that nobody looked at"),
    "keep.days": Reach("removes transcripts that are kept outside of the memory, with no way back"),
    "backups.days": Reach(
        "removes copies that the memory is restored from",
        lambda _, value: isinstance(value, int) and value < _DAYS_OF_BACKUPS,
    ),
}
"""The settings that reach out of the memory, or a table's all; every other one stays within."""


def is_trusted(store: Store) -> bool:
    """Whether what the settings' file says that reaches out of the memory was confirmed, or it says nothing so.

    What the environment says is the person's own.
    """
    told = said(store)
    return not told or _digest(told) in _known(store)


def owns_folders(store: Store) -> bool:
    """Whether the memory's folders that are links out of it were confirmed to be the person's own."""
    told = _linked(store)
    return not told or _digest(told) in _known(store)


def trust(store: Store) -> bool:
    """Confirm what reaches out of the memory as it is now; False when there is nothing to confirm."""
    if is_trusted(store) and owns_folders(store):
        return False
    path = _path(store)
    known = list(dict.fromkeys((*_known(store), *map(_digest, (said(store), _linked(store))))))
    atomic.make_folder(path.parent)
    atomic.write(path, json.dumps({"models": known[-_MOST:]}).encode())
    return True


@contextmanager
def kept(store: Store) -> Iterator[None]:
    """Changes of the settings that the person makes here: what was trusted before them is so after them."""
    was = is_trusted(store)
    yield
    if was and not is_trusted(store):
        trust(store)


def said(store: Store) -> dict[str, str]:
    """What the file says that reaches out of the memory, by key."""
    config = store.written
    return {
        key: str(value)
        for key, value in sorted(config.values.items())
        if config.origin(key) == "file"
        and (reach := _reach(key))
        and reach.is_meant(store, value)
        and (reach.is_refused or not links.is_at_home(store))
    }


def to_confirm(store: Store) -> dict[str, str]:
    """All that `trust` confirms, by the setting or the folder."""
    return said(store) | _linked(store)


def in_force(store: Store, written: Config) -> Config:
    """The settings without those of the file that wait to be confirmed; a warning says so of each."""
    waiting = [key for key in said(store) if (reach := _reach(key)) and not reach.is_refused]
    if not waiting or is_trusted(store):
        return written
    reasons = {key: f"{key} {reach.does}" for key in waiting if (reach := _reach(key))}
    return written._replace(
        values={key: value for key, value in written.values.items() if key not in reasons},
        origins={key: origin for key, origin in written.origins.items() if key not in reasons},
        refused={**written.refused, **{key: f"{why}; {_NEXT}" for key, why in reasons.items()}},
        warnings=(*written.warnings, *(f"{written.path}: {why}; {_NEXT}" for why in reasons.values())),
    )


_NEXT = "if that is your own wish: recall-tui config trust"


def _reach(key: str) -> Reach | None:
    return REACHING.get(key) or REACHING.get(f"{key.partition('.')[0]}.")


def _linked(store: Store) -> dict[str, str]:
    return {f"{store.relative(folder)}/": str(target) for folder, target in links.linked_folders(store.layout)}


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
