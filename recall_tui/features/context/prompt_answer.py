"""A prompt's pointers put into a few claims by a model, when the person wants that and it answers in time.

Whatever goes wrong, or takes too long, the pointers stand as they are; nothing is said about it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recall_tui.llm.model import Failure
from recall_tui.text.framing import Quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recall_tui.domain import Hit
    from recall_tui.domain.hook import HookEvent
    from recall_tui.storage.memory_context import Store

SECONDS = 3.0
"""From the beginning of the search; agents wait five for this hook."""
CHARACTERS = 1_500
"""Of all claims together."""
ABOUT = (
    "A model made the claims from the records that are named below them; `recall-tui show` prints the whole of each."
)


def in_claims(store: Store, event: HookEvent, found: Sequence[tuple[Hit, Quote]], started: float) -> tuple[Quote, ...]:
    """The claims with the numbers of what they rest on, and a pointer to each; nothing when the pointers shall do.

    `started` is when the search began, by `time.perf_counter`.
    """
    from recall_tui.features.context import answer as answering
    from recall_tui.features.context.passages import Extract

    if not answering.is_offered(store):
        return ()
    evidence = [
        Extract(quote.text, hit.document, hit.lines, hit.title, hit.date, hit.session_id) for hit, quote in found
    ]
    said = answering.answered(
        store,
        event.prompt,
        evidence,
        is_cancelled=lambda: time.perf_counter() - started > SECONDS,
        session_id=event.session_id,
    )
    if isinstance(said, Failure) or not said.claims:
        return ()
    cited = sorted({number for claim in said.claims for number in claim.evidence})
    pointers = [(number, found[number - 1][1]) for number in cited]
    named = [quote._replace(text="", title=f"[{number}] {quote.title}".strip()) for number, quote in pointers]
    return (Quote(said.text), *named)
