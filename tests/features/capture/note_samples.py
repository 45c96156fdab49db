"""Sessions whose archives a person edits, and the edits that hide which session it is."""

from __future__ import annotations

import re
from collections.abc import Callable

TALK = [
    ("user", "Which store do we take?"),
    ("assistant", "We decided to take Redis.\n\nIt is the faster one of the two."),
    ("Bash", "make test"),
    ("user", "Good. And the port?"),
    ("assistant", "The port is 6379."),
]
MORE = [("user", "Now release it"), ("assistant", "Released.")]
LAST = [("user", "And tell the others"), ("assistant", "They know.")]
NAMES = ("entity", "hierarchical")
Way = Callable[[str], str]


def below_a_note(text: str) -> str:
    """The archive with a note above its head."""
    return f"NOTE\n\n---\n\n{text}"


def without_session(text: str) -> str:
    """The archive without the id of its session."""
    return re.sub(r"^session_id:.*\n", "", text, flags=re.MULTILINE)


def with_two_heads(text: str) -> str:
    """The archive with a merge conflict in its head."""
    return re.sub(r"^(message_count: \d+\n)", r"<<<<<<< HEAD\n\1=======\n\1>>>>>>> other\n", text, flags=re.MULTILINE)
