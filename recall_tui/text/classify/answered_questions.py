"""State what was chosen: a question with its answer, without the words that only ask."""

from __future__ import annotations

import re

_ANSWER = r"\?\s*→\s*(?P<answer>\S.*)$"
_FORMS = (
    re.compile(
        r"(?:which|what) (?P<subject>[^?,]{4,80}?) (?:do|would|should|shall) (?:you|we) (?:want|like|prefer|use)"
        r"(?: to (?:use|have|see))?(?P<rest> (?:for|in|on|with|when) [^?,]{3,120})?" + _ANSWER,
        re.IGNORECASE,
    ),
    re.compile(
        r"where (?:should|shall) (?P<subject>[^?,]{4,120}?) (?:go|live|stay|be (?:stored|put|placed|kept|written))"
        r"(?P<rest>)" + _ANSWER,
        re.IGNORECASE,
    ),
    re.compile(
        r"should (?P<subject>[^?,]{4,80}?)(?P<rest>) be [^?]{3,120} or [^?]{3,120}" + _ANSWER,
        re.IGNORECASE,
    ),
)
_UNSURE = re.compile(r"(?:yes|no|maybe|both|neither|either)\b|.*\?", re.IGNORECASE)
"""An answer that means something only behind its whole question."""


def state_answer(text: str) -> str:
    """Return an answered question as `subject: answer`; unchanged when the question says more than its subject.

    No word is added, and all stand in the question or the answer.
    """
    for form in _FORMS:
        found = form.match(text)
        if found and not _UNSURE.match(found["answer"]):
            subject = f"{found['subject']}{found['rest'] or ''}"
            return f"{subject[:1].upper()}{subject[1:]}: {found['answer']}"
    return text
