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
from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

if TYPE_CHECKING:
    from recall_tui.features.digest.digest import Digest
    from recall_tui.features.digest.lines import Kind
    from recall_tui.features.digest.view import SessionView
    from recall_tui.llm.client import ModelClient
    from recall_tui.storage.memory_context import Store

ANSWER_TOKENS = 1_200
_MAX_SUMMARY_CHARS = 600
_MAX_LINE_CHARS = 300
"""Characters of the summary in the window, as without a model."""
_MAX_TITLE_CHARS = 90
_MAX_OUTCOME_CHARS = 400
_MAX_ITEM_CHARS = 300
_MAX_TOPIC_CHARS = 40
_MAX_ITEMS = 5
_MAX_CHECKED_ITEMS = 200
"""Items of a list that are looked at."""
_MAX_ANSWER_CHARS = 20_000
_LABEL = lazy_pattern(r"[^\W\d_][\w /-]{1,29}")
_NUMBERED_LINE = lazy_pattern(
    r"^(?:\[(\d{1,5})\] )?(?:(?:User|Assistant|Agent|Before|Commit)[^:\n]{0,30}: )?(.*)$", re.MULTILINE
)
"""A line that a model is shown, with its number."""
_CITATION = lazy_pattern(r"[\s.;]*\[(\d{1,5}(?:(?:, ?| ?[-–] ?)\d{1,5}){0,9})\]\.?$")
"""The lines that an item rests on, at its end."""
_COMMITTED = lazy_pattern(r"\b(?:committed|pushed|merged)\b", re.IGNORECASE)
_NOT_COMMITTED = lazy_pattern(
    r"\b(?:not?|nothing|never|none|without|neither|un\w+|before|after|should|must)\b", re.IGNORECASE
)
_MAX_CITED_RANGE = 10
LESSON_LABEL, PREFERENCE_LABEL = "Lesson", "Preference"
_DEFAULT_LABEL = "Note"
_HTML_START = lazy_pattern(r"<(?=[!?/a-z])", re.IGNORECASE)
"""Where HTML begins that could swallow what follows."""


def read_view(store: Store, conversation: Conversation) -> SessionView:
    """Return what of a conversation a model is shown, as the setting `llm.session_view` says."""
    from recall_tui.features.digest.view import number_lines, render_view

    if store.config.text("llm.session_view") == "condensed":
        return number_lines(condense(conversation.own_messages()))
    return render_view(conversation)


def build_request(store: Store, view: SessionView) -> str:
    """Return the prompt for a session's digest; secrets are marked, and the view cannot end the frame it stands in."""
    return render_prompt(store, "session", material={"conversation": view.text})


def summarize_with_model(store: Store, calls: ModelClient, conversation: Conversation) -> SessionDigest | Failure:
    """What the memory's own model for summaries says of a conversation; it is asked within its limits."""
    import msgspec

    from recall_tui.features.capture.model_summary_schema import SummarySchema
    from recall_tui.llm.client import LLMRequest
    from recall_tui.llm.selection import model_name

    view = read_view(store, conversation)
    asked = LLMRequest(build_request(store, view), "", conversation.head.session_id, ANSWER_TOKENS)
    said = calls.answer("summary", asked, SummarySchema)
    if isinstance(said, Failure):
        return said
    name = model_name(store, "summary")
    cleaned = clean_digest(msgspec.to_builtins(said))
    digest = check_digest(cleaned, view)
    if digest.summary:
        return replace(digest, told_by=name)
    return Failure(f"{name} said nothing" if not cleaned.summary else f"{name}: {digest.rejected}")


def check_digest(said: SessionDigest, view: SessionView) -> SessionDigest:
    """Return the digest with the claims that their lines bear out; the words of the lines stand for others.

    A claim that cites no lines is checked against the whole view.
    """
    from recall_tui.features.digest.view import NO_COMMIT
    from recall_tui.features.grounding.harness import Rejection, check_summary, rejection_note

    lines = [(int(one[1] or 0), one[2]) for one in _NUMBERED_LINE.finditer(redact(view.text))]
    numbered = dict(lines)
    everything = [sentence for _, line in lines for sentence in split_sentences(line)]
    has_no_commit = NO_COMMIT in view.text
    rejected: list[Rejection] = []
    places: dict[str, tuple[int, int]] = {}

    def check(claim: str, *, falls_back: bool = True) -> str:
        text, numbers = split_citation(claim)
        if has_no_commit and _COMMITTED.search(text) and not _NOT_COMMITTED.search(text):
            rejected.append(Rejection(text, ("nothing was committed in the session",)))
            return ""
        cited = [numbered[number] for number in numbers if number in numbered]
        checked = check_summary(text, cited, everything)
        words = text
        if checked.rejection is not None:
            rejected.append(checked.rejection)
            is_said = falls_back and not checked.text.startswith("[Tool:")
            words = _clean_line(checked.text, _MAX_ITEM_CHARS) if is_said else ""
        found = [view.lines[number] for number in numbers if number in view.lines]
        if words and found:
            places[words] = (min(first for first, _ in found), max(last for _, last in found))
        return words

    def check_all(claims: Iterable[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(filter(None, map(check, claims))))

    def check_clauses(sentence: str) -> str:
        if (whole := check(sentence, falls_back=False)) or "; " not in sentence:
            return whole
        kept = "; ".join(filter(None, (check(one, falls_back=False) for one in sentence.split("; "))))
        return kept if not kept or kept.endswith((".", "!", "?", "…")) else f"{kept}."

    def check_sentences(text: str) -> str:
        return " ".join(filter(None, map(check_clauses, split_sentences(text))))

    return replace(
        said,
        summary=check_sentences(said.summary),
        outcome=check_sentences(said.outcome),
        title=check(said.title, falls_back=False) if said.title else "",
        tags=replace(said.tags, decisions=check_all(said.tags.decisions), actions=check_all(said.tags.actions)),
        points=tuple((label, words) for label, text in said.points if (words := check(text))),
        places=places,
        rejected=rejection_note(rejected),
    )


def split_citation(claim: str) -> tuple[str, tuple[int, ...]]:
    """Split the numbers of lines off the end of a claim: `Chose JWT [3, 5-6]` is `("Chose JWT", (3, 5, 6))`."""
    found = _CITATION.search(claim)
    if found is None:
        return claim, ()
    numbers: list[int] = []
    for part in found[1].split(","):
        first, _, last = re.sub(r" ?[-–] ?", "-", part.strip()).partition("-")
        numbers += range(int(first), min(int(last or first), int(first) + _MAX_CITED_RANGE) + 1)
    text = claim[: found.start()]
    return text if text.endswith((".", "!", "?")) else f"{text}.", tuple(numbers)


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
    from recall_tui.features.digest.digest import STATUSES

    decisions, actions, lessons, wishes = (
        _clean_lines(found.get(name), _MAX_ITEM_CHARS)
        for name in ("decisions", "action_items", "lessons", "preferences")
    )
    status = found.get("status")
    return SessionDigest(
        _clean_line(found.get("summary"), _MAX_SUMMARY_CHARS),
        tuple(topic.lower() for topic in _clean_lines(found.get("topics"), _MAX_TOPIC_CHARS)),
        Tags(decisions=decisions, actions=actions),
        (
            *((LESSON_LABEL, text) for text in lessons),
            *((PREFERENCE_LABEL, text) for text in wishes),
            *_clean_points(found.get("points")),
        ),
        _clean_line(found.get("title"), _MAX_TITLE_CHARS).lstrip("# "),
        outcome=_clean_line(found.get("outcome"), _MAX_OUTCOME_CHARS),
        status=status if isinstance(status, str) and status in STATUSES else "",
    )


def with_digest(draft: ArchiveDraft, said: SessionDigest) -> ArchiveDraft:
    """The draft with what was told of it in place of the conversation's own words, where something was.

    A title that the person or the agent gave the session stays.
    """
    own = draft.digest
    tags = replace(
        own.tags, decisions=said.tags.decisions or own.tags.decisions, actions=said.tags.actions or own.tags.actions
    )
    summary = shorten(one_line(f"{said.summary} {said.outcome}"), _MAX_SUMMARY_CHARS) if said.summary else own.summary
    digest = replace(
        said,
        summary=summary,
        topics=said.topics or own.topics,
        tags=tags,
        points=said.points or own.points,
    )
    is_whole = bool(said.summary) and not draft.after
    line = shorten(said.summary, _MAX_LINE_CHARS) if is_whole else draft.session_summary
    title = draft.title if draft.head.title else said.title or draft.title
    return replace(draft, digest=digest, session_summary=line, title=title)


def model_digest(said: SessionDigest, own: Digest) -> Digest:
    """Return what a model told of a session in the form of its offline digest, whose parts stand where it told none."""
    from recall_tui.features.digest.digest import STATUSES, Digest, DigestItem

    kinds: tuple[tuple[Kind, Iterable[str]], ...] = (
        ("decision", said.tags.decisions),
        ("lesson", (text for label, text in said.points if label == LESSON_LABEL)),
        ("open", said.tags.actions),
        ("preference", (text for label, text in said.points if label == PREFERENCE_LABEL)),
    )
    items = tuple(DigestItem(kind, text, said.places.get(text, (0, 0))) for kind, texts in kinds for text in texts)
    status = next((one for one in STATUSES if one == said.status), own.status)
    return Digest(said.title or own.title, said.outcome or said.summary, status, items, own.files)


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
