"""Quote foreign text inside our documents so that it cannot pass for structure.

`unquote(quote(text))` is `text` with plain line endings and its last fence closed; ordinary markdown stays unchanged.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

from recall_tui.text.cut import one_line
from recall_tui.text.lazy_pattern import lazy_pattern

_STRUCTURE_START = lazy_pattern(
    r"""^([ ]{0,3})(\\*)(?=
        ---[ \t]*$                                                   # the rule before a turn
      | \#[ ](?:Conversation|Archive[ ]Log)\b | \#\#[ ]Tags[ \t]*$   # the parts of the file
      | \#{3,4}[ ](?:User|Assistant|Task|Sub-agent|Plan)[ \t]*$      # who speaks
      | >[ ]\*\* | \*\*Tool:                                         # a tool, now and in the first generation
      | \*(?:\d{4}-\d\d-\d\d[ ]\d\d:\d\d[ ]UTC|\(rewound\)|cut:)     # our notes
      | <(?:[!?]|/?(?:script|pre|style|textarea)\b)                  # HTML that would swallow what follows
    )""",
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_INLINE_DETAILS = lazy_pattern(r"(?<!\\)\\*+</?(?:details|summary)\b", re.IGNORECASE)
_FENCE = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$")
_FENCE_START = lazy_pattern(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_LONE_SURROGATE = lazy_pattern("[\ud800-\udc7f\udd00-\udfff]")
"""Surrogates that do not represent a byte of a file."""
_BACKTICKS = lazy_pattern("`+")
_LEADING_CHARS = frozenset("\\#>-+*_`~<=|[")


class FenceTracker:
    """A tracker of a text's code fences, line by line (CommonMark 0.31 §4.5)."""

    __slots__ = ("mark",)

    def __init__(self) -> None:
        self.mark = ""
        """The characters that opened the current fence; empty outside."""

    def holds(self, line: str) -> bool:
        """Return whether `line`, the next of the text, is code or a fence, and so never structure."""
        if "```" not in line and "~~~" not in line:
            return bool(self.mark)
        found = _FENCE.match(line.rstrip())
        if found is None:
            return bool(self.mark)
        if not self.mark:
            self.mark = found[1]
        elif found[1].startswith(self.mark) and not found[2].strip():
            self.mark = ""
        return True


class FenceRanges:
    """The ends of a text's fences; an unclosed fence does not count."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._closers = _fence_closers(lines)

    def after(self, at: int) -> int:
        """Return the line after the fence that opens at `at`; the next line when none opens there."""
        line = self._lines[at]
        found = _FENCE_START.match(line.rstrip()) if "```" in line or "~~~" in line else None
        if found is None:
            return at + 1
        mark = found[1]
        closers, longest = self._closers[mark[0]]
        place = bisect_right(closers, (at, len(line)))
        if place == len(closers) or longest[place] < len(mark):
            return at + 1
        while closers[place][1] < len(mark):
            place += 1
        return closers[place][0] + 1


def _fence_closers(lines: list[str]) -> dict[str, tuple[list[tuple[int, int]], list[int]]]:
    """For each of the two fence characters, return the lines that can close a fence, with their mark's length.

    The second list holds the greatest length from each closer on, to detect at once that nothing closes a fence.
    """
    found: dict[str, list[tuple[int, int]]] = {"`": [], "~": []}
    for at, line in enumerate(lines):
        if "```" not in line and "~~~" not in line:
            continue
        bare = line.lstrip(" ").rstrip()
        if set(bare) in ({"`"}, {"~"}) and len(line) - len(line.lstrip(" ")) < 4:
            found[bare[0]].append((at, len(bare)))
    return {mark: (closers, _max_from(closers)) for mark, closers in found.items()}


def _max_from(closers: list[tuple[int, int]]) -> list[int]:
    return list(accumulate((length for _, length in reversed(closers)), max))[::-1]


def normalize_lines(text: str) -> str:
    """Replace every line ending by a newline, and lone surrogates, which no file can hold, by U+FFFD."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def quote(text: str) -> str:
    """Put a backslash before anything that looks like our structure, and close a fence left open at the end."""
    text = normalize_lines(text)
    if (
        "```" not in text
        and "~~~" not in text
        and not _STRUCTURE_START.search(text)
        and not _INLINE_DETAILS.search(text)
    ):
        return text
    fence = FenceTracker()
    lines = [line if fence.holds(line) else _escape(line) for line in text.split("\n")]
    return "\n".join([*lines, fence.mark] if fence.mark else lines)


def unquote(text: str) -> str:
    """Reverse `quote`."""
    if "\\" not in text:
        return text
    fence = FenceTracker()
    return "\n".join(line if fence.holds(line) else _unescape(line) for line in text.split("\n"))


def quote_line(text: str) -> str:
    """Flatten `text` to one line that is an ordinary paragraph."""
    line = _INLINE_DETAILS.sub(r"\\\g<0>", one_line(text))
    return "\\" + line if line[:1] in _LEADING_CHARS else line


def unquote_line(line: str) -> str:
    """Reverse `quote_line`; the text stays on one line."""
    if line[:1] == "\\" and line[1:2] in _LEADING_CHARS:
        line = line[1:]
    return _INLINE_DETAILS.sub(_drop_backslash, line)


def fence_text(text: str) -> str:
    """Return `text` as a code block whose fence is longer than any run of backticks in it."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    mark = "`" * max(3, longest + 1)
    return f"{mark}\n{text}\n{mark}\n"


def code_span(text: str) -> str:
    """Return one-line `text` as a code span with more backticks than its longest run."""
    longest = max(map(len, _BACKTICKS.findall(text)), default=0)
    mark = "`" * (longest + 1)
    pad = " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{mark}{pad}{text}{pad}{mark}"


def comment_json(facts: object) -> str:
    """Serialize `facts` as plain ASCII JSON that cannot close an HTML comment."""
    import json

    return json.dumps(facts).replace("<", "\\u003c").replace(">", "\\u003e")


def _escape(line: str) -> str:
    return _STRUCTURE_START.sub(r"\1\\\2", _INLINE_DETAILS.sub(r"\\\g<0>", line), count=1)


def _unescape(line: str) -> str:
    found = _STRUCTURE_START.match(line)
    if found and found[2]:
        line = found[1] + line[len(found[1]) + 1 :]
    return _INLINE_DETAILS.sub(_drop_backslash, line)


def _drop_backslash(found: re.Match[str]) -> str:
    return found[0][1:] if found[0][0] == "\\" else found[0]
