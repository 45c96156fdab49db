"""What a model says of a conversation, taken into its digest.

Nothing of the answer is trusted: what is missing or of the wrong shape stays as the conversation's own words have it.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace

from recall_tui.domain import Conversation, Digest
from recall_tui.errors import ModelError
from recall_tui.lifecycle.draft import Draft
from recall_tui.resources import template
from recall_tui.text.condense import condensed
from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.redact import redact

ANSWER_TOKENS = 500
_MAX_SUMMARY = 600
_MAX_LINE = 300
"""Characters of the summary in the window, as without a model."""
_MAX_ITEM = 200
_MAX_TOPIC = 40
_MAX_ITEMS = 5
_MAX_ANSWER = 20_000
_EQUALS = re.compile(r"={4,}")


def question(conversation: Conversation) -> str:
    """What a model is asked about a conversation; its secrets are marked and it cannot end the frame it stands in."""
    words = _EQUALS.sub("===", condensed(conversation.messages()))
    return template("prompts/session.md").replace("{conversation}", words)


def understood(answer: object) -> Digest:
    """The answer as a digest, empty where it says nothing; ModelError when there is no JSON object in it."""
    text = answer[:_MAX_ANSWER] if isinstance(answer, str) else ""
    start, end = text.find("{"), text.rfind("}")
    try:
        found = json.loads(text[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise ModelError("the model's answer is no JSON object")
    digest = Digest(_line(found.get("summary"), _MAX_SUMMARY))
    topics = tuple(topic.lower() for topic in _lines(found.get("topics"), _MAX_TOPIC))
    decisions, actions = (_lines(found.get(name), _MAX_ITEM) for name in ("decisions", "action_items"))
    return replace(digest, topics=topics, tags=replace(digest.tags, decisions=decisions, actions=actions))


def retold(draft: Draft, said: Digest) -> Draft:
    """The draft with what the model said in place of the conversation's own words, where it said something."""
    own = draft.digest
    tags = replace(
        own.tags, decisions=said.tags.decisions or own.tags.decisions, actions=said.tags.actions or own.tags.actions
    )
    digest = Digest(said.summary or own.summary, said.topics or own.topics, tags)
    is_whole = bool(said.summary) and not draft.after
    line = cut(said.summary, _MAX_LINE) if is_whole else draft.session_summary
    return replace(draft, digest=digest, session_summary=line)


def _line(value: object, limit: int) -> str:
    return cut(redact(one_line(plain(value))), limit) if isinstance(value, str) else ""


def _lines(value: object, limit: int) -> tuple[str, ...]:
    """At most five of the texts in a list, each once."""
    found = (_line(item, limit) for item in value) if isinstance(value, list) else ()
    return tuple(dict.fromkeys(filter(None, found)))[:_MAX_ITEMS]
