"""All that a memory says by the day: its logs, and the digests of its sessions, each document read once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import cached_property

from recall_tui.features.documents.session_points import read_session_entries, read_session_points
from recall_tui.features.grounding.extractive_summary import report_source
from recall_tui.features.grounding.joined_lines import ReportLine
from recall_tui.features.grounding.joined_statements import log_statements
from recall_tui.features.grounding.session_report import entry_report
from recall_tui.features.grounding.session_texts import SessionTexts
from recall_tui.features.grounding.superseded import Overtaken
from recall_tui.features.wiki.revisions import Revision, find_revisions
from recall_tui.features.wiki.subjects import REPORT_HEADING, Subject, find_subjects
from recall_tui.storage.documents import day_logs, period_files
from recall_tui.storage.documents.changing_facts import ChangingFact, DatedStatement, find_changing_facts
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.secrets.redact import redact


class LogHistory:
    """What the logs of all days and the digests of all sessions say."""

    def __init__(self, store: Store) -> None:
        logs = sorted(period_files.list_day_logs(store.layout).items())
        self.days = {day: {store.relative(path): read_text(path) for path in paths} for day, paths in logs}
        self._store = store

    @cached_property
    def digests(self) -> Mapping[date, Mapping[str, str]]:
        """The digests of sessions by day and document; every other line of a document is empty."""
        return read_session_points(self._store)

    @cached_property
    def texts(self) -> Mapping[date, Mapping[str, str]]:
        """Logs and digests together; of a session that has a digest, its line in a log says nothing else."""
        days = sorted({*self.days, *self.digests})
        own = {
            day: {path: _without_session_lines(text) if self.digests else text for path, text in texts.items()}
            for day, texts in self.days.items()
        }
        return {day: {**own.get(day, {}), **self.digests.get(day, {})} for day in days}

    @cached_property
    def facts(self) -> tuple[ChangingFact, ...]:
        """The facts that changed their value."""
        return find_changing_facts(self.texts)

    @cached_property
    def said(self) -> tuple[DatedStatement, ...]:
        """Every statement without a secret, oldest first."""
        texts = ((day, path, text) for day, texts in self.texts.items() for path, text in texts.items())
        return tuple(DatedStatement(day, path, one) for day, path, text in texts for one in safe_statements(text))

    @cached_property
    def reported(self) -> tuple[DatedStatement, ...]:
        """What logs say, and of each session the lines of its report that no later session overtakes."""
        sessions = sorted(read_session_entries(self._store), key=lambda one: (one[1], one[0]))
        removals = SessionTexts(self._store).removals
        overtaken = Overtaken({path: _digest_rows(entry, removals(entry.archive)) for path, _, entry in sessions})
        lines = (
            DatedStatement(day, path, _report_statement(path, one))
            for path, day, entry in sessions
            for one in entry_report(entry)
            if overtaken.holds(one.text, path, 1)
        )
        own = {path for path, _, _ in sessions}
        logs = (
            DatedStatement(day, path, one)
            for day, texts in self.texts.items()
            for path, text in texts.items()
            if path not in own
            for one in log_statements(text)
            if redact(one.text) == one.text
        )
        return tuple(sorted((*logs, *lines), key=lambda one: one.day))

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The words of each statement."""
        return tuple(frozenset(topic_terms(one.said.text)) for one in self.said)

    @cached_property
    def revisions(self) -> tuple[Revision, ...]:
        """What took the place of what."""
        return tuple(find_revisions(self.said))

    @cached_property
    def subjects(self) -> tuple[Subject, ...]:
        """What a page could be about, the most telling first."""
        return find_subjects(self.reported)

    def said_in(self, documents: Iterable[str]) -> tuple[DatedStatement, ...]:
        """The statements of these documents, as they are reported."""
        wanted = frozenset(documents)
        return tuple(one for one in self.reported if one.path in wanted)


def safe_statements(text: str) -> Iterator[Statement]:
    """The statements of a text that hold no secret."""
    return (one for one in page_statements(text) if redact(one.text) == one.text)


def _report_statement(path: str, one: ReportLine) -> Statement:
    """A line of a session's report as a statement that cites where it is from."""
    line = report_source(path, one)
    return Statement(line.text, line.lines, REPORT_HEADING, line.places[0], line.also)


def _digest_rows(entry: day_logs.SessionEntry, also: Iterable[str]) -> str:
    """A session's digest as one entry of a log, with what else it says is gone."""
    return "\n  ".join((entry.title, entry.outcome, *(point.text for point in entry.points), *also))


def _without_session_lines(text: str) -> str:
    """A log without the lines that we wrote of sessions."""
    return "\n".join(
        "" if day_logs.entry_text(line.removeprefix("- ")) or day_logs.entry_text(line) else line
        for line in text.split("\n")
    )
