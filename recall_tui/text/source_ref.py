"""How a place in a document is written wherever one is cited: `memory/2026-03-06.md:4-6`, or `:4` for one line."""

from __future__ import annotations


def source_ref(document: str, first: int, last: int) -> str:
    """The document with its first and last line, from 1."""
    return f"{document}:{first}-{last}" if last > first else f"{document}:{first}"
