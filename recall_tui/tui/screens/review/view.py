"""What the Review screen shows, read in a thread: what waits beside the documents as they are now, and as a diff.

Nothing here changes anything; what a person decides is a plan of `features.curation.review`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.features.curation.review import Document, Waiting
from recall_tui.features.documents.citations import Citation
from recall_tui.text.dates import ago
from recall_tui.tui.messages import ProposalDrawn, ProposalsRead
from recall_tui.tui.screens.distill.view import LONGEST_DIFF

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

Part = Document | Citation
"""A row of a card."""


@dataclass(frozen=True, slots=True)
class Card:
    """A proposal as it is shown."""

    waiting: Waiting
    evidence: tuple[Citation, ...]
    age: str
    """Such as `2d ago`; empty when nobody knows."""

    @property
    def id(self) -> str:
        """By what it is known."""
        return self.waiting.proposal.id

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its documents, then what it rests on."""
        return *self.waiting.documents, *self.evidence

    @property
    def is_safe(self) -> bool:
        """It can be accepted without a look."""
        return self.waiting.proposal.is_safe and not self.why_not

    @property
    def why_not(self) -> str:
        """What stands in the way of accepting it whole, and what to do; empty when nothing does."""
        return self.waiting.why_not


@dataclass(frozen=True, slots=True)
class Drawn:
    """The change that a proposal would make."""

    lines: tuple[str, ...]
    """Of a unified diff."""
    more: int
    """Lines that it adds."""
    fewer: int
    """Lines that it takes away."""


def read(bench: Workbench) -> ProposalsRead:
    """Read what waits."""
    from recall_tui.features.curation import review

    now, waiting = bench.store.now(), review.waiting(bench.store)
    made = {document.path for one in waiting for document in one.documents if document.state == "create"}
    cards = (
        Card(
            one,
            tuple(_told(cited, made) for cited in review.evidence(bench.store, one.proposal)),
            ago(one.proposal.made_at, now) if one.proposal.made_at else "",
        )
        for one in waiting
    )
    applied = sum(one.is_by_itself for one in review.settled(bench.store))
    return ProposalsRead(tuple(cards), applied)


def draw(bench: Workbench, number: int, card: Card) -> ProposalDrawn:
    """Compare what is proposed with what is there now."""
    lines = _diff(bench, card)
    signs = [line[:1] for line in lines if not line.startswith(("--- a/", "+++ b/"))]
    shown = lines[:LONGEST_DIFF]
    if len(lines) > LONGEST_DIFF:
        shown.append(f"… and {len(lines) - LONGEST_DIFF} more lines")
    return ProposalDrawn(number, Drawn(tuple(shown), signs.count("+"), signs.count("-")))


def as_text(bench: Workbench, card: Card) -> str:
    """The proposal to be pasted elsewhere: what, why, from where, and the diff; without secrets."""
    from recall_tui.text.secrets.redact import redact
    from recall_tui.tui.text import clean

    told = card.waiting.proposal
    sources = [f"— {words}" for words in told.evidence]
    return redact(clean("\n".join((told.title, told.why, *sources, "", *_diff(bench, card)))))


def _told(cited: Citation, made: Collection[str]) -> Citation:
    """The evidence, and whether it is to be `made` by a proposal that waits as well."""
    return replace(cited, is_proposed=not cited.is_there and cited.reference in made)


def _diff(bench: Workbench, card: Card) -> list[str]:
    from recall_tui.storage.journal.plan_diff import diff
    from recall_tui.storage.state import proposals

    return [
        line for line in diff(proposals.shown(bench.store, card.waiting.proposal), bench.store.root).split("\n") if line
    ]
