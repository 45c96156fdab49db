"""Conflicts that git left in a text: two versions of the same lines, between its markers.

Markers inside of a fenced block are an example.
"""

from __future__ import annotations

from recall_tui.text.lazy_pattern import lazy_pattern

OPENING = "<<<<<<<"
_FENCE = lazy_pattern(r"\s{0,3}(?:`{3,}|~{3,})")
_MARKERS = (lazy_pattern(r"<{7}(?: .*)?"), lazy_pattern(r"={7}"), lazy_pattern(r">{7}(?: .*)?"))
_BASE = lazy_pattern(r"\|{7}(?: .*)?")
"""The marker before the version that both were made from, which git writes on demand."""
_NOTES = (
    "(git could not merge what follows: one version)",
    "(the other version)",
    "(the end of what git could not merge)",
)
_BASE_NOTE = "(the version that both were made from)"


def find_conflicts(text: str) -> list[tuple[int, int, int]]:
    """Return the 1-based lines of the opening, middle and closing marker of each conflict."""
    found: list[tuple[int, int, int]] = []
    if OPENING not in text:
        return found
    fence, at = "", [0, 0]
    for number, line in enumerate(text.split("\n"), 1):
        words = line.rstrip("\r")
        if not at[0] and (match := _FENCE.match(words)):
            fence = "" if fence and match[0].strip().startswith(fence) else fence or match[0].strip()[:3]
        elif not fence and _MARKERS[0].fullmatch(words):
            at = [number, 0]
        elif at[0] and not at[1] and _MARKERS[1].fullmatch(words):
            at[1] = number
        elif at[1] and _MARKERS[2].fullmatch(words):
            found.append((at[0], at[1], number))
            at = [0, 0]
    return found


def mark_conflicts(text: str) -> str:
    """Return the text with words in place of the markers of its conflicts, and as many lines as before."""
    conflicts = find_conflicts(text)
    if not conflicts:
        return text
    lines = text.split("\n")
    for places in conflicts:
        for number in range(places[0], places[1]):
            if _BASE.fullmatch(lines[number].rstrip("\r")):
                lines[number] = _BASE_NOTE
        for number, note in zip(places, _NOTES, strict=True):
            lines[number - 1] = note
    return "\n".join(lines)
