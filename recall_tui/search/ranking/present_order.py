"""The order of the finds for a question about the present.

What holds now stands above what held before, and a statement above a question. Only logs and notes change places with
each other; pages that were drawn from them, and what was said in sessions, keep theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from recall_tui.domain.documents import FACT_KINDS
from recall_tui.search.ranking.candidates import RankedPassage
from recall_tui.search.ranking.claim_validity import raise_above

if TYPE_CHECKING:
    from recall_tui.search.ranking.claim_validity import ClaimValidity
    from recall_tui.search.ranking.dated_claims import DatedClaim

SCATTERED_WEIGHT = 0.5
"""What a passage keeps whose words of the question stand in no one statement."""
PRESENT_BONUS = 0.25
"""What a statement adds that says that something holds from now on."""
RECENCY_BONUS = 0.15
"""What the latest day adds, and others in proportion to their place."""
ANSWER_SHARE = 0.5
"""How much of what a question in a log holds of the words its answer holds at least."""


def present_first(claims: ClaimValidity, found: Sequence[RankedPassage]) -> list[RankedPassage]:
    """The finds with what holds now above what held before, and statements above questions."""
    ordered = claims.with_successors(found)
    places = [place for place, one in enumerate(ordered) if _may_move(one)]
    leads = {ordered[place].passage.id: claims.lead(ordered[place].passage) for place in places}
    ranked = _rank_by_statement([ordered[place] for place in places], leads)
    for earlier, later in claims.successions():
        raise_above(ranked, later.passage, earlier.passage)
    for one in tuple(ranked):
        if restated := claims.restatement(one.passage):
            raise_above(ranked, restated.passage, one.passage.id)
    scores = [ordered[place].score for place in places]
    for place, score, one in zip(places, scores, _answers_first(ranked, leads), strict=True):
        ordered[place] = one._replace(score=score)
    return ordered


def _may_move(one: RankedPassage) -> bool:
    return one.passage.kind in FACT_KINDS and not one.is_derived and not one.candidate.is_named


def _rank_by_statement(found: list[RankedPassage], leads: dict[str, DatedClaim | None]) -> list[RankedPassage]:
    """The finds by how much of the question one statement of them holds, later days and changes first."""
    days = sorted({lead.day for lead in leads.values() if lead})
    recency = {day: place / max(len(days) - 1, 1) for place, day in enumerate(days)}

    def worth(one: RankedPassage) -> float:
        lead = leads[one.passage.id]
        if lead is None:
            return one.score * SCATTERED_WEIGHT
        said = SCATTERED_WEIGHT + (1 - SCATTERED_WEIGHT) * lead.share
        bonus = (1 + PRESENT_BONUS * lead.change.is_present) * (1 + RECENCY_BONUS * recency[lead.day])
        return one.score * said * bonus

    return sorted(found, key=lambda one: (-round(worth(one), 9), one.passage.document, one.passage.lines))


def _answers_first(found: list[RankedPassage], leads: dict[str, DatedClaim | None]) -> list[RankedPassage]:
    """The finds with each question below the first statement about as much of it: a later change if there is any."""
    ordered = list(found)
    for one in found:
        asks = leads[one.passage.id]
        if asks is None or not asks.change.is_question:
            continue
        said = [lead for other in ordered if (lead := leads[other.passage.id]) and not lead.change.is_doubtful]
        answers = [answer for answer in said if answer.share >= ANSWER_SHARE * asks.share]
        later = [answer for answer in answers if answer.day >= asks.day and answer.change.is_present]
        for answer in (later or answers)[:1]:
            raise_above(ordered, answer.passage, asks.passage)
    return ordered
