"""How much of a memory, and of the transcripts, the index covers.

Both files count for themselves; that they agree is never taken for granted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a memory, and of the transcripts, can be found."""

    sources: int = 0
    indexed: int = 0
    failed: int = 0
    passages: int = 0
    """Passages as the catalogue counts them."""
    stored: int = 0
    """Passages as the text index counts them."""
    gone: int = 0
    """Transcripts that vanished, whose passages are kept."""
    faulty: int = 0
    """Transcripts that were read but for some lines."""
    stretches: int = 0
    """Passages that stand for long stretches, as the catalogue counts them."""
    stored_stretches: int = 0
    """The same as the text index counts them."""
    bytes: int = 0
    """What the whole index takes on the disk, that of other memories counted."""
    refreshed_at: str = ""
    """When the memory was last brought up to date."""
    is_busy: bool = False
    """Another process is writing, so that the two counts need not agree."""
    damage: str = ""
    """Why the index cannot be read; empty when it can."""

    @property
    def agrees(self) -> bool:
        """Catalogue and text index count the same."""
        return (self.passages, self.stretches) == (self.stored, self.stored_stretches)

    @property
    def is_interrupted(self) -> bool:
        """A build ended after it wrote to the text index and before it wrote to the catalogue; nothing is lost."""
        ahead = self.stored >= self.passages and self.stored_stretches >= self.stretches
        return ahead and not (self.damage or self.agrees or self.is_busy)

    @property
    def trouble(self) -> str:
        """What is wrong with the index itself, for a person; empty when nothing is."""
        if self.damage or self.agrees or self.is_busy:
            return self.damage
        if self.is_interrupted:
            return "the last build of the index was interrupted; the next search or sync finishes it"
        what, meant, held = "passages", self.passages, self.stored
        if meant == held:
            what, meant, held = "whole stretches", self.stretches, self.stored_stretches
        return f"the search index should hold {meant} {what} and holds {held}"

    @property
    def is_whole(self) -> bool:
        """Every source was read, and both counts agree."""
        return self.failed == 0 and self.agrees and not self.damage

    def while_busy(self) -> Coverage:
        """The same, counted while another process was writing."""
        return replace(self, is_busy=True)
