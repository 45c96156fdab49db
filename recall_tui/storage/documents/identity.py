"""IDENTITY.md: the name and role of the memory's owner.

A file that is missing, empty or without a title yields an unknown identity; nothing is invented in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import parse_sections, split_lines
from recall_tui.text.cut import one_line, shorten, strip_controls

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

UNKNOWN_IDENTITY = "(nothing is known of whose memory it is)"
MAX_ROLE_CHARS = 2_000
"""The most characters of a role in a prompt."""
_MAX_NAME_CHARS = 80


class Identity(NamedTuple):
    """The name and role of the memory's owner."""

    name: str = ""
    """The first title; empty when there is none."""
    role: str = ""
    """The text below it."""

    @property
    def told(self) -> str:
        """The identity as text for a prompt."""
        return f"{self.name}\n\n{shorten(self.role, MAX_ROLE_CHARS)}".rstrip() if self.name else UNKNOWN_IDENTITY


def read_identity(store: Store) -> Identity:
    """Read the identity from the file."""
    text = read_text(store.layout.identity)
    first = next((one for one in parse_sections(text) if one.level == 1), None)
    if first is None:
        return Identity()
    role = "".join(split_lines(text)[first.start + 1 :]).strip()
    return Identity(shorten(one_line(strip_controls(first.title)), _MAX_NAME_CHARS), role)
