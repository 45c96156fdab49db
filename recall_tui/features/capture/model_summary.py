"""What a model says of a conversation, taken into its digest.

Nothing of the answer is trusted: what is missing, of the wrong shape, or not borne out by the text that the model was
shown stays as the conversation's own words have it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from recall_tui.domain import Conversation, SessionDigest, Tags
from recall_tui.errors import ModelError
from recall_tui.features.capture.archive_draft import ArchiveDraft
from recall_tui.llm.model import Failure
from recall_tui.llm.prompts import render_prompt
from recall_tui.text.condense import condense
from recall_tui.text.cut import one_line, shorten, shorten_before_reason, strip_controls
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.llm.client import ModelClient
    from recall_tui.storage.memory_context import Store

ANSWER_TOKENS = 800
_MAX_SUMMARY_CHARS = 600
_MAX_LINE_CHARS = 300
"""Characters of the summary in the window, as without a model."""
_MAX_TITLE_CHARS = 80
_MAX_ITEM_CHARS = 200
_MAX_TOPIC_CHARS = 40
_MAX_ITEMS = 5
_MAX_CHECKED_ITEMS = 200
"""Items of a list that are looked at."""
_MAX_ANSWER_CHARS = 20_000
_LABEL = re.compile(r"[^\W\d_][\w /-]{1,29}")
_SPEAKER = re.compile(r"^(?:User|Assistant|Before): ")
_DEFAULT_LABEL = "Note"
_HTML_START = re.compile(r"<(?=[!?/a-z])", re.IGNORECASE)
"""Where HTML begins that could swallow what follows."""


def build_request(store: Store, conversation: Conversation) -> str:
    """What a model is asked about a conversation; its secrets are marked and it cannot end the frame it stands in."""
    return render_prompt(store, "session", material={"conversation": condensed_text(conversation)})


def condensed_text(conversation: Conversation) -> str:
    """Return what of a conversation a model is shown."""
    return condense(conversation.messages())


def summarize_with_model(store: Store, calls: ModelClient, conversation: Conversation) -> SessionDigest | Failure:
    """What the memory's own model for summaries says of a conversation; it is asked within its limits."""
    import msgspec

    from recall_tui.features.capture.model_summary_schema import SummarySchema
    from recall_tui.llm.client import LLMRequest
    from recall_tui.llm.selection import model_name

    asked = LLMRequest(build_request(store, conversation), "", conversation.head.session_id, ANSWER_TOKENS)
    said = calls.answer("summary", asked, SummarySchema)
    if isinstance(said, Failure):
        return said
    name = model_name(store, "summary")
    cleaned = clean_digest(msgspec.to_builtins(said))
    digest = check_digest(cleaned, condensed_text(conversation))
    if digest.summary:
        return replace(digest, told_by=name)
    return Failure(f"{name} said nothing" if not cleaned.summary else f"{name}: {digest.rejected}")


def check_digest(said: SessionDigest, shown: str) -> SessionDigest:
    """Return the digest with the claims that the text shown to the model bears out; its own words stand for others."""
    from recall_tui.features.grounding.harness import Rejection, check_text, rejection_note

    sentences = [_SPEAKER.sub("", one) for line in shown.splitlines() for one in split_sentences(line)]
    rejected: list[Rejection] = []

    def check(claim: str, *, falls_back: bool = True) -> str:
        checked = check_text(claim, sentences)
        if checked.rejection is None:
            return claim
        rejected.append(checked.rejection)
        is_said = falls_back and not checked.text.startswith("[Tool:")
        return _clean_line(checked.text, _MAX_ITEM_CHARS) if is_said else ""

    def check_all(claims: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(check, claims))))

    summary = " ".join(filter(None, (check(sentence, falls_back=False) for sentence in split_sentences(said.summary))))
    return replace(
        said,
        summary=summary,
        title=check(said.title, falls_back=False) if said.title else "",
        tags=replace(said.tags, decisions=check_all(said.tags.decisions), actions=check_all(said.tags.actions)),
        points=tuple((label, words) for label, text in said.points if (words := check(text))),
        rejected=rejection_note(rejected),
    )


def parse_response(answer: object) -> SessionDigest:
    """The answer as a digest, empty where it says nothing; ModelError when there is no JSON object in it."""
    text = answer[:_MAX_ANSWER_CHARS] if isinstance(answer, str) else ""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ModelError("the model's answer is no JSON object")
    return clean_digest(found)


def clean_digest(found: Mapping[str, object]) -> SessionDigest:
    """The parts of an answer as a digest: each flat, short, without secrets, and none where it makes no sense."""
    decisions, actions = (_clean_lines(found.get(name), _MAX_ITEM_CHARS) for name in ("decisions", "action_items"))
    return SessionDigest(
        _clean_line(found.get("summary"), _MAX_SUMMARY_CHARS),
        tuple(topic.lower() for topic in _clean_lines(found.get("topics"), _MAX_TOPIC_CHARS)),
        Tags(decisions=decisions, actions=actions),
        tuple(_clean_points(found.get("points"))),
        _clean_line(found.get("title"), _MAX_TITLE_CHARS).lstrip("# "),
    )


def with_digest(draft: ArchiveDraft, said: SessionDigest) -> ArchiveDraft:
    """The draft with what was told of it in place of the conversation's own words, where something was.

    A title that the person or the agent gave the session stays.
    """
    own = draft.digest
    tags = replace(
        own.tags, decisions=said.tags.decisions or own.tags.decisions, actions=said.tags.actions or own.tags.actions
    )
    digest = replace(
        said,
        summary=said.summary or own.summary,
        topics=said.topics or own.topics,
        tags=tags,
        points=said.points or own.points,
    )
    is_whole = bool(said.summary) and not draft.after
    line = shorten(said.summary, _MAX_LINE_CHARS) if is_whole else draft.session_summary
    title = draft.title if draft.head.title else said.title or draft.title
    return replace(draft, digest=digest, session_summary=line, title=title)


def _clean_line(value: object, limit: int) -> str:
    return (
        shorten_before_reason(redact(one_line(_HTML_START.sub("< ", strip_controls(value)))), limit)
        if isinstance(value, str)
        else ""
    )


def _clean_lines(value: object, limit: int) -> tuple[str, ...]:
    """At most five of the texts in a list, each once."""
    found = (_clean_line(item, limit) for item in value[:_MAX_CHECKED_ITEMS]) if isinstance(value, list) else ()
    return tuple(dict.fromkeys(filter(None, found)))[:_MAX_ITEMS]


def _clean_points(value: object) -> Iterator[tuple[str, str]]:
    """At most five labelled points; a label that is no plain word is `Note`."""
    rows = [row for row in value[:_MAX_CHECKED_ITEMS] if isinstance(row, dict)] if isinstance(value, list) else []
    found = {
        _clean_line(row.get("text"), _MAX_ITEM_CHARS): _clean_line(row.get("label"), _MAX_TOPIC_CHARS)
        for row in reversed(rows)
    }
    found.pop("", None)
    for words, label in list(reversed(found.items()))[:_MAX_ITEMS]:
        yield (label if _LABEL.fullmatch(label) else _DEFAULT_LABEL), words
