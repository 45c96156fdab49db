"""Reads TOML in a time that its length bounds."""

from __future__ import annotations

import re
from typing import Any

MAX_NAME_PARTS = 64
"""Of a dotted name. What the standard library takes for one grows with the square of its parts: seconds for 20 kB."""
_PART_CHARS = 80
"""Longer parts are so few that they do no harm, and are not counted."""
_NAME_PART = rf"""(?:"(?:[^"\\\n]|\\.){{0,{_PART_CHARS}}}+"|'[^'\n]{{0,{_PART_CHARS}}}+'|[\w-]{{1,{_PART_CHARS}}}+)"""
_DEEP_NAME = re.compile(rf"(?:{_NAME_PART}[ \t]{{0,{_PART_CHARS}}}+\.[ \t]{{0,{_PART_CHARS}}}+){{{MAX_NAME_PARTS}}}")


def parse_toml(text: str) -> dict[str, Any]:
    """The text as nested tables; ValueError names the line and the column of what is wrong, or RecursionError."""
    import tomllib

    if deep := _DEEP_NAME.search(text):
        line = text.count("\n", 0, deep.start()) + 1
        raise ValueError(f"A name with more than {MAX_NAME_PARTS} parts (at line {line})")
    return tomllib.loads(text)
