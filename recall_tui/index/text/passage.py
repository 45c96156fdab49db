"""A passage: the stretch of a document that a search finds, and what every line of it is.

Its body is whole lines of the file, or a piece of one very long line, as they stand there; nothing is rephrased, and
only secrets were taken out before.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

PROMPT, REPLY, PLAIN, TOOL, MARKUP = "p", "r", "s", "t", "m"
"""What a line is: the person's words, the agent's, curated or derived text, what a tool was told or answered, and the
marks between them."""
PROSE = PROMPT + REPLY + PLAIN
SPEECH, TOOLS, WHOLE = "speech", "tools", "whole"
"""The shelves, each with its own statistics: what was said and written; what agents thought and tools were told and
answered; and whole stretches, which route a question and are never shown."""
PARTITIONS = (SPEECH, TOOLS, WHOLE)
VISIBLE_PARTITIONS = (SPEECH, TOOLS)
SIDECHAIN, OFF_CHAIN = "sidechain", "off-chain"
THOUGHT, TOOL_RESULT = "thought", "tool_result"
TRANSCRIPTS_KEY = "transcripts"
"""What transcripts are filed under, whichever memory asks."""
_TOOL_KINDS = frozenset((THOUGHT, "tool_call", TOOL_RESULT))


class DocumentHead(NamedTuple):
    """What is known of a whole document, and true of each of its passages."""

    title: str = ""
    date: datetime | None = None
    session_id: str = ""
    project: str = ""
    agent: str = ""
    branch: str = ""
    origin: str = ""
    """How an archive came about: `session`, `checkpoint`, …"""
    project_key: str = ""
    """What `transcripts.project` calls the project; empty when nobody asked."""
    topics: tuple[str, ...] = ()
    folder: str = ""
    """Where the project was when it was said, from which its key is worked out; empty when only its name is known."""


class Passage(NamedTuple):
    """A stretch of a document."""

    head: DocumentHead
    body: str
    labels: str
    """One letter for each line of the body, or a single one for all of them."""
    lines: tuple[int, int]
    """First and last line in the file, from 1."""
    roles: tuple[str, ...] = ()
    """prompt, reply, tool, summary, …: what `kind:` may ask for beside the document's kind; of a message its kind
    first, then what is to be known of it (tool, error, sidechain, off-chain)."""
    heading: str = ""
    """The headings it stands under, joined with ` › `."""
    session_id: str = ""
    date: datetime | None = None
    tools: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    is_turn: bool = False
    """Said in the course of a conversation: the turns before and after it are near."""

    @property
    def shelf(self) -> str:
        """Where it stands: what agents thought and tools said is apart from speech."""
        return TOOLS if self.roles and self.roles[0] in _TOOL_KINDS else SPEECH

    @property
    def prose(self) -> str:
        """What was said and written."""
        return spoken_lines(self.body, self.labels, PROSE)

    @property
    def prompt(self) -> str:
        """The person's words."""
        return spoken_lines(self.body, self.labels, PROMPT)

    @property
    def tool(self) -> str:
        """What tools were told and answered."""
        return spoken_lines(self.body, self.labels, TOOL)

    def words_of_head(self) -> str:
        """Date, headings, topics, project and title, in words a question may use."""
        head = self.head
        project = head.project.rstrip("/").rpartition("/")[2]
        return " ".join(filter(None, (_count_text(self.date), self.heading, *head.topics, project, head.title)))


def _count_text(moment: datetime | None) -> str:
    return f"{moment.day} {moment:%B %Y %A %Y-%m-%d}" if moment else ""


def spoken_lines(body: str, labels: str, which: str) -> str:
    """The lines of `body` whose label is one of `which`."""
    if len(labels) == 1:
        return body if labels in which else ""
    return "\n".join(line for _, line in labelled_lines(body, labels, which))


def labelled_lines(body: str, labels: str, which: str) -> Iterator[tuple[int, str]]:
    """Number, from 0, and text of the lines of `body` whose label is one of `which`."""
    lines = body.split("\n")
    each = labels * len(lines) if len(labels) == 1 else labels
    for number, (line, label) in enumerate(zip(lines, each, strict=True)):
        if label in which:
            yield number, line
