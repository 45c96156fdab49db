"""The outcome of a session: the statement that says most plainly what came of it, with the facts that results bear out.

Subjects of commits come first; what was changed and not committed is said in the words of the reply that closed its
turn. Whether it was committed, pushed and checked is read from results, never from claims.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple

from recall_tui.features.digest.collector import Candidate, DigestCollector, Turn
from recall_tui.features.digest.features import FEATURES, words_of
from recall_tui.features.digest.lines import begins_work, explicit_kind
from recall_tui.text.cut import strip_controls
from recall_tui.text.sentences import split_sentences

MAX_STATEMENT_CHARS = 380
"""Characters that two statements take together at most; a single one may be longer."""
_MAX_SUBJECTS = 3
"""Commits that an outcome names: the last ones."""
_MIN_POINTS = 3.0
_MAX_SHARED = 0.6
"""Share of words from which a second statement repeats the first."""
_MIN_WORDS = 5
_MAX_ANSWER_SENTENCES = 2
_MIN_ANSWER_WORDS = 2
_RESULT = re.compile(
    r"\b(?:now|released|deployed|merged|shipped|documented|published|installed|migrated|upgraded|reverted|solved|added"
    r"|fixed|removed|updated|implemented|created|replaced|changed|moved|renamed|extracted|written|committed|pushed"
    r"|rebased|has been|have been|found|confirmed|shows?|works?|working|supports?|resolved|down from|no longer)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    r"(?:it(?:'s| is) |now |all )?(?:\w{3,}ed|built|done|gone|written)(?: and \w{3,}ed)*\b", re.IGNORECASE
)
"""The opening of a reply that closes its request in a few words."""
_FUTURE = re.compile(r"\b(?:will|next (?:run|step)|should (?:now )?|would|ready (?:to|for))\b", re.IGNORECASE)
_ADVICE = re.compile(r"(?:you (?:can|could|may|should)|to (?:directly )?answer|if you|no,|yes,)", re.IGNORECASE)
_LOOKED = re.compile(
    r"(?:we|i)(?:'ve| have)? (?:\w+ly )?(?:looked (?:at|into|through)|went through|considered|compared|read|traced)\b",
    re.IGNORECASE,
)
"""The opening of a statement of what was looked at, and not of what came of that."""
_FAILED = re.compile(r"failed (?:approach|attempt)s?\s?[:–—]", re.IGNORECASE)
"""The label of what did not come out."""
_WORD = re.compile(r"\w+")
_SINGULAR = ("lint", "build", "type check")
_SUMMARY_HEADING = re.compile(
    r"\b(?:summary|what (?:i did|was done|changed)|changes|result|conclusion|outcome|done)\b", re.IGNORECASE
)


class Outcome(NamedTuple):
    """What came of a session."""

    statements: tuple[str, ...] = ()
    facts: str = ""
    turn: int | None = None
    """The last turn that a statement is from; None for subjects of commits, and when there is none."""

    def render(self) -> str:
        """The statements with the facts behind them; empty when nobody stated anything."""
        *firsts, last = self.statements or ("",)
        text = " ".join([*(one if one.endswith((".", "!", "…")) else f"{one}." for one in firsts), last])
        if not text:
            return ""
        return f"{text.removesuffix('.')} ({self.facts})" if self.facts else text


def find_outcome(heard: DigestCollector, candidates: Sequence[Candidate], rows: Sequence[Sequence[float]]) -> Outcome:
    """The subjects of the last commits and what was done after them, else the statements that tell most."""
    subjects = list(dict.fromkeys(one.subject for one in heard.commits if not one.subject.startswith("Merge ")))
    said = ["; ".join(subjects[-_MAX_SUBJECTS:])] if subjects else []
    last = max((number for number, turn in enumerate(heard.turns) if turn.commits), default=-1)
    is_settled = bool(subjects) and not heard.edits_since_commit
    ranked = sorted(
        (
            (_points(heard, one, row), at)
            for at, (one, row) in enumerate(zip(candidates, rows, strict=True))
            if one.turn >= last
        ),
        key=lambda found: (-found[0], found[1]),
    )
    most = 1 if is_settled else 2
    chosen: list[int] = []
    for points, at in ranked:
        text = candidates[at].line.text
        if points < _MIN_POINTS or len(chosen) >= most:
            break
        beside = [*said, *(candidates[other].line.text for other in chosen)]
        if any(_shared(text, other) >= _MAX_SHARED for other in beside):
            continue
        if beside and sum(map(len, [*beside, text])) > MAX_STATEMENT_CHARS:
            continue
        if chosen and not _is_work_of_its_own(heard, candidates[chosen[0]], candidates[at]):
            continue
        chosen.append(at)
    said += [candidates[at].line.text for at in sorted(chosen)]
    turn = max((candidates[at].turn for at in chosen), default=None)
    if not said and (short := _short_close(heard, candidates)):
        said, turn = [short], len(heard.turns) - 1
    if not said and (answer := _answer(heard)):
        said, turn = [answer], len(heard.turns) - 1
    return Outcome(tuple(said), ", ".join(_facts(heard)), turn)


def _is_work_of_its_own(heard: DigestCollector, first: Candidate, other: Candidate) -> bool:
    """Whether a second statement tells of another turn in which something was changed."""
    return first.turn != other.turn and bool(heard.turns[other.turn].edits or heard.turns[other.turn].commits)


def _points(heard: DigestCollector, one: Candidate, row: Sequence[float]) -> float:
    """How plainly a line says what came out, in points; only replies that close a turn and messages of commits can."""
    turn = heard.turns[one.turn]
    is_message = one.role == "commit"
    if one.line.is_unticked or not (is_message or (one.role == "reply" and one.message == turn.last_reply)):
        return -10.0
    found = dict(zip(FEATURES, row, strict=True))
    text = one.line.text
    kind = explicit_kind(text)
    if kind == "open":
        return -10.0
    is_decided = kind == "decision"
    return (
        1.5 * bool(_RESULT.search(text))
        + _weight(heard, turn)
        + (1.5 if heard.files else 3.0) * found["place"]
        + 2.0 * found["first_of_reply"]
        + 1.0 * bool(_SUMMARY_HEADING.search(one.line.heading))
        + 2.0 * found["centrality"]
        + 1.5 * found["in_prompts"]
        + 0.5 * found["literals"]
        - 1.5 * (found["bullet"] and not is_message)
        - 1.0 * found["routine_heading"]
        - 1.5 * found["narration"]
        - 1.0 * found["doubted"]
        - 1.0 * found["tentative"]
        - 0.5 * found["is_short"]
        - 1.5 * bool(_FUTURE.search(text))
        - 5.0 * (len(_WORD.findall(text)) < _MIN_WORDS and not is_decided)
        - 2.0 * bool(_ADVICE.match(text))
        - 2.0 * bool(_LOOKED.match(text))
        - 3.0 * bool(_FAILED.match(text))
        + 1.0 * is_decided
    )


def _weight(heard: DigestCollector, turn: Turn) -> float:
    """Points for the share of the session's changes that a turn made, from 0 to 3."""
    most = max(max(one.edits, one.commits) for one in heard.turns)
    own = max(turn.edits, turn.commits)
    return 1.0 + 2.0 * math.log1p(own) / math.log1p(most) if own > 0 and most > 0 else 0.0


def _short_close(heard: DigestCollector, candidates: Sequence[Candidate]) -> str:
    """The few words of the reply that closed the last request, when they say that it was done."""
    last = heard.turns[-1].last_reply
    said = [one.line.text for one in candidates if one.message == last and one.role == "reply"]
    return said[0] if len(said) == 1 and _DONE.match(said[0]) else ""


def _answer(heard: DigestCollector) -> str:
    """The last reply where the last prompt is a question and the reply is a sentence or two; else empty."""
    if not heard.turns[-1].prompt.rstrip().endswith(("?", "？")):
        return ""
    said = split_sentences(strip_controls(heard.answer))
    text = " ".join(said)
    is_answer = 1 <= len(said) <= _MAX_ANSWER_SENTENCES and len(text) <= MAX_STATEMENT_CHARS
    is_answer = is_answer and len(_WORD.findall(text)) >= _MIN_ANSWER_WORDS
    return text if is_answer and not (begins_work(text) or text.endswith(("?", "？", ":", "："))) else ""


def _facts(heard: DigestCollector) -> list[str]:
    """What results bear out of commits and checks; nothing where nothing was changed."""
    facts = []
    if heard.commits:
        last = heard.commits[-1]
        facts.append(f"committed {last.sha}")
        if last.is_pushed:
            facts.append("pushed")
        if heard.pull_requests:
            facts.append(f"PR #{next(reversed(heard.pull_requests)).rpartition('/')[2]}")
        if heard.edits_since_commit:
            facts.append("later changes not committed")
    elif not heard.files:
        return []
    elif not heard.may_have_committed:
        facts.append("not committed")
    for is_passed, verb in ((True, "pass"), (False, "fail")):
        names = [name for name, found in heard.checks.items() if found is is_passed]
        if names:
            one = "es" if is_passed else "s"
            facts.append(f"{_join(names)} {verb}{one if len(names) == 1 and names[0] in _SINGULAR else ''}")
    return facts


def _join(words: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(words[:-1]), words[-1])))


def _shared(text: str, other: str) -> float:
    one, two = words_of(text), words_of(other)
    return len(one & two) / max(1, min(len(one), len(two)))
