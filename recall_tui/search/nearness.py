"""What lies near a question in meaning: one more list of finds, from whoever holds the vectors.

Trouble with them never costs the answer that the words give.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.errors import ModelError
from recall_tui.search import fuse

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Nearest
    from recall_tui.search.question import Question


def nearest(question: Question, near: Nearest) -> tuple[fuse.Found, list[str]]:
    """The passages nearest to the question, the nearest first, and notes; none of them when there is trouble."""
    text = question.query.rest
    if not text or not question.query.words:
        return (), []
    try:
        found = near(text, question.wanted, fuse.NEAR_MOST)
    except ModelError as error:
        return (), [f"found by words alone: {error.message}"]
    return found, []
