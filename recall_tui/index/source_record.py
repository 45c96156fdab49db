"""What the catalogue says of one source.

It is what was found out when the source was last looked at, and nothing that must be read from the text index.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from recall_tui.domain.documents import SIDE_FILE_KINDS

Batches = Mapping[str, tuple[str, int]]
"""By name, the digest of a batch and how many passages are in it."""


class SourceRecord(NamedTuple):
    """A source as it was when it was last looked at; thousands are made at once from rows."""

    key: str
    """What its passages are filed under."""
    path: str
    kind: str
    size: int
    mtime_ns: int
    hash: str
    passages: int = 0
    chars: int = 0
    title: str = ""
    failed: str = ""
    """Why it could not be read; empty when it was."""
    failed_line: int = 0
    indexed_at: str = ""
    batches: str = ""
    """As JSON, by name: the digest of each batch of its passages and how many are in it; see `filing.Batches`."""
    stretches: int = 0
    """Passages that stand for long stretches of it and are never shown."""
    session: str = ""
    """The session that it holds or tells of."""
    project: str = ""
    """The folder its session worked in."""
    is_gone: bool = False
    """A transcript that vanished; its passages are kept."""
    has_body: bool = True
    """False for an archive whose session has a transcript: of it only summary and tags are indexed."""
    faults: int = 0
    """Lines that could not be read; those around them were."""
    fault: str = ""
    """Why the first of them could not be."""
    fault_line: int = 0

    @property
    def side_name(self) -> str:
        """What a plan, todo list or group of typed prompts is called by; empty for everything else."""
        if self.kind not in SIDE_FILE_KINDS:
            return ""
        name = self.path.rpartition("/")[2]
        return name if self.kind == "history" else name.rpartition(".")[0] or name


def is_chunk_name(name: str) -> bool:
    """Whether a batch of this name is a stretch that is never shown."""
    return name.startswith("w")


def count_visible(batches: Batches) -> int:
    """How many passages of the batches can be shown."""
    return sum(count for name, (_, count) in batches.items() if not is_chunk_name(name))


def count_chunks(batches: Batches) -> int:
    """How many of the batches are whole stretches."""
    return sum(map(is_chunk_name, batches))


def batches_in_order(batches: Batches) -> list[str]:
    """The names of the batches that are shown, the session's own before those of its sub-agents."""
    names = [name for name in batches if not is_chunk_name(name)]
    return sorted(names, key=lambda name: (name.startswith("s"), int(name.lstrip("s"))))
