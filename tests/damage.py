"""Harm that is done to an index behind the catalogue's back, through the text index itself."""

from __future__ import annotations

from recall_tui.index.opener import Index
from recall_tui.index.text import partitions
from recall_tui.index.text.passage import SPEECH


def lose(index: Index, field: str, value: str, shelf: str = SPEECH) -> None:
    """Take the passages with this term out of a shelf."""
    writer = partitions.open_partition(partitions.partition_paths(index.passages_path)[shelf]).writer(15_000_000, 1)
    writer.delete_documents_by_term(field, value)
    writer.commit()
    writer.wait_merging_threads()
