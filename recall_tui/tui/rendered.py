"""A markdown document as lines for the terminal, each made when it is about to be shown.

Every line of the source keeps its place: a passage is found by its line number, and a document of any length opens at
once. What kind a line is comes from `storage.markdown`, emphasis and links inside it from markdown-it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from textual.content import Content

from recall_tui.storage.markdown import LineKind, kinds, lines_of
from recall_tui.tui.text import clean, lit

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_ITEM = re.compile(r"(\s*)([-+*]|\d{1,9}[.)])\s+(?:\[([ xX])\]\s+)?")
_QUOTE = re.compile(r"\s*>\s?")
_RULE = re.compile(r"\s{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_TABLE_RULE = re.compile(r"\s*\|?[\s:|-]*-{2,}[\s:|-]*$")
_TAG = re.compile(r"</?(?:details|summary)>\s*")
_FOLDS = ("<details>", "</details>")
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,})")
_INLINE = frozenset("*_`[]<&\\~!")
_HEADINGS = {1: "bold $accent", 2: "bold $accent"}
_MUTED = "$text-muted"
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "link": "underline"}
_MARKS_TAKE = 3
"""Cells that a mark in front of a line may take more than it does in the source."""
_WIDEST = 4_000
"""Characters of one line that are shown; nobody reads further, and a minified file must not stop the app."""


class Rendered:
    """A document's lines as they look."""

    def __init__(self, text: str) -> None:
        self.source = lines_of(text)
        self.kinds: tuple[LineKind, ...] = kinds(self.source)
        self._hidden = _hidden(self.source, self.kinds)

    def __len__(self) -> int:
        return len(self.source)

    @cached_property
    def headings(self) -> tuple[int, ...]:
        """The lines that are headings, from 0."""
        return tuple(at for at, kind in enumerate(self.kinds) if kind == "heading")

    def raw(self, at: int) -> str:
        """The words of a line, without its ending and what a terminal would obey."""
        return clean(self.source[at].rstrip("\r\n")[:_WIDEST]).replace("\n", " ").expandtabs(4)

    def height(self, at: int, width: int) -> int:
        """How many rows the line takes; frontmatter, marks of folds and repeated blank lines take none."""
        if self._hidden[at]:
            return 0
        source = self.source[at]
        cells = len(source) if source.isascii() else 2 * len(source)
        if cells + _MARKS_TAKE <= width and "\t" not in source:
            return 1
        return len(self.rows(at, width))

    def rows(self, at: int, width: int, pattern: re.Pattern[str] | None = None) -> list[Content]:
        """The line as rows of at most `width` cells, with the matches of the pattern lit."""
        if self._hidden[at]:
            return []
        lead, hang, body = self._parts(at, width)
        room = max(8, width - max(lead.cell_length, hang.cell_length))
        wrapped = lit(body, pattern).wrap(room) or [Content("")]
        return [Content.assemble(hang if number else lead, row) for number, row in enumerate(wrapped)]

    def is_code(self, at: int) -> bool:
        """The line stands in a fence."""
        return self.kinds[at] == "code"

    def _parts(self, at: int, width: int) -> tuple[Content, Content, Content]:
        """What a line starts with, what its further rows start with, and its words."""
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
            return none, none, Content(f"▾ {words}" if "<summary>" in line else words).stylize(_MUTED)
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
        if line.lstrip().startswith("|"):
            return Content(""), Content(""), _table_row(line)
        return Content(""), Content(""), self._inline(line)

    def _inline(self, line: str) -> Content:
        if _INLINE.isdisjoint(line):
            return Content(line)
        parts: list[Content | str | tuple[str, str]] = []
        open_styles: list[str] = []
        for token in self._parser.parseInline(line)[0].children or ():
            if token.nesting > 0:
                open_styles.append(_STYLES.get(token.tag if token.tag != "a" else "link", ""))
            elif token.nesting < 0:
                open_styles.pop()
            else:
                own = ["$secondary"] if token.type == "code_inline" else []
                style = " ".join(filter(None, [*open_styles, *own]))
                parts.append((token.content or token.markup, style) if style else token.content or token.markup)
        return Content.assemble(*parts)

    @cached_property
    def _parser(self) -> MarkdownIt:
        from markdown_it import MarkdownIt

        return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")


def _hidden(source: Sequence[str], line_kinds: Sequence[LineKind]) -> tuple[bool, ...]:
    hidden: list[bool] = []
    above: LineKind = "blank"
    for at, (line, kind) in enumerate(zip(source, line_kinds, strict=True)):
        skip = (
            kind == "meta"
            or (kind == "blank" and above == "blank")
            or (kind == "html" and line.strip() in _FOLDS)
            or (kind == "code" and bool(_FENCE.match(line)) and _is_edge(line_kinds, at))
        )
        hidden.append(skip)
        above = above if skip else kind
    return tuple(hidden)


def _is_edge(line_kinds: Sequence[LineKind], at: int) -> bool:
    return at == 0 or at + 1 == len(line_kinds) or line_kinds[at - 1] != "code" or line_kinds[at + 1] != "code"


def _table_row(line: str) -> Content:
    if _TABLE_RULE.match(line):
        return Content(re.sub(r"[^|]", "─", line.strip()).replace("|", "┼")).stylize("$border-blurred")
    return Content(line).highlight_regex(r"\|", style="$border-blurred")
