"""The outline of a markdown document: its sections, and the kind of each line.

Sections tile the document: every line belongs to exactly one innermost section. As in CommonMark 0.31, a `#` inside a
fence, an HTML block, a list item or the frontmatter is not a heading. Setext headings are text here. A line scanner
does this, because search and hooks also read sections and a full parser is too slow for them; a test compares it with
markdown-it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from recall_tui.domain import Section
from recall_tui.text.lazy_pattern import lazy_pattern

LineKind = Literal["blank", "text", "heading", "code", "html", "meta"]
"""Kind of a line: empty, text, heading, inside a fence, inside an HTML block (comments too), frontmatter."""

_OpenBlock = Literal["", "quote", "paragraph"]
"""The block that the next line may lazily continue."""
_TEXT_KINDS: Sequence[LineKind] = ("text",)
_BLANK_KINDS: Sequence[LineKind] = ("blank",)

_BOM = "\ufeff"
_BLANK_LINES = lazy_pattern(r"\A(?:[^\S\n]*+\n)+")
_HEADING = lazy_pattern(r"(#{1,6})(?![^ \t])(.*)")
_CLOSING_HASHES = lazy_pattern(r"(?:^|(?<![ \t])[ \t]++)#++[ \t]*+$")
_FENCE = lazy_pattern(r"(`{3,})[^`]*$|(~{3,})")
_RULE = lazy_pattern(r"([-*_])[ \t]*(?:\1[ \t]*){2,}$")
_UNDERLINE = lazy_pattern(r"(?:=+|-+)[ \t]*$")
_ITEM = lazy_pattern(r"([-+*]|(\d{1,9})[.)])([ \t]+(?=[^ \t])|[ \t]*$)")
_INNER_FENCE = lazy_pattern(r"(?:(?:[-+*]|\d{1,9}[.)]|>)[ \t]*)*(?:(`{3,})[^`]*$|(~{3,}))")
_MARKERS = lazy_pattern(r"(?:(?:[-+*]|\d{1,9}[.)]|>)(?:[ \t]+|$))*")
_META_KEY = lazy_pattern(r"#|[\w-]+[ \t]*:")
_MARKUP_CHARS = frozenset("#`~<-+*=_0123456789")
_SIMPLE_ITEM = lazy_pattern(r"[-+*] (?:[^\W\d_]|`[^`\s]|\*\*[^\W_]|\[|\(|\"|\d{4}-\d)")
"""The beginning of most list items: text at once that is no marker, rule or fence of its own."""
_INDENT_CHARS = frozenset(" \t\r\f\v\ufeff")

_HTML_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_ATTRIBUTE = r"""\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?"""
_LONE_TAG = lazy_pattern(rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)[ \t]*$")
_RAW_START = lazy_pattern(r"<(?:script|pre|style|textarea)(?=\s|>|$)", re.I)
_RAW_END = lazy_pattern(r"</(?:script|pre|style|textarea)>", re.I)
_HTML_BLOCKS: tuple[tuple[re.Pattern[str], re.Pattern[str] | None], ...] = (
    (_RAW_START, _RAW_END),
    (lazy_pattern(r"<!--"), lazy_pattern(r"-->")),
    (lazy_pattern(r"<\?"), lazy_pattern(r"\?>")),
    (lazy_pattern(r"<![A-Z]"), lazy_pattern(r">")),
    (lazy_pattern(r"<!\[CDATA\["), lazy_pattern(r"\]\]>")),
    (lazy_pattern(rf"</?(?:{_HTML_NAMES})(?=\s|/?>|$)", re.I), None),
)
"""Start and end of each kind of HTML block (CommonMark §4.6, kinds 1 to 6); None ends at the next blank line."""


def trim_blank(text: str) -> str:
    """Strip surrounding blank lines, but not the first line's indentation, which may change its meaning."""
    return _BLANK_LINES.sub("", text).rstrip()


def split_lines(text: str) -> tuple[str, ...]:
    """Split into lines with their endings, only LF and CRLF; joining the lines restores `text`."""
    *whole, rest = text.split("\n")
    return tuple(line + "\n" for line in whole) + ((rest,) if rest else ())


def line_ending(text: str) -> str:
    """Return the line ending of `text`, judged by the first line: CRLF or LF."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def is_blank(line: str) -> bool:
    """Return whether the line holds nothing but spaces and tabs."""
    return not line.strip(" \t\r\n")


def parse_sections(text: str) -> tuple[Section, ...]:
    """Parse the sections of `text` in order; text before the first heading is a section of level 0 without a title."""
    lines = split_lines(text)
    return sections_from_kinds(lines, line_kinds(lines))


def sections_from_kinds(lines: Sequence[str], line_kinds: Sequence[LineKind]) -> tuple[Section, ...]:
    """Return the sections of lines whose kinds are known."""
    heads = [(at, *_parse_heading(lines[at])) for at, kind in enumerate(line_kinds) if kind == "heading"]
    ends = [len(lines)] * len(heads)
    paths: list[tuple[str, ...]] = []
    above: list[int] = []
    for number, (at, level, title) in enumerate(heads):
        while above and heads[above[-1]][1] >= level:
            ends[above.pop()] = at
        paths.append((*(paths[above[-1]] if above else ()), title))
        above.append(number)
    first = heads[0][0] if heads else len(lines)
    lead = (Section("", 0, 0, first),) if first else ()
    found = zip(heads, ends, paths, strict=True)
    return lead + tuple(Section(title, level, at, end, path) for (at, level, title), end, path in found)


def body_end(outline: Sequence[Section], number: int) -> int:
    """Return the line after the own text of the section at `number`: the start of its first subsection, or its end."""
    return outline[number + 1].start if number + 1 < len(outline) else outline[number].end


def find_title_line(outline: Sequence[Section]) -> int:
    """Return the line of the document's title, its first heading if that has level 1; else -1."""
    first = next((section for section in outline if section.level), None)
    return first.start if first and first.level == 1 else -1


def line_kinds(lines: Sequence[str]) -> tuple[LineKind, ...]:
    """Return the kind of each line."""
    return tuple(chain.from_iterable(iter_line_kinds(lines)))


def iter_line_kinds(lines: Sequence[str]) -> Iterator[Sequence[LineKind]]:
    """Yield line kinds block by block, so that the start of a long document is known before its end is read."""
    at = _meta_lines(lines)
    if at:
        yield ["meta"] * at
    is_open: _OpenBlock = ""
    while at < len(lines):
        line = lines[at]
        if line in ("", "\n"):
            yield _BLANK_KINDS
            is_open = ""
            at += 1
            continue
        if line[0].isalpha():
            yield _TEXT_KINDS
            is_open = is_open or "paragraph"
            at += 1
            continue
        if _SIMPLE_ITEM.match(line) and _ends_item(lines, at + 1):
            yield _TEXT_KINDS
            is_open = ""
            at += 1
            continue
        block, is_open = _next_block(lines, at, is_open)
        yield block
        at += len(block)


def line_kind(lines: Sequence[str], place: int) -> LineKind:
    """Return the kind of one line without reading lines far below it."""
    at = 0
    for block in iter_line_kinds(lines):
        if place < at + len(block):
            return block[place - at]
        at += len(block)
    raise IndexError(place)


def _ends_item(lines: Sequence[str], at: int) -> bool:
    """Return whether a one-line item certainly ends before the line `at`."""
    if at == len(lines) or _SIMPLE_ITEM.match(lines[at]):
        return True
    if lines[at] != "\n":
        return False
    while at < len(lines) and lines[at] == "\n":
        at += 1
    return at == len(lines) or lines[at][0] not in _INDENT_CHARS


def _next_block(lines: Sequence[str], at: int, is_open: _OpenBlock) -> tuple[Sequence[LineKind], _OpenBlock]:
    """Return the line kinds of the block that starts here, and the block that the next line may continue."""
    indent, rest = _indent(lines[at])
    if not rest:
        return _BLANK_KINDS, ""
    if indent >= 4:
        return _TEXT_KINDS, is_open
    if rest[0] == ">":
        return _TEXT_KINDS, "quote" if _leaves_paragraph_open(rest) else ""
    if rest[0] in _MARKUP_CHARS and (block := _block(lines, at, is_open)):
        return block, ""
    return _TEXT_KINDS, is_open or "paragraph"


def find_comments(lines: Sequence[str], line_kinds: Sequence[LineKind]) -> tuple[tuple[int, int], ...]:
    """Return the HTML comments that have lines to themselves: first line and the line after the last, from 0."""
    found: list[tuple[int, int]] = []
    start = -1
    for at, line in enumerate(lines):
        if line_kinds[at] != "html":
            start = -1
            continue
        bare = line.strip().removeprefix(_BOM)
        if start < 0 and bare.startswith("<!--"):
            start = at
        if start >= 0 and "-->" in bare:
            if bare.endswith("-->"):
                found.append((start, at + 1))
            start = -1
    return tuple(found)


def _block(lines: Sequence[str], at: int, is_open: _OpenBlock) -> list[LineKind]:
    """Return the line kinds of the block that starts here; empty when the line is part of a paragraph."""
    indent, rest = _indent(lines[at])
    if _HEADING.match(rest):
        return ["heading"]
    if fence := _FENCE.match(rest):
        return _fenced_block(lines, at, fence[1] or fence[2])
    if rest[0] == "<":
        return _html_block(lines, at, is_open)
    if _RULE.match(rest) or (is_open == "paragraph" and _UNDERLINE.match(rest)):
        return ["text"]
    if item := _item_start(rest, is_open == "paragraph"):
        return _list_item(lines, at, indent, item)
    return []


def _fenced_block(lines: Sequence[str], at: int, fence: str) -> list[LineKind]:
    for end in range(at + 1, len(lines)):
        if fence not in lines[end]:
            continue
        indent, rest = _indent(lines[end])
        if indent < 4 and _closes_fence(rest, fence):
            return ["code"] * (end + 1 - at)
    return ["code"] * (len(lines) - at)


def _closes_fence(rest: str, fence: str) -> bool:
    return rest.startswith(fence) and not rest.rstrip(" \t").strip(fence[0])


def _html_block(lines: Sequence[str], at: int, is_open: _OpenBlock) -> list[LineKind]:
    rest = _indent(lines[at])[1]
    endings = [closing for opening, closing in _HTML_BLOCKS if opening.match(rest)]
    if not endings and (is_open or not _LONE_TAG.match(rest)):
        return []
    closing = endings[0] if endings else None
    for end in range(at, len(lines)):
        if closing is None and is_blank(lines[end]):
            return ["html"] * (end - at)
        if closing is not None and closing.search(lines[end]):
            return ["html"] * (end + 1 - at)
    return ["html"] * (len(lines) - at)


def _item_start(rest: str, in_paragraph: bool) -> re.Match[str] | None:
    item = _ITEM.match(rest)
    if item and in_paragraph and (item.end() == len(rest) or item[2] not in (None, "1")):
        return None
    return item


def _list_item(lines: Sequence[str], at: int, indent: int, item: re.Match[str]) -> list[LineKind]:
    """Return the line kinds of a list item and its content: indented lines and lazy continuations."""
    rest = item.string
    is_empty = item.end() == len(rest)
    gap = _width(item[3], indent + len(item[1]))
    width = indent + len(item[1]) + (gap if 1 <= gap <= 4 and not is_empty else 1)
    fence = _inner_fence(rest)
    found: list[LineKind] = ["code" if fence else "text"]
    if is_empty and (at + 1 == len(lines) or is_blank(lines[at + 1])):
        return found
    in_paragraph = _leaves_paragraph_open(rest)
    for place in range(at + 1, len(lines)):
        column, rest = _indent(lines[place])
        if rest and column < width and not (in_paragraph and _is_lazy_continuation(column, rest)):
            break
        if fence:
            found.append("code")
            fence = "" if _closes_fence(rest, fence) else fence
            continue
        fence = _inner_fence(rest)
        found.append("code" if fence else "text" if rest else "blank")
        # A lazy continuation line cannot be a setext underline.
        in_paragraph = not fence and bool(rest) and (column < width or _leaves_paragraph_open(rest))
    while found[-1] == "blank":
        found.pop()
    return found


def _inner_fence(rest: str) -> str:
    fence = _INNER_FENCE.match(rest)
    return (fence[1] or fence[2]) if fence else ""


def _leaves_paragraph_open(rest: str) -> bool:
    """Return whether a line inside an item, apart from its markers, leaves a paragraph open."""
    markers = _MARKERS.match(rest)
    words = rest[markers.end() :] if markers else rest
    starts = (_HEADING, _FENCE, _RULE, _UNDERLINE)
    return bool(words) and not any(start.match(words) for start in starts)


def _is_lazy_continuation(column: int, rest: str) -> bool:
    """Return whether an unindented line continues the paragraph of the item above."""
    if column >= 4:
        return True
    starts = (_HEADING, _FENCE, _RULE, *(opening for opening, _ in _HTML_BLOCKS))
    return rest[0] != ">" and not any(start.match(rest) for start in starts) and not _ITEM.match(rest)


def _parse_heading(line: str) -> tuple[int, str]:
    found = _HEADING.match(_indent(line)[1])
    assert found
    return len(found[1]), _CLOSING_HASHES.sub("", found[2]).strip()


def _indent(line: str) -> tuple[int, str]:
    """Return the column of the first character, and the line from there without its ending; empty for a blank line."""
    bare = line.removeprefix(_BOM).rstrip("\n").removesuffix("\r")
    rest = bare.lstrip(" \t")
    lead = bare[: len(bare) - len(rest)]
    return (_width(lead, 0) if "\t" in lead else len(lead)), rest


def _width(space: str, column: int) -> int:
    """Return how many columns `space` takes from `column` on; a tab extends to the next multiple of four."""
    at = column
    for char in space:
        at += 4 - at % 4 if char == "\t" else 1
    return at - column


def _meta_lines(lines: Sequence[str]) -> int:
    """Return how many lines the frontmatter takes, including its `---` lines."""
    if len(lines) < 3 or lines[0].removeprefix(_BOM).rstrip() != "---" or not _META_KEY.match(lines[1]):
        return 0
    return next((at + 1 for at in range(2, len(lines)) if lines[at].rstrip() in ("---", "...")), 0)
