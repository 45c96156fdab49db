"""The view of a session that a model is shown: its most telling lines, numbered, within a budget of characters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from recall_tui.domain import Conversation
from recall_tui.features.digest.collector import Candidate, DigestCollector, Role
from recall_tui.features.digest.features import measure
from recall_tui.features.digest.selection import log_odds
from recall_tui.features.digest.weights import ITEM_WEIGHTS
from recall_tui.text.cut import one_line, shorten, strip_controls

MAX_VIEW_CHARS = 22_000
"""With the prompt around it about 7,000 tokens."""
_MAX_FIRST_PROMPT_CHARS, _MAX_PROMPT_CHARS = 2_000, 1_000
_MAX_LINE_CHARS = 400
_SHORT_PROMPT_CHARS = 60
"""A shorter prompt is often an answer, and means nothing without the question before it."""
_MAX_QUESTION_CHARS = 400
_MAX_FILES = 12
NO_COMMIT = "Nothing was committed in the session."
_LABELS: Mapping[Role, str] = {
    "reply": "Agent",
    "plan": "Accepted plan",
    "commit": "Commit",
    "compaction": "Earlier, as summarised",
    "answer": "Asked and chosen",
    "todo": "Left on the task list",
    "refusal": "User, refusing a call",
}
_BONUS: Mapping[Role, float] = {"compaction": 4, "refusal": 4, "answer": 3, "commit": 2, "todo": 2, "plan": 0.5}
_CLOSING_BONUS, _FAILURE_BONUS, _LAST_TURN_BONUS = 1.0, 1.0, 1.5


class SessionView(NamedTuple):
    """A rendered view, and where its numbered lines stand."""

    text: str
    lines: Mapping[int, tuple[int, int]]
    """Each number with the transcript's first and last line, from 1."""


def render_view(conversation: Conversation, limit: int = MAX_VIEW_CHARS) -> SessionView:
    """Render the view of a conversation in at most about `limit` characters; secrets are not yet redacted."""
    heard = DigestCollector()
    closing: dict[int, str] = {}
    for message in conversation.own_messages():
        heard.hear(message)
        if message.kind == "reply" and not message.is_sidechain and not message.is_off_chain:
            closing[len(heard.turns) - 1] = message.text
    candidates = [one for one in heard.candidates() if one.role not in ("request", "prompt")]
    facts = "\n".join(_facts(heard))
    prompts = [_prompt(heard, closing, turn) for turn in range(len(heard.turns))]
    room = limit - len(facts) - sum(map(len, prompts))
    if room < limit // 2:
        prompts = [shorten(prompt, limit // (2 * len(prompts))) if prompt else "" for prompt in prompts]
        room = limit - len(facts) - sum(map(len, prompts))
    kept = _choose(heard, candidates, room)
    parts: list[str] = []
    places: dict[int, tuple[int, int]] = {}
    for turn, prompt in enumerate(prompts):
        if prompt:
            places[len(places) + 1] = (heard.turns[turn].line, heard.turns[turn].line)
            parts.append(f"[{len(places)}] {prompt}")
        for one in candidates:
            if one.turn == turn and id(one) in kept:
                places[len(places) + 1] = one.lines
                parts.append(f"[{len(places)}] {_line(one)}")
    return SessionView("\n".join((*parts, "", facts)), places)


def number_lines(text: str) -> SessionView:
    """Return a view of any text, each line with its number; nothing is known of their places."""
    return SessionView("\n".join(f"[{number}] {line}" for number, line in enumerate(text.split("\n"), 1)), {})


def _prompt(heard: DigestCollector, closing: Mapping[int, str], turn: int) -> str:
    """Return what the person said, and before a short answer the end of what the agent had asked."""
    text = one_line(strip_controls(heard.turns[turn].prompt))
    if not text:
        return ""
    asked = one_line(strip_controls(closing.get(turn - 1, "")[-_MAX_QUESTION_CHARS:]))
    before = f"(after the agent said: …{asked}) " if len(text) < _SHORT_PROMPT_CHARS and asked else ""
    return f"User: {before}{shorten(text, _MAX_PROMPT_CHARS if turn else _MAX_FIRST_PROMPT_CHARS)}"


def _line(one: Candidate) -> str:
    after = ", after an error" if one.is_after_failure else ""
    return f"{_LABELS.get(one.role, 'User')}{after}: {shorten(one.line.text, _MAX_LINE_CHARS)}"


def _choose(heard: DigestCollector, candidates: Sequence[Candidate], room: int) -> frozenset[int]:
    """Return the ids of the lines to show, the likeliest to matter first, until the room is used."""
    rows = measure(heard, candidates)
    last = len(heard.turns) - 1

    def worth(place: int) -> float:
        one = candidates[place]
        points = log_odds(rows[place], ITEM_WEIGHTS) + _BONUS.get(one.role, 0.0)
        points += one.is_closing * _CLOSING_BONUS + one.is_after_failure * _FAILURE_BONUS
        return points + (one.turn == last and one.is_closing) * _LAST_TURN_BONUS

    kept: set[int] = set()
    for place in sorted(range(len(candidates)), key=lambda place: -worth(place)):
        size = len(_line(candidates[place])) + len("[000] \n")
        if size <= room:
            room -= size
            kept.add(id(candidates[place]))
    return frozenset(kept)


def _facts(heard: DigestCollector) -> Iterator[str]:
    """Yield what results bear out: commits, pull requests, checks, changed files, and how it ended."""
    for commit in heard.commits[-_MAX_FILES:]:
        yield f"Committed{' and pushed' if commit.is_pushed else ''}: {commit.sha} {commit.subject}"
    for address, title in heard.pull_requests.items():
        yield f"Opened: {address} {title}".rstrip()
    for name, has_passed in heard.checks.items():
        yield f"Last run of {name}: {'passed' if has_passed else 'failed'}"
    if heard.files:
        names = sorted(heard.files, key=lambda path: -heard.files[path])
        yield f"Changed {len(names)} files: {', '.join(names[:_MAX_FILES])}"
    if not heard.commits and not heard.may_have_committed:
        yield NO_COMMIT
    if heard.edits_since_commit and heard.commits:
        yield f"Changes after the last commit: {heard.edits_since_commit}"
    if heard.turns[-1].last_reply < 0:
        yield "It broke off: the agent did not answer the last prompt to the end."
