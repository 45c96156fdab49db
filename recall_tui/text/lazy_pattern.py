"""Regular expressions compiled on first use.

Compiling takes longer than matching most texts, and most texts need few of the patterns.
"""

from __future__ import annotations

import re
from typing import Any, cast


class _LazyPattern:
    """A proxy of a pattern that caches each attribute it resolves."""

    def __init__(self, source: str, flags: int) -> None:
        self.pattern = source
        self._given_flags = flags

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(self.pattern, self._given_flags), name)
        setattr(self, name, value)
        return value


def lazy_pattern(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return the pattern, compiled on first use."""
    return cast("re.Pattern[str]", _LazyPattern(source, flags))
