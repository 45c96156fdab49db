"""IDENTITY.md: the name and role of the memory's owner.

A file that is missing, empty or without a title yields an unknown identity; nothing is invented in its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.storage.markdown.outline import parse_sections, split_lines
from recall_tui.text.cut import one_line, shorten, strip_controls

if TYPE_CHECKING:
    from recall_tui.storage.memory_context import Store

UNKNOWN_IDENTITY = "(unknown owner)"
MAX_ROLE_CHARS = 2_000
"""The most characters of a role in a prompt."""
_MAX_NAME_CHARS = 80
_FACTS = ("name", "role", "voice")
_FACT_LINE = re.compile(r"\s*(?:[-*]\s+)?\*\*(name|role|voice)(?::\*\*|\*\*\s*:)\s*(.*\S)\s*", re.IGNORECASE)


class Identity(NamedTuple):
    """The name and role of the memory's owner."""

    name: str = ""
    """`name` of the frontmatter or of a line `**Name:**`, else the first title; empty when there is none."""
    role: str = ""
    """Its role, and how it speaks."""

    @property
    def told(self) -> str:
        """The identity as text for a prompt."""
        return f"{self.name}\n\n{shorten(self.role, MAX_ROLE_CHARS)}".rstrip() if self.name else UNKNOWN_IDENTITY


def read_identity(store: Store) -> Identity:
    """Read the identity from the file."""
    return parse_identity(read_text(store.layout.identity))


def parse_identity(text: str) -> Identity:
    """Parse the identity from any of the published forms.

    A title with its name and prose below; `# Identity` with lines such as `**Name:** Ada`; frontmatter with `name`,
    `role` and `voice`.
    """
    values, body = split_frontmatter(text)
    first = next((one for one in parse_sections(body) if one.level == 1), None)
    lines = split_lines(body)[first.start + 1 if first else 0 :]
    facts = {match[1].lower(): match[2] for line in lines if (match := _FACT_LINE.match(line))}
    facts |= {key: str(values[key]) for key in _FACTS if isinstance(values.get(key), str)}
    title = first.title if first and first.title.strip().lower() != "identity" else ""
    name = one_line(strip_controls(facts.get("name") or title))
    prose = "".join(line for line in lines if not _FACT_LINE.match(line)).strip()
    voice = f"Voice: {facts['voice'].strip()}" if facts.get("voice") else ""
    role = "\n\n".join(filter(None, (facts.get("role", "").strip(), prose, voice)))
    return Identity(shorten(name, _MAX_NAME_CHARS), role if name else "")
