"""Compaction of a whole memory: every week, month and the wisdom that are behind, as one change or as proposals.

What is not behind is not touched, so that a second run at once finds nothing to do.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from recall_tui.domain import Plan
from recall_tui.lifecycle.compact import Compaction, Progress, monthlies, plan, weeklies
from recall_tui.lifecycle.wisdom import plan_wisdom
from recall_tui.storage import proposals
from recall_tui.storage.proposals import Change, Proposal
from recall_tui.storage.store import Store

Level = Literal["weekly", "monthly", "wisdom", "all"]


class Compacted(NamedTuple):
    """What is behind, and what it would become."""

    pages: tuple[Compaction, ...]
    """Every week and month that was looked at."""
    wisdom: Plan
    """Empty when WISDOM.md is up to date, or was not asked for."""

    @property
    def behind(self) -> tuple[Compaction, ...]:
        """The pages that would be made or made anew."""
        return tuple(one for one in self.pages if one.status != "unchanged")


def compacted(store: Store, level: Level = "all", progress: Progress = lambda done, total: None) -> Compacted:
    """Look at what is behind on the level, or on all of them: each is made from the one below as it would be."""
    weeks = weeklies(store, progress) if level in ("weekly", "all") else ()
    months = monthlies(store, weeks, progress) if level in ("monthly", "all") else ()
    pages = (*weeks, *months)
    if level not in ("wisdom", "all"):
        return Compacted(pages, Plan("WISDOM.md was not asked for"))
    new = {store.relative(one.path): one.text for one in pages if one.status in ("made", "refreshed")}
    return Compacted(pages, plan_wisdom(store, new))


def compact(store: Store, level: Level = "all", *, with_edited: bool = False) -> Plan:
    """The one change that brings the level, or all of them, up to date."""
    return plan_of(store, compacted(store, level), with_edited=with_edited)


def plan_of(store: Store, found: Compacted, *, with_edited: bool = False) -> Plan:
    """The same for what was looked at already."""
    pages = plan(store, found.pages, with_edited=with_edited)
    if not found.wisdom.edits:
        return pages
    title = f"{pages.title}; WISDOM.md" if pages.edits else found.wisdom.title
    return Plan(title, (*pages.edits, *found.wisdom.edits), pages.notes, pages.facts)


def propose(store: Store, found: Compacted) -> tuple[Proposal, ...]:
    """Put what is behind into review, a proposal for each document; those that were decided on before stay decided."""
    put = [propose_page(store, one) for one in found.behind]
    made = []
    for edit in found.wisdom.edits:
        was = getattr(edit, "was", "")
        change = Change(store.relative(edit.path), getattr(edit, "text", ""), was)
        made.append(
            Proposal("wisdom", "wisdom", found.wisdom.title, "Weeks and months say more than it has.", (change,))
        )
    return tuple(one for one in (*put, *(proposals.put(store, one) for one in made)) if one is not None)


def propose_page(store: Store, one: Compaction) -> Proposal | None:
    """Put a page into review; None when the same was decided on before."""
    name = store.relative(one.path)
    why = {
        "made": "The period is over and has no page yet.",
        "refreshed": "A document of the period changed, or came late.",
    }.get(one.status, "A document of the period changed; somebody else wrote or edited what stands there now.")
    proposal = Proposal(
        kind=one.period.span,
        subject=one.period.key,
        title=f"{'Write' if one.status == 'made' else 'Write anew'} {one.period.title}",
        why=why,
        changes=(Change(name, one.text, one.was),),
        evidence=one.sources,
        is_safe=one.status != "edited",
    )
    return proposals.put(store, proposal)
