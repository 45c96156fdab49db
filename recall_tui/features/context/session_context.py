"""What the next session is given, item by item, each with its size and the reason why it is there or is not.

Nothing here changes anything: the hook that starts a session and whoever looks on beforehand are told the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui import files
from recall_tui.storage.documents import window_file
from recall_tui.storage.documents.window_blocks import UNKNOWN_TIME
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.framing import MOST, Quote, framed

if TYPE_CHECKING:
    from recall_tui.domain import WindowEntry

CHARACTERS_PER_TOKEN = 4
"""English text in common tokenizers, near enough for a budget."""
_FRAME = 400
"""Characters that the frame takes."""
_LONGEST = 4 * MOST
"""Characters of a quotation at most; the frame's own limit comes first."""
_ITEM = 60
"""Characters around a quotation: where it is from, and its marks."""
_LEAST = 120
"""A text of which less would be left is left out."""
_NEWEST_BYTES = 65_536
"""Of an archive, in which its summary stands."""

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_SAYS_SOMETHING = re.compile(r"^(?!#)\S", re.MULTILINE)
"""A line that is no heading."""
_WORDS = re.compile(r"[A-Za-z0-9 ]{12,80}")

Kind = Literal["session", "news", "trouble", "window", "summary", "memory"]


class Item(NamedTuple):
    """One thing that a session is given, or is not."""

    kind: Kind
    what: str
    """For a person, such as `the session of conversation-014.md`."""
    text: str
    """As it is given, cut where it has to be."""
    is_given: bool
    why: str
    """Why it is given, or why not."""
    quote: Quote | None = None
    """For the frame; a fact in our own words has none."""
    is_cut: bool = False
    """Only its beginning is given."""

    @property
    def tokens(self) -> int:
        """About how many tokens it takes; 0 for what is not given."""
        return tokens_of(self.text) if self.is_given else 0


class Injection(NamedTuple):
    """All of it."""

    items: tuple[Item, ...]
    window: str = ""
    """The window's text, when the whole of it is given; else empty."""
    most: int = MOST
    """Characters of the frame."""

    @property
    def tokens(self) -> int:
        """About how many tokens a session is given."""
        return tokens_of(self.text)

    @property
    def text(self) -> str:
        """What the agent reads; empty when it is given nothing."""
        facts = " ".join(item.text for item in self.items if item.is_given and item.quote is None)
        return "\n\n".join(filter(None, (facts, _framed(self.items, self.most))))


class Asked(NamedTuple):
    """What is known of the session that starts."""

    session_id: str = ""
    known: str = ""
    """What it can read already: the beginning and the end of its transcript."""
    trouble: str = ""
    """Why the last capture failed; empty when it did not."""
    wants_memory: bool = False
    """The agent does not load MEMORY.md by itself."""


def tokens_of(text: str) -> int:
    """About how many tokens a text takes."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def injection(store: Store, asked: Asked = Asked()) -> Injection:
    """What a session that starts now is given, within `inject.tokens`."""
    tokens = store.config.whole("inject.tokens")
    if not tokens:
        return Injection((Item("window", "the window", "", False, "inject.tokens is 0"),))
    facts = list(_facts(store, asked))
    most = min(tokens * CHARACTERS_PER_TOKEN, MOST) - sum(len(item.text) + 2 for item in facts)
    text = read_text(store.layout.window)
    room = most - _FRAME
    items = _of_window(text, asked, room)
    # What makes text harmless makes it longer.
    while _framed(items, most) != _framed(items, 2 * _LONGEST) and room > _LEAST:
        room = room * 3 // 4
        items = _of_window(text, asked, room)
    if not text.strip():
        items = list(_newest(store, asked, most - _FRAME))
    is_whole = bool(text.strip()) and all(item.is_given and not item.is_cut for item in items)
    if asked.wants_memory:
        items += _curated(store, asked, items, most)
    return Injection((*facts, *items), text.strip() if is_whole else "", most)


def _framed(items: Sequence[Item], most: int) -> str:
    return framed([item.quote for item in items if item.is_given and item.quote], limit=_LONGEST, most=most)


def _of_window(text: str, asked: Asked, room: int) -> list[Item]:
    window = window_file.parse(text)
    entries = _entries(window.entries, asked, room)
    taken = sum(len(item.text) for item in entries if item.is_given)
    return [*entries, *_free_text(text, window, asked, room - taken)]


def _curated(store: Store, asked: Asked, others: Sequence[Item], most: int) -> list[Item]:
    """MEMORY.md, as much of it as there is room for beside the others."""
    path = store.layout.memory_file
    text = read_text(path).strip()
    if not _SAYS_SOMETHING.search(_COMMENT.sub("", text)):
        return []
    place = store.relative(path)
    quote = Quote(text, "MEMORY.md, which the user keeps", place=place)
    if asked.known and _said(text) in asked.known:
        return [Item("memory", "MEMORY.md", text, False, "the session was given it before", quote)]
    room = most - (len(_framed(others, most)) or _FRAME) - len(place) - _ITEM
    while room >= _LEAST:
        own = text if len(text) <= room else text[:room].rpartition("\n")[0] or text[:room]
        why = "the agent does not load it by itself"
        why += "" if own == text else "; as much of it as fits into inject.tokens"
        item = Item("memory", "MEMORY.md", own, True, why, quote._replace(text=own), is_cut=own != text)
        together = [*others, item]
        if _framed(together, most) == _framed(together, 2 * _LONGEST):
            return [item]
        # What makes text harmless makes it longer.
        room = room * 3 // 4
    return [Item("memory", "MEMORY.md", text, False, "it does not fit into inject.tokens", quote)]


def _facts(store: Store, asked: Asked) -> Iterator[Item]:
    if asked.session_id:
        text = f"The id of this session is {_plain_id(asked.session_id)}."
        yield Item("session", "the session's id", text, True, "by it the session is found again")
    if store.layout.summaries is not None:
        from recall_tui.features.summaries.stale_master import notice

        if text := notice(store):
            yield Item("news", "how far the master is behind", text, True, "until the next synthesis")
    if asked.trouble:
        from recall_tui.text.framing import field

        text = f"The last capture of a session into memory failed: {field(asked.trouble, 200)}"
        yield Item("trouble", "a capture that failed", text, True, "until a capture goes well again")


def _plain_id(session_id: str) -> str:
    """The id without anything that no id holds."""
    return "".join(char for char in session_id[:80] if char.isascii() and (char.isalnum() or char in "-_."))


def _entries(entries: Sequence[WindowEntry], asked: Asked, room: int) -> list[Item]:
    """The window's sessions as far as there is room, newest first."""
    items: list[Item] = []
    is_full = False
    for entry in reversed(entries):
        what = f"the session of {entry.archive or entry.session_id}"
        date = "" if entry.ended_at == UNKNOWN_TIME else f"{entry.ended_at:%Y-%m-%d %H:%M}"
        quote = Quote(entry.summary, f"Session {entry.session_id}", date, entry.archive)
        size = len(entry.summary) + len(entry.session_id) + len(entry.archive) + _ITEM
        if entry.session_id == asked.session_id:
            items.append(Item("window", what, entry.summary, False, "it is the session itself", quote))
        elif entry.session_id and entry.session_id in asked.known:
            items.append(Item("window", what, entry.summary, False, "the session was given it before", quote))
        elif is_full or size > room:
            is_full = True
            items.append(Item("window", what, entry.summary, False, "it does not fit into inject.tokens", quote))
        else:
            room -= size
            items.append(Item("window", what, entry.summary, True, "one of the newest sessions", quote))
    return items


def _free_text(text: str, window: window_file.Window, asked: Asked, room: int) -> Iterator[Item]:
    """What stands in the window beside entries: the last session's summary, or what a person or an agent wrote."""
    if not window.free_text:
        return
    one = window_file.read_one(text)
    own = one.text if one else window.free_text
    what = "the last session's summary" if one else "what stands in the window beside sessions"
    quote = Quote(own, "Last session" if one else "Window")
    if one is not None and one.session_id == asked.session_id:
        yield Item("window", what, own, False, "it is the session itself", quote)
    elif asked.known and _said(own) in asked.known:
        yield Item("window", what, own, False, "the session was given it before", quote)
    elif room < _LEAST:
        yield Item("window", what, own, False, "it does not fit into inject.tokens", quote)
    elif len(own) > room:
        cut = own[:room].rpartition("\n")[0] or own[:room]
        shorter = quote._replace(text=cut)
        yield Item("window", what, cut, True, "as much of it as fits into inject.tokens", shorter, is_cut=True)
    else:
        yield Item("window", what, own, True, "nobody was given it yet" if one else "it stands in the window", quote)


def _said(text: str) -> str:
    """Words from the beginning of a text as they would stand in a transcript, whatever is escaped there."""
    return max(_WORDS.findall(text[:400]), key=len, default="") or text


def _newest(store: Store, asked: Asked, room: int) -> Iterator[Item]:
    """The summary of the session that ended last, for an empty window."""
    from recall_tui.storage.archives.folder import ArchiveFolder

    newest = ArchiveFolder(store.layout).newest(but=asked.session_id)
    if newest is None:
        return
    with files.opened(newest.path) as file:
        head = file.read(_NEWEST_BYTES).decode("utf-8", "surrogateescape")
    summary = (_summary(store, head) or newest.title).strip()
    if not summary:
        return
    what = f"the summary of {newest.path.name}"
    date = f"{newest.date:%Y-%m-%d %H:%M}" if newest.date else ""
    quote = Quote(summary[:room], f"Session {newest.session_id}", date, newest.path.name)
    if newest.session_id and newest.session_id in asked.known:
        yield Item("summary", what, summary, False, "the session was given it before", quote)
    elif room < _LEAST:
        yield Item("summary", what, summary, False, "it does not fit into inject.tokens", quote)
    else:
        yield Item("summary", what, summary[:room], True, "the window is empty, and this is the newest archive", quote)


def _summary(store: Store, head: str) -> str:
    if store.layout.summaries is not None:
        from recall_tui.storage.archives.summary_file import context_of

        return context_of(head)
    from recall_tui.storage.archives.file import summary_of

    return summary_of(head)
