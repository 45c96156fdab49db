"""Turns passages into the documents of the text index.

Every word that can be found is put into its fields here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from recall_tui.index.text import schema
from recall_tui.index.text.passage import THOUGHT, TOOL_RESULT, DocumentHead, Passage
from recall_tui.index.text.stored_passage import head_metadata

FieldValues = Mapping[str, object]
"""By field: a text, bytes or a number, or a list of them."""


class DocumentFields(NamedTuple):
    """A document as it goes into the text index."""

    common: FieldValues
    """What all documents of its source have in common, the same object in each."""
    own: FieldValues
    """The other fields."""


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

    def __init__(self, source: SourceFields) -> None:
        self._source = source
        self._heads: dict[tuple[object, str], str] = {}
        self._numbers: dict[str, int] = {}
        self._constant: tuple[DocumentHead, str, FieldValues] | None = None

    def passage(self, leaf: PreparedPassage, identifier: str, batch: str, window: str) -> DocumentFields:
        """The document of a passage that is shown; `window` is its speech with that of its neighbours."""
        passage, prose, tool = leaf.passage, leaf.prose, leaf.tool
        common = self._common(passage.head, passage.session_id)
        own: dict[str, object] = {"id": identifier, "batch": batch, "kind": self._source.kind}
        if window:
            own["window"] = window
        # What tools answered is the bulk of it all, and no prose: its words are found as they stand, in `plain`.
        if tool and passage.roles[:1] != (TOOL_RESULT,):
            own["thought" if passage.roles[:1] == (THOUGHT,) else "tool"] = tool
        for name, value in (("plain", prose or tool), ("head", self._head(passage)), ("parts", leaf.parts)):
            if value:
                own[name] = value
        if passage.files:
            own["paths"] = [schema.clean_text(file) for file in passage.files]
        for name, values in (("role", passage.roles), ("used", passage.tools)):
            if values:
                own[name] = [schema.clean_text(value).lower() for value in values]
        runs = [run for text in (prose, tool, passage.head.title) for run in schema.unspaced_runs(text)]
        if runs:
            own["gram"] = runs
        if passage.date is not None:
            own["date"] = int(passage.date.timestamp())
        own["line_from"], own["line_to"] = passage.lines
        own["body"], own["facts"] = leaf.body, leaf.facts
        return DocumentFields(common, own)

    def whole(self, last: Passage, identifier: str, texts: Iterable[tuple[str, str]]) -> DocumentFields:
        """The document of a long stretch that ends with `last`, with its text for each field."""
        common = self._common(last.head, last.session_id)
        own: dict[str, object] = {
            "id": identifier,
            "batch": identifier,
            "kind": schema.WHOLE,
            "role": self._source.kind,
        }
        for name, value in (*texts, ("head", self._head(last))):
            if value:
                own[name] = value
                if name == "whole" and (runs := schema.unspaced_runs(value)):
                    own["gram"] = runs
        if last.date is not None:
            own["date"] = int(last.date.timestamp())
        return DocumentFields(common, own)

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

    def _common(self, head: DocumentHead, session: str) -> FieldValues:
        if self._constant is not None and self._constant[0] is head and self._constant[1] == session:
            return self._constant[2]
        self._heads.clear()
        source = self._source
        fields: dict[str, object] = {
            "key": source.key,
            "memory": source.memory,
            "document": source.document,
            "title": schema.clean_text(head.title),
            "place": schema.clean_text(head.project),
            "branch": schema.clean_text(head.branch),
            "agent": schema.clean_text(head.agent).lower(),
            "origin": schema.clean_text(head.origin).lower(),
            "project": schema.clean_text(head.project_key),
            "topic": [schema.clean_text(topic).lower() for topic in head.topics if topic],
            "session": schema.clean_text(session),
        }
        common = {name: value for name, value in fields.items() if value}
        common |= {schema.COUNT_FIELD: self._number(session), "head_facts": head_metadata(head)}
        self._constant = (head, session, common)
        return common
