"""The passage at a line of a document, and that passage with where it is from, ready to be pasted.

What is copied holds no secrets and nothing that a terminal would obey.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from recall_tui.text.secrets.redact import redact
from recall_tui.text.source_ref import source_ref
from recall_tui.tui.text import plain_line, strip_controls
from recall_tui.tui.widgets.markdown_lines import RenderedDocument

if TYPE_CHECKING:
    from recall_tui.features.documents.lookup import Document
    from recall_tui.workbench import Workbench


def passage_at(shown: RenderedDocument, at: int) -> tuple[int, int]:
    """The first and last line, from 1, of what belongs together around line `at`, from 0.

    That is a fold, or what stands under a heading up to the next heading, fold or rule.
    """
    if fold := shown.fold_at.get(at) or next(reversed(shown.folds_around(at)), None):
        return fold.start + 1, fold.end
    first = at
    while first > 0 and not _starts_block(shown, first) and not shown.folds_around(first - 1):
        first -= 1
    last = at + 1
    while last < len(shown) and not _starts_block(shown, last):
        last += 1
    while last > first + 1 and not shown.source[last - 1].strip():
        last -= 1
    return first + 1, last


def _starts_block(shown: RenderedDocument, at: int) -> bool:
    """Something else begins on the line."""
    return at < shown.ready and (
        shown.kinds[at] == "heading" or at in shown.fold_at or (shown.source[at].rstrip() == "---" and at > 0)
    )


def cite_lines(bench: Workbench, source: Document, lines: tuple[int, int]) -> str:
    """Lines of a document, from 1, and where they stand: in the file, or for a transcript on which of its lines."""
    words = "\n".join(source.text.split("\n")[lines[0] - 1 : lines[1]])
    first, last = lines
    if source.spots:
        spot = max(0, bisect_right(source.spots, last, key=lambda spot: spot.start) - 1)
        first = last = source.spots[spot].line
    place = source_ref(plain_line(bench.store.relative(source.path)), first, last)
    return f"{redact(strip_controls(words)).strip()}\n— {place}"
