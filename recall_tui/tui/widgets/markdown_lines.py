"""A Markdown document as terminal lines, each rendered when it is about to be shown.

Every source line keeps its number, so that a passage is found by it, and a document of any length opens at once. Line
kinds come from `storage.markdown.outline`, inline markup from markdown-it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from datetime import tzinfo
from functools import cache, cached_property
from threading import Lock
from typing import TYPE_CHECKING

from textual.content import Content

from recall_tui.storage.markdown.outline import LineKind, iter_line_kinds
from recall_tui.tui.text import highlight, plain_line, strip_controls
from recall_tui.tui.widgets.table_rows import (
    column_widths,
    find_table,
    is_table_line,
    rule_row,
    split_cells,
    table_row,
)
from recall_tui.tui.widgets.turn_rows import ConversationTurn, TimeMode, is_turn_rule, read_turn, turn_row

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

    from recall_tui.storage.archives.folds import Fold, FoldFinder

_ITEM = re.compile(r"(\s*)([-+*]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?")
_QUOTE = re.compile(r"\s*>\s?")
_RULE = re.compile(r"\s{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_TAG = re.compile(r"</?(?:details|summary)>\s*")
_FOLD_STARTS = (">", "**")
_DETAILS_END = re.compile(r"\s*>?\s*</details>")
_PROMPT_HEADING = "### User"
"""The heading of a user's turn in archives."""
_MAX_TABLES = 64
"""Tables whose columns are remembered."""
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_INLINE_CHARS = frozenset("*_`[]<&\\~!")
_HEADINGS = {1: "bold $accent", 2: "bold $accent"}
_MUTED = "$text-muted"
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": "underline"}
_MAX_MARK_CELLS = 3
"""Extra cells that a rendered list or quote marker may take compared to the source."""
_MAX_LINE_CHARS = 4_000
"""The maximum of a line's characters that are shown; no one reads further, and a minified file must
not stop the app.
"""


class RenderedDocument:
    """The lines of a document and their rendering.

    Lines are classified from the first one on. They are known up to `ready`, and `grow` continues in any thread.
    """

    def __init__(self, text: str, at_first: int | None = None, zone: tzinfo | None = None) -> None:
        self.text = text
        self.zone = zone
        """The zone of the times of turns; None for the system's."""
        self.times: TimeMode = "time"
        """The kind of times that the turns of a conversation show."""
        self.turns: dict[int, ConversationTurn] = {}
        """The turns of a conversation by the lines of their headings, in order."""
        self.source = text.removesuffix("\n").split("\n") if text else []
        """The lines without their newlines."""
        self.kinds: list[LineKind] = []
        self.headings: list[int] = []
        """The heading lines, from 0."""
        self.folds: list[Fold] = []
        """The folds in order of their first lines."""
        self.fold_at: dict[int, Fold] = {}
        """The folds by their first lines."""
        self.ready = 0
        """The number of classified lines."""
        self._prompts: list[int] = []
        self._turn_lines: list[int] = []
        self._notes: set[int] = set()
        """The lines of notes that are told with their headings."""
        self._tables: dict[tuple[int, int], list[int]] = {}
        """The widths of tables' columns, by first line and width."""
        self._outer: list[tuple[int, int]] = []
        """The top-level folds: first line and index in `folds`."""
        self._shown = array("L")
        """The lines with a row: no frontmatter, fold markers or repeated blank lines."""
        self._blocks = iter_line_kinds(self.source)
        self._above: LineKind = "blank"
        self._lock = Lock()
        self.grow(len(self.source) if at_first is None else at_first)

    def __len__(self) -> int:
        return len(self.source)

    @property
    def is_whole(self) -> bool:
        """Return whether every line is classified."""
        return self.ready >= len(self.source)

    @property
    def chapters(self) -> list[int]:
        """Return the lines, from 0, where prompts start; in a document without a conversation its headings."""
        return self._prompts or self.headings

    @cached_property
    def _finder(self) -> FoldFinder:
        from recall_tui.storage.archives.folds import FoldFinder

        return FoldFinder()

    def grow(self, lines: int) -> None:
        """Classify at least `lines` more lines, up to a position outside of any fold."""
        if self.is_whole:
            return
        with self._lock:
            goal = min(self.ready + lines, len(self.source))
            while len(self.kinds) < goal or (self._finder.is_inside and len(self.kinds) < len(self.source)):
                self._take(next(self._blocks))
            if len(self.kinds) >= len(self.source):
                self._finder.finish(len(self.kinds))
            self._take_folds()
            self.ready = len(self.kinds)

    def _take(self, block: Sequence[LineKind]) -> None:
        """Add the lines of the next block."""
        start, see, above = len(self.kinds), self._finder.see, self._above
        self.kinds += block
        last = start + len(block) - 1
        for at, kind in enumerate(block, start):
            line = self.source[at]
            is_skipped = kind == "meta" or (kind == "blank" and above == "blank") or at in self._notes
            if kind == "html" or line.startswith(_FOLD_STARTS) or self._finder.is_inside:
                is_skipped = see(at, line, kind) or is_skipped
                if is_skipped and _DETAILS_END.match(line):
                    above = self._without_last_blank()
            if kind == "heading":
                self.headings.append(at)
                if line.strip() == _PROMPT_HEADING:
                    self._prompts.append(at)
                if (turn := read_turn(self.source, at)) is not None:
                    self._take_turn(at, turn)
                    self._shown.append(at)
                    # The words follow their heading at once.
                    above = "blank"
                    continue
            elif kind == "code" and _FENCE.match(line):
                is_edge = at in (start, last) or block[at - start - 1] != "code" or block[at - start + 1] != "code"
                is_skipped = is_skipped or is_edge
            elif line.startswith("---") and kind != "code" and is_turn_rule(self.source, at):
                is_skipped = True
            if not is_skipped:
                self._shown.append(at)
                above = kind
        self._above = above

    def _take_turn(self, at: int, turn: ConversationTurn) -> None:
        self.turns[at] = turn
        self._turn_lines.append(at)
        if turn.note >= 0:
            self._notes.add(turn.note)

    def _without_last_blank(self) -> LineKind:
        """Drop the blank line before the end of a fold, so that the one after it is visible when the fold is closed."""
        if self._shown and self._shown[-1] >= self.ready and self.kinds[self._shown[-1]] == "blank":
            self._shown.pop()
        return "html"

    def _take_folds(self) -> None:
        for fold in self._finder.take():
            if not self._outer or fold.start >= self.folds[self._outer[-1][1]].end:
                self._outer.append((fold.start, len(self.folds)))
            self.folds.append(fold)
            self.fold_at[fold.start] = fold

    def folds_around(self, at: int) -> list[Fold]:
        """Return the folds that contain a line, outermost first; the label's line is not part of a fold."""
        place = bisect_right(self._outer, at, key=lambda outer: outer[0])
        if place == 0:
            return []
        last = self._outer[place][1] if place < len(self._outer) else len(self.folds)
        return [fold for fold in self.folds[self._outer[place - 1][1] : last] if fold.start < at < fold.end]

    def shown(self, first: int, last: int, is_closed: Callable[[Fold], bool]) -> array[int]:
        """Return the lines with a row in the range `first` to `last` (exclusive); of closed folds only the first."""
        found = array("L")
        at = first
        for fold in self.folds[bisect_left(self.folds, first, key=lambda fold: fold.start) :]:
            if fold.start >= last:
                break
            if fold.start >= at and is_closed(fold):
                found += self._between(at, fold.start + 1)
                at = fold.end
        return found + self._between(at, last)

    def _between(self, first: int, last: int) -> array[int]:
        return self._shown[bisect_left(self._shown, first) : bisect_left(self._shown, last)]

    def raw(self, at: int) -> str:
        """Return the text of a line without its line end and terminal control characters."""
        return _clean_row(self.source[at].rstrip("\r\n")[:_MAX_LINE_CHARS])

    def height(self, at: int, width: int) -> int:
        """Return the number of rows of a line; 0 for frontmatter, fold markers and repeated blank lines."""
        if not self._has_row(at):
            return 0
        if at in self.fold_at or at in self.turns:
            return 1
        source = self.source[at]
        if is_table_line(source):
            return len(self.rows(at, width))
        cells = len(source) if source.isascii() else 2 * len(source)
        if cells + _MAX_MARK_CELLS <= width and "\t" not in source:
            return 1
        return len(self.rows(at, width))

    def rows(
        self, at: int, width: int, pattern: re.Pattern[str] | None = None, *, is_closed: bool = False
    ) -> list[Content]:
        """Return the line as rows of at most `width` cells, with the pattern's matches highlighted."""
        if not self._has_row(at):
            return []
        if fold := self.fold_at.get(at):
            return [highlight(self._label(fold, is_closed), pattern).truncate(width, ellipsis=True)]
        if turn := self.turns.get(at):
            return [highlight(self._turn_row(at, turn, width), pattern)]
        if self.kinds[at] == "text" and is_table_line(self.source[at]) and (table := find_table(self.source, at)):
            return [highlight(row, pattern) for row in self._table_rows(at, table, width)]
        lead, hang, body = self._parts(at, width)
        room = max(8, width - max(lead.cell_length, hang.cell_length))
        wrapped = highlight(body, pattern).wrap(room) or [Content("")]
        return [Content.assemble(hang if number else lead, row) for number, row in enumerate(wrapped)]

    def _turn_row(self, at: int, turn: ConversationTurn, width: int) -> Content:
        place = bisect_left(self._turn_lines, at)
        before = self.turns[self._turn_lines[place - 1]].at if place else None
        first = self.turns[self._turn_lines[0]].at
        return turn_row(turn, before, first, width, self.times, self.zone)

    def _table_rows(self, at: int, table: range, width: int) -> list[Content]:
        widths = self._tables.get((table.start, width))
        if widths is None:
            if len(self._tables) >= _MAX_TABLES:
                self._tables.clear()
            lines = (line for line in table if line != table.start + 1)
            widths = self._tables[table.start, width] = column_widths([self._cells(line) for line in lines], width)
        if at == table.start + 1:
            return [rule_row(widths)]
        return table_row(self._cells(at), widths, is_head=at == table.start)

    def _cells(self, at: int) -> list[Content]:
        return [self._inline(cell) for cell in split_cells(self.raw(at))]

    def _has_row(self, at: int) -> bool:
        place = bisect_left(self._shown, at)
        return place < len(self._shown) and self._shown[place] == at

    def _label(self, fold: Fold, is_closed: bool) -> Content:
        """Return the label of a fold, with its size when closed."""
        label = plain_line(fold.label)
        bar = Content("▏ " if self.source[fold.start].lstrip().startswith(">") else "")
        if not is_closed:
            return Content.assemble(bar, f"▾ {label}").stylize(_MUTED)
        size = sum(self.kinds[at] != "blank" for at in self._between(fold.start + 1, fold.end))
        return Content.assemble(bar, f"▸ {label} · {size} {'line' if size == 1 else 'lines'}").stylize(_MUTED)

    def is_code(self, at: int) -> bool:
        """Return whether the line is in a code fence."""
        return self.kinds[at] == "code"

    def _parts(self, at: int, width: int) -> tuple[Content, Content, Content]:
        """Return a line's prefix, the prefix of its continuation rows, and its text."""
        line, kind = self.raw(at), self.kinds[at]
        none = Content("")
        if kind == "heading":
            marks, _, words = line.strip().partition(" ")
            level = len(marks)
            words = words.strip().rstrip("#").rstrip()
            return none, none, self._inline(words).stylize(_HEADINGS.get(level, "bold"))
        if kind == "code":
            return Content(" "), Content(" "), Content(line)
        if kind == "html":
            words = _TAG.sub("", line)
            return none, none, Content(words).stylize(_MUTED)
        if _RULE.match(line):
            return none, none, Content("─" * width).stylize("$border-blurred")
        return self._text_parts(line)

    def _text_parts(self, line: str) -> tuple[Content, Content, Content]:
        if match := _QUOTE.match(line):
            bar = Content("▏ ").stylize(_MUTED)
            return bar, bar, self._inline(line[match.end() :]).stylize_before(_MUTED)
        if match := _ITEM.match(line):
            indent, mark, box = match.groups()
            mark = {"x": "☑", "X": "☑", " ": "☐"}.get(box, "•" if len(mark) == 1 else mark)
            lead = f"{indent}{mark} "
            return Content(lead).stylize(_MUTED), Content(" " * len(lead)), self._inline(line[match.end() :])
        return Content(""), Content(""), self._inline(line)

    def _inline(self, line: str) -> Content:
        if _INLINE_CHARS.isdisjoint(line):
            return Content(line)
        parts: list[Content | str | tuple[str, str]] = []
        open_styles: list[str] = []
        for token in _parser().parseInline(line)[0].children or ():
            if token.nesting > 0:
                open_styles.append(_STYLES.get(token.tag if token.tag != "a" else "link", ""))
            elif token.nesting < 0:
                open_styles.pop()
            else:
                own = ["$secondary"] if token.type == "code_inline" else []
                style = " ".join(filter(None, [*open_styles, *own]))
                # A character entity (&#x202e;) becomes a character only here.
                words = _clean_row(token.content or token.markup)
                parts.append((words, style) if style else words)
        return Content.assemble(*parts)


@cache
def _parser() -> MarkdownIt:
    """Return the parser shared by all documents and threads: it keeps no state of its input, and takes 60 kB."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")


def _clean_row(text: str) -> str:
    """Remove terminal control characters and everything that would move to another row or column."""
    return strip_controls(text).replace("\n", " ").expandtabs(4)
