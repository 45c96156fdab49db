"""Sessions of other projects that a project's memory holds: found, copied to another memory, and then taken out.

Two changes, one in each memory, and each can be taken back. Nothing goes that the other memory does not hold to the
last line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from recall_tui.domain import ArchiveEntry, Delete, Edit, Plan, Problem, Replace
from recall_tui.features.capture.project_extent import home_relative
from recall_tui.features.capture.window_lines import leaving_line_checker
from recall_tui.features.erasure.forget import other_archive_names, remove_rows
from recall_tui.features.transfer.archives import ImportedArchives
from recall_tui.features.transfer.merge import ImportMerge
from recall_tui.index.project_scope import belongs_to_project, includes_all_projects
from recall_tui.storage.archives import index_file, summary_file
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import day_logs, period_files, window_file
from recall_tui.storage.files.atomic import content_digest, file_digest, read_text
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.storage.project_root import find_memory_project
from recall_tui.text.cut import one_line
from recall_tui.text.dates import parse_time
from recall_tui.transcripts.project import project_of

COMMAND = "recall-tui migrate --other-projects"
_MAX_LISTED_PROJECTS = 3


@dataclass(frozen=True, slots=True)
class Removal:
    """What can be taken out of a memory, because another one holds it."""

    held: tuple[ArchiveEntry, ...]
    left: tuple[ArchiveEntry, ...]
    """Those that the other memory does not hold whole."""


def find_foreign_archives(store: Store) -> tuple[ArchiveEntry, ...]:
    """The archives, or summaries, of sessions that were held in other projects than the memory's own."""
    if includes_all_projects(store):
        return ()
    entries = [entry for entry in ArchiveFolder(store.layout).each() if entry.cwd and entry.session_id]
    others = {cwd for cwd in {entry.cwd for entry in entries} if not belongs_to_project(store, cwd)}
    return tuple(sorted((entry for entry in entries if entry.cwd in others), key=lambda entry: entry.number))


def find_problems(store: Store) -> Iterator[Problem]:
    """The one line of doctor about them; where the memory lies in no project they are no more than a note."""
    entries = find_foreign_archives(store)
    if not entries:
        return
    counts = Counter(home_relative(store, project_of(entry.cwd).root) for entry in entries)
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:_MAX_LISTED_PROJECTS]
    named = [f"{count} of {folder}" for folder, count in most]
    more = f" and {len(counts) - _MAX_LISTED_PROJECTS} more" if len(counts) > _MAX_LISTED_PROJECTS else ""
    count = f"{len(entries)} session{'s' * (len(entries) != 1)} of other projects"
    words = f"{count}: {', '.join(named)}{more}; move them to your own memory with: {COMMAND}"
    yield Problem("projects", one_line(words), store.layout.base, is_note=find_memory_project(store) is None)


def plan_copy(target: Store, source: Store) -> Plan:
    """The change of the other memory that brings in what it lacks of them."""
    merge, held = ImportMerge(target), _ArchiveContents(target)
    arrivals = ImportedArchives(target, merge, ())
    entries = find_foreign_archives(source)
    for entry in entries:
        text = read_text(entry.path)
        if held.holds(entry, text):
            continue
        if entry.path.parent == source.layout.summaries:
            words = summary_file.parse_digest(text).summary
            arrivals.made_archive(replace(entry, number=0, source="import"), words, summary_file.strip_note(text))
        elif target.layout.archives:
            arrivals.put_archive(arrivals.path_of(entry.number), text, 0)
    before, theirs = read_text(target.layout.rows), read_text(source.layout.rows)
    rows = before if (made := arrivals.rows(None)) is None else made
    for entry in entries:
        rows = _with_edits(rows, index_file.find_line(theirs, entry), entry)
    if rows != before:
        merge.put(target.layout.rows, rows, is_ours=True)
    count = sum(path != target.relative(target.layout.rows) for path in merge.added)
    return Plan(f"Took in {count} session{'s' * (count != 1)} from {source.root}", tuple(merge.edits))


def _with_edits(text: str, line: str, entry: ArchiveEntry) -> str:
    """ARCHIVE.md with the topics and cells that a person gave the archive's row in the other memory."""
    own = index_file.extra_cells(line)
    mine = next(index_file.iter_rows(line), None)
    rows = (row for row in index_file.parse_rows(text) if row.session_id == one_line(entry.session_id))
    there = next(rows, None)
    if mine is None or there is None or (mine.topics == entry.topics and not own):
        return text
    topics = mine.topics if there.topics == entry.topics else tuple(dict.fromkeys((*there.topics, *mine.topics)))
    new = replace(
        entry,
        number=there.number,
        date=parse_time(there.date),
        messages=there.messages,
        duration=there.duration,
        topics=topics,
    )
    text = index_file.add_row(text, new)
    row = index_file.find_line(text, new)
    more = "".join(f" {cell} |" for cell in own if cell not in index_file.extra_cells(row))
    return text.replace(row, row + more)


def split_removable(source: Store, target: Store) -> Removal:
    """Which of them the other memory holds to the last line."""
    there = _ArchiveContents(target)
    entries = [(entry, there.holds(entry, read_text(entry.path))) for entry in find_foreign_archives(source)]
    return Removal(
        tuple(entry for entry, is_held in entries if is_held), tuple(entry for entry, is_held in entries if not is_held)
    )


def plan_removal(source: Store, target: Store) -> Plan:
    """The change that takes out what the other memory holds: archives, rows, and what the window and logs say of it."""
    out = split_removable(source, target)
    stay = {entry.session_id for entry in out.left}
    sessions = [entry.session_id for entry in out.held if entry.session_id not in stay]
    gone = [entry for entry in out.held if entry.session_id in sessions]
    edits: list[Edit] = [Delete(entry.path, was) for entry in gone if (was := file_digest(entry.path))]
    edits += _removal_edits(source, sessions)
    notes = [f"{source.relative(entry.path)} stays: {target.root} does not hold all of it" for entry in out.left]
    if gone:
        notes.append("pages that were drawn from them, such as weeks and the wiki, stay; see: recall-tui search")
    count = f"{len(gone)} session{'s' * (len(gone) != 1)} of other projects"
    return Plan(
        f"Moved {count} to {target.root}", tuple(edits), tuple(notes), {"moved": len(gone), "left": len(out.left)}
    )


def _removal_edits(store: Store, sessions: list[str]) -> Iterator[Edit]:
    layout = store.layout
    if not sessions:
        return
    others = other_archive_names(store, sessions)
    texts = {
        layout.rows: remove_rows(read_text(layout.rows), sessions, lambda _: False),
        layout.window: window_file.forget_session(read_text(layout.window), sessions, leaving_line_checker(store)),
    }
    for path in chain.from_iterable(period_files.list_day_logs(layout).values()):
        text = read_text(path)
        # Lessons are in no archive: a log with some of theirs stays as it is.
        if not any(block.session_id in sessions for block in day_logs.parse_log(text).blocks):
            texts[path] = day_logs.without_sessions(text, sessions, others)
    for path, less in texts.items():
        if path.is_file() and less != (text := read_text(path)):
            yield Replace(path, content_digest(text), less)


class _ArchiveContents:
    """What a memory's archives hold, by session."""

    def __init__(self, store: Store) -> None:
        self._paths: dict[str, list[Path]] = {}
        for entry in ArchiveFolder(store.layout).each():
            self._paths.setdefault(entry.session_id, []).append(entry.path)

    def holds(self, entry: ArchiveEntry, text: str) -> bool:
        """Whether those of the session hold every line of this one."""
        paths = self._paths.get(entry.session_id, [])
        return bool(paths) and _body_lines(text) <= {line for path in paths for line in _body_lines(read_text(path))}


def _body_lines(text: str) -> set[str]:
    """The lines below the head, without the title, which has the number."""
    _, body = frontmatter.split_frontmatter(text)
    return {line.strip() for line in body.split("\n") if line.strip() and not line.startswith("# ")}
