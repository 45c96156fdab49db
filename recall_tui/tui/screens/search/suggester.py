"""What the search suggests behind the cursor: the ending that the last word, or the whole question, may have.

It is looked up in a thread and dropped when the text has changed meanwhile; a keystroke never waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from textual.suggester import Suggester

if TYPE_CHECKING:
    from recall_tui.search.filter_values import FilterValues
    from recall_tui.workbench import Workbench


class SearchSuggester(Suggester):
    """Completes the question that is being typed."""

    def __init__(self, bench: Workbench, earlier: Callable[[], Iterable[str]]) -> None:
        """`earlier` gives the questions that were asked before, the likeliest first."""
        super().__init__(use_cache=False, case_sensitive=True)
        self._bench = bench
        self._earlier = earlier

    @cached_property
    def _vocabulary(self) -> FilterValues:
        from recall_tui.search.filter_values import FilterValues

        return FilterValues(self._bench.index, self._bench.store)

    def forget(self) -> None:
        """Look everything up again, because the index changed."""
        if "_vocabulary" in self.__dict__:
            self._vocabulary.forget()

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text that is suggested for a beginning; None when there is nothing to suggest."""
        return await asyncio.to_thread(self._completed, value, tuple(self._earlier())) or None

    def _completed(self, value: str, earlier: tuple[str, ...]) -> str:
        from recall_tui.search.completion import complete

        try:
            return complete(value, self._bench.store.now(), self._vocabulary.values, earlier)
        except Exception:
            # An index that cannot be read suggests nothing; what is wrong with it the search itself says.
            return ""
