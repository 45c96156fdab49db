"""Join sentences of a log that mean nothing apart: a fix with its cause, an answer with its question, `It` with a noun.

The words stay as they are written; only sentences that follow each other in one item or paragraph are joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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
    r"|now|jetzt|so|therefore|otherwise|deshalb|daher|sonst|for (?:us|our|this|that)|not?"
    r"|(?:the )?(?:fix|reason|cause|root cause|ursache|grund|lösung|solution|consequence|result|finding)s?:"
    r"|(?:the|our|my) (?:fix|reason|solution|workaround|remedy|cure|answer) (?:is|was)\b"
    r"|(?:fixed|added|changed|set|raised|lowered|removed|turned|moved|restored|converted|loads|released as|reverted"
    r"|switched|replaced|deleted|enabled|disabled)\b)(?![\w-])",
    re.IGNORECASE,
)
"""A pronoun, a label, or what was done without who or to what: such a sentence depends on the one before."""
_LOWER_START = re.compile(r"[a-zäöü]+\b(?![-_.(/]\w)")


def join_dependent(said: Iterable[Statement]) -> Iterator[Statement]:
    """Yield the statements in order, each sentence that depends on the one before it in its item joined with it."""
    held: Statement | None = None
    for one in said:
        if held is not None and _depends_on(one, held):
            held = held._replace(text=f"{held.text} {one.text}")
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _depends_on(one: Statement, held: Statement) -> bool:
    if one.lines != held.lines or one.cited or held.cited or len(held.text) + len(one.text) >= MAX_JOINED_CHARS:
        return False
    if held.text.endswith("?"):
        return not one.text.endswith("?")
    if len(set(topic_terms(held.text))) < _MIN_SUBJECT_TERMS or decision_score(one.text) > 1:
        return False  # A decision stands by itself.
    return bool(_DEPENDENT_START.match(one.text) or _LOWER_START.match(one.text))
