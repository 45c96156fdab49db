"""A prompt's pointers put into a few claims by a model, when the person wants that and it answers in time.

Whatever goes wrong, or takes too long, the pointers stand as they are; nothing is said about it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from recall_tui.llm.model import Failure
from recall_tui.text.framing import QuotedBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from recall_tui.domain import Hit
    from recall_tui.domain.hook import HookEvent
    from recall_tui.storage.memory_context import Store

TIMEOUT_SECONDS = 3.0
"""From the beginning of the search; agents wait five for this hook."""
MAX_ANSWER_CHARS = 1_500
"""Of all claims together."""
INTRODUCTION = (
    "A model made the claims from the records that are named below them; `recall-tui show` prints the whole of each."
)


def answer_in_claims(
    store: Store, event: HookEvent, found: Sequence[tuple[Hit, QuotedBlock]], started: float
) -> tuple[QuotedBlock, ...]:
    """The claims with the numbers of what they rest on, and a pointer to each; nothing when the pointers shall do.

    `started` is when the search began, by `time.perf_counter`.
    """
    from recall_tui.features.context import answer
    from recall_tui.features.context.passages import RecallPassage

    if not answer.can_answer(store):
        return ()
    evidence = [
        RecallPassage(quote.text, hit.document, hit.lines, hit.title, hit.date, hit.session_id) for hit, quote in found
    ]
    said = answer.answer_question(
        store,
        event.prompt,
        evidence,
        is_cancelled=lambda: time.perf_counter() - started > TIMEOUT_SECONDS,
        session_id=event.session_id,
    )
    if isinstance(said, Failure) or not said.claims:
        return ()
    cited = sorted({number for claim in said.claims for number in claim.evidence})
    pointers = [(number, found[number - 1][1]) for number in cited]
    named = [quote._replace(text="", title=f"[{number}] {quote.title}".strip()) for number, quote in pointers]
    return (QuotedBlock(said.text), *named)
