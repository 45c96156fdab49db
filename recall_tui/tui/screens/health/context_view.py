"""What the health screen shows of the next session: exactly what it would be given, item by item, and why.

The hook that starts a session is told the same by the same function; only the session's id is not known yet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.tui.screens.health.agents_view import handing_over
from recall_tui.tui.screens.health.view import Looked, State, StateRow

if TYPE_CHECKING:
    from recall_tui.features.context.session_context import Injection, Item
    from recall_tui.workbench import Workbench

_NEXT_ID = "00000000-0000-0000-0000-000000000000"
"""As long as the id that the session will have."""
_OFF = "A session is given nothing while inject.tokens is 0. Settings (7) has it."


def of_injection(bench: Workbench) -> Looked:
    """What a session that starts now is given."""
    from recall_tui.features.context.session_context import Asked, injection
    from recall_tui.storage.state.hook_log import failed_capture

    limit = bench.config.whole("inject.tokens")
    if not limit:
        return Looked((), "○ nothing is given", _OFF)
    failed = failed_capture(bench.store.state)
    hands = handing_over(bench)
    lacking = dict.fromkeys(one.target.title for one in hands if any(piece.hands_memory for piece in one.pieces))
    asked = Asked(_NEXT_ID, "", failed.decision.why if failed else "", wants_memory=bool(lacking))
    found = injection(bench.store, asked)
    left_out = sum(not item.is_given for item in found.items)
    summary = f"about {found.tokens:,} of {limit:,} tokens"
    parts = (
        summary,
        f"○ {left_out} left out" if left_out else "",
        "" if hands else "▲ no hook hands it over",
    )
    return Looked(
        (_all(found), *(_row(item, " and ".join(lacking)) for item in found.items)), " · ".join(filter(None, parts))
    )


def _all(found: Injection) -> StateRow:
    """What the agent reads, in one row."""
    given = sum(item.is_given for item in found.items)
    if not given:
        return StateRow("plain", "nothing", "nothing is there that a session could be given")
    words = f"{given} item{'s' * (given != 1)}; enter shows them as the agent reads them"
    return StateRow("good", "whole", words, whole=found.text)


def _row(item: Item, lacking: str) -> StateRow:
    """An item; `lacking` are the agents that MEMORY.md is handed to."""
    text = f"{item.what}{f' for {lacking}' if item.kind == 'memory' else ''}: {item.why}"
    whole = f"{text}\n\n{item.text}"
    if not item.is_given:
        return StateRow("plain", "left out", text, whole=whole)
    state: State = "warn" if item.is_cut or item.kind in ("trouble", "news") else "good"
    return StateRow(state, "in part" if item.is_cut else "given", text, _tokens(item.tokens), whole=whole)


def _tokens(count: int) -> str:
    return f"{count:,} token{'s' * (count != 1)}"
