"""Doctor on second copies that a sync service left, and on archives that hold less than they did.

An archive of another session gets a number of its own; what two machines wrote into one file is brought together by
lines. What only a person can decide is left as it is, and named.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Create, Delete, Edit, IndexRow, Plan, Problem, Replace
from recall_tui.features.capture.archive import next_number
from recall_tui.features.capture.blocked_paths import extend_file
from recall_tui.features.capture.window_lines import leaving_line_checker
from recall_tui.storage.archives import file as archive_file
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.conflicted_copies import ConflictedCopy, find_copies
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.text.cut import one_line
from recall_tui.text.three_way import union_lines

KIND = "copies"
_MIN_MESSAGE_BYTES = 8
"""That a message takes at the least, where an archive does not say how long it was."""
_MIN_SIZE_RATIO = 0.75
"""Of the bytes that were written, below which an archive was cut, and not edited."""


def find_problems(store: Store) -> Iterator[Problem]:
    """The second copies, and the archives that were emptied or cut."""
    for copy in find_copies(store.layout):
        name, original = store.relative(copy.path), copy.of.name
        if not copy.is_certain and not copy.is_leftover:
            yield Problem(KIND, f"{name} may be a second copy of {original}; if so, remove it", copy.path, is_note=True)
        elif needs_person(store, copy):
            words = f"{name} was left beside {original}; take what you need into the file, then remove it"
            yield Problem(KIND, words, copy.path)
        else:
            yield Problem(KIND, f"{name} is a second copy of {original} that a sync service left", copy.path, True)
    yield from _truncated_archives(store)


def plan_merge(
    store: Store, copies: tuple[ConflictedCopy, ...] | None = None, archives: tuple[ArchiveEntry, ...] | None = None
) -> Plan:
    """Bring every second copy into what it is a copy of, or give it a number of its own; an empty plan for none.

    With `copies` it is about these alone; `archives` are all of them when they were read already.
    """
    edits: dict[Path, Edit] = {}
    notes: list[str] = []
    archives = ArchiveFolder(store.layout).entries() if archives is None else archives
    rows = store.register.look(is_exact=True).text
    number = next_number(store)
    for copy in find_copies(store.layout) if copies is None else copies:
        if needs_person(store, copy) or copy.of in edits:
            continue
        text = read_text(copy.path)
        entry = archive_file.parse_entry(text, copy.of)
        is_archive = any(place.folder == copy.of.parent for place in store.layout.archives)
        twin = _same_session_archive(archives, entry, copy) if entry is not None and is_archive else None
        if entry is not None and is_archive and twin is None:
            made = copy.of if not copy.of.exists() else store.register.new_path(number)
            taken = archive_file.parse_number(made.name) or number
            own = archive_file.renumber(text, taken)
            edits[made] = Create(made, own)
            if (new := archive_file.parse_entry(own, made)) is not None:
                rows = index_file.add_row(rows, new)
            notes.append(f"{copy.path.name} is {made.name} now")
            number = max(number, taken) + 1
        elif twin is not None:
            edits |= _text_edit(twin.path, _merge_text(store, twin.path, archive_file.renumber(text, twin.number)))
            notes.append(f"{copy.path.name} is in {twin.path.name} now")
        else:
            edits |= _text_edit(copy.of, _merge_text(store, copy.of, text))
            notes.append(f"{copy.path.name} is in {copy.of.name} now")
        edits[copy.path] = Delete(copy.path, content_digest(text))
    for empty, other in _replaced_archives(store, archives) if copies is None else ():
        edits.setdefault(empty.path, Delete(empty.path, content_digest("")))
        rows = index_file.remove_row(rows, empty.number, other.session_id)
        notes.append(f"{empty.path.name} was empty; its session is in {other.path.name}")
    if not edits:
        return Plan("there is no second copy to bring together")
    # Of a copy of ARCHIVE.md only a person's lines count: its rows are made from the archives.
    if store.layout.rows not in edits and rows != read_text(store.layout.rows):
        edits |= {edit.path: edit for edit in extend_file(store.layout.rows, rows)}
    count = sum(isinstance(edit, Delete) for edit in edits.values())
    title = f"Brought {count} second cop{'y' if count == 1 else 'ies'} and empty files in order"
    return Plan(title, tuple(edits.values()), tuple(notes))


def needs_person(store: Store, copy: ConflictedCopy) -> bool:
    """Settings are not merged by lines, what git left may hold marks of a merge, and what was forgotten stays so."""
    if copy.is_leftover or copy.of.suffix != ".md" or not copy.is_certain:
        return True
    session = str(split_frontmatter(read_text(copy.path))[0].get("session_id") or "")
    return bool(session) and any(session in one.sessions for one in tombstones.read_tombstones(store.state).all)


def _same_session_archive(
    archives: tuple[ArchiveEntry, ...], entry: ArchiveEntry, copy: ConflictedCopy
) -> ArchiveEntry | None:
    """The archive of the same session: the one of the same name, else any."""
    session = one_line(entry.session_id)
    same = [one for one in archives if one_line(one.session_id) == session]
    named = [one for one in same if one.path == copy.of]
    return next(iter(named or (same if session else [])), None)


def _merge_text(store: Store, path: Path, text: str) -> str:
    """What the file holds together with a second copy of it."""
    own = read_text(path)
    if text.strip() in ("", own.strip()) or own.startswith(text.rstrip("\n")):
        return own
    if not own.strip() or text.startswith(own.rstrip("\n")):
        return text
    if path.name == "EPHEMERAL.md":
        return window_file.merge_windows(text, own, leaving_line_checker(store))
    values, body = split_frontmatter(own)
    if not values:
        return union_lines(own, text)
    # Two heads would be none: the file's own stays, but for an archive that went on elsewhere.
    if _label_count(text) > _label_count(own):
        own, text = text, own
        body = split_frontmatter(own)[1]
    return own.removesuffix(body) + union_lines(body, split_frontmatter(text)[1])


def _label_count(text: str) -> int:
    value = split_frontmatter(text)[0].get("message_count")
    return value if isinstance(value, int) else 0


def _text_edit(path: Path, text: str) -> dict[Path, Edit]:
    own = read_text(path)
    if not path.exists():
        return {path: Create(path, text)}
    return {} if text == own else {path: Replace(path, content_digest(own), text)}


def _truncated_archives(store: Store) -> Iterator[Problem]:
    """The archives that are empty, or much shorter than they were written."""
    if not store.layout.archives:
        return
    replaced = {
        entry.path: other.path.name for entry, other in _replaced_archives(store, ArchiveFolder(store.layout).entries())
    }
    rows: dict[int, IndexRow] = {row.number: row for row in index_file.iter_rows(read_text(store.layout.rows))}
    for entry in ArchiveFolder(store.layout).each():
        size = entry.path.stat().st_size
        row = rows.get(entry.number)
        # Where each stretch of a session has its own log, the numbers may be those of all of it.
        said = 0 if store.layout.design.logs_each_stretch else max(entry.messages, row.messages if row else 0)
        wanted = _recorded_bytes(entry) or _MIN_MESSAGE_BYTES * said
        named = row.session_id if row is not None and not row.trigger and not entry.session_id else ""
        of_row = archive_file.read_entry(entry.path, named) if named else None
        is_headless = bool(named) and (of_row is None or not of_row.session_id)
        if size and not is_headless and size >= _MIN_SIZE_RATIO * wanted:
            continue
        if entry.path in replaced:
            words = f"{store.relative(entry.path)} is empty, and its session is in {replaced[entry.path]}"
            yield Problem("archive", words, entry.path, True)
            continue
        what = "is empty" if not size else "was cut, and holds less than was written"
        session = entry.session_id or (row.session_id if row else "")
        words = f"{store.relative(entry.path)} {what}; {_recovery_hint(store, entry, session)}"
        yield Problem("archive", words, entry.path)


def _replaced_archives(store: Store, archives: tuple[ArchiveEntry, ...]) -> Iterator[tuple[ArchiveEntry, ArchiveEntry]]:
    """Archives that were emptied, each with another one that holds its session."""
    empty = [entry for entry in archives if not entry.session_id and not entry.path.stat().st_size]
    if not empty:
        return
    sessions = {row.number: row.session_id for row in index_file.iter_rows(read_text(store.layout.rows))}
    held = {one_line(entry.session_id): entry for entry in archives if entry.session_id}
    for entry in empty:
        if (session := sessions.get(entry.number, "")) in held:
            yield entry, held[session]


def _recorded_bytes(entry: ArchiveEntry) -> int:
    """The bytes of the turns and tags as they were written; 0 when the archive does not say it."""
    sizes = (mark.partition("-")[0] for mark in entry.written.split(" ")[1:3])
    return sum(int(size) for size in sizes if size.isascii() and size.isdecimal())


def _recovery_hint(store: Store, entry: ArchiveEntry, session: str) -> str:
    """Where the archive's text can be had again, with the command."""
    from recall_tui.index.sources.transcripts import list_all_copies
    from recall_tui.storage.state.backup_ring import BackupRing

    name = store.relative(entry.path)
    ring = BackupRing(store.state)
    for backup in ring.whole():
        held = next((one for one in backup.files if one.path == name), None)
        if held is not None and held.size > entry.path.stat().st_size and ring.is_as_it_was(held):
            words = shlex.join(("recall-tui", "doctor", "--restore", backup.day.isoformat(), name))
            return f"the backup of {backup.day} has more: {words}"
    if session and any(one_line(file.session_id) == session for file in list_all_copies(store)):
        return f"its transcript is there: {shlex.join(('recall-tui', 'archive', '--session', session))}"
    for record, change in Journal(store.state, store.now).changes_of(entry.path):
        if change.old is not None:
            return f"a change replaced it: recall-tui journal show {record.id} --to FILE"
    return "neither a backup nor a transcript has it"
