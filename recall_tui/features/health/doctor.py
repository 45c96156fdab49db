"""Doctor: what does not fit together in a memory, and the plan that fixes it.

Archives are the truth here: rows and window follow from them. What `consume --clear` emptied is not refilled.
"""

from __future__ import annotations

import os
import stat
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from recall_tui import files, git_repository
from recall_tui.domain import Append, ArchiveEntry, Create, Edit, Plan, Problem, Replace, WindowEntry
from recall_tui.features.capture import window_lines
from recall_tui.features.health import copy_problems
from recall_tui.features.health.report import conflict_problems, describe_unused
from recall_tui.features.setup.init import initial_files
from recall_tui.features.transfer import other_projects
from recall_tui.index.sources.transcripts import source_problems
from recall_tui.storage import git_exclusion, tracked_files, trust
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.body import parse_body
from recall_tui.storage.archives.file import read_summary
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import window_file
from recall_tui.storage.files import symlinks
from recall_tui.storage.files.atomic import content_digest, decode, find_leftovers, read_bytes, read_text
from recall_tui.storage.files.compare_and_swap import list_displaced
from recall_tui.storage.files.saved_copies import describe, find_saved
from recall_tui.storage.files.trusted_clock import is_ahead
from recall_tui.storage.journal.commits import RECENT_CHANGES, Journal, was_interrupted
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_work_tree
from recall_tui.storage.state import tombstones
from recall_tui.text.classify.summary import summarize
from recall_tui.text.cut import one_line
from recall_tui.text.secrets.redact import redact

_WINDOW_SOURCES = ("session", "jsonl")
"""Sources of archives that stand for a session that ended."""


Check = Callable[[], Iterable[Problem]]
"""Finds what does not fit in something that is none of the memory's own files, such as its index."""


def run_checks(store: Store, *others: Check) -> tuple[Problem, ...]:
    """Everything that does not fit, worst first, then what the other checks find; of a foreign memory only that."""
    if others_own := trust.of_others(store):
        words = f"{trust.whose(store, others_own)}; if it is meant for you: {trust.confirming(store)}"
        return (Problem("owner", one_line(words), others_own[0].path),)
    problems: list[Problem] = []
    if was_interrupted(_open_journal(store)):
        problems.append(Problem("journal", "a change was interrupted and waits to be finished", is_fixable=True))
    problems += [
        Problem("forgotten", f"{one.name} is {one.reason}, and some of it is left", is_fixable=True)
        for one in tombstones.read_tombstones(store.state).open
    ]
    problems += [
        Problem("missing", f"{store.relative(path)} is missing", path, is_fixable=True)
        for path in initial_files(store.layout)
        if not path.exists() and path not in _private_files(store)
    ]
    entries = tuple(map(_slim_entry, ArchiveFolder(store.layout).each()))
    listed = _listed_entries(store, entries)
    problems += _run_check(store, lambda: _check_rows(store, listed))
    problems += _run_check(store, lambda: _check_window(store, listed))
    problems += _run_check(store, lambda: _check_numbers(store, entries))
    problems += _run_check(store, lambda: _check_files(store))
    problems += _run_check(store, lambda: copy_problems.find_problems(store))
    problems += _run_check(store, lambda: conflict_problems(store))
    problems += _run_check(store, lambda: _tombstone_problems(store))
    problems += _run_check(store, lambda: _continued_sessions(store))
    problems += [
        Problem("links", f"{store.relative(path)} points outside the memory, to {target}; it is not followed", path)
        for path, target in symlinks.outside_links(store.layout)
    ]
    problems += [
        Problem("owner", one_line(describe_unused(store, [one])), one.path)
        for one in trust.single_files_of_others(store)
    ]
    problems += _run_check(store, lambda: other_projects.find_problems(store))
    if published := tracked_files.tracked_private(store):
        count = f"{len(published)} file{'s' * (len(published) != 1)} that came from sessions"
        is_open = bool(tracked_files.published(store))
        words = f"git tracks {count}, such as {published[0]}"
        words += f", so that no session is archived; if that is meant: {trust.confirming(store)}" if is_open else ""
        words += f"; to stop it: {tracked_files.untrack_command(store)}"
        problems.append(Problem("tracked", one_line(words), store.layout.base, is_note=not is_open))
    if (kept := git_exclusion.find_exclusion(store)) and kept.letting_in:
        problems.append(Problem("let in", one_line(git_exclusion.blocking_reason(kept)), store.layout.base))
    if trust.is_of_own_folder_only(store):
        words = "it was not created on this machine, so it archives only sessions of its own folder, and prompts are "
        words += f"answered from those; to include every project: {trust.confirming(store)}"
        problems.append(Problem("origin", words, store.root, is_note=True))
    problems += [Problem("settings", warning, store.layout.config) for warning in store.config.warnings]
    problems += [Problem("settings", told, store.layout.config) for told in source_problems(store, is_deep=True)]
    for other in others:
        problems += _run_check(store, other)
    return tuple(problems)


def _tombstone_problems(store: Store) -> Iterable[Problem]:
    from recall_tui.features.erasure import tombstones_elsewhere

    return tombstones_elsewhere.problems(store, _open_journal(store))


def _continued_sessions(store: Store) -> Iterable[Problem]:
    from recall_tui.features.summaries.continued_sessions import continued_note

    if note := continued_note(store):
        yield Problem("summaries", note, store.layout.summaries, is_note=True)


def _run_check(store: Store, look: Check) -> list[Problem]:
    """The problems that the look finds, or the file that it cannot read; links that lead out are told by themselves."""
    try:
        return list(look())
    except files.OutsideRootError:
        return []
    except OSError as error:
        path = Path(str(error.filename)) if error.filename else store.root
        return [Problem("files", f"{store.relative(path)} cannot be read: {error.strerror or error}", path)]


def _slim_entry(entry: ArchiveEntry) -> ArchiveEntry:
    """What the checks look at; of tens of thousands of archives no more is held."""
    return ArchiveEntry(
        entry.number,
        entry.path,
        entry.session_id,
        entry.date,
        entry.messages,
        duration=entry.duration,
        source=entry.source,
    )


def plan_fixes(store: Store) -> Plan:
    """The edits that mend what can be mended without a person's judgement.

    While there are second copies of files, it is those that are brought together; the rest follows from what they hold.
    """
    if (together := copy_problems.plan_merge(store)).edits:
        return together
    missing: list[Edit] = [
        Create(path, text) for path, text in initial_files(store.layout).items() if not path.exists()
    ]
    entries = _listed_entries(store, ArchiveFolder(store.layout).entries())
    edits = [edit for edit in missing if edit.path not in (store.layout.rows, store.layout.window)]
    for path, text_of in ((store.layout.rows, _repair_rows), (store.layout.window, _repair_window)):
        if path in _private_files(store) and not path.exists() and not entries:
            continue
        # What cannot be read is told by the check, and is nothing that is mended here.
        with suppress(OSError):
            edits += _text_edit(path, text_of(store, entries))
    return Plan(f"Repaired {len(edits)} file{'s' * (len(edits) != 1)}", tuple(edits))


def _listed_entries(store: Store, entries: tuple[ArchiveEntry, ...]) -> tuple[ArchiveEntry, ...]:
    """The archives that ARCHIVE.md and the window list: in a memory that a team commits, those made on this machine.

    Each machine numbers its own pages in lists that stay out of commits. A page that git tracks and that has no row
    came from somebody else.
    """
    summaries = store.layout.summaries
    if not store.layout.design.publishes_summaries or summaries is None:
        return entries
    around = find_work_tree(store.root, store.environment)
    if around is None:
        return entries
    place = tracked_files.locate(Path(os.path.realpath(store.root)), store.layout, summaries)
    committed = {Path(name).name for name in git_repository.tracked_files(around.top, place, around.git)}
    with_row = {row.session_id for row in index_file.parse_rows(read_text(store.layout.rows))}
    return tuple(one for one in entries if one.path.name not in committed or one_line(one.session_id) in with_row)


def _text_edit(path: Path, text: str) -> list[Edit]:
    data = read_bytes(path)
    if data is None:
        return [Create(path, text)]
    old = data.decode("utf-8", "surrogateescape")
    if old == text:
        return []
    return [Append(path, text[len(old) :])] if text.startswith(old) else [Replace(path, content_digest(data), text)]


def _repair_rows(store: Store, entries: tuple[ArchiveEntry, ...]) -> str:
    """ARCHIVE.md with a row for each archive, and none without; a file that is right already stays as it is."""
    text = read_text(store.layout.rows)
    if not store.layout.has_archive_files:
        return text or index_file.render_header()
    have = Counter(row.number for row in index_file.parse_rows(text))
    if have == Counter(entry.number for entry in entries if entry.number) and text:
        return text
    return index_file.rebuild_text(text, entries)


def _repair_window(store: Store, entries: tuple[ArchiveEntry, ...]) -> str:
    """The window with the sessions that ended after its newest one; made anew when the file is gone."""
    text = read_text(store.layout.window)
    is_gone = not store.layout.window.exists()
    window = window_file.parse_window(text)
    if not is_gone and not window.entries:
        return text
    if store.layout.design.window_is_one_summary and not window.is_entries:
        return text
    limit = store.config.whole("ephemeral.max_entries")
    known = {entry.session_id for entry in window.entries}
    now, leaving = store.now(), window_lines.leaving_line_checker(store)
    newest = max((entry.ended_at for entry in window.entries if not is_ahead(entry.ended_at, now)), default=None)
    missing = [
        _window_entry(entry)
        for entry in _sessions_by_end(entries, now)[-limit:]
        if entry.date is not None and entry.session_id not in known and (newest is None or entry.date > newest)
    ]
    return window_file.add_all(text, missing, limit, now, leaving)


def _sessions_by_end(entries: tuple[ArchiveEntry, ...], now: datetime) -> list[ArchiveEntry]:
    """The sessions in the order of their ends; one that ends in the future has the time of the one before it."""
    ended: list[tuple[datetime, int, ArchiveEntry]] = []
    last = datetime.min.replace(tzinfo=UTC)
    for entry in sorted(entries, key=lambda entry: entry.number):
        if entry.date is not None and entry.source in _WINDOW_SOURCES:
            last = last if is_ahead(entry.date, now) else entry.date
            ended.append((last, entry.number, entry))
    return [entry for _, _, entry in sorted(ended, key=lambda one: one[:2])]


def _window_entry(entry: ArchiveEntry) -> WindowEntry:
    assert entry.date is not None
    text = read_text(entry.path)
    summary = read_summary(text) or _turns_summary(text)
    return WindowEntry(entry.session_id, entry.date, entry.duration, entry.messages, entry.path.name, summary)


def _turns_summary(text: str) -> str:
    """The session in one line of its turns, for an archive of a generation that has no summary in its head."""
    said = list(parse_body(text))
    request = next((one.text for one in said if one.kind == "prompt"), "")
    reply = next((one.text for one in reversed(said) if one.kind == "reply"), "")
    return one_line(redact(summarize(request, reply)))


def _check_rows(store: Store, entries: tuple[ArchiveEntry, ...]) -> list[Problem]:
    text = decode(read_bytes(store.layout.rows, index_file.MAX_ROWS_BYTES) or b"")
    if not store.layout.has_archive_files or (
        store.layout.rows in _private_files(store) and not store.layout.rows.exists()
    ):
        return []
    have = Counter(row.number for row in index_file.iter_rows(text))
    want = Counter(entry.number for entry in entries if entry.number)
    found = (
        (sorted((want - have).keys()), "has no row for"),
        (sorted((have - want).keys() - want.keys()), "has rows without an archive (a fix keeps and marks them):"),
        (sorted((have - want).keys() & want.keys()), "has more rows than archives for"),
    )
    problems = [
        Problem("rows", f"ARCHIVE.md {words} {_label_numbers(numbers)}", store.layout.rows, is_fixable=True)
        for numbers, words in found
        if numbers
    ]
    if kept := index_file.missing_numbers(text):
        words = f"ARCHIVE.md keeps rows whose archive is missing: {_label_numbers(sorted(map(int, kept)))}"
        hint = "to take them out: recall-tui doctor --fix --drop-rows"
        problems.append(Problem("rows", f"{words}; {hint}", store.layout.rows, is_note=True))
    return problems


def drop_rows(store: Store) -> Plan:
    """Take the rows out of ARCHIVE.md whose archive is missing, which a fix only marks."""
    text = read_text(store.layout.rows)
    kept = index_file.missing_numbers(text)
    if not kept:
        return Plan("ARCHIVE.md keeps no row whose archive is missing")
    count = f"{len(kept)} row{'s' * (len(kept) != 1)}"
    edit = Replace(store.layout.rows, content_digest(text), index_file.drop_missing_rows(text))
    return Plan(f"Took {count} without an archive out of ARCHIVE.md", (edit,))


def _check_window(store: Store, entries: tuple[ArchiveEntry, ...]) -> list[Problem]:
    problems: list[Problem] = []
    text = read_text(store.layout.window)
    if store.layout.window.exists() and _repair_window(store, entries) != text:
        message = "EPHEMERAL.md lacks sessions that ended since, or holds too many"
        problems.append(Problem("window", message, store.layout.window, is_fixable=True))
    names = {entry.path.name for entry in entries}
    if store.layout.archives:
        problems += [
            Problem("window", f"EPHEMERAL.md names {name}, which is not there", store.layout.window)
            for entry in window_file.parse_window(text).entries
            for name in entry.archives
            if name not in names
        ]
    return problems


def _private_files(store: Store) -> tuple[Path, ...]:
    """The files that stay out of commits: a fresh clone has none of them, and makes them when it needs them."""
    return (store.layout.window, store.layout.rows) if store.layout.design.publishes_summaries else ()


def _check_numbers(store: Store, entries: tuple[ArchiveEntry, ...]) -> list[Problem]:
    problems: list[Problem] = []
    # Summaries are called by their sessions; each of a team numbers those that it wrote.
    numbers = Counter(entry.number for entry in entries if not store.layout.design.summaries_are_archives)
    if twice := sorted(number for number, times in numbers.items() if times > 1):
        problems.append(Problem("numbers", f"more than one archive has the number {_label_numbers(twice)}"))
    if not store.layout.design.logs_each_stretch:
        sessions = Counter(entry.session_id for entry in entries if entry.session_id)
        if again := sorted(session for session, times in sessions.items() if times > 1):
            problems.append(Problem("sessions", f"more than one archive holds the session {', '.join(again[:3])}"))
    for place in store.layout.archives:
        known = {entry.path for entry in entries}
        for path in sorted(place.folder.glob(f"{place.prefix}-*.md")):
            if path not in known and path.stem.removeprefix(f"{place.prefix}-").isdigit():
                problems.append(Problem("archive", f"{store.relative(path)} cannot be read as an archive", path))
    return problems


def _check_files(store: Store) -> list[Problem]:
    problems: list[Problem] = []
    layout = store.layout
    # What is committed is as readable as the rest of the project.
    own = (layout.memory_file,) if not layout.design.publishes_summaries else ()
    for path in (*own, layout.window, layout.rows):
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            message = f"{store.relative(path)} can be read by others; if that is not meant: chmod 600 {path}"
            problems.append(Problem("mode", message, path))
    folders = {layout.days, layout.weekly, layout.monthly, *(place.folder for place in layout.archives)}
    problems += [
        Problem("files", f"{store.relative(path)} has the place of a document, and is none: move it away", path)
        for folder in sorted(folders)
        for path in _check_obstacles(folder)
    ]
    problems += [
        Problem("leftover", f"{store.relative(path)} was left by a killed process", path, is_fixable=True)
        for path in find_temporary_files(store)
    ]
    problems += [
        Problem("saved", describe(store.relative(path)), path) for path in find_saved(layout, _recent_folders(store))
    ]
    return problems


def _check_obstacles(folder: Path) -> list[Path]:
    """What has the place of the folder, or of a document in it, and is none; links are told by themselves."""
    try:
        with os.scandir(folder) as entries:
            documents = (entry for entry in entries if entry.name.endswith(".md") and not entry.is_symlink())
            names = [entry.name for entry in documents if not entry.is_file()]
    except FileNotFoundError:
        return []
    except NotADirectoryError:
        return [folder]
    return [folder / name for name in sorted(names)]


def find_temporary_files(store: Store) -> tuple[Path, ...]:
    """Temporary files of killed processes, in the memory's folders and wherever something was changed lately."""
    layout = store.layout
    folders = {layout.base, layout.root, *layout.folders(), *(place.folder for place in layout.archives)}
    own = (path for folder in folders for path in (*find_leftovers(folder), *list_displaced(folder)))
    return tuple(sorted({*own, *_open_journal(store).leftovers()}))


def remove_leftovers(store: Store) -> int:
    """Remove the temporary files of killed processes, under the memory's lock; how many that were."""
    folders = {path.parent for path in find_temporary_files(store)}
    return _open_journal(store).sweep(folders) if folders else 0


def _open_journal(store: Store) -> Journal:
    return Journal(store.state, store.now, base=store.layout.base)


def _recent_folders(store: Store) -> set[Path]:
    """The folders of files that were changed lately, also those of agents."""
    return {path.parent for entry in _open_journal(store).entries(RECENT_CHANGES) for path in entry.paths}


def _label_numbers(numbers: list[int]) -> str:
    shown = ", ".join(f"{number:03d}" for number in numbers[:5])
    return shown if len(numbers) <= 5 else f"{shown} and {len(numbers) - 5} more"
