"""Regular expressions that are compiled when they are first used.

To compile one takes longer than most texts take to be looked through, and most texts need few of them.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """Stands for a pattern; what is asked of it, it has from the pattern from then on."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self._source, self._flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """The pattern, not compiled yet."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
