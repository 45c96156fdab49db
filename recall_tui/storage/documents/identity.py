"""IDENTITY.md: who the memory is of, its name and its role.

A file that is missing, empty or without a title is nobody; nothing is ever made up in its place.
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
"""Characters of a role that a prompt is given."""
_MAX_NAME_CHARS = 80


class Identity(NamedTuple):
    """Whose memory it is."""

    name: str = ""
    """The first title; empty when there is none."""
    role: str = ""
    """What stands below it."""

    @property
    def told(self) -> str:
        """As a prompt is given it."""
        return f"{self.name}\n\n{shorten(self.role, MAX_ROLE_CHARS)}".rstrip() if self.name else UNKNOWN_IDENTITY


def read_identity(store: Store) -> Identity:
    """Who the memory is of, as the file says now."""
    text = read_text(store.layout.identity)
    first = next((one for one in parse_sections(text) if one.level == 1), None)
    if first is None:
        return Identity()
    role = "".join(split_lines(text)[first.start + 1 :]).strip()
    return Identity(shorten(one_line(strip_controls(first.title)), _MAX_NAME_CHARS), role)
