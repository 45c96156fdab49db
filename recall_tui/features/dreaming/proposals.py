"""What is to be done with the wiki, as proposals; each opens its evidence again and is left when that changed.

A page that already exists, under its own name or one like it, is added to; nothing on it is taken away.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from recall_tui.domain import Create, Plan, Replace
from recall_tui.domain.documents import SourceRef
from recall_tui.errors import RecallError
from recall_tui.features.dreaming.state import WikiOperation
from recall_tui.features.grounding.evidence import document_day
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.harness import is_still_supported
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.page_changes import find_pending_page
from recall_tui.features.wiki.rebuild import rebuild
from recall_tui.features.wiki.subjects import MIN_SENTENCES
from recall_tui.features.wiki.trajectory import with_trajectories
from recall_tui.storage.documents.changing_facts import conflicts_with
from recall_tui.storage.documents.statements import page_statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import INDEX_SLUG, PageSource, SupersededClaim, WikiPage, rewrite_page
from recall_tui.storage.files import atomic
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import log_weight
from recall_tui.text.classify.similarity import normalize

MIN_SIMILARITY = 0.5
"""The share of the words of two pages, together, that both have, from which they are one subject."""
MAX_NEW_PAGES = 5
"""Pages that one dream begins; the others wait for the next."""
_REVISION_WEIGHT = 4.0
_MAX_BODY_CHARS = 600
"""Characters of a page's text that tell what it is about."""
_UNDECIDED_WORDS = re.compile(r"\b(?:wants?|wishes|would like|asks? for|proposes?|suggests?)\b", re.IGNORECASE)
_AMOUNT = re.compile(r"\b\d+(?:[.,]\d+)? ?(?:%|[a-z]{1,12}\b)")
_REPLACED_NUMBER = re.compile(r"\b(?:because|instead of|rather than|no longer|not|was|replaces) (\d{4,})\b")
"""A telephone's number, a port or an account that another one took the place of."""
_LOWER_CONFIDENCE = {"high": "medium", "medium": "low", "": "low"}


def build_proposals(store: Store, operations: Iterable[WikiOperation], most: int = MAX_NEW_PAGES) -> Iterator[Proposal]:
    """The proposals, one for each page and action, those that say most first; at most `most` pages are begun."""
    wiki = page_changes.open_wiki(store)
    done = _merge_operations(_redirect_operation(wiki, operation) for operation in operations)
    done.sort(key=lambda one: -content_weight(one))
    grown = {one.slug for one in done if one.action == "page"}
    begun = 0
    for one in done:
        is_new = one.action == "page" and not wiki.holds(one.slug)
        if is_new and begun >= most:
            continue
        try:
            made = _build_proposal(store, wiki, one)
        except RecallError:
            continue  # The page is gone, became another, or its sources cannot be read.
        if made is None or not made.changes:
            continue
        if one.action in ("rebuild", "doubt") and (one.slug in grown or _has_other_proposal(store, wiki, made)):
            # Beside what is to be added to the page, and not in its place.
            made = replace(made, subject=f"{one.slug} {one.action}")
        begun += is_new
        yield made


def content_weight(one: WikiOperation) -> float:
    """How much the page would say: a value that changed counts as much as a sentence that gives a reason."""
    return sum(log_weight(line.text) for line in one.lines) + _REVISION_WEIGHT * len(one.superseded)


def _has_other_proposal(store: Store, wiki: Wiki, made: Proposal) -> bool:
    """Whether something else than what is made waits for the page, and can be accepted."""
    there = find_pending_page(store, made.kind, made.subject, wiki.path(made.subject))
    return there is not None and there[1].title != made.title


def find_same_page(wiki: Wiki, name: str, words: str) -> WikiPage | None:
    """The page that is about the same by its words; None when there is none."""
    wanted = frozenset(topic_terms(words))
    best: tuple[float, WikiPage] | None = None
    for page in wiki.own:
        there = frozenset(topic_terms(f"{page.name}\n{page.description}\n{page.body[:_MAX_BODY_CHARS]}"))
        share = 1.0 if normalize(page.name) == normalize(name) else len(wanted & there) / max(1, len(wanted | there))
        if share >= MIN_SIMILARITY and (best is None or share > best[0]):
            best = share, page
    return best[1] if best else None


def _redirect_operation(wiki: Wiki, one: WikiOperation) -> WikiOperation:
    """The operation on the page that is about it already, when it would begin one of another name."""
    if one.action != "page" or wiki.holds(one.slug):
        return one
    said = {normalize(gone.fact) for gone in one.superseded}
    for page in wiki.own if said else ():
        if any(normalize(words.text) in said for words in page_statements(page.body)):
            return one._replace(slug=page.slug)
    words = "\n".join((one.name, one.description, *(line.text for line in one.lines)))
    there = find_same_page(wiki, one.name, words)
    return one._replace(slug=there.slug) if there else one


def _build_proposal(store: Store, wiki: Wiki, one: WikiOperation) -> Proposal | None:
    match one.action:
        case "page":
            return _page_proposal(store, wiki, one)
        case "contradict":
            return _contradiction_proposal(store, wiki, one)
        case "merge":
            plan = page_changes.merge(store, one.slug, one.others[0])
            title = f"Merge the page {one.name} into {one.others[0]}"
            return _make_proposal(
                store, one, f"{one.slug} {one.others[0]}", title, _page_changes(store, plan), is_safe=False
            )
        case "rebuild":
            return _rebuild_proposal(store, wiki, one)
        case "doubt":
            return _doubt_proposal(store, wiki, wiki.page(one.slug), one)


def _page_proposal(store: Store, wiki: Wiki, one: WikiOperation) -> Proposal | None:
    """A page that is begun, or added to, or what waits when that says it; None when it stands there, or nowhere."""
    gone = {normalize(claim.fact) for claim in one.superseded} - {normalize(claim.by) for claim in one.superseded[-1:]}
    lines = [line for line in one.lines if is_still_supported(store, line) and normalize(line.text) not in gone]
    lines = list(_distinct_lines(lines))
    if not lines or (wiki.holds(one.slug) and one.slug not in wiki.pages):
        return None
    there = wiki.page(one.slug) if one.slug in wiki.pages else None
    kind = "supersession" if one.superseded else "wiki"
    base, waiting = find_pending_page(store, kind, one.slug, wiki.path(one.slug)) or (there, None)
    if base is None and not (one.superseded or one.is_told) and len(lines) < MIN_SENTENCES:
        return None
    page = page_changes.add_fragments(
        store,
        base,
        page_changes.NewPage(one.slug, one.category, _line_source(lines[0]), one.name),
        [(f"{line.text} ({line.citation})", _line_source(line)) for line in lines],
        (*one.superseded, *(_revised_claims(base, lines, one.superseded) if base else ())),
    )
    if page is None:
        return waiting
    if there is None:
        page = replace(
            page,
            description=one.description or page.description,
            confidence="medium" if one.category == "theme" else page.confidence,
        )
    related = tuple(slug for slug in one.others if slug in wiki.pages and slug not in (page.slug, *page.related))
    page = replace(page, related=(*page.related, *related))
    title = f"{'Add to' if there else 'Begin'} the page {page.name or page.slug}"
    evidence = tuple(dict.fromkeys((*(waiting.evidence if waiting else ()), *(line.citation for line in lines))))
    # That a claim holds no longer is for a person to say, when a model says so, or when only a part of it may be over.
    is_safe = not ((one.is_told or one.is_doubtful) and one.superseded) and (waiting is None or waiting.is_safe)
    made = _make_proposal(store, one, page.slug, title, _add_trajectory(store, wiki, page), is_safe=is_safe)
    return replace(made, kind=kind, evidence=evidence)


def _distinct_lines(lines: Sequence[SourceLine]) -> Iterator[SourceLine]:
    """Yield each thing once, without wishes that were decided on later and what has a number that was replaced."""
    for line in lines:
        text, day = line.text.rstrip(" ."), document_day(line.path)
        later = [other.text for other in lines if document_day(other.path) > day]
        is_repeated = any(text in other.text and len(other.text) > len(line.text) for other in lines)
        amounts = _AMOUNT.findall(text) if _UNDECIDED_WORDS.search(text) else []
        is_decided = any(_AMOUNT.findall(other).count(amount) for other in later for amount in amounts)
        numbers = {number for other in later for number in _REPLACED_NUMBER.findall(other)}
        if not (is_repeated or is_decided or any(number in text for number in numbers)):
            yield line


def _revised_claims(
    page: WikiPage, lines: Iterable[SourceLine], known: Iterable[SupersededClaim]
) -> Iterator[SupersededClaim]:
    """What stands on the page with another value than a later line has, and is not known to be superseded."""
    gone = {normalize(one.fact) for one in (*page.supersedes, *known)}
    for line in lines:
        for said in page_statements(page.body):
            before = document_day(said.cited[0]) if said.cited else ""
            is_known = normalize(said.text) in gone
            if not is_known and before and before < document_day(line.path) and conflicts_with(said.text, line.text):
                yield SupersededClaim(line.citation, said.text, document_day(line.path), line.text)


def _contradiction_proposal(store: Store, wiki: Wiki, one: WikiOperation) -> Proposal | None:
    page = wiki.page(one.slug)
    new = tuple(slug for slug in one.others if slug in wiki.pages and slug not in (page.slug, *page.contradicts))
    lines = [line for line in one.lines if is_still_supported(store, line)]
    if not new or not lines:
        return None
    told = replace(page, contradicts=(*page.contradicts, *new), updated=store.now().date().isoformat())
    title = f"Note that {page.name or page.slug} and {', '.join(new)} contradict each other"
    made = _make_proposal(
        store, one, f"{page.slug} contradicts", title, _add_trajectory(store, wiki, told), is_safe=False
    )
    return replace(made, evidence=tuple(line.citation for line in lines))


def _rebuild_proposal(store: Store, wiki: Wiki, one: WikiOperation) -> Proposal | None:
    """The page from its sources anew; when that changes nothing, or none can be read, less trust in it."""
    page = wiki.page(one.slug)
    try:
        changes = _page_changes(store, rebuild(store, page.slug))
    except RecallError:
        changes = ()
    if not changes:
        return _doubt_proposal(store, wiki, page, one)
    return _make_proposal(store, one, page.slug, f"Put the page {page.name} in order", changes, is_safe=False)


def _doubt_proposal(store: Store, wiki: Wiki, page: WikiPage, one: WikiOperation) -> Proposal | None:
    less = _LOWER_CONFIDENCE.get(page.confidence)
    if less is None:
        return None
    changes = _add_trajectory(store, wiki, replace(page, confidence=less))
    return _make_proposal(store, one, page.slug, f"Trust the page {page.name} less ({less})", changes, is_safe=False)


def _make_proposal(
    store: Store, one: WikiOperation, subject: str, title: str, changes: tuple[DocumentChange, ...], *, is_safe: bool
) -> Proposal:
    evidence = tuple(dict.fromkeys(line.citation for line in one.lines))
    if one.action in ("merge", "rebuild", "doubt"):
        evidence = tuple(change.path for change in changes)
    return Proposal("wiki", subject, title, one.why, changes, evidence, is_safe)


def _add_trajectory(store: Store, wiki: Wiki, page: WikiPage) -> tuple[DocumentChange, ...]:
    pages = with_trajectories(wiki, {page.slug: page}, store.now().date().isoformat())
    texts = {wiki.path(slug): rewrite_page(read_text(wiki.path(slug)), one) for slug, one in pages.items()}
    return tuple(_text_change(store, path, text) for path, text in texts.items() if read_text(path) != text)


def _page_changes(store: Store, plan: Plan) -> tuple[DocumentChange, ...]:
    """What a verb of the wiki would do, without the list of pages, which follows whatever is accepted."""
    return tuple(
        _text_change(store, edit.path, edit.text)
        for edit in plan.edits
        if isinstance(edit, Create | Replace) and isinstance(edit.text, str) and edit.path.stem != INDEX_SLUG
    )


def _text_change(store: Store, path: Path, text: str) -> DocumentChange:
    held = read_text(path)
    return DocumentChange(store.relative(path), text, atomic.content_digest(held) if held else "")


def _line_source(line: SourceLine) -> PageSource:
    first, last = line.lines
    return PageSource(SourceRef(line.path, first, last))


def _merge_operations(operations: Iterable[WikiOperation]) -> list[WikiOperation]:
    """One operation for each page and action: what several say of it together."""
    found: dict[tuple[str, str], WikiOperation] = {}
    for one in operations:
        key = one.action, one.slug
        if (other := found.get(key)) is None:
            found[key] = one
            continue
        found[key] = other._replace(
            lines=tuple(dict.fromkeys((*other.lines, *one.lines))),
            superseded=tuple(dict.fromkeys((*other.superseded, *one.superseded))),
            others=tuple(dict.fromkeys((*other.others, *one.others))) if one.action != "merge" else other.others,
            is_told=other.is_told or one.is_told,
            is_doubtful=other.is_doubtful or one.is_doubtful,
        )
    return list(found.values())
