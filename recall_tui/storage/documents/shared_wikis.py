"""The wikis that a memory works with: its own, called `private`, and those that the settings share with others.

A shared wiki is a folder of pages like the own one; what is read there is never trusted to be ours.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal, NamedTuple

from recall_tui import files
from recall_tui.config import shared_wikis
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.storage.documents import wiki_folder
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.files.symlinks import expect_own, expect_within, link_check, shared_link_check
from recall_tui.storage.layout import detect_layout, make_layout
from recall_tui.storage.memory_context import Store

PRIVATE_WIKI = "private"


class WikiLocation(NamedTuple):
    """One wiki."""

    name: str
    folder: Path
    role: Literal["owner", "member", "reader"]

    @property
    def is_shared(self) -> bool:
        """Whether others read it, too."""
        return self.role != "owner"


def list_wikis(store: Store) -> tuple[WikiLocation, ...]:
    """The memory's own wiki, then the shared ones in the order of the settings; no link leads out of one of these."""
    texts = store.config.get("wiki.shared")
    named = shared_wikis(texts if isinstance(texts, tuple) else ())
    shared = tuple(WikiLocation(one.name, _wiki_folder(store.named(one.folder)), one.role) for one in named)
    for one in shared:
        files.register_root(files.strict_boundary(one.folder))
    return (WikiLocation(PRIVATE_WIKI, store.layout.wiki, "owner"), *shared)


def _wiki_folder(folder: Path) -> Path:
    """The folder of the pages: of a whole memory that of its wiki, else the folder itself."""
    try:
        found = detect_layout(folder)
    except OSError:
        found = None
    return make_layout(folder, found[0]).wiki if found else folder


def read_wiki(store: Store, folder: Path) -> Wiki:
    """The wiki in the folder of a target, without what links bring in: into the own from outside of the memory."""
    own = folder == store.layout.wiki
    return wiki_folder.read_folder(folder, link_check(store.layout) if own else shared_link_check(folder))


def expect_readable(store: Store, folder: Path, path: Path) -> None:
    """RecallError when a link brings the file in from outside: of the memory, or of the folder that is shared."""
    if folder == store.layout.wiki:
        expect_own(store.layout, path)
    else:
        expect_within(folder, (path,))


def find_wiki(store: Store, name: str = "", *, writes: bool = False) -> WikiLocation:
    """The wiki of a name, by default the memory's own; UsageError for one that may only be read."""
    known = {one.name: one for one in list_wikis(store)}
    found = known.get(name or PRIVATE_WIKI)
    if found is None:
        raise NotFoundError(f"there is no shared wiki {name}", hint=f"wiki.shared names: {_find_named(known)}")
    if writes and found.role == "reader":
        raise UsageError(f"the wiki {name} is only read here", hint="its role in wiki.shared is reader")
    return found


def _find_named(known: dict[str, WikiLocation]) -> str:
    return ", ".join(name for name in known if name != PRIVATE_WIKI) or "none; recall-tui config set wiki.shared"
