"""A passage: the stretch of a document that a search finds, and what every line of it is.

Its body is whole lines of the file, or a piece of one very long line, as they stand there; nothing is rephrased, and
only secrets were taken out before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

PROMPT, REPLY, PLAIN, TOOL, MARKUP = "p", "r", "s", "t", "m"
"""What a line is: the person's words, the agent's, curated or derived text, what a tool was told or answered, and the
marks between them."""
PROSE = PROMPT + REPLY + PLAIN


@dataclass(frozen=True, slots=True)
class DocumentHead:
    """What is known of a whole document, and true of each of its passages."""

    title: str = ""
    date: datetime | None = None
    session_id: str = ""
    project: str = ""
    agent: str = ""
    branch: str = ""
    origin: str = ""
    """How an archive came about: `session`, `checkpoint`, …"""
    topics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of a document."""

    head: DocumentHead
    body: str
    labels: str
    """One letter for each line of the body."""
    lines: tuple[int, int]
    """First and last line in the file, from 1."""
    roles: tuple[str, ...] = ()
    """prompt, reply, tool, summary: what `kind:` may ask for beside the document's kind."""
    heading: str = ""
    """The headings it stands under, joined with ` › `."""
    session_id: str = ""
    date: datetime | None = None
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def prose(self) -> str:
        """What was said and written."""
        return said(self.body, self.labels, PROSE)

    @property
    def prompt(self) -> str:
        """The person's words."""
        return said(self.body, self.labels, PROMPT)

    @property
    def tool(self) -> str:
        """What tools were told and answered."""
        return said(self.body, self.labels, TOOL)

    def words_of_head(self) -> str:
        """Date, headings and topics, in words a question may use."""
        day = self.date.strftime("%Y-%m-%d %A %d %B %Y") if self.date else ""
        return " ".join(filter(None, (day, self.heading, *self.head.topics, *self.head.project.split("/")[-1:])))


def said(body: str, labels: str, which: str) -> str:
    """The lines of `body` whose label is one of `which`."""
    return "\n".join(line for _, line in labelled(body, labels, which))


def labelled(body: str, labels: str, which: str) -> Iterator[tuple[int, str]]:
    """Number, from 0, and text of the lines of `body` whose label is one of `which`."""
    for number, (line, label) in enumerate(zip(body.split("\n"), labels, strict=True)):
        if label in which:
            yield number, line
