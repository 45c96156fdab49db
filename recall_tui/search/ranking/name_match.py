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
from recall_tui.domain.documents import NAMED_KINDS
from recall_tui.index.sources.markdown import source_key
from recall_tui.index.text import schema
from recall_tui.search import filters as constraint
from recall_tui.search.ranking.fusion import EXACT_NAME, SearchCandidate, sort_by_score
from recall_tui.storage.documents.wiki_page import INDEX_SLUG
from recall_tui.storage.markdown import frontmatter

if TYPE_CHECKING:
    from recall_tui.search.bound_query import BoundQuery
    from recall_tui.storage.layout import Layout
from recall_tui.storage.files.symlinks import list_documents

HEAD_BYTES = 4_096
"""Bytes at the head of a page that are read."""
MAX_PAGES = 1_000
"""Pages that are looked at."""
_NAME_WORD = re.compile(r"[^\W_]+")
MIN_MATCH_RATIO = 1 / 3
"""The share of the question's words below which a name says nothing."""
MIN_PAGE_SHARE = 0.5
"""The share of the question, by rarity, below which a page stands below texts that hold all of it."""
MAX_ASKED_WORDS = 12
"""Words of a question that one text may hold all of."""
MAX_WHOLE_ANSWERS, MAX_SHORT_PAGES = 50, 20
"""Texts with all words, and candidates, that are looked at."""
TYPED_MEMORY_NAME = re.compile(r"(?:user|feedback|project|reference)_.+\.md", re.ASCII)
"""The file of a typed memory, as the published design names it."""


def match_names(question: BoundQuery, typed_boost: float) -> dict[int, float]:
    """The share of the question's words in what pages are called, by what their passages are counted with."""
    stems = {one.unit.stem for one in question.weighed}
    plain = [one.unit.plain.casefold()[:4] for one in question.weighed]
    asked = _words_of_name(question.query.text)
    found: dict[int, float] = {}
    for document, head in _page_heads(question):
        if asked == _words_of_name(document.rpartition("/")[2].removesuffix(".md")) and not _is_redirect(head):
            found[schema.count_number(source_key(question.memory, document))] = EXACT_NAME
            continue
        lowered = head.casefold()
        if not any(word in lowered for word in plain):
            continue
        values, _ = frontmatter.split_frontmatter(head)
        if values.get("redirect_to"):
            continue
        if asked == _words_of_name(str(values.get("name") or "")):
            found[schema.count_number(source_key(question.memory, document))] = EXACT_NAME
            continue
        called = " ".join(str(values.get(key) or "") for key in ("name", "description", "type"))
        share = len(stems.intersection(schema.terms(schema.STEMMED, called))) / len(stems)
        if share >= MIN_MATCH_RATIO:
            boost = typed_boost if TYPED_MEMORY_NAME.fullmatch(document.rpartition("/")[2]) else 1.0
            found[schema.count_number(source_key(question.memory, document))] = min(share * boost, 1.0)
    return found


def below_whole_answers(question: BoundQuery, candidates: list[SearchCandidate]) -> list[SearchCandidate]:
    """The candidates, pages with less than half of the question's words below the texts that hold them all.

    A page of few words gains too much by being short: a note called `Hall` would stand above the days on which the
    turbine hall was inspected.
    """
    reader, rarity = question.reader, {one.unit.stem: one.rarity for one in question.weighed}
    if not 1 < len(rarity) <= MAX_ASKED_WORDS:
        return candidates
    held = {stem: reader.term("window", stem) for stem in rarity}
    whole = reader.top(constraint.and_query(question.wanted, constraint.all_of([*held.values()])), MAX_WHOLE_ANSWERS)
    keys = set(reader.counted_with([address for _, address in whole]))
    scores = [one.score for one in candidates if one.key in keys]
    if not scores:
        return candidates
    pages = constraint.any_of([reader.term("kind", kind) for kind in NAMED_KINDS])
    made = list(candidates)
    for place, one in enumerate(candidates[:MAX_SHORT_PAGES]):
        if one.key in keys or one.is_named or one.score < min(scores):
            continue
        own = constraint.unscored(reader.counted(one.key))
        if not reader.count(constraint.all_of([own, pages])):
            continue
        said = sum(rarity[stem] for stem, term in held.items() if reader.count(constraint.all_of([own, term])))
        # A page whose name and description hold the question is about it, whatever words its text has.
        share = max(said / sum(rarity.values()), one.catalog)
        if share < MIN_PAGE_SHARE:
            made[place] = one._replace(score=min(scores) * share, coverage=share)
    return sort_by_score(made)


def _words_of_name(text: str) -> list[str]:
    """The words of a name, however they are joined, without an article before them."""
    words = _NAME_WORD.findall(text.casefold())
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words


def _is_redirect(head: str) -> bool:
    return "redirect_to" in head and bool(frontmatter.split_frontmatter(head)[0].get("redirect_to"))


def _page_heads(question: BoundQuery) -> list[tuple[str, str]]:
    """The pages, each with its head."""
    memo, key = question.reader.memo, ("heads", question.memory)
    if key not in memo:
        store = question.store
        read = (
            (store.relative(path), _read_head(path))
            for _, path in zip(range(MAX_PAGES), _paths(store.layout), strict=False)
        )
        memo[key] = json.dumps([(document, head) for document, head in read])
    return [(str(document), str(head)) for document, head in json.loads(memo[key])]


def _paths(layout: Layout) -> Iterator[Path]:
    fixed = {layout.memory_file, layout.window, layout.rows, layout.wisdom, layout.dreams, layout.identity}
    for folder in dict.fromkeys((layout.wiki, layout.topics, layout.base)):
        try:
            found = sorted(list_documents(layout, folder))
        except OSError:
            continue
        for path in found:
            is_page = folder != layout.base or folder == layout.topics or TYPED_MEMORY_NAME.fullmatch(path.name)
            if is_page and path not in fixed and path.name != f"{INDEX_SLUG}.md":
                yield path


def _read_head(path: Path) -> str:
    """The block at the head of a page; empty when it has none, or cannot be read."""
    try:
        with files.open_file(path) as file:
            text = file.read(HEAD_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""
    if not frontmatter.starts_block(text) or not frontmatter.is_closed(text):
        return ""
    return text[: text.index("\n---", 3) + 5] if "\n---" in text[3:] else ""
