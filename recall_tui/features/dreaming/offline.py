"""What a signal comes to without a model: pages in the words of the days, claims that another value took the place of.

Nothing is rephrased: every line is a statement as it was written, with where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from recall_tui.features.dreaming.history import LogHistory
from recall_tui.features.dreaming.signals import Signal
from recall_tui.features.dreaming.state import WikiOperation
from recall_tui.features.grounding.extractive_summary import SourceLine, to_source_line
from recall_tui.features.wiki.revisions import Revision, is_state
from recall_tui.features.wiki.subjects import MIN_SENTENCES, drop_followed, find_subjects, lines_about
from recall_tui.storage.documents.changing_facts import ChangingFact, DatedStatement
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Category, SupersededClaim, make_slug
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.lasting import log_weight
from recall_tui.text.cut import one_line, shorten

_MAX_STATEMENTS = 6
"""Of a page that is begun."""
_MAX_NAME_WORDS = 5


def signal_operations(store: Store, signal: Signal, past: LogHistory, wiki: Wiki) -> Iterator[WikiOperation]:
    """What is to be done about the signal."""
    match signal.kind:
        case "entity_cluster":
            yield from _name_operations(signal, past)
        case "supersession_signal":
            for fact in past.facts:
                if fact.now.path in signal.documents:
                    yield from fact_operations(fact)
            yield from _change_operations(signal, past)
        case "null_query":
            yield from _question_operations(signal, past)
        case "stale_memory":
            yield from _stale_operations(signal, past, wiki)
        case _:
            return


def fact_operations(fact: ChangingFact) -> Iterator[WikiOperation]:
    """A page for a fact that changed its value: what holds, and what held before."""
    if not is_state(fact.now.said.text):
        return  # Events of two days are no fact that changed.
    gone = tuple(_superseded_claim(before, after) for before, after in zip(fact.claims, fact.claims[1:], strict=False))
    why = f"said with {len(fact.claims)} values in turn; the one of {fact.now.day} holds"
    yield from _page_operation(fact.subject[:_MAX_NAME_WORDS], "concept", why, (_source_line(fact.now),), gone)


def _name_operations(signal: Signal, past: LogHistory) -> Iterator[WikiOperation]:
    """A page for a subject, of what was said about it."""
    subject = next((one for one in past.subjects if one.name == signal.subject), None)
    lines = subject.lines if subject else lines_about(signal.subject, past.said_in(signal.documents))
    category: Category = subject.category if subject else "concept"
    about = _revisions_of(signal.subject, past)
    now = _current_lines(lines, past)
    if len(now) < MIN_SENTENCES and not about:
        return
    said = about[-1].after.said.text if about else max((one.said.text for one in now), key=log_weight, default="")
    gone = tuple(_superseded_claim(one.before, one.after) for one in about)
    for one in _page_operation((signal.subject,), category, signal.description, map(_source_line, now), gone):
        yield one._replace(description=shorten(said, 160), is_doubtful=any(each.is_partial for each in about))


def _current_lines(lines: Iterable[DatedStatement], past: LogHistory) -> list[DatedStatement]:
    """What of the lines holds still; of a line that is over in part, the sentences that hold."""
    outdated = {one.before for one in past.revisions}
    gone = {(one.path, one.said.lines): one.said.text for one in outdated}
    parts: list[DatedStatement] = []
    for line in lines:
        over = gone.get((line.path, line.said.lines), "")
        if line in outdated or not over or over not in line.said.text:
            parts.append(line)
        else:
            same = [one for one in past.said if (one.path, one.said.lines) == (line.path, line.said.lines)]
            parts += [one for one in same if one.said.text in line.said.text]
    return [one for one in dict.fromkeys(parts) if one not in outdated]


def _revisions_of(name: str, past: LogHistory) -> tuple[Revision, ...]:
    """What took the place of what about a subject, oldest first."""
    slug = make_slug(name)
    return tuple(one for one in past.revisions if make_slug(one.name) == slug)


def _question_operations(signal: Signal, past: LogHistory) -> Iterator[WikiOperation]:
    """A page for what a question is about that is asked again and again, when enough is said about it."""
    wanted = frozenset(topic_terms(signal.subject))
    for subject in find_subjects(past.said_in(signal.documents), least_documents=1):
        if frozenset(topic_terms(subject.name)) <= wanted:
            lines = map(_source_line, subject.lines)
            why = f"{shorten(one_line(signal.subject), 80)}: {signal.description}"
            yield from _page_operation((subject.name,), "reference", why, lines)
            return


def _stale_operations(signal: Signal, past: LogHistory, wiki: Wiki) -> Iterator[WikiOperation]:
    """What newer days say of a page that nobody touched; without it, its sources anew, or less trust in it."""
    page = wiki.pages.get(signal.subject)
    if page is None:
        return
    name = re.compile(rf"(?<!\w){re.escape(page.name)}(?!\w)", re.IGNORECASE)
    newer = (one for one in past.said if one.day.isoformat() > page.updated and name.search(one.said.text))
    lines = [to_source_line(one.path, one.said) for one in newer]
    done = WikiOperation(page.slug, page.category, page.name, signal.description, tuple(lines[-_MAX_STATEMENTS:]))
    yield done if lines else done._replace(action="rebuild")


def _change_operations(signal: Signal, past: LogHistory) -> Iterator[WikiOperation]:
    """What a document says was changed, renamed or corrected, with the last claim that it takes the place of."""
    for one in past.revisions:
        if one.after.path in signal.documents:
            about = _revisions_of(one.name, past)
            gone = tuple(_superseded_claim(other.before, other.after) for other in about)
            new = f" to {shorten(one.new, 60)}" if one.new else ""
            why = f"changed from {shorten(one.old, 60)}{new} on {one.after.day}"
            last = about[-1].after
            others = [line for line in lines_about(one.name, past.reported) if line != last]
            now = drop_followed((last, *others))
            if last not in now:  # A newer line says what holds.
                last = max(now, key=lambda line: line.day)
            lines = map(_source_line, _current_lines(now, past)[:_MAX_STATEMENTS])
            for made in _page_operation((one.name,), "concept", why, lines, gone):
                is_doubtful = any(other.is_partial for other in about)
                yield made._replace(description=shorten(last.said.text, 160), is_doubtful=is_doubtful)


def _page_operation(
    words: Iterable[str],
    category: Category,
    why: str,
    lines: Iterable[SourceLine],
    gone: tuple[SupersededClaim, ...] = (),
) -> Iterator[WikiOperation]:
    name = " ".join(words)
    chosen = tuple(lines)
    if chosen and (slug := make_slug(name)):
        yield WikiOperation(slug, category, name, why, chosen, gone)


def _superseded_claim(before: DatedStatement, after: DatedStatement) -> SupersededClaim:
    return SupersededClaim(after.citation, before.said.text, after.day.isoformat(), after.said.text)


def _source_line(one: DatedStatement) -> SourceLine:
    return to_source_line(one.path, one.said)
