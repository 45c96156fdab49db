"""A passage as the text index gives it back.

What was indexed is stored, so that a passage whose source is gone can be shown, and indexed again from here.
"""

from __future__ import annotations

import json
from datetime import datetime
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.index.text import schema
from recall_tui.index.text.passage import DocumentHead, Passage
from recall_tui.storage.files.atomic import encode

if TYPE_CHECKING:
    import tantivy


_SPOKEN_ROLES = frozenset(("prompt", "command", "reply", "plan"))
_SESSION_KINDS = ("conversation", "summary")
_METADATA_HEADINGS = ("Tags", "Related Files", "Related Files/Artifacts", "Files", "Tools")
_ENCODE = json.JSONEncoder(separators=(",", ":")).encode


class _StoredFields(NamedTuple):
    """What the index holds of a passage."""

    id: str
    key: str
    """The source's key in the catalogue."""
    document: str
    kind: str
    passage: Passage


class StoredPassage(_StoredFields):
    """One passage of the index; what takes work to find out is worked out when it is asked for."""

    @property
    def number(self) -> int:
        """Its place among the passages of its source, or of the source's sub-agents."""
        return int(self.id.rpartition(".")[2].lstrip("s"))

    @property
    def roles(self) -> tuple[str, ...]:
        """What `kind:` may ask for beside the kind; of a message its kind first, then its flags."""
        return self.passage.roles

    @property
    def lines(self) -> tuple[int, int]:
        """First and last line in the file, from 1."""
        return self.passage.lines

    @property
    def body(self) -> str:
        """The lines of the file, as they were, or the words of a message."""
        return self.passage.body

    @property
    def labels(self) -> str:
        """One letter for each line of the body, or one for all; see `passage.said`."""
        return self.passage.labels

    @property
    def title(self) -> str:
        """The title of the document or session."""
        return self.passage.head.title

    @property
    def heading(self) -> str:
        """The headings it stands under."""
        return self.passage.heading

    @cached_property
    def head(self) -> str:
        """Date, headings, topics, project and title, as they were indexed."""
        return self.passage.words_of_head()

    @cached_property
    def parts(self) -> str:
        """The pieces of the identifiers in it."""
        return schema.identifier_parts(schema.clean_text(f"{self.passage.prose} {self.passage.tool}"))

    @property
    def paths(self) -> str:
        """The files it speaks of, one a line."""
        return "\n".join(self.passage.files)

    @property
    def is_spoken(self) -> bool:
        """Whether the person or the agent said it in the course of a conversation."""
        return self.passage.is_turn and not _SPOKEN_ROLES.isdisjoint(self.roles)

    @property
    def is_metadata(self) -> bool:
        """Whether it lists facts about a session, such as its tags and files; it is found by them, and never shown."""
        return self.kind in _SESSION_KINDS and self.heading.rpartition(" › ")[2] in _METADATA_HEADINGS

    @property
    def session_id(self) -> str:
        """The session it belongs to; empty for what is none's."""
        return self.passage.session_id

    @property
    def project(self) -> str:
        """The folder its session worked in."""
        return self.passage.head.project

    @property
    def date(self) -> datetime | None:
        """When it was said or written."""
        return self.passage.date


def passage_metadata(passage: Passage) -> bytes:
    """What is known of the passage alone and cannot be read from its other fields."""
    date = passage.date.isoformat() if passage.date else ""
    facts = (passage.labels, passage.heading, date, passage.roles, passage.tools, passage.files, int(passage.is_turn))
    return _ENCODE(facts).encode("ascii")


def head_metadata(head: DocumentHead) -> bytes:
    """What is known of the passage's document."""
    date = head.date.isoformat() if head.date else ""
    named = (head.title, date, head.session_id, head.project, head.agent, head.branch, head.origin, head.topics)
    return _ENCODE((*named, head.project_key)).encode("ascii")


def from_document(document: tantivy.Document) -> StoredPassage:
    """The passage that a document of Tantivy's holds."""
    first = document.get_first
    labels, heading, date, roles, tools, files, is_turn = json.loads(bytes(first("facts")))  # type: ignore[arg-type]
    passage = Passage(
        head=_head(bytes(first("head_facts"))),  # type: ignore[arg-type]
        body=bytes(first("body")).decode("utf-8", "surrogateescape"),  # type: ignore[arg-type]
        labels=labels,
        lines=(first("line_from"), first("line_to")),  # type: ignore[arg-type]
        roles=tuple(roles),
        heading=heading,
        session_id=str(first("session") or ""),
        date=_parse_time(date),
        tools=tuple(tools),
        files=tuple(files),
        is_turn=bool(is_turn),
    )
    return StoredPassage(
        id=str(first("id")),
        key=str(first("key")),
        document=str(first("document")),
        kind=str(first("kind")),
        passage=passage,
    )


@lru_cache(maxsize=256)
def _head(facts: bytes) -> DocumentHead:
    title, date, session, project, agent, branch, origin, topics, project_key = json.loads(facts)
    return DocumentHead(
        title=title,
        date=_parse_time(date),
        session_id=session,
        project=project,
        agent=agent,
        branch=branch,
        origin=origin,
        topics=tuple(topics),
        project_key=project_key,
    )


def _parse_time(text: str) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def encode_body(passage: Passage) -> bytes:
    """The bytes that are stored of its text."""
    return encode(passage.body)
