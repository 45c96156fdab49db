"""What is done with several rows at once: archived, exported, forgotten.

Each function works out or does one thing and returns what to say; none of them touches a widget.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.domain import Hit
from recall_tui.tui.document_pointer import Item, reference_of
from recall_tui.tui.text import one_line

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.workbench import Workbench

MOST_SHOWN = 40
"""Files of one kind that are named before something goes; more are counted."""


def transcripts_of(items: Sequence[Item]) -> list[Path]:
    """The transcripts among the rows; archives have been archived."""
    hits = (item for item in items if isinstance(item, Hit) and item.kind == "transcript")
    return list(dict.fromkeys(Path(hit.document) for hit in hits))


def references_of(items: Sequence[Item]) -> tuple[str, ...]:
    """By what sessions are forgotten: their ids where there is one, else where they stand."""
    named = (item.session_id if isinstance(item, Hit) and item.session_id else reference_of(item) for item in items)
    return tuple(dict.fromkeys(named))


def what_goes(plan: Plan) -> str:
    """What forgetting removes, changes and leaves, a line each."""
    parts = (("removed", "goes"), ("changed", "is written without it"), ("transcripts", "stays, it is the agent's own"))
    lines = [line for name, words in parts for line in _named(plan.facts.get(name), words)]
    notes = ["", *(one_line(note) for note in plan.notes)] if plan.notes else []
    return "\n".join((*lines, *notes, "", "Nothing keeps what goes: u cannot bring it back."))


def _named(found: object, words: str) -> list[str]:
    names = list(map(str, found)) if isinstance(found, list | tuple) else []
    shown = [f"{one_line(name)}  {words}" for name in names[:MOST_SHOWN]]
    return [*shown, f"and {len(names) - MOST_SHOWN} more"] if len(names) > MOST_SHOWN else shown


def forget(bench: Workbench, references: Sequence[str], seen: Plan) -> str:
    """Forget as it was planned; what came of it."""
    entry, cleared = bench.forget(*references, seen=seen)
    title = one_line(entry.title if entry is not None else seen.title)
    back = f"\n{one_line(seen.no_way_back)}" if seen.no_way_back else ""
    left = "".join(f"\nleft: {one_line(words)}" for words in cleared.left)
    return f"{title}, everywhere{back}{left}"


def export(bench: Workbench, references: Sequence[str], to: Path) -> str:
    """Export to one file; what came of it."""
    made = bench.export(list(references), to)
    masked = f", {made.masked} secret{'s' * (made.masked != 1)} masked" if made.masked else ""
    return f"Exported {made.items} to {one_line(str(made.path))}, verified{masked}"
