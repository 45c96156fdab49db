"""JSON output that is portable and safe to print on a terminal.

Dates are ISO in UTC; everything else round-trips.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime

_TERMINAL_CONTROLS = r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
"""Valid raw in JSON, but unsafe on a terminal."""


def to_json(value: object, indent: int | None = None) -> str:
    """Return `value` as JSON that is portable and safe on a terminal.

    The output has no lone surrogates, control characters, bidirectional marks or Unicode line separators.
    """
    import json
    import re

    text = json.dumps(value, indent=indent, ensure_ascii=False, default=_jsonable)
    text = re.sub(r"[\ud800-\udfff]", "\ufffd", text)
    return re.sub(_TERMINAL_CONTROLS, lambda match: f"\\u{ord(match[0]):04x}", text)


def _jsonable(value: object) -> object:
    if isinstance(value, datetime):
        from recall_tui.text.dates import iso_time

        return iso_time(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Iterable):
        return list(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
