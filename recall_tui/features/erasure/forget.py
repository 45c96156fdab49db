"""Forgetting: a session, or a document, goes from everywhere it is kept, and a mark keeps it out from then on.

What goes cannot be taken back, for nothing keeps it; only the mark can be lifted. The agents' own files stay, and so do
a person's words; pages that were drawn from it lose what `derived_pages` finds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from recall_tui.domain import Create, Delete, Edit, IndexRow, Plan, Replace
from recall_tui.errors import BrokenFileError
from recall_tui.features.erasure import tombstones_elsewhere
from recall_tui.features.erasure.copies import of_window, remove_from_window
from recall_tui.features.erasure.derived_pages import remove_derived, without_master_lines
from recall_tui.features.erasure.resumed_sessions import resumed
from recall_tui.features.erasure.targets import ForgetTarget, SessionRecords
from recall_tui.index.maintenance.purge import memories_with_archives
from recall_tui.index.opener import open_index
from recall_tui.index.sources.markdown import markdown_sources
from recall_tui.index.sources.transcripts import is_extra
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives.conflicted_copies import original_in
from recall_tui.storage.archives.file import parse_number
from recall_tui.storage.documents import day_logs, period_files
from recall_tui.storage.files.atomic import content_digest, file_digest, read_bytes, read_text
from recall_tui.storage.files.symlinks import find_outside_target
from recall_tui.storage.inventory import is_text, other_files, written_documents
from recall_tui.storage.layout import Layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.scopes import list_scopes, scope_layout
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.tombstones import Tombstone, Tombstones
from recall_tui.text.cut import one_line
from recall_tui.transcripts.reader import TranscriptFile
from recall_tui.transcripts.registry import agent_label, find_reader

MAX_REFERENCES = 20
"""Lines of other documents that are named; more are counted."""
_DAY_SECONDS = 86_400


def forget(store: Store, references: Sequence[str]) -> Plan:
    """The change that removes what the references mean, all in one; an empty plan when it is forgotten already.

    A reference is a session's id or the beginning of one, an archive's number or name, a topic, or a path.
    """
    tombstones.expect_readable(store.layout)
    known = SessionRecords.of(store)
    targets = _unique_targets(map(known.target, references))
    before = tombstones.read_tombstones(store.state)
    after, edits = before, list[Edit]()
    for target in targets:
        edits += _deletions(known, target)
        if target.stone is None or _has_remains(known, target):
            after = after.with_one(_build_tombstone(store, target))
    edits = list({edit.path: edit for edit in (*edits, *_text_edits(known, targets))}.values())
    drawn, vague = _derived_edits(known, targets, edits)
    edits += drawn
    facts = _result_details(store, targets, edits)
    again = resumed(known, targets)
    facts["resumed"] = list(again)
    notes = [
        *_remaining_notes(known, targets),
        *map(_resumed, again),
        *_maybe(known, edits),
        *vague,
        *_find_references(store, targets, edits),
        *_binary_notes(store, targets, edits),
    ]
    if after == before and not edits and not any(_marked(store, targets, after)):
        done = ", ".join(f"{one.name} was {one.stone.reason}" for one in targets if one.stone)
        return Plan(f"{done} already", (), tuple(notes), facts)
    named = _target_names(targets)
    mark = (*_tombstone_edits(store, after), *_marked(store, targets, after))
    hint = f"to let it back in: recall-tui forget --undo {tombstones.shell_words(*(one.name for one in targets))}"
    return Plan(f"Forgot {named}", (*mark, *edits), tuple(notes), facts, no_way_back=hint)


def unforget(store: Store, references: Sequence[str]) -> Plan:
    """The change that lifts the marks; the notes say what can come back, and what cannot."""
    tombstones.expect_readable(store.layout)
    known = SessionRecords.of(store)
    stones = list(dict.fromkeys(map(known.stone, references)))
    after = tombstones.read_tombstones(store.state).without(stones)
    notes = [note for stone in stones for note in _restorable_notes(known, stone)]
    notes += tombstones_elsewhere.still_kept_out(store, stones)
    title = f"Lifted the mark that kept out {_join_names([stone.name for stone in stones])}"
    facts: dict[str, object] = {
        "forgotten": [{"name": one.name, "on": one.on.isoformat(), "sessions": one.sessions} for one in stones],
        "transcripts": [str(file.path) for file in _tombstoned_files(known, stones)],
    }
    hint = (
        f"forget it again: recall-tui forget {tombstones.shell_words(*(stone.name for stone in stones))}"
        if stones
        else ""
    )
    places = dict.fromkeys(path for stone in stones for path in tombstones.places_of(store.layout, stone))
    marks = [Delete(path, was) for path in places if (was := file_digest(path))]
    return Plan(title, (*_tombstone_edits(store, after), *marks), tuple(notes), facts, no_way_back=hint)


def remove_rows(text: str, sessions: Iterable[str], is_gone: Callable[[IndexRow], bool]) -> str:
    """ARCHIVE.md without the rows of the sessions, and without those that are gone beside them."""
    ids = set(sessions)
    return index_file.drop_rows(text, lambda row: row.session_id in ids or is_gone(row))


def other_archive_names(store: Store, sessions: Iterable[str]) -> set[str]:
    """The names of archives that are of other sessions than these."""
    ids = set(sessions)
    rows = index_file.parse_rows(read_text(store.layout.rows))
    return day_logs.archive_names(store.layout, (row.number for row in rows if row.session_id not in ids))


def _unique_targets(targets: Iterable[ForgetTarget]) -> list[ForgetTarget]:
    """The targets without those that another reference means too."""
    return list({(one.sessions, one.archives and one.archives[0].path, one.document): one for one in targets}.values())


def _deletions(known: SessionRecords, target: ForgetTarget) -> Iterator[Edit]:
    store = known.store
    own = [*(entry.path for entry in target.archives), *scope_summaries(store.layout, target.sessions)]
    if store.layout.summaries is not None:
        own += [store.layout.summaries / summary_file.file_name(id) for id in target.sessions]
    if target.document is not None:
        own.append(target.document)
    copies = known.copies.going(map(one_line, target.sessions), own)
    for path in dict.fromkeys((*own, *target.kept, *copies)):
        if was := file_digest(path):
            yield Delete(path, was)


def _text_edits(known: SessionRecords, targets: Sequence[ForgetTarget]) -> Iterator[Edit]:
    """The rows, the window, the logs of days and the masters without what goes, and so second copies of them."""
    sessions = [id for target in targets for id in target.sessions]
    rows = {row for target in targets for row in target.rows}
    layout, copies = known.store.layout, known.copies
    for path, less in of_window(known.entries, copies, sessions):
        yield Replace(path, file_digest(path), less) if less else Delete(path, file_digest(path))
        number = None if less else parse_number(path.name)
        rows |= {row for row in known.rows if row.number == number and not row.session_id}
    others = other_archive_names(known.store, sessions)
    names = {*sessions, *(entry.path.stem for target in targets for entry in target.archives)}
    logs = tuple(chain.from_iterable(period_files.list_day_logs(layout).values()))
    ways: tuple[tuple[Iterable[Path], Callable[[str], str]], ...] = (
        ((layout.rows, *copies.of([layout.rows])), lambda text: remove_rows(text, sessions, rows.__contains__)),
        ((layout.window, *copies.of([layout.window])), lambda text: remove_from_window(text, sessions)),
        (
            (*master_paths(layout), *copies.of(master_paths(layout))),
            lambda text: without_master_lines(text, names),
        ),
        (
            (*logs, *copies.within(period_files.day_folders(layout))),
            lambda text: day_logs.without_sessions(text, sessions, others),
        ),
    )
    seen = set[Path]()
    for paths, without in ways:
        for path in paths:
            if path in seen or find_outside_target(layout, path):
                continue
            seen.add(path)
            data, text = read_bytes(path), read_text(path)
            if data is not None and (less := without(text)) != text:
                yield Replace(path, content_digest(data), less)


def _derived_edits(
    known: SessionRecords, targets: Sequence[ForgetTarget], edits: Sequence[Edit]
) -> tuple[list[Edit], list[str]]:
    """What becomes of pages that were drawn from it, and what is to be said of them."""
    store = known.store
    days = {path for paths in period_files.list_day_logs(store.layout).values() for path in paths}
    whole = [edit.path for edit in edits if isinstance(edit, Delete) and edit.path.is_relative_to(store.root)]
    less = {edit.path: (read_text(edit.path), edit.text) for edit in edits if isinstance(edit, Replace)}
    logs = {path: texts for path, texts in less.items() if path in days}
    taken, notes = remove_derived(store, whole, logs, _name_pattern(_session_names(targets)), known.copies.all)
    held = {edit.path for edit in edits}
    return [edit for edit in taken if edit.path not in held], notes


def _maybe(known: SessionRecords, edits: Sequence[Edit]) -> Iterator[str]:
    """What may hold the same as a file that goes, and stays, for its name may be a person's."""
    gone = [edit.path for edit in edits if isinstance(edit, Delete)]
    for path, of in known.copies.maybe(gone):
        yield f"{known.store.relative(path)} may be a second copy of {of.name}, and is left unchanged"


def scope_summaries(layout: Layout, sessions: Iterable[str]) -> tuple[Path, ...]:
    """Where scopes keep the summaries of sessions, whether there are any or not."""
    folders = [scope_layout(layout, name).summaries for name in list_scopes(layout)]
    return tuple(folder / summary_file.file_name(id) for id in sessions for folder in folders if folder is not None)


def master_paths(layout: Layout) -> tuple[Path, ...]:
    """The master, and those of scopes."""
    return (layout.master, *(scope_layout(layout, name).master for name in list_scopes(layout)))


def _has_remains(known: SessionRecords, target: ForgetTarget) -> bool:
    """Whether something of what was forgotten before is there again."""
    assert target.stone is not None
    if not set(target.sessions) <= set(target.stone.sessions):
        return True
    return bool(any(_deletions(known, target)) or any(_text_edits(known, [target])))


def _build_tombstone(store: Store, target: ForgetTarget) -> Tombstone:
    old = target.stone
    entries = [entry for entry in target.archives if entry.path.is_file()]
    document = target.document
    paths = [store.relative(path) for path in (*(entry.path for entry in entries), *([document] if document else []))]
    numbers = {entry.number for entry in entries if entry.number} | {row.number for row in target.rows}
    # What has no session is known by what it holds, and not by its name, under which something else may come.
    nameless = [entry.path for entry in entries if not entry.session_id] + ([document] if document else [])
    return Tombstone(
        name=target.name,
        on=old.on if old else store.now().date(),
        sessions=target.sessions,
        numbers=tuple(sorted(numbers.union(old.numbers if old else ()))),
        paths=tuple(dict.fromkeys((*(old.paths if old else ()), *paths))),
        digests=tuple(dict.fromkeys((*(old.digests if old else ()), *map(file_digest, nameless)))),
        root=str(store.root),
    )


def _tombstone_edits(store: Store, after: Tombstones) -> Iterator[Edit]:
    path, text = tombstones.tombstones_path(store.state), tombstones.render_tombstones(after)
    data = read_bytes(path)
    if data is None:
        yield Create(path, text)
    elif content_digest(data) != content_digest(text):
        yield Replace(path, content_digest(data), text)


def _marked(store: Store, targets: Sequence[ForgetTarget], after: Tombstones) -> Iterator[Edit]:
    """The marks in the memory itself, of what is forgotten now."""
    stones = (one for one in after.all for target in targets if one.is_of_same(_build_tombstone(store, target)))
    for path in dict.fromkeys(path for one in stones for path in tombstones.places_of(store.layout, one)):
        if not path.exists():
            yield Create(path, tombstones.IN_MEMORY)


def _result_details(store: Store, targets: Sequence[ForgetTarget], edits: Sequence[Edit]) -> dict[str, object]:
    """What goes and what stays, for programs."""
    gone = [edit.path for edit in edits if isinstance(edit, Delete)]
    return {
        "forgotten": [{"name": one.name, "sessions": one.sessions} for one in targets],
        "removed": [store.relative(path) for path in gone],
        "changed": [store.relative(edit.path) for edit in edits if isinstance(edit, Replace)],
        "transcripts": [str(file.path) for target in targets for file in target.transcripts],
    }


def _target_names(targets: Sequence[ForgetTarget]) -> str:
    names = []
    for target in targets:
        more = len(target.archives) - 1
        names.append(
            f"{target.name} and {more} more log{'s' * (more != 1)} of its session" if more > 0 else target.name
        )
    return _join_names(names)


def _join_names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    return shown if len(names) <= 3 else f"{shown} and {len(names) - 3} more"


def _remaining_notes(known: SessionRecords, targets: Sequence[ForgetTarget]) -> Iterator[str]:
    """What stays, because it is not ours."""
    sessions = {id for target in targets for id in target.sessions}
    for target in targets:
        yield from (_transcript_note(known.store, file) for file in target.transcripts)
        yield from (f"Claude Code's own file stays at {path}" for path in target.beside)
    if not sessions.isdisjoint(known.in_database):
        yield f"session recall's own database still holds it: {known.store.environment.session_index}"
    try:
        others = memories_with_archives(open_index(known.store.environment), known.store, sessions)
    except BrokenFileError:
        return
    yield from (f"another memory holds an archive of it too, and keeps it: {root}" for root in others)


def _resumed(session: str) -> str:
    way = f"recall-tui forget {tombstones.shell_words(session)}"
    return f"session {session} repeats records of it, as a resumed one does, and stays; to forget it too: {way}"


def _transcript_note(store: Store, file: TranscriptFile) -> str:
    name = agent_label(file.agent)
    if is_extra(store, file.path):
        return f"a transcript of {name} stays at {file.path}"
    reader = find_reader(file.agent)
    days = reader.retention(store.environment).days if reader else None
    if days is None:
        return f"{name}'s own transcript stays at {file.path}"
    age = (store.now() - file.modified).total_seconds() / _DAY_SECONDS
    left = max(0, round(days - age))
    when = f"in {left} days" if left > 1 else "tomorrow" if left else "when it starts next"
    return f"{name}'s own transcript stays at {file.path}; it goes by itself {when}"


def _find_references(store: Store, targets: Sequence[ForgetTarget], edits: Iterable[Edit]) -> Iterator[str]:
    """Where other documents name what goes; a person's words are left as they are."""
    names = {*_session_names(targets), *(target.document.name for target in targets if target.document)}
    pattern = _name_pattern(names)
    if pattern is None:
        return
    gone = {entry.path for target in targets for entry in target.archives} | {target.document for target in targets}
    gone |= {edit.path for edit in edits if isinstance(edit, Delete)}
    left = {edit.path: edit.text for edit in edits if isinstance(edit, Replace)}
    found = list(_find_lines(store, pattern, gone, left))
    for place in found[:MAX_REFERENCES]:
        yield f"{place} names it, and is left unchanged"
    if len(found) > MAX_REFERENCES:
        yield f"{len(found) - MAX_REFERENCES} more lines name it, and are left unchanged"


def _binary_notes(store: Store, targets: Sequence[ForgetTarget], edits: Sequence[Edit]) -> Iterator[str]:
    """What is no text, as an editor's swap file, and is of a file that changes or names what goes."""
    pattern, touched = _name_pattern(_session_names(targets)), {edit.path for edit in edits}
    for path in other_files(store.layout):
        if is_text(path):
            continue
        if original_in(store.layout, path) in touched or (pattern and pattern.search(read_text(path))):
            yield f"{store.relative(path)} is not a text file and may contain it; close its editor, and delete it"


def _session_names(targets: Sequence[ForgetTarget]) -> set[str]:
    """By what sessions are known: the names of their archives and transcripts, their ids."""
    names = {entry.path.stem for target in targets for entry in target.archives}
    names |= {file.path.stem for target in targets for file in target.transcripts}
    stones = [target.stone for target in targets if target.stone and target.sessions]
    names |= {Path(path).stem for stone in stones for path in stone.paths}
    return names | {id for target in targets for id in target.sessions if len(id) >= 8}


def _name_pattern(names: Collection[str]) -> re.Pattern[str] | None:
    """What finds one of the names in a text; None when there are none."""
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names)))})(?![\w-])") if names else None


def _find_lines(
    store: Store, pattern: re.Pattern[str], gone: set[Path | None], left: Mapping[Path, str]
) -> Iterator[str]:
    """The places with it in documents that stay, as they will be; `left` is the text of those that change."""
    kinds = {source.path: source.kind for source in markdown_sources(store.layout)}
    further = (path for path in other_files(store.layout) if is_text(path))
    for path in dict.fromkeys((*kinds, *written_documents(store.layout), *further)):
        is_passed = kinds.get(path) in ("window", "conversation", "summary") or path == store.layout.rows
        if is_passed or path in gone or not path.is_file():
            continue
        text = left[path] if path in left else read_text(path)
        for number, line in enumerate(text.split("\n"), 1):
            if pattern.search(line):
                yield f"{store.relative(path)}:{number}"


def _tombstoned_files(known: SessionRecords, stones: Sequence[Tombstone]) -> list[TranscriptFile]:
    ids = {id for stone in stones for id in stone.sessions}
    return [file for file in known.transcripts if file.session_id in ids]


def _restorable_notes(known: SessionRecords, stone: Tombstone) -> Iterator[str]:
    if not stone.sessions:
        yield f"{stone.name}: its text is gone for good; a file with the same text would be archived again"
        return
    files = _tombstoned_files(known, [stone])
    for file in files:
        yield f"{stone.name}: its transcript is still there: {file.path}; the next sync finds it again"
    if files:
        yield f"its archive can be created again: recall-tui archive --session {files[-1].session_id}"
        return
    yield f"{stone.name}: its transcript is gone; nothing of it comes back unless a file of it does"
