"""The forms that a model's answers have about what was recalled and about a session that ended.

Only what is asked for is read; further keys are passed over.
"""

from __future__ import annotations

import msgspec


class ClaimSchema(msgspec.Struct):
    """One sentence, and the numbers of the evidence that it rests on."""

    text: str
    evidence: list[int]


class ClaimsSchema(msgspec.Struct):
    """What the evidence says about a question; empty when none of it is about it."""

    claims: list[ClaimSchema]


class LessonsSchema(msgspec.Struct):
    """What of a session is worth keeping; empty when nothing is."""

    lessons: list[str]
