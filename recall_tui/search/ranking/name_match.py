"""Pages that are called what the question asks for: names and descriptions of wiki pages, topics and typed memories.

Such a page enters below the best evidence. Heads are read once for each state of the index, and where a memory has no
such page none is looked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import schema
from recall_tui.storage.documents.wiki_page import INDEX
from recall_tui.storage.markdown import frontmatter

if TYPE_CHECKING:
    from recall_tui.search.bound_query import Question
    from recall_tui.storage.layout import Layout
from recall_tui.storage.files.symlinks import documents

HEAD = 4_096
"""Bytes at the head of a page that are read."""
MOST = 1_000
"""Pages that are looked at."""
LEAST = 1 / 3
"""The share of the question's words below which a name says nothing."""
TYPED = re.compile(r"(?:user|feedback|project|reference)_.+\.md", re.ASCII)
"""The file of a typed memory, as the published design names it."""


def named(question: Question, typed_boost: float) -> dict[int, float]:
    """The share of the question's words in what pages are called, by what their passages are counted with."""
    stems = {one.unit.stem for one in question.weighed}
    plain = [one.unit.plain.casefold()[:4] for one in question.weighed]
    found: dict[int, float] = {}
    for document, head in _heads(question):
        lowered = head.casefold()
        if not any(word in lowered for word in plain):
            continue
        values, _ = frontmatter.split(head)
        if values.get("redirect_to"):
            continue
        called = " ".join(str(values.get(key) or "") for key in ("name", "description", "type"))
        share = len(stems.intersection(schema.terms(schema.STEMMED, called))) / len(stems)
        if share >= LEAST:
            boost = typed_boost if TYPED.fullmatch(document.rpartition("/")[2]) else 1.0
            found[schema.number_of(source_key(question.memory, document))] = min(share * boost, 1.0)
    return found


def _heads(question: Question) -> list[tuple[str, str]]:
    """The documents that have a head, each with it."""
    memo, key = question.reader.memo, ("heads", question.memory)
    if key not in memo:
        store = question.store
        read = ((store.relative(path), _head(path)) for _, path in zip(range(MOST), _paths(store.layout), strict=False))
        memo[key] = json.dumps([(document, head) for document, head in read if head])
    return [(str(document), str(head)) for document, head in json.loads(memo[key])]


def _paths(layout: Layout) -> Iterator[Path]:
    fixed = {layout.memory_file, layout.window, layout.rows, layout.wisdom, layout.dreams, layout.identity}
    for folder in dict.fromkeys((layout.wiki, layout.topics, layout.base)):
        try:
            found = sorted(documents(layout, folder))
        except OSError:
            continue
        for path in found:
            is_page = folder != layout.base or folder == layout.topics or TYPED.fullmatch(path.name)
            if is_page and path not in fixed and path.name != f"{INDEX}.md":
                yield path


def _head(path: Path) -> str:
    """The block at the head of a page; empty when it has none, or cannot be read."""
    try:
        with files.opened(path) as file:
            text = file.read(HEAD).decode("utf-8", "replace")
    except OSError:
        return ""
    if not frontmatter.may_open(text) or not frontmatter.is_closed(text):
        return ""
    return text[: text.index("\n---", 3) + 5] if "\n---" in text[3:] else ""
