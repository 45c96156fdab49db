"""IDENTITY.md: whose memory this is, by its first title, and what they are for, by the words below it.

A memory without one has a name all the same; nothing here warns, and nothing is written.
"""

from __future__ import annotations

from typing import NamedTuple

from recall_tui.storage.atomic import read_text
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown import lines_of, sections
from recall_tui.text.cut import cut, one_line

NAMELESS = "Agent"
"""The name in a memory that says none."""
LONGEST_ROLE = 2_000
"""Characters of the role."""


class Identity(NamedTuple):
    """Who a memory is of."""

    name: str = ""
    """Empty when the file says none."""
    role: str = ""
    """Every word below the first title; empty when there is none."""

    @property
    def called(self) -> str:
        """The name, or what a memory without one is called by."""
        return self.name or NAMELESS

    @property
    def line(self) -> str:
        """The first line of the role."""
        return next((one_line(line) for line in self.role.split("\n") if line.strip()), "")


def read(layout: Layout) -> Identity:
    """Whose memory it is; empty when there is no IDENTITY.md or it has no title."""
    text = read_text(layout.identity)
    first = next((one for one in sections(text) if one.level == 1), None)
    if first is None:
        return Identity()
    return Identity(one_line(first.title), cut("".join(lines_of(text)[first.start + 1 :]).strip(), LONGEST_ROLE))
