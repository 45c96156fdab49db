"""Text from disk on its way to the terminal.

Nothing that was read from a file reaches a widget but through `plain`: no markup, no control characters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from recall_tui.environment import shorten_path
from recall_tui.text import cut

MATCH_STYLE = "bold $warning"
"""How a matched word looks: never by colour alone."""
_MARKS = re.compile(r"\*\*|`+|(?:^|(?<=[\s…]))#{1,6}\s|</?(?:details|summary)>|(?:^|(?<=\s))>\s|<!--|-->")
_LIST_MARK = re.compile(r"\s+[-*]\s+(?:\[[ xX]\]\s+)?")
_MAX_SHORT_WORD_CHARS = 3
"""Words of fewer letters are lit only where they stand alone."""


def plain_text(text: str) -> Content:
    """The text as it is, on as many lines as it has, without markup and control characters."""
    return Content(strip_controls(text))


def strip_controls(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return cut.strip_controls(text)


def plain_line(text: str) -> str:
    """The same on one line, each run of white space as one space."""
    return cut.one_line(strip_controls(text))


def word_pattern(words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds the words and their inflections in a text; None when there is no word."""
    parts = [_word_pattern(word) for word in sorted(set(words), key=lambda word: (-len(word), word)) if word.strip()]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def stem_pattern(words: Collection[str]) -> re.Pattern[str] | None:
    """What finds the words as the search does: in every form that has the same stem."""
    from recall_tui.index.text import schema

    return word_pattern({*words, *(stem for word in words for stem in schema.terms(schema.STEMMED, word))})


def _word_pattern(word: str) -> str:
    """What finds one word; in a script without spaces between words it stands anywhere."""
    from recall_tui.index.text.schema import unspaced_runs

    if unspaced_runs(word):
        return re.escape(word)
    return r"(?<!\w)" + re.escape(word) + (r"\w*" if len(word) >= _MAX_SHORT_WORD_CHARS else r"\b")


def highlight(content: Content, pattern: re.Pattern[str] | None) -> Content:
    """The content with every match of the pattern lit."""
    if pattern is None:
        return content
    for match in pattern.finditer(content.plain):
        content = content.stylize(MATCH_STYLE, match.start(), match.end())
    return content


def strip_markdown(text: str) -> str:
    """The words of a markdown text without its marks; what is left reads as a sentence."""
    return _LIST_MARK.sub(" · ", _MARKS.sub("", text)).strip(" ·")


def match_excerpt(text: str, pattern: re.Pattern[str] | None, width: int) -> str:
    """A piece of the text on one line, at most `width` characters, that shows its first match."""
    line = plain_line(text)
    match = pattern.search(line) if pattern else None
    if len(line) <= width or match is None or match.end() <= width * 2 // 3:
        return cut.shorten(line, width)
    start = max(0, match.start() - width // 6)
    start = line.rfind(" ", 0, start) + 1
    return cut.shorten("…" + line[start:].lstrip("· "), width)


def display_path(path: Path, home: Path) -> str:
    """The path as a person writes it: `~` for the home folder."""
    return plain_line(shorten_path(path, home))


def shorten_home(text: str, home: Path) -> str:
    """The text with every path below the home folder written with `~`."""
    folder = f"{home}/"
    return text.replace(folder, "~/") if folder.strip("/") else text


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
