"""What the search suggests behind the cursor: the ending that the last word, or the whole question, may have.

It is looked up in a thread and dropped when the text has changed meanwhile; a keystroke never waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime

from textual.suggester import Suggester

from recall_tui.search.completion import completed
from recall_tui.search.vocabulary import Vocabulary


class Suggestions(Suggester):
    """Completes the question that is being typed."""

    def __init__(
        self, vocabulary: Vocabulary, now: Callable[[], datetime], earlier: Callable[[], Iterable[str]]
    ) -> None:
        """`earlier` gives the questions that were asked before, the likeliest first."""
        super().__init__(use_cache=False, case_sensitive=True)
        self._vocabulary = vocabulary
        self._now = now
        self._earlier = earlier

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text that is suggested for a beginning; None when there is nothing to suggest."""
        return await asyncio.to_thread(self._completed, value, tuple(self._earlier())) or None

    def _completed(self, value: str, earlier: tuple[str, ...]) -> str:
        try:
            return completed(value, self._now(), self._vocabulary.values, earlier)
        except Exception:
            # An index that cannot be read suggests nothing; what is wrong with it the search itself says.
            return ""
