"""IDENTITY.md: who the memory is of, its name and its role.

A file that is missing, empty or without a title is nobody; nothing is ever made up in its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.outline import lines_of, sections
from recall_tui.text.cut import cut, one_line, plain

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

NOBODY = "(nothing is known of whose memory it is)"
LONGEST_ROLE = 2_000
"""Characters of a role that a prompt is given."""
_LONGEST_NAME = 80


class Identity(NamedTuple):
    """Whose memory it is."""

    name: str = ""
    """The first title; empty when there is none."""
    role: str = ""
    """What stands below it."""

    @property
    def told(self) -> str:
        """As a prompt is given it."""
        return f"{self.name}\n\n{cut(self.role, LONGEST_ROLE)}".rstrip() if self.name else NOBODY


def read(store: Store) -> Identity:
    """Who the memory is of, as the file says now."""
    text = read_text(store.layout.identity)
    first = next((one for one in sections(text) if one.level == 1), None)
    if first is None:
        return Identity()
    role = "".join(lines_of(text)[first.start + 1 :]).strip()
    return Identity(cut(one_line(plain(first.title)), _LONGEST_NAME), role)
