"""What a signal comes to without a model: pages in the words of the days, claims that another value took the place of.

Nothing is rephrased: every line is a statement as it was written, with where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property

from recall_tui.features.dreaming.signals import Signal
from recall_tui.features.dreaming.state import Operation
from recall_tui.features.grounding.source_line import Line, line_of
from recall_tui.files import StrayedError
from recall_tui.storage.documents import period_files as dated_pages
from recall_tui.storage.documents.changing_facts import Dated, Fact, facts, replaced
from recall_tui.storage.documents.statements import Statement, statements
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Category, Superseded, slug_of
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import terms
from recall_tui.text.cut import cut, one_line
from recall_tui.text.secrets.redact import redact

_MOST_STATEMENTS = 6
"""Of a page that is begun."""
_NAME_WORDS = 5
_NEAR = 0.5
"""The share of a question's words that a statement has which is about it."""


class Past:
    """What the logs of all days say, each read once."""

    def __init__(self, store: Store) -> None:
        logs = sorted(dated_pages.day_logs(store.layout).items())
        self.days = {day: {store.relative(path): read_text(path) for path in paths} for day, paths in logs}

    @cached_property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that changed their value."""
        return facts(self.days)

    @cached_property
    def said(self) -> tuple[Dated, ...]:
        """Every statement without a secret, oldest first."""
        texts = ((day, path, text) for day, texts in self.days.items() for path, text in texts.items())
        return tuple(Dated(day, path, one) for day, path, text in texts for one in _said(text))

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each statement."""
        return tuple(frozenset(terms(one.said.text)) for one in self.said)


def operations(store: Store, signal: Signal, past: Past, wiki: Wiki) -> Iterator[Operation]:
    """What is to be done about the signal."""
    match signal.kind:
        case "entity_cluster":
            yield from _of_name(store, signal)
        case "supersession_signal":
            for fact in past.facts:
                if fact.now.path in signal.documents:
                    yield from of_fact(fact)
            yield from _of_changes(signal, past)
        case "null_query":
            yield from _of_question(store, signal)
        case "stale_memory":
            yield from _of_stale(signal, past, wiki)
        case _:
            return


def of_fact(fact: Fact) -> Iterator[Operation]:
    """A page for a fact that changed its value: what holds, and what held before."""
    gone = tuple(_superseded(before, after) for before, after in zip(fact.claims, fact.claims[1:], strict=False))
    why = f"said with {len(fact.claims)} values in turn; the one of {fact.now.day} holds"
    yield from _page(fact.subject[:_NAME_WORDS], "concept", why, (_line(fact.now),), gone)


def _of_name(store: Store, signal: Signal) -> Iterator[Operation]:
    """A page for a name, of what was said with it."""
    is_name = " " in signal.subject or signal.subject.istitle()
    lines = [line for line in _lines(store, signal.documents) if signal.subject in line.text]
    yield from _page(
        (signal.subject,), "entity" if is_name else "concept", signal.description, lines[-_MOST_STATEMENTS:]
    )


def _of_question(store: Store, signal: Signal) -> Iterator[Operation]:
    """A page for a question that is asked again and again, of what comes nearest to it."""
    wanted = tuple(dict.fromkeys(terms(signal.subject)))
    near = [
        (len(set(wanted) & set(terms(line.text))) / len(wanted), line)
        for line in _lines(store, signal.documents)
        if len(wanted) > 1
    ]
    near.sort(key=lambda one: -one[0])
    lines = [line for share, line in near if share >= _NEAR][:_MOST_STATEMENTS]
    for one in _page(wanted[:_NAME_WORDS], "reference", signal.description, lines):
        yield one._replace(name=cut(one_line(signal.subject), 80), description=cut(signal.description, 160))


def _of_stale(signal: Signal, past: Past, wiki: Wiki) -> Iterator[Operation]:
    """What newer days say of a page that nobody touched; without it, its sources anew, or less trust in it."""
    page = wiki.pages.get(signal.subject)
    if page is None:
        return
    name = re.compile(rf"(?<!\w){re.escape(page.name)}(?!\w)", re.IGNORECASE)
    newer = (one for one in past.said if one.day.isoformat() > page.updated and name.search(one.said.text))
    lines = [line_of(one.path, one.said) for one in newer]
    done = Operation(page.slug, page.category, page.name, signal.description, tuple(lines[-_MOST_STATEMENTS:]))
    yield done if lines else done._replace(action="rebuild")


def _of_changes(signal: Signal, past: Past) -> Iterator[Operation]:
    """What a day says was changed from one thing to another, with the last claim of the first."""
    for change in past.said:
        if change.path not in signal.documents or (parts := replaced(change.said.text)) is None:
            continue
        old = re.compile(rf"(?<!\w){re.escape(parts[0])}(?!\w)", re.IGNORECASE)
        words = set(terms(change.said.text)) - set(terms(" ".join(parts)))
        before = [one for one in past.said if one.day < change.day and old.search(one.said.text)]
        before = [one for one in before if words & set(terms(one.said.text))]
        if before:
            subject = tuple(word for word in dict.fromkeys(terms(before[-1].said.text)) if word in words)
            why = f"changed from {cut(parts[0], 60)} to {cut(parts[1], 60)} on {change.day}"
            gone = (_superseded(before[-1], change),)
            yield from _page(subject[:_NAME_WORDS], "concept", why, (_line(change),), gone)


def _page(
    words: Iterable[str],
    category: Category,
    why: str,
    lines: Iterable[Line],
    gone: tuple[Superseded, ...] = (),
) -> Iterator[Operation]:
    name = " ".join(words)
    chosen = tuple(lines)
    if chosen and (slug := slug_of(name)):
        yield Operation(slug, category, name, why, chosen, gone)


def _superseded(before: Dated, after: Dated) -> Superseded:
    return Superseded(after.citation, before.said.text, after.day.isoformat(), after.said.text)


def _line(one: Dated) -> Line:
    return Line(one.said.text, one.path, one.said.lines)


def _lines(store: Store, documents: Iterable[str]) -> Iterator[Line]:
    for path in documents:
        with suppress(StrayedError):
            yield from _of_text(path, read_text(store.root / path))


def _of_text(path: str, text: str) -> Iterator[Line]:
    return (line_of(path, said) for said in _said(text))


def _said(text: str) -> Iterator[Statement]:
    return (one for one in statements(text) if redact(one.text) == one.text)
