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
from recall_tui.features.erasure.purge import PurgeResult
from recall_tui.index.ingest.compaction import CopyCallbacks
from recall_tui.index.maintenance.purge import NO_CALLBACKS
from recall_tui.index.maintenance.redact import indexed_secrets, redact_index
from recall_tui.index.sources.markdown import markdown_sources
from recall_tui.storage.archives import retained, summary_file
from recall_tui.storage.archives.conflicted_copies import original_in
from recall_tui.storage.documents import window_file
from recall_tui.storage.files import atomic
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.files.symlinks import find_outside_target
from recall_tui.storage.inventory import is_text, other_files, written_documents
from recall_tui.storage.journal.plan_diff import display_name
from recall_tui.storage.journal.scrub import ScrubRules
from recall_tui.storage.layout import JSON_CONFIG_NAME
from recall_tui.storage.memory_context import Store
from recall_tui.storage.second_copies import second_copies
from recall_tui.storage.state import backup_ring, leftover_files
from recall_tui.text.patch import unified_diff
from recall_tui.text.redaction_marks import MARK_PATTERN
from recall_tui.text.secrets.redact import find_secrets
from recall_tui.text.secrets.redact import redact as without_secrets

if TYPE_CHECKING:
    from recall_tui.index.opener import Index
    from recall_tui.storage.journal.commits import Journal

StorageArea = Literal["memory", "kept", "journal", "backups", "index", "state"]
MASK = "••••••••"
"""What stands for a secret where it is shown that there is one."""
_UNQUOTED_VALUE = re.compile(r"^([A-Za-z_][\w-]*: )(\[redacted:.*)$")
_ASKED_VALUE = re.compile(
    r"""(?P<before>\b\w{0,40}(?:key|token|secret|password)\w{0,40}["']?[ \t]*[=:][ \t]*(?P<quote>["']))"""
    r"""(?P<value>[^"'\n]{1,4096})(?P=quote)""",
    re.IGNORECASE,
)
"""A value that a setting is asked for."""
_VALUE_SIGN = re.compile("\ue000(\\d+)\ue001")
_PRINTABLE = re.compile(r"[^\0-\x08\x0e-\x1f\udc80-\udcff]{12,}")
"""A run of text in what is no text."""
IRREVERSIBLE_NOTE = "the secrets are no longer stored; change them where they are used"


@dataclass(frozen=True, slots=True)
class StoredSecret:
    """Where a secret is stored, and of what kind it is; never what it is."""

    where: StorageArea
    place: str
    """The file as a person knows it, the change, or the indexed document."""
    line: int
    kind: str
    is_text: bool = True
    """What is no text is only named, for a person to delete it."""


def stored_secrets(store: Store, index: Index, journal: Journal) -> Iterator[StoredSecret]:
    """Every secret in what is stored: the memory's files, retained copies, changes, backups, other state, the index."""
    for path in _document_paths(store):
        yield from _text_secrets("memory", store.relative(path), _plain_of(store, path, _read_or_empty(path))[0])
    yield from _binary_secrets(store)
    for path in _transcript_copies(store):
        for number, line in enumerate(retained.read_lines(path), 1):
            yield from (StoredSecret("kept", str(path), number, one.kind) for one in find_secrets(line))
    for number, file, text in journal.contents():
        yield from _text_secrets(
            "journal", f"change {number}: {store.relative(file)}" if file else f"change {number}", text
        )
    stays = _backup_filter(store)
    for day, file, text in backup_ring.all_contents(store):
        if not stays(file, text):
            plain = _plain_of(store, file, text)[0]
            yield from _text_secrets("backups", f"backup of {day}: {store.relative(file)}", plain)
    for path in leftover_files.list_texts(store.state):
        yield from _text_secrets("state", str(path), _read_or_empty(path))
    yield from (StoredSecret("index", one.document, one.line, one.kind) for one in indexed_secrets(index))


def redact(store: Store) -> Plan:
    """The change that puts a mark in place of each secret in the memory's files and in retained copies."""
    edits: list[Edit] = []
    found: list[StoredSecret] = []
    for path in _document_paths(store):
        text = _read_or_empty(path)
        if own := list(_text_secrets("memory", store.relative(path), _plain_of(store, path, text)[0])):
            found += own
            edits.append(Replace(path, atomic.file_digest(path), _redact_file(store, path, text)))
    for path in _transcript_copies(store):
        kinds = [
            (number, one.kind) for number, line in enumerate(retained.read_lines(path), 1) for one in find_secrets(line)
        ]
        if kinds:
            found += (StoredSecret("kept", str(path), number, kind) for number, kind in kinds)
            edits.append(Replace(path, atomic.file_digest(path), "", retained.stage_redacted(path, store.spool)))
    facts = {"secrets": [secret_as_json(one) for one in found], "files": [store.relative(edit.path) for edit in edits]}
    if not edits:
        return Plan("no secret is in the memory's files", facts=facts)
    title = f"Redacted {_count_secrets(len(found), 'secret')} in {_count_secrets(len(edits), 'file')}"
    return Plan(title, tuple(edits), facts=facts, no_way_back=IRREVERSIBLE_NOTE)


def redact_stored(store: Store, index: Index, journal: Journal, watch: CopyCallbacks = NO_CALLBACKS) -> PurgeResult:
    """Take the secrets out of what the journal, the backups, other state and the index keep."""
    scrubbed = journal.scrub(ScrubRules(_redact_journal, lambda title, _: without_secrets(title)))
    stays = _backup_filter(store)

    def of_backup(path: Path, text: str) -> str:
        return text if stays(path, text) else _redact_file(store, path, text)

    try:
        backup_ring.scrub_backups(store, ScrubRules(of_backup, lambda title, _: title))
    except LockedError as error:
        return PurgeResult(scrubbed.count, (f"the backups: {error.message}",))
    with acquire(store.state / "lock", "redact"):
        leftover_files.rewrite_texts(store.state, without_secrets)
    try:
        redact_index(index, watch)
    except LockedError as error:
        return PurgeResult(scrubbed.count, (f"the search index: {error.message}",))
    return PurgeResult(scrubbed.count)


def masked_diff(plan: Plan, root: Path, home: Path) -> str:
    """The plan as a diff in which no secret is shown."""
    parts = []
    for edit in plan.edits:
        if isinstance(edit, Replace) and edit.body is None:
            before = _mask_removed(_read_or_empty(edit.path), edit.text)
            parts.append(unified_diff(before, edit.text, display_name(edit.path, root, home)))
    return "\n".join(parts)


def secret_as_json(secret: StoredSecret) -> dict[str, object]:
    """What is known of a secret, for programs."""
    return {"in": secret.where, "path": secret.place, "line": secret.line, "kind": secret.kind}


def _mask_removed(before: str, after: str) -> str:
    """The text before as it may be shown: made of the one after, with masks on the lines that are new in it."""
    known = set(before.split("\n"))
    lines = after.split("\n")
    return "\n".join(line if line in known else MARK_PATTERN.sub(MASK, line) for line in lines)


def _document_paths(store: Store) -> Iterator[Path]:
    """The memory's own documents, second copies of them, its settings, and all else in it that is text."""
    layout = store.layout
    paths = dict.fromkeys(
        (
            *(one.path for one in markdown_sources(layout)),
            layout.rows,
            layout.dreams,
            *written_documents(layout),
            *(copy.path for copy in second_copies(layout)),
            *(path for path in _settings(store) if not find_outside_target(layout, path)),
        )
    )
    yield from (path for path in paths if path.is_file())
    yield from (path for path in other_files(layout) if path not in paths and is_text(path))


def _binary_secrets(store: Store) -> Iterator[StoredSecret]:
    """The secrets in what is no text, such as an editor's swap file; its lines mean nothing."""
    for path in other_files(store.layout):
        if not is_text(path):
            kinds = dict.fromkeys(
                one.kind for run in _PRINTABLE.findall(_read_or_empty(path)) for one in find_secrets(run)
            )
            yield from (StoredSecret("memory", store.relative(path), 0, kind, is_text=False) for kind in kinds)


def _transcript_copies(store: Store) -> list[Path]:
    return retained.list_all(store.environment.kept)


def _read_or_empty(path: Path) -> str:
    try:
        return atomic.read_text(path)
    except OSError:
        return ""


def _text_secrets(where: StorageArea, place: str, text: str) -> Iterator[StoredSecret]:
    for one in find_secrets(text):
        yield StoredSecret(where, place, text.count("\n", 0, one.start) + 1, one.kind)


def _redact_file(store: Store, path: Path, text: str) -> str:
    """The file's text without secrets; what tells whether a person edited it says the same as before."""
    plain, held = _plain_of(store, path, text)
    if path in _settings(store):
        return _VALUE_SIGN.sub(lambda found: held[int(found[1])], without_secrets(plain))
    after = _quote_values(without_secrets(text))
    of = original_in(store.layout, path)
    if of == store.layout.window and window_file.read_last_session(text) is not None:
        return window_file.refresh_checksum(after)
    if of.parent == store.layout.summaries and summary_file.is_ours_unedited(text):
        return summary_file.refresh_checksum(after)
    return after


def _settings(store: Store) -> tuple[Path, Path]:
    return store.layout.config, store.root / JSON_CONFIG_NAME


def _plain_of(store: Store, path: Path, text: str) -> tuple[str, list[str]]:
    """The text in which secrets are looked for, and what it has a sign for: settings hold keys that they are asked for.

    Of those in a backup, only what the settings in use hold.
    """
    held: list[str] = []
    if path not in _settings(store) or _VALUE_SIGN.search(text):
        return text, held
    there = _read_or_empty(path)
    now = {found["value"] for found in _ASKED_VALUE.finditer(there) if not _is_comment(there, found.start())}

    def set_aside(found: re.Match[str]) -> str:
        if found["value"] not in now or _is_comment(text, found.start()):
            return found[0]
        held.append(found["value"])
        return f"{found['before']}\ue000{len(held) - 1}\ue001{found['quote']}"

    return _ASKED_VALUE.sub(set_aside, text), held


def _is_comment(text: str, at: int) -> bool:
    return "#" in text[text.rfind("\n", 0, at) + 1 : at]


def _quote_values(text: str) -> str:
    """The text with quotes around a value of its head that begins with a mark, for without them it were a list."""
    if not text.startswith("---"):
        return text
    head, rule, body = text[3:].partition("\n---")
    lines = (_UNQUOTED_VALUE.sub(_quote_match, line) for line in head.split("\n"))
    return "---" + "\n".join(lines) + rule + body


def _quote_match(found: re.Match[str]) -> str:
    return found[1] + json.dumps(found[2], ensure_ascii=False)


def _redact_journal(path: Path, text: str) -> str | None:
    """What the journal may keep of a file."""
    if path.suffix != ".zst":
        return without_secrets(text)
    import zstandard

    try:
        plain = zstandard.ZstdDecompressor().decompressobj().decompress(atomic.encode(text)) if text else b""
    except zstandard.ZstdError:
        return None
    return None if find_secrets(plain.decode("utf-8", "surrogateescape")) else text


def _backup_filter(store: Store) -> Callable[[Path, str], bool]:
    """Tell whether a backup keeps a content as it is, because the memory does: what is no text."""
    own = {*_document_paths(store), *_settings(store)}

    def stays(path: Path, text: str) -> bool:
        return path not in own and path.exists()

    return stays


def _count_secrets(number: int, what: str) -> str:
    return f"{number} {what}{'s' * (number != 1)}"
