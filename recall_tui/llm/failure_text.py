"""What is said to a person of a call that failed: one short line, without secrets and without control characters."""

from __future__ import annotations

from collections.abc import Iterable

from recall_tui.text.cut import cut, one_line, plain
from recall_tui.text.secrets.redact import MARK, redact

LONGEST = 300
"""Characters of a reason."""
_LONGEST_READ = 20_000
_SHORTEST_SECRET = 6
"""Characters below which a word is no secret, but may stand anywhere."""


def told(text: str, secrets: Iterable[str] = ()) -> str:
    """The beginning of the text as such a line; `secrets` are taken out wherever they stand."""
    return cut(_safe(text[:_LONGEST_READ], secrets), LONGEST)


def told_last(text: str, secrets: Iterable[str] = ()) -> str:
    """The end of the text as such a line: of a program that complains, the last is what ended it."""
    safe = _safe(text[-_LONGEST_READ:], secrets)
    return safe if len(safe) <= LONGEST else f"…{safe[1 - LONGEST :]}"


def _safe(text: str, secrets: Iterable[str]) -> str:
    text = plain(text)
    for secret in secrets:
        if len(secret) >= _SHORTEST_SECRET:
            text = text.replace(secret, f"{MARK}key]")
    return one_line(redact(text))
