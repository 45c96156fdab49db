"""What the next session is given, item by item, each with its size and the reason why it is there or is not.

Nothing here changes anything: the hook that starts a session and whoever looks on beforehand are told the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui import files
from recall_tui.storage.documents import window_file
from recall_tui.storage.documents.window_blocks import HEADING_PREFIX
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.framing import MAX_FRAME_CHARS, MAX_TITLE_CHARS, QuotedBlock, frame_quotes

if TYPE_CHECKING:
    from recall_tui.domain import SessionLabel, WindowEntry

CHARS_PER_TOKEN = 4
"""English text in common tokenizers, near enough for a budget."""
_FRAME_CHARS = 400
"""Characters that the frame takes."""
_MAX_QUOTE_CHARS = 4 * MAX_FRAME_CHARS
"""Characters of a quotation at most; the frame's own limit comes first."""
_ITEM_OVERHEAD_CHARS = 60
"""Characters around a quotation: where it is from, and its marks."""
_MIN_QUOTE_CHARS = 120
"""A text of which less would be left is left out."""
_MAX_WINDOW_CHARS = 256 << 10
"""Of a window, of which a session is given a few thousand characters: its newest sessions, or the head of its text."""
_HEAD_BYTES = 65_536
"""Of an archive, in which its summary stands."""

_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CONTENT_LINE = re.compile(r"^(?!#)\S", re.MULTILINE)
"""A line that is no heading."""
_WORD_RUN = re.compile(r"[A-Za-z0-9 ]{12,80}")

ItemKind = Literal["session", "news", "trouble", "window", "summary", "memory"]


class ContextItem(NamedTuple):
    """One thing that a session is given, or is not."""

    kind: ItemKind
    what: str
    """For a person, such as `the session of conversation-014.md`."""
    text: str
    """As it is given, cut where it has to be."""
    is_given: bool
    why: str
    """Why it is given, or why not."""
    quote: QuotedBlock | None = None
    """For the frame; a fact in our own words has none."""
    is_cut: bool = False
    """Only its beginning is given."""

    @property
    def tokens(self) -> int:
        """About how many tokens it takes; 0 for what is not given."""
        return estimate_tokens(self.text) if self.is_given else 0


class SessionContext(NamedTuple):
    """All of it."""

    items: tuple[ContextItem, ...]
    window: str = ""
    """The window's text, when the whole of it is given; else empty."""
    most: int = MAX_FRAME_CHARS
    """Characters of the frame."""

    @property
    def tokens(self) -> int:
        """About how many tokens a session is given."""
        return estimate_tokens(self.text)

    @property
    def text(self) -> str:
        """What the agent reads; empty when it is given nothing."""
        facts = "\n".join(item.text for item in self.items if item.is_given and item.quote is None)
        return "\n\n".join(filter(None, (facts, _frame_items(self.items, self.most))))


class StartingSession(NamedTuple):
    """What is known of the session that starts."""

    session_id: str = ""
    known: str = ""
    """What it can read already: the beginning and the end of its transcript."""
    trouble: str = ""
    """Why the last capture failed; empty when it did not."""
    wants_memory: bool = False
    """The agent does not load MEMORY.md by itself."""


def estimate_tokens(text: str) -> int:
    """About how many tokens a text takes."""
    return -(-len(text) // CHARS_PER_TOKEN)


def build_context(store: Store, asked: StartingSession = StartingSession()) -> SessionContext:
    """What a session that starts now is given, within `inject.tokens`."""
    tokens = store.config.whole("inject.tokens")
    if not tokens:
        return SessionContext((ContextItem("window", "the window", "", False, "inject.tokens is 0"),))
    facts = list(_fact_items(store, asked))
    most = min(tokens * CHARS_PER_TOKEN, MAX_FRAME_CHARS) - sum(len(item.text) + 2 for item in facts)
    text = read_text(store.layout.window)
    room = most - _FRAME_CHARS
    part = _newest_part(text)
    window = window_file.parse_window(part)
    items = _window_items(store, part, window, asked, room)
    # What makes text harmless makes it longer.
    while _frame_items(items, most) != _frame_items(items, 2 * _MAX_QUOTE_CHARS) and room > _MIN_QUOTE_CHARS:
        room = room * 3 // 4
        items = _window_items(store, part, window, asked, room)
    if not text.strip():
        items = list(_last_summary_item(store, asked, most - _FRAME_CHARS))
    is_whole = part == text and bool(text.strip()) and all(item.is_given and not item.is_cut for item in items)
    if asked.wants_memory:
        items += _memory_item(store, asked, items, most)
    return SessionContext((*facts, *items), text.strip() if is_whole else "", most)


def _frame_items(items: Sequence[ContextItem], most: int) -> str:
    return frame_quotes(
        [item.quote for item in items if item.is_given and item.quote], limit=_MAX_QUOTE_CHARS, most=most
    )


def _newest_part(text: str) -> str:
    """The part of the window's text that is looked at; all of it unless it is far too long."""
    if len(text) <= _MAX_WINDOW_CHARS:
        return text
    heading = f"\n{HEADING_PREFIX}"
    start = max(0, text.find(heading, max(0, text.rfind(heading) - _MAX_WINDOW_CHARS // 2)))
    return text[start : start + _MAX_WINDOW_CHARS]


def _window_items(
    store: Store, text: str, window: window_file.Window, asked: StartingSession, room: int
) -> list[ContextItem]:
    entries = _entry_items(store, window.entries, asked, room)
    taken = sum(len(item.text) for item in entries if item.is_given)
    return [*entries, *_free_text_item(text, window, asked, room - taken)]


def _memory_item(store: Store, asked: StartingSession, others: Sequence[ContextItem], most: int) -> list[ContextItem]:
    """MEMORY.md, as much of it as there is room for beside the others."""
    path = store.layout.memory_file
    text = read_text(path).strip()
    if "<<<<<<<" in text:
        from recall_tui.text.merge_conflicts import mark_conflicts

        text = mark_conflicts(text)
    if not _CONTENT_LINE.search(_COMMENT.sub("", text)):
        return []
    place = store.relative(path)
    quote = QuotedBlock(text, "MEMORY.md, which the user keeps", place=place)
    if asked.known and _opening_words(text) in asked.known:
        return [ContextItem("memory", "MEMORY.md", text, False, "the session was given it before", quote)]
    room = most - (len(_frame_items(others, most)) or _FRAME_CHARS) - len(place) - _ITEM_OVERHEAD_CHARS
    while room >= _MIN_QUOTE_CHARS:
        own = text if len(text) <= room else text[:room].rpartition("\n")[0] or text[:room]
        why = "the agent does not load it by itself"
        why += "" if own == text else "; as much of it as fits into inject.tokens"
        item = ContextItem("memory", "MEMORY.md", own, True, why, quote._replace(text=own), is_cut=own != text)
        together = [*others, item]
        if _frame_items(together, most) == _frame_items(together, 2 * _MAX_QUOTE_CHARS):
            return [item]
        # What makes text harmless makes it longer.
        room = room * 3 // 4
    return [ContextItem("memory", "MEMORY.md", text, False, "it does not fit into inject.tokens", quote)]


def _fact_items(store: Store, asked: StartingSession) -> Iterator[ContextItem]:
    if asked.session_id:
        text = f"The id of this session is {_plain_id(asked.session_id)}."
        if store.layout.design.summaries_are_archives:
            # Commands of project memory look for a line of this form.
            text += f"\nSESSION_ID: {_plain_id(asked.session_id)}"
        yield ContextItem("session", "the session's id", text, True, "names the session, so that it can be found again")
    if store.layout.design.summaries_are_archives:
        from recall_tui.features.summaries.stale_master import stale_notice

        if text := stale_notice(store):
            yield ContextItem("news", "how far the master is behind", text, True, "until the next synthesis")
    if asked.trouble:
        from recall_tui.text.framing import sanitize_line

        text = f"The last capture of a session into memory failed: {sanitize_line(asked.trouble, 200)}"
        yield ContextItem("trouble", "a capture that failed", text, True, "until a capture goes well again")


def _plain_id(session_id: str) -> str:
    """The id without anything that no id holds."""
    return "".join(char for char in session_id[:80] if char.isascii() and (char.isalnum() or char in "-_."))


def _entry_items(store: Store, entries: Sequence[WindowEntry], asked: StartingSession, room: int) -> list[ContextItem]:
    """The window's sessions as far as there is room, newest first."""
    from recall_tui.text.session_line import label_entry, session_facts

    items: list[ContextItem] = []
    is_full = False
    for entry in reversed(entries):
        what = f"the session of {entry.archive or entry.session_id}"
        label = label_entry(entry) if is_full else _entry_label(store, entry)
        # By its id a session is known not to be given twice.
        place = " · ".join(filter(None, (f"session {entry.session_id}" if entry.session_id else "", entry.archive)))
        quote = QuotedBlock(entry.summary, label.title, session_facts(label, store.now()), place)
        size = len(entry.summary) + min(len(label.title), MAX_TITLE_CHARS) + len(place) + _ITEM_OVERHEAD_CHARS
        if entry.session_id == asked.session_id:
            items.append(ContextItem("window", what, entry.summary, False, "it is the session itself", quote))
        elif entry.session_id and entry.session_id in asked.known:
            items.append(ContextItem("window", what, entry.summary, False, "the session was given it before", quote))
        elif not is_full and size > room and not any(one.is_given for one in items):
            # The newest one is cut rather than left out: without it nothing of the window would be told.
            is_full = True
            items.append(_cut_entry(what, entry, quote, len(entry.summary) - (size - room)))
        elif is_full or size > room:
            is_full = True
            items.append(ContextItem("window", what, entry.summary, False, "it does not fit into inject.tokens", quote))
        else:
            room -= size
            items.append(ContextItem("window", what, entry.summary, True, "one of the newest sessions", quote))
    return items


def _entry_label(store: Store, entry: WindowEntry) -> SessionLabel:
    """How a session in the window is recognized: by the head of its archive, else by its entry."""
    from recall_tui.storage.archives.folder import ArchiveFolder
    from recall_tui.text.session_line import label_archive, label_entry

    held = ArchiveFolder(store.layout).named("".join(entry.archives[-1:]))
    return label_archive(held) if held is not None else label_entry(entry)


def _cut_entry(what: str, entry: WindowEntry, quote: QuotedBlock, room: int) -> ContextItem:
    """As much of a session's entry as there is room for, with a note of where the rest is."""
    note = f" […] (cut; the rest: recall-tui show {entry.archives[-1] if entry.archives else entry.session_id})"
    if room - len(note) < _MIN_QUOTE_CHARS:
        return ContextItem("window", what, entry.summary, False, "it does not fit into inject.tokens", quote)
    from recall_tui.text.cut import shorten

    text = shorten(entry.summary, room - len(note), "") + note
    why = "as much of it as fits into inject.tokens"
    return ContextItem("window", what, text, True, why, quote._replace(text=text), is_cut=True)


def _free_text_item(text: str, window: window_file.Window, asked: StartingSession, room: int) -> Iterator[ContextItem]:
    """What stands in the window beside entries: the last session's summary, or what a person or an agent wrote."""
    if not window.free_text:
        return
    one = window_file.read_last_session(text)
    own = one.text if one else window.free_text
    what = "the last session's summary" if one else "text in EPHEMERAL.md besides sessions"
    quote = QuotedBlock(own, "Last session" if one else "Window")
    if one is not None and one.session_id == asked.session_id:
        yield ContextItem("window", what, own, False, "it is the session itself", quote)
    elif asked.known and _opening_words(own) in asked.known:
        yield ContextItem("window", what, own, False, "the session was given it before", quote)
    elif room < _MIN_QUOTE_CHARS:
        yield ContextItem("window", what, own, False, "it does not fit into inject.tokens", quote)
    elif len(own) > room:
        cut = own[:room].rpartition("\n")[0] or own[:room]
        shorter = quote._replace(text=cut)
        yield ContextItem("window", what, cut, True, "as much of it as fits into inject.tokens", shorter, is_cut=True)
    else:
        yield ContextItem(
            "window", what, own, True, "no session was given it yet" if one else "it is in the window", quote
        )


def _opening_words(text: str) -> str:
    """Words from the beginning of a text as they would stand in a transcript, whatever is escaped there."""
    return max(_WORD_RUN.findall(text[:400]), key=len, default="") or text


def _last_summary_item(store: Store, asked: StartingSession, room: int) -> Iterator[ContextItem]:
    """The summary of the session that ended last, for an empty window."""
    from recall_tui.storage.archives.folder import ArchiveFolder
    from recall_tui.text.session_line import label_archive, session_facts

    newest = ArchiveFolder(store.layout).newest(but=asked.session_id)
    if newest is None:
        return
    with files.open_file(newest.path) as file:
        head = file.read(_HEAD_BYTES).decode("utf-8", "surrogateescape")
    summary = (_read_summary(store, head) or newest.title).strip()
    if not summary:
        return
    what = f"the summary of {newest.path.name}"
    label = label_archive(newest)
    place = " · ".join(filter(None, (f"session {newest.session_id}" if newest.session_id else "", newest.path.name)))
    quote = QuotedBlock(summary[:room], label.title, session_facts(label, store.now()), place)
    if newest.session_id and newest.session_id in asked.known:
        yield ContextItem("summary", what, summary, False, "the session was given it before", quote)
    elif room < _MIN_QUOTE_CHARS:
        yield ContextItem("summary", what, summary, False, "it does not fit into inject.tokens", quote)
    else:
        yield ContextItem(
            "summary", what, summary[:room], True, "EPHEMERAL.md is empty, and this is the newest archive", quote
        )


def _read_summary(store: Store, head: str) -> str:
    if store.layout.design.summaries_are_archives:
        from recall_tui.storage.archives.summary_file import parse_context

        return parse_context(head)
    from recall_tui.storage.archives.file import read_summary

    return read_summary(head)
