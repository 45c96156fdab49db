"""Text from disk on its way to the terminal.

Nothing that was read from a file reaches a widget but through `plain`: no markup, no control characters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from pathlib import Path

from textual.content import Content

from recall_tui.text import cut

LIT = "bold $warning"
"""How a matched word looks: never by colour alone."""
_MARKS = re.compile(r"\*\*|`+|(?:^|(?<=[\s…]))#{1,6}\s|</?(?:details|summary)>|(?:^|(?<=\s))>\s|<!--|-->")
_LIST_MARK = re.compile(r"\s+[-*]\s+(?:\[[ xX]\]\s+)?")
_SHORT_WORD = 3
"""Words of fewer letters are lit only where they stand alone."""


def plain(text: str) -> Content:
    """The text as it is, on as many lines as it has, without markup and control characters."""
    return Content(clean(text))


def clean(text: str) -> str:
    """The text without anything that a terminal would obey."""
    return cut.plain(text)


def one_line(text: str) -> str:
    """The same on one line, each run of white space as one space."""
    return cut.one_line(clean(text))


def pattern_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """What finds the words and their inflections in a text; None when there is no word."""
    parts = [_part(word) for word in sorted(set(words), key=lambda word: (-len(word), word)) if word.strip()]
    return re.compile("|".join(parts), re.IGNORECASE) if parts else None


def pattern_of_forms(words: Collection[str]) -> re.Pattern[str] | None:
    """What finds the words as the search does: in every form that has the same stem."""
    from recall_tui.index.text import schema

    return pattern_of({*words, *(stem for word in words for stem in schema.terms(schema.STEMMED, word))})


def _part(word: str) -> str:
    """What finds one word; in a script without spaces between words it stands anywhere."""
    from recall_tui.index.text.schema import unspaced_runs

    if unspaced_runs(word):
        return re.escape(word)
    return r"(?<!\w)" + re.escape(word) + (r"\w*" if len(word) >= _SHORT_WORD else r"\b")


def lit(content: Content, pattern: re.Pattern[str] | None) -> Content:
    """The content with every match of the pattern lit."""
    if pattern is None:
        return content
    for match in pattern.finditer(content.plain):
        content = content.stylize(LIT, match.start(), match.end())
    return content


def bare(text: str) -> str:
    """The words of a markdown text without its marks; what is left reads as a sentence."""
    return _LIST_MARK.sub(" · ", _MARKS.sub("", text)).strip(" ·")


def excerpt(text: str, pattern: re.Pattern[str] | None, width: int) -> str:
    """A piece of the text on one line, at most `width` characters, that shows its first match."""
    line = one_line(text)
    match = pattern.search(line) if pattern else None
    if len(line) <= width or match is None or match.end() <= width * 2 // 3:
        return cut.cut(line, width)
    start = max(0, match.start() - width // 6)
    start = line.rfind(" ", 0, start) + 1
    return cut.cut("…" + line[start:].lstrip("· "), width)


def shown_path(path: Path, home: Path) -> str:
    """The path as a person writes it: `~` for the home folder."""
    text = f"~/{path.relative_to(home).as_posix()}" if path != home and path.is_relative_to(home) else str(path)
    return one_line(text)


def at_home(text: str, home: Path) -> str:
    """The text with every path below the home folder written with `~`."""
    folder = f"{home}/"
    return text.replace(folder, "~/") if folder.strip("/") else text
