"""One line of text as the screen takes it.

Textual's way of making strips also breaks lines, aligns them, follows links and lights what the mouse selected. A line
that was made to fit has no use for these, and they take six times as long as the rest.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style


def line_strip(content: Content, width: int, style: Style) -> Strip:
    """A line in a style, filled up or cut to `width` cells; only what stands before a line feed."""
    if width <= 0:
        return Strip.blank(0)
    if "\n" in content.plain:
        content = content[: content.plain.index("\n")]
    content = content.expand_tabs()
    segments = [
        Segment(text, part.rich_style) for text, part in content.render(style, end="", parse_style=_parse_style)
    ]
    return Strip(segments, content.cell_length).adjust_cell_length(width, style.rich_style)


def _parse_style(style: str | Style) -> Style:
    return style if isinstance(style, Style) else Style.parse(style)
