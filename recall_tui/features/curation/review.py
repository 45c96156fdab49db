"""Review: what waits for a person, and what accepting, dismissing or bringing it back changes.

Each decision is one change of the journal, so that taking it back has the proposal wait again; nothing is overwritten
that was not seen when the proposal was made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from recall_tui.domain import Create, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError, UsageError
from recall_tui.features.curation.second_copies import KIND as COPY
from recall_tui.features.curation.second_copies import SecondCopy, find_second_copies
from recall_tui.features.documents.citations import Citation, citations
from recall_tui.features.documents.session_label import name_sessions
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Decision, DocumentState, Proposal

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

EMPTY_MESSAGE = "Nothing to review."
SOURCES_MESSAGE = "Generated changes wait here first, from: recall-tui synthesize, compact, dream"
_COMMANDS = {
    "master": "recall-tui synthesize",
    "weekly": "recall-tui compact weekly",
    "monthly": "recall-tui compact monthly",
    "wisdom": "recall-tui compact wisdom",
    "wiki": "recall-tui dream",
    "supersession": "recall-tui dream",
}
"""The command that proposes anew, by kind."""
_MAX_TITLES = 3
"""Titles in the title of one change."""


@dataclass(frozen=True, slots=True)
class AffectedDocument:
    """A document that a proposal is about."""

    path: str
    state: DocumentState


@dataclass(frozen=True, slots=True)
class OpenProposal:
    """A proposal beside the documents as they are now."""

    proposal: Proposal
    documents: tuple[AffectedDocument, ...]
    copy: SecondCopy | None = None
    """The second copy of a file that it is about."""

    @property
    def stale(self) -> tuple[str, ...]:
        """The documents that are another since it was made."""
        return tuple(one.path for one in self.documents if one.state == "stale")

    @property
    def left(self) -> tuple[str, ...]:
        """The documents that can be accepted still."""
        return tuple(
            one.path for one in self.documents if not blocking_reason(self.proposal, one) and one.state != "taken"
        )

    @property
    def why_not(self) -> str:
        """What stands in the way of accepting all that is left of it, and what to do; empty when nothing does."""
        return next((": ".join(why) for one in self.documents if (why := blocking_reason(self.proposal, one))), "")


def open_proposals(store: Store) -> tuple[OpenProposal, ...]:
    """What waits for a person, the newest first."""
    copies = [_inspect_copy(store, one) for one in find_second_copies(store) if one.proposal.fate == "open"]
    stored = [inspect_proposal(store, one) for one in proposals.list_open(store)]
    return tuple(sorted((*stored, *copies), key=_created_at, reverse=True)) if copies else tuple(stored)


def closed_proposals(store: Store) -> tuple[Proposal, ...]:
    """What was accepted or dismissed, the newest first, then the copies that were dismissed."""
    copies = (one.proposal for one in find_second_copies(store))
    return tuple(one for one in (*proposals.list_all(store), *copies) if one.fate != "open")


def get_proposal(store: Store, reference: str) -> OpenProposal:
    """What waits with this id, or a unique beginning of it; NotFoundError when there is none."""
    return _match_id(open_proposals(store), reference)


def inspect_proposal(store: Store, proposal: Proposal) -> OpenProposal:
    """The proposal beside its documents."""
    states = (AffectedDocument(one.path, proposals.document_state(store, proposal, one)) for one in proposal.changes)
    return OpenProposal(proposal, tuple(states))


def _inspect_copy(store: Store, copy: SecondCopy) -> OpenProposal:
    seen = inspect_proposal(store, copy.proposal)
    documents = tuple(replace(one, state="by hand") for one in seen.documents) if copy.is_by_hand else seen.documents
    return OpenProposal(copy.proposal, documents, copy)


def _created_at(one: OpenProposal) -> float:
    return one.proposal.made_at.timestamp() if one.proposal.made_at else 0.0


def _match_id(among: Sequence[OpenProposal], reference: str) -> OpenProposal:
    found = proposals.match_id((one.proposal for one in among), reference, "open")
    return next(one for one in among if one.proposal is found)


def proposal_evidence(store: Store, proposal: Proposal) -> tuple[Citation, ...]:
    """What it rests on; what names nothing that can be opened is kept as words."""
    found: dict[str, Citation] = {}
    for words in proposal.evidence:
        cited = citations(store.layout, words)[:1] or (Citation(words),)
        found.setdefault(words, replace(cited[0], words=words))
    return name_sessions(store, found.values())


def blocking_reason(proposal: Proposal, document: AffectedDocument) -> tuple[str, str] | None:
    """What stands in the way of accepting a document, and what to do about it; None when nothing does."""
    if document.state == "stale":
        maker = _COMMANDS.get(proposal.kind, "")
        return f"{document.path} changed since this was proposed", f"propose it again{maker and f' with {maker}'}"
    if document.state == "outside":
        return f"{document.path} is outside of the memory", "dismiss the proposal"
    if document.state == "unreadable":
        return f"{document.path} cannot be read", "look after it, or dismiss the proposal"
    if document.state == "by hand":
        return f"{document.path} is not brought together by lines", "take what you need into it, or dismiss the copy"
    return None


def accept(store: Store, references: Sequence[str], only: Collection[str] | None = None) -> Plan:
    """Make the changes of proposals, or of one of them the documents in `only`.

    ConflictError when a document is another since, or when two of them are about the same.
    """
    among = open_proposals(store)
    chosen = list({one.proposal.id: one for one in (_match_id(among, ref) for ref in references)}.values())
    if only is not None and len(chosen) != 1:
        raise UsageError("documents are picked of one proposal at a time")
    for one in chosen:
        _check_documents(one, only)
    twice = _shared_documents([one.proposal for one in chosen])
    if twice:
        raise ConflictError(f"two of them change {twice[0]}", hint="accept one, then review the other again")
    plans = [_plan_accept(store, one.proposal, only) for one in chosen]
    return _with_listing(store, _combine_plans("Accepted", [one.proposal for one in chosen], plans))


def _plan_accept(store: Store, proposal: Proposal, only: Collection[str] | None) -> Plan:
    if proposal.kind != COPY:
        return proposals.plan_accept(store, proposal, only)
    # Once it is brought in it is gone: nothing is left to be decided on, and nothing of that is written down.
    made = proposals.plan_accept(store, replace(proposal, id=""))
    return replace(made, facts={**made.facts, "proposal": proposal.id})


def accept_safe(store: Store) -> Plan:
    """Make the changes of every proposal that is safe; what came too late or meets another is left and said."""
    chosen, notes = _select_safe(store, proposals.list_open(store))
    if not chosen:
        return Plan("No proposal is safe to accept without a look", notes=notes)
    made = _with_listing(
        store, _combine_plans("Accepted", chosen, [proposals.plan_accept(store, one) for one in chosen])
    )
    return replace(made, notes=(*made.notes, *notes))


def accept_automatic(store: Store, references: Collection[str]) -> Plan:
    """Make the changes of those proposals (ids) that are safe and of a kind that the settings let apply itself.

    What a person decided on last, as by taking it back, waits for a person.
    """
    kinds = automatic_kinds(store)
    among = [one for one in proposals.list_open(store) if one.id in references and one.kind in kinds]
    chosen, notes = _select_safe(store, [one for one in among if not proposals.is_decided(store, one)])
    if not chosen:
        return Plan("No proposal applies itself", notes=notes)
    plans = [proposals.plan_accept(store, one, is_by_itself=True) for one in chosen]
    made = _with_listing(store, _combine_plans("Applied automatically", chosen, plans))
    return replace(made, notes=(*made.notes, *notes))


def automatic_kinds(store: Store) -> tuple[str, ...]:
    """The kinds of proposals that the settings let apply themselves when they are made."""
    kinds = store.config.get("review.auto")
    return tuple(map(str, kinds)) if isinstance(kinds, tuple) else ()


def dismiss(store: Store, references: Sequence[str]) -> Plan:
    """Have proposals wait no more; the same is not put forward again."""
    return _decision_plan(store, "Dismissed", _find_proposals(store, references), "dismissed")


def restore(store: Store, references: Sequence[str]) -> Plan:
    """Have dismissed proposals wait again."""
    return _decision_plan(store, "Brought back", _find_proposals(store, references, "dismissed"), "open")


def document_plan(store: Store, plan: Plan) -> Plan:
    """The plan without what is kept of the decision itself, as a person looks at it."""
    return replace(plan, edits=tuple(edit for edit in plan.edits if not edit.path.is_relative_to(store.state)))


def _select_safe(store: Store, among: Sequence[Proposal]) -> tuple[list[Proposal], tuple[str, ...]]:
    """Those that are safe and can be accepted together, and in words what stands in the way of others that are."""
    chosen: list[Proposal] = []
    notes: list[str] = []
    for one in among:
        if not one.is_safe:
            continue
        if why := inspect_proposal(store, one).why_not:
            notes.append(f"left: {one.title}: {why}")
        elif twice := _shared_documents([*chosen, one]):
            notes.append(f"left: {one.title}: another one changes {twice[0]}, too")
        else:
            chosen.append(one)
    return chosen, tuple(notes)


def _with_listing(store: Store, plan: Plan) -> Plan:
    """The plan, and when it makes pages of the wiki the list of all of them as it is then."""
    texts = {
        edit.path.stem: edit.text
        for edit in plan.edits
        if isinstance(edit, Create | Replace) and edit.path.parent == store.layout.wiki
    }
    if not texts:
        return plan
    from recall_tui.features.wiki.page_changes import listing_edits

    changed = {edit.path for edit in plan.edits}
    edits = (edit for edit in listing_edits(store, texts) if edit.path not in changed)
    return replace(plan, edits=(*plan.edits, *edits))


def _decision_plan(store: Store, verb: str, chosen: Sequence[Proposal], fate: Decision) -> Plan:
    plans = [
        Plan(
            f"{verb}: {one.title}", (proposals.decision_edit(store, one, fate, one.taken),), facts={"proposal": one.id}
        )
        for one in chosen
    ]
    return _combine_plans(verb, chosen, plans)


def _find_proposals(store: Store, references: Sequence[str], fate: Decision = "open") -> list[Proposal]:
    among = [one.proposal for one in open_proposals(store)] if fate == "open" else closed_proposals(store)
    among = [one for one in among if one.fate == fate]
    return list({one.id: one for one in (proposals.match_id(among, ref, fate) for ref in references)}.values())


def _check_documents(seen: OpenProposal, only: Collection[str] | None) -> None:
    proposal = seen.proposal
    if seen.copy and only is not None and not {one.path for one in seen.documents} <= set(only):
        raise UsageError("a copy is brought in as a whole", hint=f"run: recall-tui review accept {proposal.id}")
    for path in only or ():
        if path not in (one.path for one in seen.documents):
            raise NotFoundError(f"the proposal is not about {path}", hint=f"see: recall-tui review show {proposal.id}")
    for document in seen.documents:
        why = blocking_reason(proposal, document)
        if why is not None and (only is None or document.path in only):
            raise ConflictError(f"{why[0]}; nothing was written", hint=why[1])


def _shared_documents(chosen: Sequence[Proposal]) -> list[str]:
    """Documents that more than one of them is about."""
    found = Counter(path for one in chosen for path in {change.path for change in one.left})
    return [path for path, count in found.items() if count > 1]


def _combine_plans(verb: str, chosen: Sequence[Proposal], plans: Sequence[Plan]) -> Plan:
    """One plan of several, which is taken back as one."""
    if len(plans) == 1:
        return plans[0]
    named = ", ".join(one.title for one in chosen[:_MAX_TITLES]) + (", …" if len(chosen) > _MAX_TITLES else "")
    edits = tuple(edit for plan in plans for edit in plan.edits)
    return Plan(f"{verb}: {len(chosen)} proposals: {named}", edits, facts={"proposals": [one.id for one in chosen]})
