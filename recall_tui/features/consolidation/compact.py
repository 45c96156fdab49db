"""Compaction of a whole memory: every week, month and the wisdom that are behind, as one change or as proposals.

What is not behind is not touched, so that a second run at once finds nothing to do; and what a model was asked for is
put into review before anything else is done with it, so that it is asked once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from recall_tui.domain import Edit, Plan
from recall_tui.features.consolidation.periods import (
    EXTRACT_AUTHOR,
    CompactionHooks,
    PeriodDraft,
    PeriodResult,
    PeriodTask,
    month_results,
    plan_pages,
    week_results,
)
from recall_tui.features.consolidation.wisdom import plan_wisdom
from recall_tui.storage.documents.period_page import PeriodPage, parse_period_page
from recall_tui.storage.documents.wisdom_file import parse_wisdom
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal

if TYPE_CHECKING:
    from recall_tui.features.consolidation.period_model import PeriodWriter

Level = Literal["weekly", "monthly", "wisdom", "all"]
WritePage = Callable[[PeriodTask], PeriodDraft | None]
_SPANS = {"weekly": "week", "monthly": "month"}


class CompactResult(NamedTuple):
    """What is behind, and what it would become."""

    pages: tuple[PeriodResult, ...]
    """Every week and month that was looked at."""
    wisdom: Plan
    """Empty when WISDOM.md is up to date, or was not asked for."""

    @property
    def behind(self) -> tuple[PeriodResult, ...]:
        """The pages that would be made or made anew."""
        return tuple(one for one in self.pages if one.is_behind)


def preview_compaction(
    store: Store, level: Level = "all", watch: CompactionHooks | None = None, teller: PeriodWriter | None = None
) -> CompactResult:
    """Look at what is behind on the level, or on all of them: each is made from the one below as it would be.

    The teller is asked for wisdom; who writes the other pages is in `watch`.
    """
    watch = watch or CompactionHooks(write=page_writer(store))
    asked = watch._replace(is_asked=level == "weekly")
    weeks = week_results(store, asked) if level in ("weekly", "all") else ()
    months = month_results(store, weeks, watch) if level in ("monthly", "all") else ()
    pages = (*weeks, *months)
    if level not in ("wisdom", "all") or watch.is_stopped():
        return CompactResult(pages, Plan("WISDOM.md was not requested"))
    new = {store.relative(one.path): one.text for one in pages if one.status in ("made", "refreshed")}
    if teller is None:
        return CompactResult(pages, plan_wisdom(store, new))
    from recall_tui.features.consolidation.wisdom import entry_chooser

    return CompactResult(pages, plan_wisdom(store, new, entry_chooser(store, teller), teller.name))


def page_writer(store: Store, found: Iterable[PeriodResult] = (), ask: WritePage = lambda task: None) -> WritePage:
    """What writes a page as it was written of the same documents before, in `found` or in a proposal, else as asked.

    A proposal that was only drawn is no reason not to ask.
    """
    known: dict[tuple[str, str], list[PeriodPage]] = {}
    for one in found:
        known.setdefault((one.period.span, one.period.key), []).append(one.page)
    held = [one for one in proposals.list_all(store) if one.kind in ("weekly", "monthly") and one.changes]

    def write(task: PeriodTask) -> PeriodDraft | None:
        key = (task.period.span, task.period.key)
        texts = (one.changes[0].text or "" for one in held if (one.kind, one.subject) == key)
        proposed = (
            page
            for page in (parse_period_page(text, task.period) for text in texts)
            if page.made_by not in ("", EXTRACT_AUTHOR)
        )
        for page in (*known.get(key, ()), *proposed):
            if page.is_of(task.children):
                return PeriodDraft(page.body, page.made_by)
        return ask(task)

    return write


def compact(
    store: Store,
    level: Level = "all",
    *,
    with_edited: bool = False,
    found: CompactResult | None = None,
    share: float = 0.0,
) -> Plan:
    """The one change that brings the level, or all of them, up to date.

    What was looked at already, in `found`, is written as it was found as long as its documents are the same.
    """
    watch = CompactionHooks(write=page_writer(store, found.pages if found else ()))
    looked = preview_compaction(store, level, watch._replace(share=share) if share else watch)
    return plan_compaction(store, looked, with_edited=with_edited)


def plan_compaction(store: Store, found: CompactResult, *, with_edited: bool = False) -> Plan:
    """The same for what was looked at already; proposals of just this are settled by it."""
    pages = plan_pages(store, found.pages, with_edited=with_edited)
    edits = (*pages.edits, *found.wisdom.edits)
    notes = (*pages.notes, *found.wisdom.notes)
    if not edits:
        return replace(pages, notes=notes)
    title = pages.title if not found.wisdom.edits else found.wisdom.title
    title = f"{pages.title}; WISDOM.md" if pages.edits and found.wisdom.edits else title
    return Plan(title, (*edits, *_acceptance_edits(store, edits)), notes, pages.facts)


def _acceptance_edits(store: Store, edits: Iterable[Edit]) -> list[Edit]:
    """What writes down that proposals of just these edits were accepted."""
    texts: Mapping[str, object] = {store.relative(edit.path): getattr(edit, "text", None) for edit in edits}
    return [
        proposals.decision_edit(store, one, "accepted", [change.path for change in one.changes])
        for one in proposals.list_all(store)
        if one.fate == "open" and all(texts.get(change.path, "") == change.text for change in one.changes)
    ]


class CompactionWriter:
    """Puts what a compaction comes to into review as soon as it is there, so that nothing of it is lost or asked twice.

    Things worth a page of the wiki come before the week that they are from: a week that waits has given them.
    """

    def __init__(self, store: Store, teller: PeriodWriter | None = None, *, only_asked: bool = False) -> None:
        """With `only_asked` pages that are drawn are left out: they are written at once, or drawn again."""
        from recall_tui.features.wiki.page_changes import open_wiki

        self._store = store
        self._teller = teller
        self._only_asked = only_asked
        self._wiki = open_wiki(store)
        self.put: list[Proposal] = []
        """What waits since."""

    def __call__(self, one: PeriodResult) -> None:
        """Keep a page that is behind."""
        if one.period.span == "weekly":
            self.put += self._memories(one)
        if not (self._only_asked and one.page.made_by == EXTRACT_AUTHOR) and (put := propose_page(self._store, one)):
            self.put.append(put)

    def _waiting_of(self, one: PeriodResult) -> tuple[Proposal, ...]:
        """What was found worth a page when this week was told, and waits since."""
        waiting = (proposal for proposal in proposals.list_open(self._store) if proposal.kind == "wiki")
        return tuple(
            proposal
            for proposal in waiting
            if {cited.partition(":")[0] for cited in proposal.evidence} & {*one.children}
        )

    def keep_wisdom(self, plan: Plan) -> None:
        """Keep the change of WISDOM.md, if there is one."""
        is_asked = any(parse_wisdom(getattr(edit, "text", "") or "").made_from for edit in plan.edits)
        if is_asked or not self._only_asked:
            self.put += propose_wisdom(self._store, plan)

    def _memories(self, one: PeriodResult) -> tuple[Proposal, ...]:
        from recall_tui.features.consolidation import wiki_candidates

        told = self._teller.remembered.get(one.period.key) if self._teller else None
        if told is not None:
            found = wiki_candidates.model_candidates(self._store, told, one.children)
        elif one.page.made_by == EXTRACT_AUTHOR:
            found = wiki_candidates.find_candidates(one.task.found if one.task else ())
        else:
            return self._waiting_of(one)
        return wiki_candidates.propose_pages(self._store, self._wiki, found)


def propose_wisdom(store: Store, wisdom: Plan) -> tuple[Proposal, ...]:
    """Put the change of WISDOM.md into review, if there is one."""
    why = "Weeks and months say more than it has."
    made = (
        Proposal(
            "wisdom",
            "wisdom",
            wisdom.title,
            why,
            (DocumentChange(store.relative(edit.path), getattr(edit, "text", ""), getattr(edit, "was", "")),),
            is_safe=True,
        )
        for edit in wisdom.edits
    )
    return tuple(put for one in made if (put := proposals.save(store, one)) is not None)


def propose_page(store: Store, one: PeriodResult) -> Proposal | None:
    """Put a page into review; None when the same was decided on before."""
    why = {
        "made": "The period is over and has no page yet.",
        "refreshed": "A document of the period changed, or came late.",
    }.get(one.status, "A document of the period changed, and the current page was written or edited by hand.")
    by = one.page.made_by
    return proposals.save(
        store,
        Proposal(
            kind=one.period.span,
            subject=one.period.key,
            title=f"{'Write' if one.status == 'made' else 'Rewrite'} {_SPANS[one.period.span]} {one.period.key}",
            why=why if by == EXTRACT_AUTHOR else f"{why} Chosen and ordered by {by}; every line is checked.",
            changes=(DocumentChange(store.relative(one.path), one.text, one.was),),
            evidence=tuple(one.children),
            is_safe=one.status != "edited",
        ),
    )
