"""What was done in a span of time: its sessions by project or day, with what they settled and what they left open.

Everything is in the words of the archives and summaries, each line with the number or id of its session.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta, tzinfo
from typing import Literal, NamedTuple

from recall_tui.domain import ArchiveEntry, Conversation, SessionDigest, Tags
from recall_tui.storage.archives import index_file, retained, summary_file
from recall_tui.storage.archives.file import head_digest, parse_tags
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line
from recall_tui.text.dates import local_time, parse_time
from recall_tui.text.secrets.redact import redact
from recall_tui.text.session_line import label_archive, project_name

Grouping = Literal["project", "day"]
_MAX_FILES = 8
_ID_CHARS = 8
_NO_PROJECT = "no project"
_DAY = timedelta(days=1, hours=14)
"""How far the day of a row may be from the moment at which its session ended."""


class ReportedSession(NamedTuple):
    """A session of the span."""

    reference: str
    """The archive's number as `show` takes it, or the beginning of the session's id."""
    title: str
    project: str
    agent: str
    began: datetime
    ended: datetime
    settled: tuple[str, ...]
    """What it decided and learned."""
    left_open: tuple[str, ...]
    files: tuple[str, ...]


def find_sessions(
    store: Store, since: datetime, until: datetime | None = None, project: str = ""
) -> tuple[ReportedSession, ...]:
    """Find the sessions that ended in the span, oldest first; of one project when its name is given."""
    by_session: dict[str, list[ArchiveEntry]] = {}
    for entry in ArchiveFolder(store.layout).entries():
        ended = entry.ended_at or entry.date
        if ended is None or ended < since or (until is not None and ended >= until):
            continue
        if project and project.lower() not in (_project(entry).lower(), entry.cwd.lower()):
            continue
        by_session.setdefault(entry.session_id or entry.name, []).append(entry)
    found = [_read_session(store, entries) for entries in by_session.values()]
    if store.layout.design.retains_transcripts:
        found += _read_retained(store, since, until, project)
    return tuple(sorted(found, key=lambda one: (one.ended, one.reference)))


def _read_retained(store: Store, since: datetime, until: datetime | None, project: str) -> Iterator[ReportedSession]:
    """Yield the sessions of the span whose archives are copies of their transcripts."""
    from recall_tui.features.digest.digest import read_digest
    from recall_tui.transcripts.registry import read_transcript

    for row in index_file.parse_rows(read_text(store.layout.rows)):
        day = parse_time(row.date)
        if day is None or day + _DAY < since or (until is not None and day - _DAY >= until):
            continue
        copies = retained.list_copies(store.environment.kept, row.session_id) if row.session_id else ()
        held = read_transcript(copies[-1]) if copies else None
        if not isinstance(held, Conversation) or (ended := held.head.ended_at) is None:
            continue
        named = project_name(held.head.cwd)
        is_other = bool(project) and project.lower() not in (named.lower(), held.head.cwd.lower())
        if is_other or ended < since or (until is not None and ended >= until):
            continue
        made = read_digest(held)
        yield ReportedSession(
            f"{row.number:03d}" if row.number else row.session_id[:_ID_CHARS],
            _clean(held.head.title or made.title),
            _clean(named),
            held.head.agent,
            held.head.started_at or ended,
            ended,
            tuple(_each(one.text for one in made.items if one.kind != "open")),
            tuple(_each(one.text for one in made.items if one.kind == "open")),
            tuple(_each(made.files)),
        )


def render_report(sessions: Sequence[ReportedSession], by: Grouping, zone: tzinfo | None) -> str:
    """Render the report as markdown."""
    parts: list[str] = []
    for name, group in _grouped(sessions, by, zone).items():
        parts.append(f"## {(project_name(name) or name) if by == 'project' else name}\n")
        parts += [f"- {_span(one, by, zone)} {one.title} ({_kind_of(one)} {one.reference})" for one in group]
        for heading, lines in (
            ("Settled", [(line, one) for one in group for line in one.settled]),
            ("Left open", [(line, one) for one in group for line in one.left_open]),
        ):
            if lines:
                parts += ["", f"{heading}:", *(f"- {line} ({one.reference})" for line, one in lines)]
        files = list(dict.fromkeys(name for one in group for name in one.files))
        if files:
            more = f" and {len(files) - _MAX_FILES} more" if len(files) > _MAX_FILES else ""
            parts += ["", f"Files: {', '.join(files[:_MAX_FILES])}{more}"]
        parts.append("")
    return "\n".join(parts)


def _kind_of(one: ReportedSession) -> str:
    """Return the word that says what the reference of a session is."""
    return "archive" if len(one.reference) < _ID_CHARS else "session"


def _grouped(
    sessions: Iterable[ReportedSession], by: Grouping, zone: tzinfo | None
) -> Mapping[str, list[ReportedSession]]:
    found: dict[str, list[ReportedSession]] = {}
    for one in sessions:
        name = one.project or _NO_PROJECT if by == "project" else str(_local_date(one.ended, zone))
        found.setdefault(name, []).append(one)
    return dict(sorted(found.items())) if by == "project" else found


def _span(one: ReportedSession, by: Grouping, zone: tzinfo | None) -> str:
    began, ended = local_time(one.began, zone), local_time(one.ended, zone)
    times = f"{began:%H:%M}–{ended:%H:%M}" if began.date() == ended.date() else f"{began:%m-%d %H:%M}–{ended:%H:%M}"
    return f"{times} {project_name(one.project)}:" if by == "day" and one.project else f"{ended:%Y-%m-%d} {times}"


def _local_date(moment: datetime, zone: tzinfo | None) -> date:
    return local_time(moment, zone).date()


def _project(entry: ArchiveEntry) -> str:
    return entry.project or project_name(entry.cwd)


def _read_session(store: Store, entries: Sequence[ArchiveEntry]) -> ReportedSession:
    """Read the logs or the summary of one session."""
    last = max(entries, key=lambda entry: entry.number)
    digests = [_read_digest(store, entry) for entry in entries]
    ended = max(filter(None, (entry.ended_at or entry.date for entry in entries)))
    began = min(filter(None, (entry.started_at or entry.ended_at or entry.date for entry in entries)))
    return ReportedSession(
        f"{last.number:03d}" if last.number else last.session_id[:_ID_CHARS],
        _clean(label_archive(last).title),
        _clean(_project(last)),
        last.agent,
        began,
        ended,
        tuple(_each(text for digest in digests for text in _settled(digest))),
        tuple(_each(text for digest in digests[-1:] for text in digest.tags.actions)),
        tuple(_each(name for digest in digests for name in digest.tags.files)),
    )


def _read_digest(store: Store, entry: ArchiveEntry) -> SessionDigest:
    text = read_text(entry.path)
    if store.layout.design.summaries_are_archives:
        return summary_file.parse_digest(text)
    head, tags = head_digest(text), parse_tags(text)
    merged = Tags(
        tags.project, tags.decisions or head.tags.decisions, tags.actions or head.tags.actions, tags.files, tags.tools
    )
    return SessionDigest(head.summary, tags=merged, points=head.points)


def _settled(digest: SessionDigest) -> Iterator[str]:
    yield from digest.tags.decisions
    yield from (text for _, text in digest.points)


def _each(texts: Iterable[str]) -> Iterator[str]:
    """Each text once, on one line and without secrets."""
    return iter(dict.fromkeys(filter(None, map(_clean, texts))))


def _clean(text: str) -> str:
    return one_line(redact(text))
