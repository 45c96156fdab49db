"""Values as JSON that any reader takes and any terminal survives.

Dates are ISO in UTC; what holds no text of ours comes back as it went in.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from datetime import datetime

_TERMINAL_CONTROLS = r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
"""What may stand in JSON as it is, and must not on a terminal."""


def to_json(value: object, indent: int | None = None) -> str:
    """`value` as JSON that any reader takes and any terminal survives.

    No lone surrogates, no control characters, no marks of direction, and nothing inside it that some take for the end
    of a line.
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
