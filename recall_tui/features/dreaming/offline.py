"""What a signal comes to without a model: pages in the words of the days, claims that another value took the place of.

Nothing is rephrased: every line is a statement as it was written, with where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from recall_tui.features.dreaming.signals import Signal
from recall_tui.features.dreaming.state import WikiOperation
from recall_tui.features.grounding.extractive_summary import SourceLine, to_source_line
from recall_tui.files import OutsideRootError
from recall_tui.storage.documents import period_files
from recall_tui.storage.documents.changing_facts import ChangingFact, DatedStatement, find_changing_facts, parse_change
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Category, SupersededClaim, make_slug
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.secrets.redact import redact

_MAX_STATEMENTS = 6
"""Of a page that is begun."""
_MAX_NAME_WORDS = 5
_MIN_WORD_OVERLAP = 0.5
"""The share of a question's words that a statement has which is about it."""


class LogHistory:
    """What the logs of all days say, each read once."""

    def __init__(self, store: Store) -> None:
        logs = sorted(period_files.list_day_logs(store.layout).items())
        self.days = {day: {store.relative(path): read_text(path) for path in paths} for day, paths in logs}

    @cached_property
    def facts(self) -> tuple[ChangingFact, ...]:
        """The facts that changed their value."""
        return find_changing_facts(self.days)

    @cached_property
    def said(self) -> tuple[DatedStatement, ...]:
        """Every statement without a secret, oldest first."""
        texts = ((day, path, text) for day, texts in self.days.items() for path, text in texts.items())
        return tuple(DatedStatement(day, path, one) for day, path, text in texts for one in _safe_statements(text))

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each statement."""
        return tuple(frozenset(topic_terms(one.said.text)) for one in self.said)


def signal_operations(store: Store, signal: Signal, past: LogHistory, wiki: Wiki) -> Iterator[WikiOperation]:
    """What is to be done about the signal."""
    match signal.kind:
        case "entity_cluster":
            yield from _name_operations(store, signal)
        case "supersession_signal":
            for fact in past.facts:
                if fact.now.path in signal.documents:
                    yield from fact_operations(fact)
            yield from _change_operations(signal, past)
        case "null_query":
            yield from _question_operations(store, signal)
        case "stale_memory":
            yield from _stale_operations(signal, past, wiki)
        case _:
            return


def fact_operations(fact: ChangingFact) -> Iterator[WikiOperation]:
    """A page for a fact that changed its value: what holds, and what held before."""
    gone = tuple(_superseded_claim(before, after) for before, after in zip(fact.claims, fact.claims[1:], strict=False))
    why = f"said with {len(fact.claims)} values in turn; the one of {fact.now.day} holds"
    yield from _page_operation(fact.subject[:_MAX_NAME_WORDS], "concept", why, (_source_line(fact.now),), gone)


def _name_operations(store: Store, signal: Signal) -> Iterator[WikiOperation]:
    """A page for a name, of what was said with it."""
    is_name = " " in signal.subject or signal.subject.istitle()
    lines = [line for line in _document_lines(store, signal.documents) if signal.subject in line.text]
    yield from _page_operation(
        (signal.subject,), "entity" if is_name else "concept", signal.description, lines[-_MAX_STATEMENTS:]
    )


def _question_operations(store: Store, signal: Signal) -> Iterator[WikiOperation]:
    """A page for a question that is asked again and again, of what comes nearest to it."""
    wanted = tuple(dict.fromkeys(topic_terms(signal.subject)))
    near = [
        (len(set(wanted) & set(topic_terms(line.text))) / len(wanted), line)
        for line in _document_lines(store, signal.documents)
        if len(wanted) > 1
    ]
    near.sort(key=lambda one: -one[0])
    lines = [line for share, line in near if share >= _MIN_WORD_OVERLAP][:_MAX_STATEMENTS]
    for one in _page_operation(wanted[:_MAX_NAME_WORDS], "reference", signal.description, lines):
        yield one._replace(name=shorten(one_line(signal.subject), 80), description=shorten(signal.description, 160))


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
    """What a day says was changed from one thing to another, with the last claim of the first."""
    for change in past.said:
        if change.path not in signal.documents or (parts := parse_change(change.said.text)) is None:
            continue
        old = re.compile(rf"(?<!\w){re.escape(parts[0])}(?!\w)", re.IGNORECASE)
        words = set(topic_terms(change.said.text)) - set(topic_terms(" ".join(parts)))
        before = [one for one in past.said if one.day < change.day and old.search(one.said.text)]
        before = [one for one in before if words & set(topic_terms(one.said.text))]
        if before:
            subject = tuple(word for word in dict.fromkeys(topic_terms(before[-1].said.text)) if word in words)
            why = f"changed from {shorten(parts[0], 60)} to {shorten(parts[1], 60)} on {change.day}"
            gone = (_superseded_claim(before[-1], change),)
            yield from _page_operation(subject[:_MAX_NAME_WORDS], "concept", why, (_source_line(change),), gone)


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
    return SourceLine(one.said.text, one.path, one.said.lines)


def _document_lines(store: Store, documents: Iterable[str]) -> Iterator[SourceLine]:
    for path in documents:
        with suppress(OutsideRootError):
            yield from _text_lines(path, read_text(store.root / path))


def _text_lines(path: str, text: str) -> Iterator[SourceLine]:
    return (to_source_line(path, said) for said in _safe_statements(text))


def _safe_statements(text: str) -> Iterator[Statement]:
    return (one for one in page_statements(text) if redact(one.text) == one.text)
