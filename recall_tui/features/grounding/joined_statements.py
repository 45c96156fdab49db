"""Join what means nothing apart in a log: a fix with its cause, an answer with its question, `It` with a noun.

The words stay as they are written. Sentences of one item or paragraph are joined, and items that follow each other
when one says what went wrong and the next its cause or its fix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from recall_tui.storage.documents.statements import Statement
from recall_tui.text.classify.keywords import topic_terms
from recall_tui.text.classify.tags import decision_score

MAX_JOINED_CHARS = 320
"""Characters of sentences that are joined."""
_MIN_SUBJECT_TERMS = 2
"""Words of content of a sentence that can be the subject of the next."""
_DEPENDENT_START = re.compile(
    r"(?:->|→|=>) \S|\w+ (?:has|had|does|did|took|sends|lets) (?:it|them)\b"
    r"|(?:he|she|it|they|this|that|these|those|both|his|her|its|their|we (?:stay|keep|take|use|go) (?:with|by|on)?"
    r"|now|jetzt|so|until then|since then|therefore|otherwise|deshalb|daher|sonst|for (?:us|our|this|that)|not?"
    r"|(?:the )?(?:fix|reason|cause|root cause|ursache|grund|lösung|solution|consequence|result|finding)s?:"
    r"|(?:fixed|added|changed|set|raised|lowered|removed|turned|moved|restored|converted|loads|released as|reverted"
    r"|switched|replaced|deleted|enabled|disabled)\b)(?![\w-])",
    re.IGNORECASE,
)
"""A pronoun, a label, or what was done without who or to what: such a sentence depends on the one before."""
_LOWER_START = re.compile(r"[a-zäöü]+\b(?![-_.(/]\w)")
MAX_INCIDENT_CHARS = 380
"""Characters of items that are joined to what went wrong, its cause and its fix."""
_CAUSE = re.compile(
    r"(?:[^.:;]{2,60}: )?(?:the )?(?:root |real )?(?P<label>cause|reason|ursache|grund)(?P<subject>[^.:]{0,60})?"
    r"(?:\s?[:–—]| (?:is|was|war|ist)\b)",
    re.IGNORECASE,
)
_FIX = re.compile(
    r"(?:the )?(?:fix|lösung|solution)(?: (?:\d|is|was))?\s?[:–—]|fixed\s?[:–—]|fixed by\b|behoben\b|corrigé\b",
    re.IGNORECASE,
)
_STATES_FIX = re.compile(r"\b(?:fix(?:ed)?|lösung|solution)\s?[:–—]|\bfixed by\b", re.IGNORECASE)
_SUBJECT = re.compile(r"(?:of|for|behind|why|der|des|von|für)\b", re.IGNORECASE)
_MAX_GAP_LINES = 1
"""Lines between the end of one item and the beginning of the next that tells of the same incident."""


def join_dependent(
    said: Iterable[Statement], is_item: Callable[[Statement], bool] = lambda one: False
) -> Iterator[Statement]:
    """Yield the statements in order, each sentence that depends on the one before it in its item joined with it.

    A short item of a list, as `is_item` tells, is one statement: its writer put its sentences together.
    """
    held: Statement | None = None
    for one in said:
        if held is not None and (_depends_on(one, held) or (is_item(one) and _is_of_item(one, held))):
            held = held._replace(text=f"{held.text} {one.text}")
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def join_incidents(said: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements in order, items of one incident as one: what went wrong, its cause, its fix.

    A cause that names what it is the cause of needs no item before it.
    """
    held: Statement | None = None
    for one in said:
        if held is not None and _is_same_incident(one, held):
            end = "" if held.text.endswith((".", "!", "?", ":")) else "."
            held = held._replace(text=f"{held.text}{end} {one.text}", lines=(held.lines[0], one.lines[1]))
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _is_same_incident(one: Statement, held: Statement) -> bool:
    is_next = held.lines[1] < one.lines[0] <= held.lines[1] + _MAX_GAP_LINES and one.heading == held.heading
    is_short = len(held.text) + len(one.text) < MAX_INCIDENT_CHARS
    if not (is_next and is_short) or one.cited or held.cited or held.text.endswith("?"):
        return False
    if cause := _CAUSE.match(one.text):
        is_bare = one.text.lower().find(cause["label"].lower()) < len("the root  ")
        tells_subject = bool(_SUBJECT.match((cause["subject"] or "").strip())) or not is_bare
        return not (tells_subject or _CAUSE.match(held.text) or _STATES_FIX.search(held.text))
    return bool(_FIX.match(one.text)) and not _FIX.match(held.text)


def _is_of_item(one: Statement, held: Statement) -> bool:
    """Whether two sentences are of one short item, and neither is a question, or a decision that stands by itself."""
    is_short = len(held.text) + len(one.text) < MAX_JOINED_CHARS
    is_same = one.lines == held.lines and is_short and not (one.cited or held.cited)
    return is_same and not (held.text.endswith("?") or one.text.endswith("?") or decision_score(one.text) > 1)


def _depends_on(one: Statement, held: Statement) -> bool:
    if one.lines != held.lines or one.cited or held.cited or len(held.text) + len(one.text) >= MAX_JOINED_CHARS:
        return False
    if held.text.endswith("?"):
        return not one.text.endswith("?")
    if len(set(topic_terms(held.text))) < _MIN_SUBJECT_TERMS or decision_score(one.text) > 1:
        return False  # A decision stands by itself.
    return bool(_DEPENDENT_START.match(one.text) or _LOWER_START.match(one.text))
