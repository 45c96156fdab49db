"""The form of a citation of lines in a document: `memory/2026-03-06.md:4-6`, or `:4` for a single line."""

from __future__ import annotations


def source_ref(document: str, first: int, last: int) -> str:
    """Render a reference to lines `first` to `last` of the document, counted from 1."""
    return f"{document}:{first}-{last}" if last > first else f"{document}:{first}"
