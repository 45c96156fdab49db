"""Reads TOML in a time that its length bounds."""

from __future__ import annotations

import re
from typing import Any

MOST_PARTS = 64
"""Of a dotted name. What the standard library takes for one grows with the square of its parts: seconds for 20 kB."""
_SHORT = 80
"""Longer parts are so few that they do no harm, and are not counted."""
_PART = rf"""(?:"(?:[^"\\\n]|\\.){{0,{_SHORT}}}+"|'[^'\n]{{0,{_SHORT}}}+'|[\w-]{{1,{_SHORT}}}+)"""
_DEEP = re.compile(rf"(?:{_PART}[ \t]{{0,{_SHORT}}}+\.[ \t]{{0,{_SHORT}}}+){{{MOST_PARTS}}}")


def parsed(text: str) -> dict[str, Any]:
    """The text as nested tables; ValueError names the line and the column of what is wrong, or RecursionError."""
    import tomllib

    if deep := _DEEP.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise ValueError(f"A name with more than {MOST_PARTS} parts (at line {line})")
    return tomllib.loads(text)
