"""A memory's wikis: its own, called `private`, and the shared ones in its settings.

A shared wiki is a folder of pages like the private one; its content is untrusted.
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
    name: str
    folder: Path
    role: Literal["owner", "member", "reader"]

    @property
    def is_shared(self) -> bool:
        """Return whether others read it too."""
        return self.role != "owner"


def list_wikis(store: Store) -> tuple[WikiLocation, ...]:
    """Return the memory's own wiki, then the shared ones in settings order; links out of those are not followed."""
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
    """Read a wiki's folder without files that links bring in from outside the memory or the shared folder."""
    own = folder == store.layout.wiki
    return wiki_folder.read_folder(folder, link_check(store.layout) if own else shared_link_check(folder))


def expect_readable(store: Store, folder: Path, path: Path) -> None:
    """Raise RecallError if a link brings the file in from outside the memory or the shared folder."""
    if folder == store.layout.wiki:
        expect_own(store.layout, path)
    else:
        expect_within(folder, (path,))


def find_wiki(store: Store, name: str = "", *, writes: bool = False) -> WikiLocation:
    """Return the wiki of that name, by default the private one.

    Raises NotFoundError for an unknown name, UsageError for writing into a wiki that may only be read.
    """
    known = {one.name: one for one in list_wikis(store)}
    found = known.get(name or PRIVATE_WIKI)
    if found is None:
        raise NotFoundError(f"there is no shared wiki {name}", hint=f"wiki.shared names: {_find_named(known)}")
    if writes and found.role == "reader":
        raise UsageError(f"the wiki {name} is only read here", hint="its role in wiki.shared is reader")
    return found


def _find_named(known: dict[str, WikiLocation]) -> str:
    return ", ".join(name for name in known if name != PRIVATE_WIKI) or "none; recall-tui config set wiki.shared"
