"""Pages drawn from what is forgotten: weeks, months, wisdom, the wiki, what dreams found.

They lose the lines that cite a document, or lines of one, that goes, and what was drawn from those lines in turn; a
line that cites nothing of it stays. A page of the wiki of which nothing is left goes whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from recall_tui.domain import Delete, Edit, Replace
from recall_tui.storage.archives.conflicted_copies import ConflictedCopy, original_in
from recall_tui.storage.documents import master_file, note_files, period_files, wiki_folder, wisdom_file
from recall_tui.storage.documents.period_page import text_digest as seal_of
from recall_tui.storage.documents.shared_wikis import read_wiki
from recall_tui.storage.documents.wiki_page import (
    INDEX_SLUG,
    InvalidPage,
    PageSource,
    WikiPage,
    parse_wiki_page,
    rewrite_page,
)
from recall_tui.storage.files.atomic import content_digest, file_digest, read_text
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.markdown.source_refs import CITATION, resolve_document
from recall_tui.storage.memory_context import Store

ALL_LINES: frozenset[int] = frozenset()
"""Stands for all lines of a document."""
_LIST_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]")
_HEADING = re.compile(r"(#{1,6})[ \t]")


@dataclass(slots=True)
class DeletionScope:
    """What goes: documents by their path below the root, each with the lines of it that do, from 1."""

    store: Store
    lines: dict[str, frozenset[int]]
    names: re.Pattern[str] | None
    """By what else a session is known: the names of its archives, its ids."""
    edits: list[Edit] = field(default_factory=list)
    vague: dict[str, str] = field(default_factory=dict)
    """Pages that cite a document that lost lines without saying which of them, with the document."""
    known: dict[str, str] = field(default_factory=dict)
    """What the documents that pages name are."""
    titles: set[str] = field(default_factory=set)
    """Of entries and pages that go: their own words, by which the diary of dreams calls them."""

    def is_drawn(self, line: str, page: str) -> bool:
        """Whether a line of a page cites something that goes."""
        if self.names is not None and self.names.search(line):
            return True
        for match in CITATION.finditer(line):
            # A bare name is how a person speaks of a document.
            document = self._document(match[1]) if match[2] or "/" in match[1] else ""
            gone = self.lines.get(document) if document else None
            if gone is None:
                continue
            first = int(match[2] or 0)
            last = int(match[3] or first)
            if gone == ALL_LINES or any(first <= number <= last for number in gone):
                return True
            if not first:
                self.vague.setdefault(page, document)
        return False

    def is_source(self, source: PageSource) -> bool:
        """Whether a source of a page goes."""
        return self.is_drawn(str(source.ref), "")

    def _document(self, name: str) -> str:
        if name not in self.known:
            self.known[name] = resolve_document(self.store, name)
        return self.known[name]


def remove_derived(
    store: Store,
    whole: Iterable[Path],
    less: Mapping[Path, tuple[str, str]],
    names: re.Pattern[str] | None,
    copies: Sequence[ConflictedCopy],
) -> tuple[list[Edit], list[str]]:
    """The edits that take out of pages what was drawn from the documents, and what is to be said of it.

    `whole` are documents that go, `less` the texts before and after of those that lose lines,
    `copies` the second copies of pages and of all else.
    """
    lines = {store.relative(path): ALL_LINES for path in whole}
    lines |= {store.relative(path): gone for path, texts in less.items() if (gone := removed_lines(*texts))}
    going = DeletionScope(store, lines, names)
    if lines or names:
        for path in dict.fromkeys((*_derived_pages(store.layout), *_others(store.layout, copies))):
            _edit_page(going, path)
        _edit_wiki(going)
        _edit_diary(going, copies)
    notes = [
        f"{page} draws on {document} as a whole; look whether it tells of it" for page, document in going.vague.items()
    ]
    return going.edits, notes


def is_derived_page(layout: Layout, path: Path) -> bool:
    """Whether a document is one that may be drawn from sessions, be it there or not."""
    dreams = layout.base / "dreams"
    folders = (layout.weekly, layout.monthly, layout.wiki, dreams / "insights", dreams / "contradictions")
    is_week = path.parent in period_files.day_folders(layout) and period_files.page_kind(path) == "weekly"
    return path.parent in folders or path in (layout.wisdom, layout.dreams) or is_week


def removed_lines(before: str, after: str) -> frozenset[int]:
    """The numbers, from 1, of the lines that a text lost, blank ones left out."""
    left = iter(after.split("\n"))
    next_left = next(left, None)
    gone = set()
    for number, line in enumerate(before.split("\n"), 1):
        if line == next_left:
            next_left = next(left, None)
        elif line.strip():
            gone.add(number)
    return frozenset(gone)


def remove_blocks(text: str, is_drawn: Callable[[str], bool]) -> str:
    """The text without the paragraphs and list items of which a line is drawn from it, and headings left bare."""
    head = text[: len(text) - len(frontmatter.split_frontmatter(text)[1])]
    kept: list[str] = []
    cut_under = -1
    for block in _split_blocks(text[len(head) :].splitlines(keepends=True)):
        indent = _block_indent(block[0])
        if cut_under >= 0 and indent > cut_under:
            continue
        if not _HEADING.match(block[0]) and any(map(is_drawn, block)):
            cut_under = indent
            continue
        cut_under = -1 if block[0].strip() else cut_under
        kept += block
    was = text[len(head) :]
    return head + (was if len("".join(kept)) == len(was) else "".join(_drop_empty_headings(kept, was)))


def without_master_lines(text: str, names: Collection[str]) -> str:
    """The text without the lines of ours that one of these summaries had a part in; as it was when there is none."""
    master = master_file.parse_master(text)
    gone = tuple(master_file.clean_id(name) for name in names if name)

    def stays(line: master_file.Line) -> bool:
        return isinstance(line, str) or not any(id.startswith(one.id) for one in line.sources for id in gone)

    record = master.record
    is_same = all(map(stays, master.lines())) and record is not None and not set(names) & record.summaries.keys()
    if record is None or (is_same and set(record.themes) <= _used_themes(master)):
        return text
    sections = tuple(
        replace(section, groups=_groups_without(section.groups, lambda line: not stays(line)))
        for section in master.sections
    )
    kept = {name: hash for name, hash in record.summaries.items() if name not in names}
    inherited = tuple(name for name in record.inherited if name not in names)
    return master_file.render_master(
        replace(master, sections=sections, record=replace(record, summaries=kept, inherited=inherited))
    )


def _groups_without(
    groups: Iterable[master_file.ThemeGroup], is_gone: Callable[[master_file.Line], bool]
) -> tuple[master_file.ThemeGroup, ...]:
    """The groups without lines that go; a theme of ours that no line below it speaks of any more is none, either."""
    kept: list[master_file.ThemeGroup] = []
    loose: list[master_file.Line] = []
    for group in groups:
        lines = tuple(line for line in group.lines if not is_gone(line))
        said = " ".join(line.text if isinstance(line, master_file.MasterBullet) else line for line in lines).lower()
        is_lost = len(lines) < len(group.lines) and not all(word in said for word in group.title.lower().split())
        if group.title and group.is_ours and is_lost:
            loose += lines
        else:
            kept.append(replace(group, lines=lines))
    if loose:
        first = next((group for group in kept if not group.title), master_file.ThemeGroup())
        rest = [group for group in kept if group is not first]
        kept = [replace(first, lines=(*first.lines, *loose)), *rest]
    return tuple(kept)


def _used_themes(master: master_file.Master) -> set[str]:
    """The headings of ours below which something stands."""
    return {group.title for section in master.sections for group in section.groups if group.is_ours and group.lines}


def _derived_pages(layout: Layout) -> Iterator[Path]:
    """The pages in the order in which each is drawn from those before it."""
    yield from period_files.list_weeklies(layout).values()
    yield from period_files.list_monthlies(layout).values()
    yield from (path for path, kind in note_files.all_notes(layout) if kind != "typed")
    if layout.wisdom.is_file():
        yield layout.wisdom


def _others(layout: Layout, copies: Iterable[ConflictedCopy]) -> Iterator[Path]:
    """Further pages that nobody reads as such, and second copies: of two for one week, or of the wisdom."""
    dreams = layout.base / "dreams"
    for folder in (layout.weekly, layout.monthly, dreams / "insights", dreams / "contradictions"):
        yield from sorted(list_documents(layout, folder))
    for folder in period_files.day_folders(layout):
        yield from (path for path in sorted(list_documents(layout, folder)) if period_files.page_kind(path) == "weekly")
    for copy in copies:
        if is_derived_page(layout, copy.of) and copy.of != layout.dreams and copy.path.parent != layout.wiki:
            yield copy.path


def _edit_page(going: DeletionScope, path: Path) -> None:
    text, name = read_text(path), going.store.relative(path)
    less = remove_blocks(text, lambda line: going.is_drawn(line, name))
    if less == text:
        return
    going.lines[name] = removed_lines(text, less)
    if original_in(going.store.layout, path) == going.store.layout.wisdom:
        going.titles |= {one.id for one in wisdom_file.parse_wisdom(text).entries} - {
            one.id for one in wisdom_file.parse_wisdom(less).entries
        }
    going.edits.append(Replace(path, file_digest(path), _refresh_checksum(going.store.layout, path, text, less)))


def _refresh_checksum(layout: Layout, path: Path, before: str, after: str) -> str:
    """The text after, so that nobody takes it for edited who did not take it for that before."""
    if original_in(layout, path) == layout.wisdom:
        return wisdom_file.refresh_checksum(before, after)
    values, body = frontmatter.split_frontmatter(before)
    seal = str(values.get("hash") or "")
    if not seal or seal != seal_of(body):
        return after
    new_body = frontmatter.split_frontmatter(after)[1]
    head = after[: len(after) - len(new_body)]
    return head.replace(seal, seal_of(new_body), 1) + new_body


def _edit_wiki(going: DeletionScope) -> None:
    store = going.store
    paths = sorted(list_documents(store.layout, store.layout.wiki))
    changed = False
    for path in paths:
        if path.stem == INDEX_SLUG:
            continue
        text = read_text(path)
        page = parse_wiki_page(text, path.stem)
        if isinstance(page, InvalidPage):
            _edit_page(going, path)
            continue
        less = _clean_page(going, page, store.relative(path))
        if less == page:
            continue
        changed = True
        if not (less.sources or _has_content(less)):
            going.edits.append(Delete(path, file_digest(path)))
            going.titles |= {path.stem, page.name}
        else:
            going.edits.append(Replace(path, file_digest(path), rewrite_page(text, less)))
    if changed and store.layout.wiki / f"{INDEX_SLUG}.md" in paths:
        going.edits.append(_index_edit(going))


def _edit_diary(going: DeletionScope, copies: Iterable[ConflictedCopy]) -> None:
    """The diary of dreams without what cites what goes, or calls it by its name."""
    layout = going.store.layout
    paths = [one.path for one in copies if one.of == layout.dreams]
    paths = [path for path in (layout.dreams, *paths) if path.is_file()]
    vague = dict(going.vague)
    if titles := "|".join(map(re.escape, sorted(filter(None, going.titles)))):
        called = re.compile(rf"(?<![\w-])(?:{titles})(?![\w-])")
        names = f"{going.names.pattern}|{called.pattern}" if going.names else called.pattern
        going.names = re.compile(names)
    for path in paths:
        _edit_page(going, path)
    # It counts how often documents were found, which says nothing of what is in them.
    going.vague = vague


def _clean_page(going: DeletionScope, page: WikiPage, name: str) -> WikiPage:
    """The page without what was drawn from what goes."""
    gone: list[str] = []

    def is_drawn(line: str) -> bool:
        found = going.is_drawn(line, name)
        if found:
            gone.append(line)
        return found

    body = remove_blocks(page.body, is_drawn)
    words = page.description.rstrip("….")
    return replace(
        page,
        body=body,
        description="" if words and any(words in line for line in gone) else page.description,
        sources=tuple(one for one in page.sources if not going.is_source(one)),
        supersedes=tuple(one for one in page.supersedes if not going.is_drawn(one.source, "")),
    )


def _has_content(page: WikiPage) -> bool:
    lines = (line for line in page.body.split("\n") if line.strip())
    return bool(page.redirect_to) or any(not _HEADING.match(line) for line in lines)


def _index_edit(going: DeletionScope) -> Edit:
    """The list of the wiki's pages as they will be."""
    store = going.store
    wiki = read_wiki(store, store.layout.wiki)
    after = dict(wiki.pages)
    for edit in going.edits:
        if edit.path.parent != wiki.folder:
            continue
        page = parse_wiki_page(edit.text, edit.path.stem) if isinstance(edit, Replace) else None
        if isinstance(page, WikiPage):
            after[edit.path.stem] = page
        else:
            after.pop(edit.path.stem, None)
    path = wiki.path(INDEX_SLUG)
    return Replace(path, content_digest(read_text(path)), wiki_folder.render_index(after.values(), store.now().date()))


def _split_blocks(lines: list[str]) -> Iterator[list[str]]:
    """The lines by list items, paragraphs, headings and blank lines."""
    block: list[str] = []
    for line in lines:
        is_new = not line.strip() or _HEADING.match(line) or _LIST_ITEM.match(line)
        if block and (is_new or not block[0].strip() or _HEADING.match(block[0])):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


def _block_indent(line: str) -> int:
    """How far in an item stands; what is no item stands nowhere."""
    found = _LIST_ITEM.match(line)
    return len(found["indent"].expandtabs(4)) if found else -1 if line.strip() else 0


def _drop_empty_headings(kept: list[str], was: str) -> list[str]:
    """The lines without headings under which nothing is left, where something was, and without a second blank line."""
    bare_before = _empty_headings(was.splitlines(keepends=True))
    bare = _empty_headings(kept) - bare_before
    lines: list[str] = []
    for line in kept:
        is_double = not line.strip() and (not lines or not lines[-1].strip())
        if not (_HEADING.match(line) and line in bare) and not (is_double and lines):
            lines.append(line)
    return lines


def _empty_headings(lines: list[str]) -> set[str]:
    """The headings, but for the first level, below which nothing stands before the next of theirs or a higher one."""
    found = set()
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading and len(heading[1]) > 1:
            below = next((one for one in lines[number + 1 :] if one.strip()), "")
            next_heading = _HEADING.match(below)
            if not below or (next_heading and len(next_heading[1]) <= len(heading[1])):
                found.add(line)
    return found
