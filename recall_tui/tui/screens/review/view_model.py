"""What the Review screen shows, read in a thread: what waits beside the documents as they are now, and as a diff.

Nothing here changes anything; what a person decides is a plan of `features.curation.review`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.features.curation.review import AffectedDocument, OpenProposal
from recall_tui.features.documents.citations import Citation
from recall_tui.text.dates import relative_time
from recall_tui.tui.messages import ProposalDiffReady, ProposalsLoaded
from recall_tui.tui.screens.distill.view_model import MAX_DIFF_LINES

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

CardRow = AffectedDocument | Citation
"""A row of a card."""


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal as it is shown."""

    waiting: OpenProposal
    evidence: tuple[Citation, ...]
    age: str
    """Such as `2d ago`; empty when nobody knows."""

    @property
    def id(self) -> str:
        """By what it is known."""
        return self.waiting.proposal.id

    @property
    def parts(self) -> tuple[CardRow, ...]:
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
class ProposalDiff:
    """The change that a proposal would make."""

    lines: tuple[str, ...]
    """Of a unified diff."""
    more: int
    """Lines that it adds."""
    fewer: int
    """Lines that it takes away."""


def load_proposals(bench: Workbench) -> ProposalsLoaded:
    """Read what waits."""
    from recall_tui.features.curation import review

    now, waiting = bench.store.now(), review.open_proposals(bench.store)
    made = {document.path for one in waiting for document in one.documents if document.state == "create"}
    cards = (
        ProposalView(
            one,
            tuple(_as_evidence(cited, made) for cited in review.proposal_evidence(bench.store, one.proposal)),
            relative_time(one.proposal.made_at, now) if one.proposal.made_at else "",
        )
        for one in waiting
    )
    applied = sum(one.is_by_itself for one in review.closed_proposals(bench.store))
    return ProposalsLoaded(tuple(cards), applied)


def load_diff(bench: Workbench, number: int, card: ProposalView) -> ProposalDiffReady:
    """Compare what is proposed with what is there now."""
    lines = _diff(bench, card)
    signs = [line[:1] for line in lines if not line.startswith(("--- a/", "+++ b/"))]
    shown = lines[:MAX_DIFF_LINES]
    if len(lines) > MAX_DIFF_LINES:
        shown.append(f"… and {len(lines) - MAX_DIFF_LINES} more lines")
    return ProposalDiffReady(number, ProposalDiff(tuple(shown), signs.count("+"), signs.count("-")))


def proposal_text(bench: Workbench, card: ProposalView) -> str:
    """The proposal to be pasted elsewhere: what, why, from where, and the diff; without secrets."""
    from recall_tui.text.secrets.redact import redact
    from recall_tui.tui.text import strip_controls

    told = card.waiting.proposal
    sources = [f"— {words}" for words in told.evidence]
    return redact(strip_controls("\n".join((told.title, told.why, *sources, "", *_diff(bench, card)))))


def _as_evidence(cited: Citation, made: Collection[str]) -> Citation:
    """The evidence, and whether it is to be `made` by a proposal that waits as well."""
    return replace(cited, is_proposed=not cited.is_there and cited.reference in made)


def _diff(bench: Workbench, card: ProposalView) -> list[str]:
    from recall_tui.storage.journal.plan_diff import plan_as_diff
    from recall_tui.storage.state import proposals

    plan = proposals.preview_plan(bench.store, card.waiting.proposal)
    diff = plan_as_diff(plan, bench.store.root, bench.store.environment.home)
    return [line for line in diff.split("\n") if line]
