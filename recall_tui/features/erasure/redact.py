"""Takes secrets out of what is stored already: written by hand, by older tools, or before their kind was known.

The secret itself is never part of what is said of it, and nothing keeps what was there before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from recall_tui.domain import Edit, Plan, Replace
from recall_tui.errors import LockedError
from recall_tui.features.erasure.purge import Cleared
from recall_tui.index.ingest.compaction import Watch
from recall_tui.index.maintenance.purge import UNWATCHED
from recall_tui.index.maintenance.redact import indexed_secrets, redact_index
from recall_tui.index.sources.markdown import markdown_sources
from recall_tui.storage.archives import retained as kept
from recall_tui.storage.archives import summary_file
from recall_tui.storage.archives.conflicted_copies import original_in
from recall_tui.storage.config_file import path_of
from recall_tui.storage.documents import window_file
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import held
from recall_tui.storage.inventory import written
from recall_tui.storage.journal.scrub import Scrub
from recall_tui.storage.memory_context import Store
from recall_tui.storage.second_copies import second_copies
from recall_tui.storage.state import backup_ring as backups
from recall_tui.storage.state import leftover_files as leavings
from recall_tui.text.patch import unified
from recall_tui.text.secrets.redact import MARKED, findings
from recall_tui.text.secrets.redact import redact as without_secrets

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.storage.journal.commits import Journal

Where = Literal["memory", "kept", "journal", "backups", "index", "state"]
MASK = "••••••••"
"""What stands for a secret where it is shown that there is one."""
_BARE = re.compile(r"^([A-Za-z_][\w-]*: )(\[redacted:.*)$")
NO_WAY_BACK = "what was a secret is kept nowhere; change it where it is used"


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret is stored, and of what kind it is; never what it is."""

    where: Where
    place: str
    """The file as a person knows it, the change, or the indexed document."""
    line: int
    kind: str


def secrets(store: Store, index: Index, journal: Journal) -> Iterator[Secret]:
    """Every secret in what is stored: the memory's files, retained copies, changes, backups, other state, the index."""
    for path in _files(store):
        yield from _found("memory", store.relative(path), _text(path))
    for path in _copies(store):
        for number, line in enumerate(kept.lines(path), 1):
            yield from (Secret("kept", str(path), number, one.kind) for one in findings(line))
    for number, file, text in journal.contents():
        yield from _found("journal", f"change {number}: {store.relative(file)}" if file else f"change {number}", text)
    stays = _staying(store)
    for day, file, text in backups.contents(store):
        if not stays(file, text):
            yield from _found("backups", f"backup of {day}: {store.relative(file)}", text)
    for path in leavings.texts(store.state):
        yield from _found("state", str(path), _text(path))
    yield from (Secret("index", one.document, one.line, one.kind) for one in indexed_secrets(index))


def redact(store: Store) -> Plan:
    """The change that puts a mark in place of each secret in the memory's files and in retained copies."""
    edits: list[Edit] = []
    found: list[Secret] = []
    for path in _files(store):
        text = _text(path)
        if own := list(_found("memory", store.relative(path), text)):
            found += own
            edits.append(Replace(path, atomic.digest_of(path), _redacted(store, path, text)))
    for path in _copies(store):
        kinds = [(number, one.kind) for number, line in enumerate(kept.lines(path), 1) for one in findings(line)]
        if kinds:
            found += (Secret("kept", str(path), number, kind) for number, kind in kinds)
            edits.append(Replace(path, atomic.digest_of(path), "", kept.redacted(path, store.spool)))
    facts = {"secrets": [as_json(one) for one in found], "files": [store.relative(edit.path) for edit in edits]}
    if not edits:
        return Plan("no secret is in the memory's files", facts=facts)
    title = f"Redacted {_count(len(found), 'secret')} in {_count(len(edits), 'file')}"
    return Plan(title, tuple(edits), facts=facts, no_way_back=NO_WAY_BACK)


def cleanse(store: Store, index: Index, journal: Journal, watch: Watch = UNWATCHED) -> Cleared:
    """Take the secrets out of what the journal, the backups, other state and the index keep."""
    scrubbed = journal.scrub(Scrub(_of_journal, lambda title, _: without_secrets(title)))
    stays = _staying(store)

    def of_backup(path: Path, text: str) -> str:
        return text if stays(path, text) else _redacted(store, path, text)

    try:
        backups.scrub(store, Scrub(of_backup, lambda title, _: title))
    except LockedError as error:
        return Cleared(scrubbed.count, (f"the backups: {error.message}",))
    with held(store.state / "lock", "redact"):
        leavings.rewrite(store.state, without_secrets)
    try:
        redact_index(index, watch)
    except LockedError as error:
        return Cleared(scrubbed.count, (f"the search index: {error.message}",))
    return Cleared(scrubbed.count)


def masked_diff(plan: Plan, root: Path) -> str:
    """The plan as a diff in which no secret is shown."""
    parts = []
    for edit in plan.edits:
        if isinstance(edit, Replace) and edit.body is None:
            name = edit.path.relative_to(root) if edit.path.is_relative_to(root) else edit.path
            before = _masked(_text(edit.path), edit.text)
            parts.append(unified(before, edit.text, name.as_posix().lstrip("/")))
    return "\n".join(parts)


def as_json(secret: Secret) -> dict[str, object]:
    """What is known of a secret, for programs."""
    return {"in": secret.where, "path": secret.place, "line": secret.line, "kind": secret.kind}


def _masked(before: str, after: str) -> str:
    """The text before as it may be shown: made of the one after, with masks on the lines that are new in it."""
    known = set(before.split("\n"))
    lines = after.split("\n")
    return "\n".join(line if line in known else MARKED.sub(MASK, line) for line in lines)


def _files(store: Store) -> Iterator[Path]:
    """The memory's own documents and second copies of them, whoever wrote them.

    The settings hold keys because they are asked for them.
    """
    layout = store.layout
    copies = (copy.path for copy in second_copies(layout) if copy.of != layout.config)
    paths = (*(one.path for one in markdown_sources(layout)), layout.rows, layout.dreams, *written(layout), *copies)
    yield from (path for path in dict.fromkeys(paths) if path.is_file())


def _copies(store: Store) -> list[Path]:
    return kept.every(store.places.kept)


def _text(path: Path) -> str:
    try:
        return atomic.read_text(path)
    except OSError:
        return ""


def _found(where: Where, place: str, text: str) -> Iterator[Secret]:
    for one in findings(text):
        yield Secret(where, place, text.count("\n", 0, one.start) + 1, one.kind)


def _redacted(store: Store, path: Path, text: str) -> str:
    """The file's text without secrets; what tells whether a person edited it says the same as before."""
    after = _with_quotes(without_secrets(text))
    of = original_in(store.layout, path)
    if of == store.layout.window and window_file.read_one(text) is not None:
        return window_file.resealed(after)
    if of.parent == store.layout.summaries and summary_file.is_ours_unedited(text):
        return summary_file.resealed(after)
    return after


def _with_quotes(text: str) -> str:
    """The text with quotes around a value of its head that begins with a mark, for without them it were a list."""
    if not text.startswith("---"):
        return text
    head, rule, body = text[3:].partition("\n---")
    lines = (_BARE.sub(_quoted, line) for line in head.split("\n"))
    return "---" + "\n".join(lines) + rule + body


def _quoted(found: re.Match[str]) -> str:
    return found[1] + json.dumps(found[2], ensure_ascii=False)


def _of_journal(path: Path, text: str) -> str | None:
    """What the journal may keep of a file."""
    if path.suffix != ".zst":
        return without_secrets(text)
    import zstandard

    try:
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(atomic.encode(text)) if text else b""
    except zstandard.ZstdError:
        return None
    return None if findings(plain.decode("utf-8", "surrogateescape")) else text


def _staying(store: Store) -> Callable[[Path, str], bool]:
    """Tell whether a backup keeps a content as it is, because the memory does: settings, and what is no markdown."""
    own = set(_files(store))
    settings = path_of(store.layout)

    def stays(path: Path, text: str) -> bool:
        return text == _text(path) if path == settings else path not in own and path.exists()

    return stays


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
