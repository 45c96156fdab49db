"""Find values that only spaces separate from their name: in a command, a netrc file, SQL or a sentence."""

from __future__ import annotations

import re

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.assigned_values import (
    AssignedValue,
    is_cell,
    looks_secret,
    secret_value,
    sentence_value,
    value_at,
)
from recall_tui.text.secrets.commands import command_value_start, is_likely_password, is_password_value
from recall_tui.text.secrets.names import SecretName
from recall_tui.text.secrets.value_positions import (
    ANSWERED,
    FLAG,
    OF_A_FILE,
    is_random_word,
    is_use_phrase,
    value_below_label,
)

_NETRC_LOGIN = lazy_pattern(
    r"(?:login|user(?:name)?|account)[ \t]{1,4}[^\s\\]{1,80}(?:\s|\\{1,7}[nrt]|[+>|→]|\d{1,6}→|\\{1,7}u2192){1,24}\Z"
)
"""The text before a password in a netrc file."""
_SQL = lazy_pattern(r"(?:user|role|login|identified|encrypted|with|set|for)\b[^\n;]{0,80}\Z", re.IGNORECASE)
_ROUTER_PASSWORD = lazy_pattern(r"(?:^|\s)(?:enable|username \S{1,40}(?: privilege \d{1,2})?) \Z")
"""The text before a password in a router configuration."""
_FIELD = lazy_pattern(r"(?:^|[{;\n])\s*\Z")
_KEYWORD = lazy_pattern(r"(?:^|[\s{(\[]):\Z")
"""The text before a keyword of Clojure or Lisp."""
_LINE_START = lazy_pattern(r"(?:\A|\n|\\n|[\"'`])[ \t>-]{0,8}\Z")
_LONE_WORD = lazy_pattern(r"([!#-&(-\[\]-~]{8,128})[ \t]*(?=\r?\n|\\{1,8}[nr]|[\"']|\Z)")
_STRONG_WORDS = lazy_pattern(r"[^\s\"'`,;<>(){}|\\]{6,256}+")


def adjacent_value(
    text: str, low: str, name: SecretName, sign: re.Match[str], before: str, end: int
) -> AssignedValue | None:
    """Return a value separated from its name only by spaces: in a command, a netrc file, SQL or a sentence."""
    start = sign.end()
    is_flag = before.endswith("-") and FLAG.search(before) is not None
    given = start if is_flag else command_value_start(text, name.text, name.is_loud, before, end)
    if given is not None:
        value = value_at(text, start if given == end + 1 else given, is_plain=True)
        is_value = value is not None and text[value.start] not in "-|<>&"
        if value and not (is_flag or name.is_loud or is_likely_password(text[value.start : value.end])):
            return None
        return secret_value(text, name, value) if is_value else None
    if name.is_password and "\n" not in sign[0] and _NETRC_LOGIN.search(before):
        value = value_at(text, start, is_plain=True)
        return value if value and not values.is_reference(text[value.start : value.end]) else None
    if (
        name.is_password
        and text[start : start + 1] in ("'", '"')
        and _SQL.search(low, max(0, name.start - 80), name.start)
    ):
        return secret_value(text, name, value_at(text, start))
    if before.endswith(" ") and (name.is_password or name.kind == "secret") and _ROUTER_PASSWORD.search(before):
        value = value_at(text, sign.end() + 2 * (text[start + 1 : start + 2] == " "), is_plain=True)
        return value if value and looks_secret(text, value) else None
    if name.is_password and ANSWERED.search(before + name.text):
        start += len("--plaintext ") if text.startswith("--plaintext ", start) else 0
        value = value_at(text, start, is_plain=True)
        return value if value and is_likely_password(text[value.start : value.end]) else None
    if (
        name.text in ("psk", "auth")
        and (pair := OF_A_FILE.match(text, end))
        and is_password_value(pair[pair.lastindex or 1])
    ):
        is_so = before.endswith("stats ") if name.text == "auth" else before.endswith(": ")
        return AssignedValue(*pair.span(pair.lastindex or 1), is_quoted=True, is_plain=False) if is_so else None
    if name.is_password and name.text != "password" and text[start : start + 1] in ("'", '"') and _FIELD.search(before):
        return secret_value(text, name, value_at(text, start))
    if name.text in ("requirepass", "masterauth") or (name.text.endswith("_pass") and len(sign["space"]) > 1):
        return secret_value(text, name, value_at(text, start, is_plain=True))
    if (value := sentence_value(text, name, end)) is not None:
        return value
    if name.is_password and (value := _lone_value(text, name, before, start)):
        return value
    if name.is_sure or name.kind in ("secret", "token", "api-key", "password"):
        if is_use_phrase(before) and (value := value_at(text, start)) and is_random_word(text[value.start : value.end]):
            return secret_value(text, name, value)
        if span := value_below_label(text, end):
            return AssignedValue(*span, is_quoted=True, is_plain=False)
    if len(sign["space"]) > 1 or "\t" in sign["space"]:
        cell = _STRONG_WORDS.match(text, start)
        words = cell[0][: values.MAX_VALUE_CHARS] if cell else ""
        is_first = low[name.start - 1 : name.start] in ("", "\n", " ", "|")
        is_alone = cell is not None and text[cell.end() : cell.end() + 1] in ("", "\n", "\r", "\\")
        if cell and (values.is_strong(words) or (is_first and is_alone and is_cell(name, words))):
            return AssignedValue(*cell.span(), is_quoted=False, is_plain=False)
    return None


def _lone_value(text: str, name: SecretName, before: str, start: int) -> AssignedValue | None:
    """Return the value of a keyword such as `:password "…"`, or the random word after a name that starts its line."""
    if before.endswith(":") and _KEYWORD.search(before) and (value := value_at(text, start)) and value.is_quoted:
        return secret_value(text, name, value)
    alone = _LONE_WORD.match(text, start) if _LINE_START.search(before) else None
    is_random = alone is not None and (is_random_word(alone[1]) or values.is_mixed_password(alone[1]))
    return AssignedValue(*alone.span(1), is_quoted=True, is_plain=False) if alone and is_random else None
