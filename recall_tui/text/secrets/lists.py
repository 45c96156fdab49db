"""Passwords in a list whose name is in the plural: `passwords:` with items of YAML, `"passwords": ["…"]`."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy
from recall_tui.text.secrets import values
from recall_tui.text.secrets.names import LIST_OPENS

Found = tuple[str, int, int]

_OPENS = lazy(LIST_OPENS)
_ITEM = lazy(
    r"(?:(?:\s|\\{1,7}n|,){0,60}(?:-[ ])?\\{0,7}[\"']([^\"'\\\n]{6,256})\\{0,7}[\"']"
    r"|(?:\r?\n|\\{1,7}n)[ \t]*-[ ]([^\s\"'\\:\[{]{6,256})(?=\s|\\|\Z))"
)
_MOST_ITEMS = 200


def in_list(text: str, start: int) -> Iterator[Found]:
    """The items of a list of passwords whose name ends there."""
    opened = _OPENS.match(text, start)
    place = opened.end() if opened else len(text)
    for _ in range(_MOST_ITEMS):
        item = _ITEM.match(text, place)
        if item is None:
            return
        group = item.lastindex or 1
        if _is_secret(item[group]):
            yield "password", *item.span(group)
        place = item.end()


def _is_secret(value: str) -> bool:
    if values.is_reference(value) or values.is_filled_in(value) or values.is_place(value) or "[redacted:" in value:
        return False
    return values.is_chosen(value) and values.is_probable(value, 6)
