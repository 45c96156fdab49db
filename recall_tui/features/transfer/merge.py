"""What an import would change, file by file: new ones come in, the same are passed over, others are conflicts.

Nothing that is there is written over unless that was asked for, or nobody has touched it since `init` made it; what
was forgotten stays out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from recall_tui.domain import Create, Edit, Replace
from recall_tui.errors import ConflictError
from recall_tui.features.setup.init import initial_files
from recall_tui.storage.config_file import has_only_layout
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import content_digest, read_bytes
from recall_tui.storage.files.symlinks import DOCS_FOLDER
from recall_tui.storage.inventory import ExcludedFile, exclusion_reason, points_outside
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import tombstones
from recall_tui.storage.state.tombstones import Tombstone, Tombstones
from recall_tui.text.secrets.redact import redact_counted


@dataclass(slots=True)
class ImportMerge:
    """The edits so far, and what became of every file."""

    store: Store
    takes_theirs: bool = False
    edits: list[Edit] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    conflicts: list[str] = field(default_factory=list)
    renumbered: dict[str, str] = field(default_factory=dict)
    left_out: list[ExcludedFile] = field(default_factory=list)
    same: int = 0
    masked: int = 0
    """Secrets that were taken out on the way in."""
    _paths: set[Path] = field(default_factory=set)
    forgotten: Tombstones = field(init=False)
    """What stays out."""

    def __post_init__(self) -> None:
        self.forgotten = tombstones.read_all(self.store)

    def window_without(self, text: str) -> str:
        """The window's text without the sessions that stay out."""
        out = self.forgotten.sessions
        return window_file.forget_session(text, [id for id in window_file.sessions_in(text) if id in out])

    def stays_out(self, path: Path, session_id: str) -> bool:
        """Whether a session was forgotten; what says so is kept."""
        stone = self.forgotten.of_session(session_id) if session_id else None
        if stone is not None:
            self.left_out.append(ExcludedFile(self.store.relative(path), f"{stone.reason}; {self._way_back(stone)}"))
        return stone is not None

    def _way_back(self, stone: Tombstone) -> str:
        return f"to let it in: {stone.way_back(self.store.root)}"

    def put(self, path: Path, text: str, masked: int = 0, *, is_ours: bool = False) -> bool:
        """Bring in a file; whether the memory gets it. `masked` says how many secrets its export took out of it.

        With `is_ours` the text was made from what is there, and takes its place.
        """
        name = self.store.relative(path)
        if reason := exclusion_reason(path):
            if self.is_same(path, text, masked):
                self.same += 1
            elif not has_only_layout(text, path):
                self.left_out.append(ExcludedFile(name, reason))
            return False
        text = self.cleaned(text)
        if points_outside(self.store.layout, path):
            raise ConflictError(f"{path}: links there point outside the memory", hint="nothing was imported")
        if path.is_dir():
            raise ConflictError(f"{path} is a folder here", hint="move it away first")
        if path in self._paths:
            self.conflicts.append(name)
            return False
        mark = content_digest(text)
        if stone := self.forgotten.of_document(mark):
            self.left_out.append(ExcludedFile(name, f"{stone.reason}; {self._way_back(stone)}"))
            return False
        data = read_bytes(path)
        if data is None:
            # A document of the project is the project's, and not the memory's alone.
            is_private = not path.is_relative_to(self.store.root / DOCS_FOLDER)
            self._edit(Create(path, text, is_private=is_private, owns_folders=True))
            self.added.append(name)
            return True
        if self.is_same(path, text, masked):
            self.same += 1
            return False
        if not (is_ours or self.takes_theirs or self._is_untouched(path, data)):
            self.conflicts.append(name)
            return False
        self._edit(Replace(path, content_digest(data), text))
        self.replaced.append(name)
        return True

    def _edit(self, edit: Edit) -> None:
        self.edits.append(edit)
        self._paths.add(edit.path)

    def cleaned(self, text: str) -> str:
        """The text without secrets; how many there were is kept."""
        text, count = redact_counted(text)
        self.masked += count
        return text

    def is_same(self, path: Path, text: str, masked: int) -> bool:
        """Whether the file holds the text already; or held it, before its secrets were masked."""
        data = read_bytes(path)
        if data is None:
            return False
        current = data.decode("utf-8", "surrogateescape")
        return current == text or (masked > 0 and redact_counted(current)[0] == text)

    def _is_untouched(self, path: Path, data: bytes) -> bool:
        """Nobody has written into it since it was made."""
        first = initial_files(self.store.layout)
        return path in first and data == first[path].encode()
