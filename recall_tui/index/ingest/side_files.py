"""Plans, todo lists and the history of typed prompts, brought into the index, each with a kind of its own.

They are filed with the transcripts, under the project of the session that they belong to: a todo list and a prompt name
it, and a plan belongs to the session that first touched its file. Those of no known session are found only by memories
of every project. What is gone from the disk leaves, and so does a prompt whose session can be read elsewhere.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from recall_tui.domain.documents import SIDE_FILE_KINDS
from recall_tui.errors import RecallError
from recall_tui.index.ingest.context import IngestContext, reason_of
from recall_tui.index.ingest.markdown_files import ARCHIVE_KIND, redact_lines
from recall_tui.index.ingest.markdown_passages import MAX_CHARS, markdown_passages
from recall_tui.index.opener import Index, memory_key
from recall_tui.index.source_record import SourceRecord
from recall_tui.index.sources.markdown import project_key, source_key
from recall_tui.index.sources.transcripts import ignore_matcher, read_patterns
from recall_tui.index.text import schema
from recall_tui.index.text.batching import BatchWriter
from recall_tui.index.text.commit_batch import UNREAD_SIZE, recorded_batches, with_batches
from recall_tui.index.text.passage import PROMPT, TRANSCRIPTS_KEY, DocumentHead, Passage
from recall_tui.index.text.schema import printable_path
from recall_tui.index.text.tantivy_documents import SourceFields
from recall_tui.storage.files.atomic import encode
from recall_tui.text.cut import split_text
from recall_tui.text.secrets.redact import redact
from recall_tui.transcripts.claude.side_files import (
    PromptGroup,
    SideFile,
    history_path,
    list_side_files,
    read_history,
    read_side_file,
    render_prompts,
)

_AGENT = "claude"
_HISTORY = "history"
_MAX_PASSAGES_OF_PLAN = 50
"""Passages that name a plan's file among which its first session is looked for."""


def index_plans_and_todos(run: IngestContext, index: Index) -> None:
    """Read the plans and todo lists that are new or changed, and take out those that are gone."""
    known = _recorded(run, ("plan", "todo"))
    owners = _SessionOwners(run, index)
    is_ignored = ignore_matcher(run.store.environment)
    left = set(known)
    for file in list_side_files(run.store.environment):
        document = printable_path(str(file.path))
        if is_ignored(document) or _has_tombstone(run, file.name, file.session):
            continue
        key = source_key(TRANSCRIPTS_KEY, document)
        left.discard(key)
        was = known.get(key)
        session, folder = owners.of_todo(file) if file.kind == "todo" else owners.of_plan(file, was)
        if session and _has_tombstone(run, session):
            left.add(key)
            continue
        state = _digest(file.size, file.mtime_ns, session, folder)
        if not run.is_anew and was is not None and _is_current(was, file.size, state):
            continue
        record = SourceRecord(key, document, file.kind, file.size, file.mtime_ns, state, indexed_at=run.now())
        run.ledger.put(TRANSCRIPTS_KEY, _index_file(run, file, record._replace(session=session), was, folder))
    run.ledger.drop(left & known.keys())


def index_history(run: IngestContext) -> None:
    """Read the history when it or the sessions that can be read elsewhere changed."""
    path = history_path(run.store.environment)
    document = printable_path(str(path))
    known = _recorded(run, (_HISTORY,))
    try:
        status = path.stat()
    except OSError:
        run.ledger.drop(known)
        return
    if ignore_matcher(run.store.environment)(document):
        run.ledger.drop(known)
        return
    elsewhere = _sessions_elsewhere(run)
    forgotten = run.forgotten.sessions
    facts = (read_patterns(run.store.environment), *map(sorted, (elsewhere, forgotten.known, forgotten.hashes)))
    key = source_key(TRANSCRIPTS_KEY, document)
    state = _digest(status.st_size, status.st_mtime_ns, *facts)
    record = SourceRecord(key, document, _HISTORY, status.st_size, status.st_mtime_ns, state, indexed_at=run.now())
    was = known.get(key)
    if was is not None and _is_current(was, record.size, state) and not any(map(_is_unread, known.values())):
        return
    left = set(known) - {key}
    try:
        for group in read_history(path):
            if _is_indexable(run, group, elsewhere):
                left.discard(_index_group(run, group, document, known))
    except RecallError as error:
        run.ledger.put(TRANSCRIPTS_KEY, record._replace(failed=reason_of(error)))
        return
    run.ledger.drop(left)
    run.ledger.put(TRANSCRIPTS_KEY, record)


class _SessionOwners:
    """The session and the folder that plans and todo lists belong to, looked up when they are first needed."""

    def __init__(self, run: IngestContext, index: Index) -> None:
        self._run, self._index = run, index
        self._folders: Mapping[str, str] | None = None

    def of_todo(self, file: SideFile) -> tuple[str, str]:
        """The session that the list's name bears."""
        return file.session, self._folder_of(file.session)

    def of_plan(self, file: SideFile, was: SourceRecord | None) -> tuple[str, str]:
        """The session that first touched the plan's file; both empty while none is known."""
        is_new = was is None or (was.size, was.mtime_ns) != (file.size, file.mtime_ns)
        if was is not None and (was.session or not (is_new or self._run.ledger.passages)):
            return was.session, self._folder_of(was.session)
        session = self._first_session(str(file.path))
        return session, self._folder_of(session)

    def _folder_of(self, session: str) -> str:
        if not session:
            return ""
        if self._folders is None:
            self._folders = {one.session: one.project for one in self._run.transcripts() if one.session}
        return self._folders.get(session, "")

    def _first_session(self, path: str) -> str:
        from tantivy import Query

        if not self._run.is_anew:
            # What this refresh read of the session must be found.
            self._run.ledger.commit()
        reader = self._index.reader()
        terms = schema.terms(schema.PLAIN, path)
        if reader is None or len(terms) < 2:
            return ""
        named = reader.newest(Query.phrase_query(reader.schema, "paths", list(terms)), _MAX_PASSAGES_OF_PLAN)
        for address in reversed(named):
            stored = reader.stored(address)
            if path in stored.passage.files and stored.session_id:
                return stored.session_id
        return ""


def _recorded(run: IngestContext, kinds: Iterable[str]) -> dict[str, SourceRecord]:
    """What was read before; nothing of it is in the shelves when everything is read again."""
    wanted = frozenset(kinds)
    recorded = () if run.is_anew else run.recorded(TRANSCRIPTS_KEY)
    return {one.key: one for one in recorded if one.kind in wanted and not run.is_of_database(one)}


def _is_current(was: SourceRecord, size: int, state: str) -> bool:
    return was.hash == state and was.size == size and not was.failed


def _is_unread(one: SourceRecord) -> bool:
    return bool(one.failed) or one.size == UNREAD_SIZE


def _digest(*facts: object) -> str:
    return hashlib.blake2b(encode(repr(facts)), digest_size=16).hexdigest()


def _has_tombstone(run: IngestContext, *names: str) -> bool:
    forgotten = run.forgotten.sessions
    return any(name and name in forgotten for name in names)


def _is_indexable(run: IngestContext, group: PromptGroup, elsewhere: frozenset[str]) -> bool:
    state = f"{run.store.environment.state}/"
    return not (group.session in elsewhere or _has_tombstone(run, group.name) or f"{group.folder}/".startswith(state))


def _sessions_elsewhere(run: IngestContext) -> frozenset[str]:
    """The sessions whose words are in the index, from a transcript, an older tool's database or an archive."""
    memory = memory_key(run.store)
    filed = (one for one in run.now_in(TRANSCRIPTS_KEY) if one.kind not in SIDE_FILE_KINDS and one.passages)
    archived = (one for one in run.now_in(memory) if one.kind == ARCHIVE_KIND and one.has_body and one.passages)
    others = (session for owner, session in run.catalogue.bodies(ARCHIVE_KIND) if owner != memory)
    return frozenset((*(one.session for one in filed), *(one.session for one in archived), *others)) - {""}


def _index_file(
    run: IngestContext, file: SideFile, record: SourceRecord, was: SourceRecord | None, folder: str
) -> SourceRecord:
    try:
        title, text = read_side_file(file)
    except (OSError, ValueError, RecursionError) as error:
        run.ledger.writer.remove(record.key)
        return record._replace(failed=reason_of(error))
    modified = datetime.fromtimestamp(file.mtime_ns // 1_000_000_000, UTC)
    head = _head(title, modified, record.session or file.name, folder)
    passages = (
        one._replace(head=head, session_id=head.session_id, date=modified, roles=(*one.roles, file.kind))
        for one in markdown_passages(file.path, redact_lines(text), file.kind)
    )
    return _file_passages(run, record, was, head, passages)


def _index_group(run: IngestContext, group: PromptGroup, history: str, known: Mapping[str, SourceRecord]) -> str:
    """Index the prompts of a group when they are not as they were; the key that they are filed under."""
    document = f"{history}/{printable_path(group.name)}"
    key, state = source_key(TRANSCRIPTS_KEY, document), _digest(group)
    was = known.get(key)
    if was is None or was.hash != state or _is_unread(was):
        record = SourceRecord(key, document, _HISTORY, 0, 0, state, session=group.name, indexed_at=run.now())
        head = _head(group.title, group.prompts[0].at, group.name, group.folder)
        run.ledger.put(TRANSCRIPTS_KEY, _file_passages(run, record, was, head, _prompt_passages(group, head)))
    return key


def _prompt_passages(group: PromptGroup, head: DocumentHead) -> Iterator[Passage]:
    _, starts = render_prompts(group)
    for prompt, start in zip(group.prompts, starts, strict=True):
        line = start
        for piece in split_text(redact_lines(prompt.text), MAX_CHARS):
            last = line + piece.rstrip("\n").count("\n")
            yield Passage(head, piece, PROMPT, (line, last), ("prompt",), session_id=head.session_id, date=prompt.at)
            line += piece.count("\n")


def _head(title: str, at: datetime | None, session: str, folder: str) -> DocumentHead:
    return DocumentHead(
        title=redact(title),
        date=at,
        session_id=session,
        project=redact(folder),
        agent=_AGENT,
        project_key=redact(project_key(folder)),
    )


def _file_passages(
    run: IngestContext, record: SourceRecord, was: SourceRecord | None, head: DocumentHead, passages: Iterable[Passage]
) -> SourceRecord:
    source = SourceFields(record.key, TRANSCRIPTS_KEY, record.path, record.kind)
    filing = BatchWriter(run.ledger.writer, source, recorded_batches(was))
    for passage in passages:
        filing.add(passage)
    record = with_batches(record, filing.close())._replace(chars=filing.chars, title=schema.clean_text(head.title))
    run.ledger.count(was, record, filing.written)
    return record
