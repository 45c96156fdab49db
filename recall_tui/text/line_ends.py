"""Line ends of a rewritten file: existing lines keep theirs, new lines take the file's main one.

The user's editor chose them; our own text has plain newlines and is converted when it is written.
"""

from __future__ import annotations

CRLF = "\r\n"


def main_end(text: str) -> str:
    """Return the line end of most lines: CRLF or a newline."""
    crlf = text.count(CRLF)
    return CRLF if 2 * crlf > text.count("\n") else "\n"


def ended_like(text: str, before: str) -> str:
    """Return `text` with the line ends of `before`, the text that it replaces."""
    crlf, every = before.count(CRLF), before.count("\n")
    if not crlf:
        return text
    if crlf == every:
        return with_ends(text, CRLF)
    from recall_tui.text.line_diff import diff_lines

    was, became = before.split("\n"), text.split("\n")
    main = main_end(before)
    bare, new = [line.removesuffix("\r") for line in was], [line.removesuffix("\r") for line in became]
    ends = [main] * len(new)
    at = 0
    for start, end, first, _ in [*diff_lines(bare, new, most=len(new) + len(bare)), (len(bare), 0, len(new), 0)]:
        for number in range(at, min(start, len(was) - 1)):
            ends[first - start + number] = CRLF if was[number].endswith("\r") else "\n"
        at = end
    return "".join(line + end for line, end in zip(new[:-1], ends, strict=False)) + became[-1]


def with_ends(text: str, end: str) -> str:
    """Return `text` with `end` after every line."""
    plain = text.replace(CRLF, "\n")
    return plain if end == "\n" else plain.replace("\n", end)
