"""Turns passages into the documents of the text index.

Every word that can be found is put into its fields here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from recall_tui.index.text import schema
from recall_tui.index.text.passage import THOUGHT, TOOL_RESULT, DocumentHead, Passage
from recall_tui.index.text.stored_passage import head_metadata

if TYPE_CHECKING:
    import tantivy


@dataclass(frozen=True, slots=True)
class SourceFields:
    """A source as its passages name it."""

    key: str
    """What its passages are filed under."""
    memory: str
    document: str
    """Its path as the index shows it."""
    kind: str


@dataclass(slots=True)
class PreparedPassage:
    """A passage on its way into the index, with what was worked out of it once."""

    passage: Passage
    prose: str
    """What was said and written, as the analyzers can take it."""
    tool: str
    """What was thought, and what tools were told and answered."""
    parts: str
    """The pieces of its identifiers."""
    aside: str
    """What a stretch that it is in holds of it beside its speech."""
    body: bytes
    """Its text as it is stored."""
    facts: bytes
    """What else is stored of it."""


class DocumentBuilder:
    """Makes the documents of one source; what is the same in all of them is worked out once."""

    def __init__(self, source: SourceFields, new_document: Callable[[], tantivy.Document]) -> None:
        self._source, self._new_document = source, new_document
        self._heads: dict[tuple[object, str], str] = {}
        self._numbers: dict[str, int] = {}
        self._constant: tuple[DocumentHead, list[tuple[str, str]], bytes] | None = None

    def passage(self, leaf: PreparedPassage, identifier: str, batch: str, window: str) -> tantivy.Document:
        """The document of a passage that is shown; `window` is its speech with that of its neighbours."""
        passage, prose, tool = leaf.passage, leaf.prose, leaf.tool
        made = self._new_document()
        add = made.add_text
        add("id", identifier)
        add("batch", batch)
        add("kind", self._source.kind)
        self._add_common(made, passage.head, passage.session_id)
        if window:
            add("window", window)
        # What tools answered is the bulk of it all, and no prose: its words are found as they stand, in `plain`.
        if tool and passage.roles[:1] != (TOOL_RESULT,):
            add("thought" if passage.roles[:1] == (THOUGHT,) else "tool", tool)
        for name, value in (("plain", prose or tool), ("head", self._head(passage)), ("parts", leaf.parts)):
            if value:
                add(name, value)
        for file in passage.files:
            add("paths", schema.clean_text(file))
        for name, values in (("role", passage.roles), ("used", passage.tools)):
            for value in values:
                add(name, schema.clean_text(value).lower())
        for text in (prose, tool, passage.head.title):
            for run in schema.unspaced_runs(text):
                add("gram", run)
        _add_date(made, passage.date)
        made.add_integer("line_from", passage.lines[0])
        made.add_integer("line_to", passage.lines[1])
        made.add_bytes("body", leaf.body)
        made.add_bytes("facts", leaf.facts)
        return made

    def whole(self, last: Passage, identifier: str, texts: Iterable[tuple[str, str]]) -> tantivy.Document:
        """The document of a long stretch that ends with `last`, with its text for each field."""
        made = self._new_document()
        made.add_text("id", identifier)
        made.add_text("batch", identifier)
        made.add_text("kind", schema.WHOLE)
        made.add_text("role", self._source.kind)
        self._add_common(made, last.head, last.session_id)
        for name, value in (*texts, ("head", self._head(last))):
            if value:
                made.add_text(name, value)
                if name == "whole":
                    for run in schema.unspaced_runs(value):
                        made.add_text("gram", run)
        _add_date(made, last.date)
        return made

    def _number(self, session: str) -> int:
        counted = schema.clean_text(session) if session else self._source.key
        if counted not in self._numbers:
            self._numbers[counted] = schema.count_number(counted)
        return self._numbers[counted]

    def _head(self, passage: Passage) -> str:
        known = (passage.date.date() if passage.date else None, passage.heading)
        if known not in self._heads:
            self._heads[known] = schema.clean_text(passage.words_of_head())
        return self._heads[known]

    def _add_common(self, made: tantivy.Document, head: DocumentHead, session: str) -> None:
        if self._constant is None or self._constant[0] is not head:
            self._heads.clear()
            self._constant = (head, self._fields_of(head), head_metadata(head))
        _, fields, facts = self._constant
        for name, value in fields:
            made.add_text(name, value)
        if session:
            made.add_text("session", schema.clean_text(session))
        made.add_unsigned(schema.COUNT_FIELD, self._number(session))
        made.add_bytes("head_facts", facts)

    def _fields_of(self, head: DocumentHead) -> list[tuple[str, str]]:
        source = self._source
        fields = [("key", source.key), ("memory", source.memory), ("document", source.document)]
        fields += [
            ("title", schema.clean_text(head.title)),
            ("place", schema.clean_text(head.project)),
            ("branch", schema.clean_text(head.branch)),
            ("agent", schema.clean_text(head.agent).lower()),
            ("origin", schema.clean_text(head.origin).lower()),
            ("project", schema.clean_text(head.project_key)),
            *(("topic", schema.clean_text(topic).lower()) for topic in head.topics),
        ]
        return [(name, value) for name, value in fields if value]


def _add_date(made: tantivy.Document, moment: datetime | None) -> None:
    if moment is not None:
        made.add_integer("date", int(moment.timestamp()))
