"""Find secrets that stand beside their name in a list: `["--password", "…"]`, `("password", "…")`."""

from __future__ import annotations

import re

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.assigned_values import AssignedValue, secret_value, value_at
from recall_tui.text.secrets.commands import is_likely_password, is_password_value
from recall_tui.text.secrets.names import SecretName
from recall_tui.text.secrets.value_positions import FLAG, is_random_word, is_setter

_DEFINES = ("define('", 'define("')
_OPENS_LIST = lazy_pattern(r"[\[({][ ]?(?:r|b|u|:)?\\{0,7}[\"'`:]?\Z")
"""The text before the first item of a list."""
_CLOSES_LIST = lazy_pattern(r"\\{0,7}[\"'`]?,?(?:\s|\\{1,8}n){0,20}[\])}]")
_FLOW_ITEM = lazy_pattern(r"[^\s\"'`,\[\](){}\\]{4,256}(?=[ ]?[,\]])")
"""An unquoted item of a YAML flow sequence (YAML 1.2.2, 7.4)."""
_ITEM_BELOW = lazy_pattern(
    r"(?:\\{0,7}[\"'])?[ ]?(?:\r?\n|\\{1,8}n)[ \t]*-[ ]{1,4}(?:\\{0,7}[\"'])?"
    r"(?P<value>[^\s\"'`\\:{}\[\],]{4,256})(?:\\{0,7}[\"'])?[ ]?(?=\r?\n|\\{1,8}n|\\{0,7}[\"']|\Z)"
)
"""The next item of a YAML block sequence."""
_ITEM = lazy_pattern(r"(?:\A|\n|\\n|[\"'])[ \t]*-[ ]{1,4}(?:\\{0,7}[\"'])?(?P<flag>-{0,2}[\w-]{0,40})\Z")
"""The text before a name that is an item of a YAML block sequence."""


def listed_value(text: str, name: SecretName, sign: re.Match[str], before: str) -> AssignedValue | None:
    """Return the secret that follows its name in a list or in the arguments of a call."""
    start, is_flag = sign.end(), before.endswith("-") and FLAG.search(before) is not None
    if not sign["close"] and not name.text.endswith("userpwd"):
        item = _FLOW_ITEM.match(text, start) if is_flag and _OPENS_FLOW.search(before) else None
        return _option_value(text, AssignedValue(*item.span(), is_quoted=False, is_plain=True)) if item else None
    value = value_at(text, start)
    if value is None or not value.is_quoted:
        return None
    words = text[value.start : value.end][: values.MAX_VALUE_CHARS]
    if is_flag:
        return _option_value(text, value)
    if name.text.endswith("userpwd") and ":" in words:
        value = value._replace(start=text.find(":", value.start) + 1)
        return value if is_likely_password(text[value.start : value.end]) else None
    if (sign["list"][-1] == "(" or is_setter(before)) and (before.endswith(_DEFINES) or is_likely_password(words)):
        return secret_value(text, name, value)
    is_pair = _OPENS_LIST.search(before) is not None and _CLOSES_LIST.match(text, value.end) is not None
    if is_pair and values.is_mixed_password(words):
        return value
    return value if values.is_strong(words) or (name.is_password and is_random_word(words)) else None


_OPENS_FLOW = lazy_pattern(r"(?:\[|,)[ ]?-{1,2}[\w-]{0,40}\Z")


def item_below(text: str, name: SecretName, before: str, end: int) -> AssignedValue | None:
    """Return the secret in the item below the name, which is an item of a YAML sequence itself."""
    item = _ITEM.search(before)
    below = _ITEM_BELOW.match(text, end) if item else None
    if item is None or below is None:
        return None
    value = AssignedValue(*below.span("value"), is_quoted=True, is_plain=False)
    if item["flag"].startswith("-"):
        return _option_value(text, value)
    return value if name.is_password and values.is_mixed_password(below["value"]) else None


def _option_value(text: str, value: AssignedValue) -> AssignedValue | None:
    """Return the value of an option, unless it is another option or no password."""
    words = text[value.start : value.end]
    return value if words[0] != "-" and len(words) >= 4 and is_password_value(words) else None
