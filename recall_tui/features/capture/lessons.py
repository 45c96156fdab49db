"""What was learned in a session that ended, put at the end of the log of its day, as session recall does.

The same session is never written twice; of one that went on only what is new. What stands there is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain import Conversation, Message, Plan, SkippedResult
from recall_tui.features.capture.archive import find_tombstone
from recall_tui.llm.model import Failure, never_cancelled
from recall_tui.storage.documents import day_logs, period_files
from recall_tui.storage.files.atomic import read_text
from recall_tui.text.clean_sentence import clean_sentence
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.dates import zone_of
from recall_tui.text.secrets.redact import redact

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from recall_tui.storage.documents.day_logs import LessonBlock
    from recall_tui.storage.memory_context import Store

MAX_LESSONS = 8
_MAX_PROMPT_CHARS = 12_000
"""Characters of the conversation that a model is shown."""
_ANSWER_TOKENS = 800
_REASON = re.compile(r"\b(?:because|since|so that|due to|in order to|to avoid|to keep)\b", re.IGNORECASE)
_EMPTY_ANSWERS = ("none", "nothing", "n/a")
"""What a model may say in place of an empty list."""


class LessonsResult(NamedTuple):
    """What a session taught."""

    session_id: str
    title: str
    ended_at: datetime
    until: str
    """The newest record that was looked at."""
    lessons: tuple[str, ...]
    trouble: str = ""
    """Why a model was asked in vain; the lessons are from the conversation's own words then."""


def extract_lessons(
    store: Store, path: Path, *, with_model: bool = True, is_cancelled: Callable[[], bool] = never_cancelled
) -> LessonsResult | SkippedResult:
    """Read the transcript at `path` for what was learned since the session's last block, by a model if there is one."""
    from recall_tui.transcripts.own_sessions import is_own_session
    from recall_tui.transcripts.registry import read_transcript

    conversation = read_transcript(path)
    if isinstance(conversation, SkippedResult):
        return conversation
    head = conversation.head
    if stone := find_tombstone(store, head.session_id):
        return SkippedResult(stone.reason)
    if is_own_session(conversation, store.environment.state):
        return SkippedResult("a session that recall-tui itself started")
    before = _read_blocks(store, head.session_id)
    until = head.last_uuid or head.content_hash or "-"
    if any(one.until == day_logs.mark_text(until) for one in before):
        return SkippedResult("its lessons are written already")
    new = _new_messages(conversation, {one.until for one in before})
    said = _ask_model(store, head.session_id, new, is_cancelled) if with_model else None
    found = _find_lessons(replace(conversation, messages=new)) if said is None or isinstance(said, Failure) else said
    known = {_dedupe_key(lesson) for one in before for lesson in one.lessons}
    lessons = tuple(dict.fromkeys(one for one in found if _dedupe_key(one) not in known))[:MAX_LESSONS]
    ended = (head.ended_at or store.now()).astimezone(zone_of(store.now()))
    trouble = said.reason if isinstance(said, Failure) else ""
    return LessonsResult(head.session_id, one_line(redact(head.title)), ended, until, lessons, trouble)


def plan_lessons(store: Store, found: LessonsResult) -> Plan:
    """The change that puts the lessons at the end of the session's day; an empty plan when there is nothing to add."""
    name = found.title or found.session_id
    facts: dict[str, object] = {"session_id": found.session_id, "lessons": found.lessons}
    if stone := find_tombstone(store, found.session_id):
        return Plan(f"{name}: {stone.reason}", facts=facts)
    if not found.lessons:
        return Plan(f"{name}: nothing in it is worth keeping", facts=facts)
    if any(one.until == day_logs.mark_text(found.until) for one in _read_blocks(store, found.session_id)):
        return Plan(f"{name}: its lessons are written already", facts=facts)
    block = day_logs.render_block(found.ended_at, found.session_id, found.lessons, found.until)
    edit = day_logs.append_entry(store.layout, found.ended_at.date(), block)
    count = f"{len(found.lessons)} lesson{'s' * (len(found.lessons) != 1)}"
    path = store.relative(edit.path)
    # By its id the title is found again when the session is forgotten.
    named = f"{shorten(name, 80)} ({found.session_id})" if found.title else name
    return Plan(f"Wrote {count} of {named} → {path}", (edit,), facts={**facts, "file": path})


def _read_blocks(store: Store, session_id: str) -> list[LessonBlock]:
    """What was written of the session before, whatever the day."""
    mine = day_logs.mark_text(session_id)
    texts = map(read_text, chain.from_iterable(period_files.list_day_logs(store.layout).values()))
    return [one for text in texts if mine in text for one in day_logs.parse_log(text).blocks if one.session_id == mine]


def _new_messages(conversation: Conversation, edges: set[str]) -> Callable[[], Iterator[Message]]:
    """What was said after the last of the records, or all of it when none of them is there."""
    last = 0
    for place, message in enumerate(conversation.messages() if edges else (), 1):
        if message.uuid in edges:
            last = place

    def messages() -> Iterator[Message]:
        for place, message in enumerate(conversation.messages(), 1):
            if place > last:
                yield message

    return messages


def _find_lessons(conversation: Conversation) -> list[str]:
    """What the digest says was learned, wished for, or decided for a reason, and every bug told with its fix."""
    from recall_tui.features.digest.digest import read_digest
    from recall_tui.text.classify.cause_pairs import fixed_causes
    from recall_tui.text.classify.report_lines import MAX_LINE_CHARS

    digest = read_digest(conversation)
    told = [
        one.text
        for one in digest.items
        if one.kind in ("lesson", "preference") or (one.kind == "decision" and _REASON.search(one.text))
    ]
    replies = (one.text for one in conversation.messages() if one.kind == "reply" and not one.is_sidechain)
    fixed = dict.fromkeys(clean_sentence(one) for text in (digest.outcome, *replies) for one in fixed_causes(text))
    bugs = [one for one in fixed if one and len(one) < MAX_LINE_CHARS and not any(one in text for text in told)]
    return [*bugs, *(text for text in told if not any(text in one for one in bugs))]


def _ask_model(
    store: Store, session_id: str, messages: Callable[[], Iterator[Message]], is_cancelled: Callable[[], bool]
) -> list[str] | Failure | None:
    """What a model says was learned; None when there is no model, or nothing to ask about."""
    from recall_tui.llm.client import LLMRequest, ModelClient

    calls = ModelClient(store, is_cancelled)
    if not calls.is_offered("summary"):
        return None
    from recall_tui.features.grounding.answer_schemas import LessonsSchema
    from recall_tui.llm.prompts import render_prompt
    from recall_tui.text.condense import condense

    words = condense(messages(), _MAX_PROMPT_CHARS)
    if not words.strip():
        return None
    asked = LLMRequest(
        render_prompt(store, "lessons", material={"conversation": words}), "", session_id, _ANSWER_TOKENS
    )
    said = calls.answer("summary", asked, LessonsSchema)
    if isinstance(said, Failure):
        return said
    cleaned = [lesson for one in said.lessons if (lesson := _clean_lesson(one))]
    standing = [lesson for lesson in cleaned if _is_supported(lesson, words)]
    if cleaned and not standing:
        return Failure("the session supports none of the model's lessons")
    return standing


def _clean_lesson(text: str) -> str:
    line = clean_sentence(text)
    return "" if line.strip(".!").casefold() in _EMPTY_ANSWERS else line


def _is_supported(lesson: str, words: str) -> bool:
    """Whether what the model was shown bears a lesson out."""
    from recall_tui.features.grounding.verify import is_supported

    return is_supported(lesson, words)


def _dedupe_key(lesson: str) -> str:
    return re.sub(r"\W+", "", lesson.casefold())
