"""The line ends of a file that is written anew: its own lines keep theirs, and new lines take those of its most.

A person's editor chose them; a text of ours has plain newlines, and is given the file's on its way to the disk.
"""

from __future__ import annotations

CRLF = "\r\n"


def main_end(text: str) -> str:
    """What ends most lines of the text: CRLF or a newline."""
    crlf = text.count(CRLF)
    return CRLF if 2 * crlf > text.count("\n") else "\n"


def ended_like(text: str, before: str) -> str:
    """`text` with the line ends of `before`, the text that it takes the place of."""
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
    """`text` with every line ended alike."""
    plain = text.replace(CRLF, "\n")
    return plain if end == "\n" else plain.replace("\n", end)
