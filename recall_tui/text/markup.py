"""Separate prose from its Markdown markup.

Works line by line in a single pass; fenced code is never prose.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_FENCE = lazy_pattern(r"[ \t]*(?:>[ \t]?|[-*+][ \t]+|\d{1,9}[.)][ \t]+)*(`{3,}|~{3,})([^\n]*)")
_RULE = lazy_pattern(r"[\s\-=_*|:+#>~`]*")
_MARKER = lazy_pattern(r"\s*(?:#{1,6}(?=\s)|>|[-*+•–](?=\s)|\d{1,9}[.)](?=\s)|\[[ xX]\](?=\s))\s*")
_LINK = lazy_pattern(r"!?\[([^\[\]\n]{0,300})\]\([^()\s]{0,500}\)")
_SENTINEL = "sentinel"
_PARAGRAPH_TOKENS = 3
"""Open, inline and close."""
_MARKUP_CHAR = lazy_pattern(r"[\\`*\[\]<]|(?<![^\W_])_|_(?![^\W_])|~(?=~)|^>|(?<!\S)#|&(?=#?\w+;)")
_EMPHASIS = lazy_pattern(r"(?<![\w*])(\*{1,3}|~~)(?=\S)([^*~\n]{1,500})(?<=\S)\1(?![\w*])")


def prose_lines(text: str) -> Iterator[str]:
    """Yield the lines of `text` outside fenced code; rules and table rows become empty lines, since they end a
    paragraph.
    """
    fence = ""
    for line in text.splitlines():
        match = _FENCE.match(line)
        if fence:
            if match and match[1].startswith(fence) and not match[2].strip():
                fence = ""
            continue
        if match and not (match[1][0] == "`" and "`" in match[2]):
            fence = match[1]
            yield ""
        elif line.lstrip().startswith("|") or _RULE.fullmatch(line):
            yield ""
        else:
            yield line


def has_marker(line: str) -> bool:
    """Return whether the line starts as a heading, a quote or a list item."""
    return _MARKER.match(line) is not None


def strip_markers(line: str) -> str:
    """Remove the leading markers of headings, quotes, lists and check boxes."""
    start = 0
    while match := _MARKER.match(line, start):
        start = match.end()
    return line[start:].strip()


def strip_emphasis(text: str) -> str:
    """Remove the markers of bold, italics and strike-through."""
    return _EMPHASIS.sub(r"\2", text)


def prose_text(text: str) -> str:
    """Return the plain text: no emphasis, no backticks, only the text of links."""
    return _LINK.sub(r"\1", strip_emphasis(text)).replace("`", "")


def escape_markdown(text: str) -> str:
    """Escape a line so that Markdown renders it verbatim."""
    return _MARKUP_CHAR.sub(r"\\\g<0>", text)


def is_self_contained(markdown: str, level: int) -> bool:
    """Return whether the Markdown leaves following text unaffected and has no top-level heading up to `level`."""
    tokens = _block_parser().parse(f"{markdown}\n\n{_SENTINEL}\n")
    if len(tokens) < _PARAGRAPH_TOKENS or tokens[-2].content != _SENTINEL or tokens[-_PARAGRAPH_TOKENS].level:
        return False
    return not any(one.type == "heading_open" and not one.level and int(one.tag[1:]) <= level for one in tokens)


@lru_cache(maxsize=1)
def _block_parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").disable("inline")
