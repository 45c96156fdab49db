"""Parse the value assigned to a secret's name: quoted, bare or in a query; find its end and test if it is a secret."""

from __future__ import annotations

import re
from typing import NamedTuple

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.commands import is_likely_password, is_password_value
from recall_tui.text.secrets.names import SecretName
from recall_tui.text.secrets.value_positions import stated_value_start, value_below
from recall_tui.text.secrets.wrapped_values import wrapped_end

_OPENING_QUOTE = lazy_pattern(
    r"(?:[rbfuLNRBFU@$]{1,2}(?=[\"']))?(\\{0,15})(\"\"\"|'''|''(?=(?:\s|\\{1,8}n){0,40}[^'\s,;)\]}+.&|\\])|[\"'`“‘«]|&quot;|&#39;)"
)
_CLOSERS = {"“": "”", "‘": "’", "«": "»"}
_PIECE = r"\\{0,15}[\"'`]([^\"'`\\\n]{1,256})(?=\\{0,15}[\"'`])"
_JOINT = lazy_pattern(
    r"\\{0,15}[\"'`](?:(?:\s|\\{1,8}n){0,20}(?:\+\+?|[.]{2}|&|<>|\|\||~)(?:\s|\\{1,8}n){0,20}|[ ]?[.][ ]?(?=\S)|[ ])"
    + _PIECE
)
"""The text between two quotations that an operator, or nothing but a space, puts together."""
_SHELL_JOINT = lazy_pattern(r"[\"']" + _PIECE)
_GROUP = lazy_pattern(r"\([ ]?(?:\s|\\{1,8}n){1,40}(?=\\{0,15}[\"'])")
_LINE_JOINT = lazy_pattern(r"\\{0,15}[\"'](?:\s|\\{1,8}n){1,40}" + _PIECE)
"""The text between two quotations on lines of their own in brackets."""
_JOINTS = lazy_pattern(r"\\{0,15}[\"'`](?:\s|\\{1,8}n|[+.&<>|~]){0,44}\\{0,15}[\"'`]")
_MAX_PIECES = 40
_INDENTED = lazy_pattern(r"(?:\s|\\{1,8}n){0,80}([^\s\\](?:[^\n]*?[^\s\\])?)(?:\s|\\{1,8}n){0,80}")
"""A single line of an indented string of Nix (https://nix.dev/manual/nix/latest/language/string-literals)."""
_AFTER_CLOSE = lazy_pattern(r"\s?[+.,;:)\]}]|\s*$")
_EMPHASISED = lazy_pattern(r"(\*{1,3}|_{2,3})(`?)([^\s*`\\]{4,256})\2\1")
"""A value emphasized in Markdown."""
_BARE_VALUE = lazy_pattern(r"[^\s\"'`,;<>(){}\[\]|&\\]{1,256}+")
_VALUE_CHAR = r"(?:[^\s\\]|\\(?![nrt\"'`\\]|u00)|\\{1,15}[\"'](?=[A-Za-z0-9])|\\\\(?![nrt\"'`\\]))"
_WHOLE_VALUE = lazy_pattern(_VALUE_CHAR + "+")
_BESIDE_USER = lazy_pattern(r"user(?:name)?[\"']?\s{0,2}[:=][^,;\n]{1,50}[,;\n]\s{0,20}\Z|\buser(?:name)?=\S{1,50} \Z")
_LINE_ENDS = lazy_pattern(r"[,;.]?[ \t]*(?:\r?\n|\\{1,8}[nr]|\\{0,7}[\"'`|]|\Z)|,[ ]\w")
_LINE_STARTS = lazy_pattern(
    r"(?:\A|\n|\\n|[\"'`])[ \t>|-]*\Z|(?:db|root|smtp|user|mail|ftp|wifi|admin|login|my|ssh|sudo)[ ]\Z", re.IGNORECASE
)
"""The text before a name that starts a line, or that says of whom a password is."""
_NUMBERED_WORD = lazy_pattern(r"[A-Za-z]{3,9}\d")
_SHORT_ASSIGNMENT = lazy_pattern(
    r"[\"']?(?:[a-z]{1,3}[_ -])?(?:pin\s?[:=：＝]\s?(?P<pin>\d{4,8})"
    r"|(?:pw|pwd|pass|passwd|password)[\"']?\s?[:=：＝]\s?[\"']?(?P<value>[^\s\"'`,;]{4,9})[\"',;]{0,2})",
    re.IGNORECASE,
)
_MIXED_WORD = lazy_pattern(r"(?:[a-z]{2,20}(?:[A-Z][a-z]{1,20})+|(?:[A-Z][a-z]{1,20}){2,})\d{1,6}")
_NO_PASSWORD = lazy_pattern(r"[/(\[{]|\A(?:\d+(?:\.\d+)?[a-z%]{0,3})+\Z|\Av?\d+\.|\.\w{1,5}\Z|test|pass", re.IGNORECASE)
"""Paths, calls, durations, versions and names of tests."""
_MAX_HEAD_CHARS = 256
"""The prefix of a value that is examined before it is known to be a secret."""
_VALUE_HEAD = lazy_pattern(f"{_VALUE_CHAR}{{1,{_MAX_HEAD_CHARS}}}+")
_VALUE_END = lazy_pattern(
    r"&(?:amp;)?[\w.\-\[\]]{1,60}=|;[ ]?[A-Za-z][\w ]{0,30}=|,[ ]?[\"']?[\w.-]{1,60}[\"']?[=:]"
    r"|\\{0,15}[\"'`](?=[,;)\]}>:|\\&]|\\?[nrt]\b|\s|\Z)|</|<br|&(?:quot|lt|gt|#39);|```|\[redacted:"
    r"|[;,](?=\s|\Z)|\|(?=\s|\Z)|&&|\|\||\$\("
)
_QUERY_VALUE_END = lazy_pattern(r"[&#\"'`<>\\]|;(?=[\w.-]{1,60}=)")
_AFTER_BRACKET = lazy_pattern(r"[)\]}]\w|^[a-zA-Z]*\d[\w]*[({\[]")
_CALL = lazy_pattern(
    r"[A-Za-z_][\w.:]*(?:\[[^\]]*\])?[({]|[A-Za-z_][\w.]*\[|(?:await|new|not|lambda|func|function|async|typeof|void)\b|[!&*]?\w+(?:->|\?\.|::)"
)
_FALLBACK = lazy_pattern(
    r"[^\n;]{0,120}?(?:\?\?|\|\||\bor\b|\?:|,|:-|:=)[ \t]*\\{0,7}[\"']([^\"'\s\\]{8,512})\\{0,7}[\"']"
)
_EXPRESSION = lazy_pattern(r"[\w.$]{2,60}[(\[. ?]|\$\{")


SecretSpan = tuple[str, int, int]


class AssignedValue(NamedTuple):
    """A value assigned to a name."""

    start: int
    end: int
    is_quoted: bool
    is_plain: bool
    """Shell, URL or settings-file syntax, where a word is never code."""
    is_whole: bool = True
    """Its end was found."""
    is_joined: bool = False
    """It consists of several quotations that code puts together."""


def value_at(text: str, start: int, *, is_plain: bool = False) -> AssignedValue | None:
    """Parse the quoted or bare value that starts at `start`."""
    grouped = _GROUP.match(text, start) if text.startswith("(", start) else None
    start = grouped.end() if grouped else start
    opened = _OPENING_QUOTE.match(text, start)
    if text[start : start + 1] in ("*", "_") and (emphasised := _EMPHASISED.match(text, start)):
        return AssignedValue(*emphasised.span(3), is_quoted=True, is_plain=is_plain)
    if opened is None:
        if is_plain:
            return _cut_bare(text, start, _VALUE_END, is_plain=True)
        bare = _BARE_VALUE.match(text, start)
        if bare is None:
            return None
        if text[bare.end() : bare.end() + 1] in ("(", "[", "{") or _CALL.match(text, start, bare.end() + 1):
            whole = _cut_bare(text, start, _VALUE_END, is_plain=False)
            words = text[whole.start : whole.end][: values.MAX_VALUE_CHARS] if whole else ""
            is_code = _CALL.match(words) is not None and not _AFTER_BRACKET.search(words) and not _is_open(words)
            return whole if whole and not is_code and values.is_probable(words) else None
        return _trim(text, _cut_bare(text, start, _VALUE_END, is_plain=False), bare.end())
    quote, depth = opened[2], len(opened[1])
    first = opened.end()
    if _AFTER_CLOSE.match(text, first) and text[first : first + 1] not in (quote[0], "."):
        return None
    end = _find_close(text, first, _CLOSERS.get(quote, quote), depth)
    if end == first:
        return None
    line_end = text.find("\n", first, end if end > 0 else first + 4096)
    if end > 0 and quote == "''":
        return _nix_string(text, first, end, is_plain=is_plain)
    if end > 0 and line_end < 0:
        last = _joined_end(text, end, _LINE_JOINT if grouped else _SHELL_JOINT if is_plain else _JOINT)
        return AssignedValue(first, last, is_quoted=True, is_plain=is_plain, is_joined=last > end)
    if end > 0 and (len(quote) == 3 or wrapped_end(text, first, end) == end):
        return AssignedValue(first, end, is_quoted=True, is_plain=is_plain)
    head = _VALUE_HEAD.match(text, first)
    return AssignedValue(*head.span(), is_quoted=True, is_plain=False, is_whole=False) if head else None


def _nix_string(text: str, start: int, end: int, *, is_plain: bool) -> AssignedValue | None:
    """Return the text in an indented string of Nix, without the space around it."""
    words = _INDENTED.fullmatch(text, start, end)
    return AssignedValue(*words.span(1), is_quoted=True, is_plain=is_plain) if words else None


def _joined_end(text: str, end: int, joint: re.Pattern[str]) -> int:
    """Return the end of the last of the quotations that are put together, the first of which ends at `end`."""
    for _ in range(_MAX_PIECES):
        piece = joint.match(text, end)
        if piece is None:
            break
        end = piece.end(1)
    return end


def _is_open(words: str) -> bool:
    """Return whether a bracket opens without closing between letters and digits."""
    is_balanced = all(words.count(one) == words.count(other) for one, other in ("()", "[]", "{}"))
    return not is_balanced and words[-1].isalnum() and any(map(str.isdigit, words))


def _find_close(text: str, start: int, quote: str, depth: int) -> int:
    """Return the end of a quotation whose opening quote has `depth` backslashes; -1 when it does not close."""
    end = text.find(quote, start)
    while end >= 0:
        slashes = 0
        while end - slashes > start and text[end - slashes - 1] == "\\":
            slashes += 1
        is_doubled = (
            quote == "'" and text[end + 1 : end + 2] == "'" and end > start and text[end + 2 : end + 3].isalnum()
        )
        if slashes <= depth and not is_doubled:
            return end - slashes
        end = text.find(quote, end + (2 if is_doubled else 1))
    return -1


def _cut_bare(text: str, start: int, stop: re.Pattern[str], *, is_plain: bool) -> AssignedValue | None:
    """Parse a value without quotes, up to the first character that cannot continue it."""
    head = _VALUE_HEAD.match(text, start)
    if head is None:
        return None
    end = head.end()
    stopped = stop.search(text, start, end)
    end = stopped.start() if stopped else end
    while end > start and _is_outside(text, start, end):
        end -= 1
    return AssignedValue(start, end, is_quoted=False, is_plain=is_plain) if end > start else None


def _is_outside(text: str, start: int, end: int) -> bool:
    """Return whether the last character belongs to the text around the value, such as a closing bracket."""
    last = text[end - 1]
    opener = {")": "(", "]": "[", "}": "{", ">": "<"}.get(last)
    return last in ".,:;\"'`" or (opener is not None and opener not in text[max(start, end - 256) : end])


def _trim(text: str, whole: AssignedValue | None, bare_end: int) -> AssignedValue | None:
    """Cut the value to its bare word, unless it cannot be code."""
    if whole is None or whole.end <= bare_end:
        return whole
    words = text[whole.start : whole.end][: values.MAX_VALUE_CHARS]
    if values.is_probable(words):
        return whole
    return whole._replace(end=bare_end) if bare_end > whole.start else None


def find_whole_end(text: str, value: AssignedValue) -> int:
    """Return the end of a bare value that continues beyond the examined prefix or on the next lines."""
    end = value.end
    if end - value.start == _MAX_HEAD_CHARS and (whole := _WHOLE_VALUE.match(text, end)):
        stopped = _VALUE_END.search(text, value.start, whole.end())
        end = stopped.start() if stopped else whole.end()
    return wrapped_end(text, value.start, end) or end


def query_value(text: str, start: int) -> AssignedValue | None:
    """Parse the value of a query or form field."""
    return _cut_bare(text, start, _QUERY_VALUE_END, is_plain=True)


def looks_secret(text: str, value: AssignedValue | None) -> bool:
    """Return whether the value looks like a secret regardless of its name."""
    if value is None:
        return False
    words = text[value.start : value.end][: values.MAX_VALUE_CHARS]
    return values.is_probable(words, 6) or values.is_strong(words)


def secret_value(text: str, name: SecretName, value: AssignedValue | None) -> AssignedValue | None:
    """Return the value, extended over wrapped lines, if it is a secret; else None."""
    if value is None:
        return None
    words = text[value.start : value.end]
    words = (_JOINTS.sub("", words) if value.is_joined else words)[: values.MAX_VALUE_CHARS]
    is_left_off = text.startswith(("..", "…", "***", "xxx"), value.end)
    if is_left_off or not (_is_secret(name, words, value) or _is_mixed_word(text, name, words, value)):
        return None
    if value.is_quoted and value.is_whole:
        return value
    return value._replace(end=find_whole_end(text, value))


def _is_mixed_word(text: str, name: SecretName, words: str, value: AssignedValue) -> bool:
    """Return whether a word such as `blueWhale7`, which could be an identifier, ends a line that tells a password."""
    is_last = _LINE_ENDS.match(text, value.end) is not None
    return name.is_password and is_last and _MIXED_WORD.fullmatch(words) is not None and values.is_mixed_password(words)


def short_assignment(text: str) -> SecretSpan | None:
    """Return the password of a text too short for more than its assignment: `pw: k9x2`."""
    found = _SHORT_ASSIGNMENT.fullmatch(text)
    if found is None:
        return None
    if found["pin"]:
        return "pin", *found.span("pin")
    value = found["value"]
    has_both = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    is_secret = (
        has_both and not _NUMBERED_WORD.fullmatch(value) and not _NO_PASSWORD.search(value) and is_password_value(value)
    )
    return ("password", *found.span("value")) if is_secret else None


def pass_value(text: str, start: int, before: str) -> AssignedValue | None:
    """Return the password that is assigned to `pass`, which tests and rendering also have; `before` ends before it."""
    value = value_at(text, start)
    if value is None:
        return None
    words = text[value.start : value.end]
    is_beside = _BESIDE_USER.search(before) is not None
    if value.is_quoted:
        is_word = values.is_code_label(words) or values.is_number(words) or " " in words
        return (
            value
            if is_likely_password(words) and (not is_word or is_beside or values.is_mixed_password(words))
            else None
        )
    if not _LINE_ENDS.match(text, value.end) or _NO_PASSWORD.search(words) or not is_password_value(words):
        return None
    is_told = _LINE_STARTS.search(before) is not None and len(words) >= 8 and not values.is_code_label(words)
    if values.is_mixed_password(words) or ((is_told or is_beside) and is_likely_password(words)):
        return value._replace(is_quoted=True)
    return None


def _is_secret(name: SecretName, words: str, value: AssignedValue) -> bool:
    if values.is_reference(words) or "[redacted:" in words or not words:
        return False
    if value.is_plain and values.is_code_label(words) and values.has_own_word(words):
        return False
    if name.kind == "webhook":
        last = words.rstrip("/").rpartition("/")[2]
        return words.startswith("http") and (values.is_strong(last) or values.is_probable(last, 16))
    if name.kind == "account-key":
        return values.is_key(words) and not values.is_address(words)
    if values.is_strong(words):
        return not values.is_address(words) and not values.is_placeholder(words)
    if not value.is_whole or values.is_placeholder(words) or values.is_address(words):
        return False
    if name.kind in ("authorization", "salt") or (name.kind == "api-key" and not name.is_sure and name.is_loud):
        return False
    if name.text in ("pwd", "oldpwd") and words[0] in "/~":
        return False
    if value.is_quoted:
        return _is_quoted_secret(name, words)
    if value.is_plain and name.is_sure:
        is_word = words.isalpha() and (not name.is_password or words.isupper()) and not values.is_turning(words)
        return len(words) >= 4 and not is_word and not (words.isdigit() and not name.is_password)
    if name.is_password:
        is_chosen = any(sign in words for sign in "!@#$%^&*") and words[0].isalnum() and len(words) >= 6
        return values.is_probable(words, 6) or is_chosen
    return values.is_probable(words)


def _is_quoted_secret(name: SecretName, words: str) -> bool:
    if " " in words:
        is_phrase = name.text.endswith("passphrase") and values.is_phrase(words.lower()) and words[0].islower()
        return is_phrase or (name.is_password and values.is_phrase(words))
    if name.is_password:
        return values.is_chosen_password(words)
    if name.is_sure or name.kind == "secret":
        is_name = values.is_code_label(words) or values.is_number(words) or not words.isascii()
        return len(words) >= 8 and not is_name and any(map(str.isalpha, words))
    return values.is_probable(words)


def is_cell(name: SecretName, cell: str) -> bool:
    is_word = (
        values.is_code_label(cell)
        or values.is_reference(cell)
        or values.is_placeholder(cell)
        or values.is_address(cell)
    )
    if is_word or values.is_number(cell):
        return False
    if name.kind == "authorization":
        return values.is_strong(cell)
    if name.is_password:
        return len(cell) >= 6 and (values.is_probable(cell, 6) or values.has_sign(cell))
    return values.is_probable(cell, 10) or values.is_strong(cell)


def fallback_value(text: str, start: int) -> AssignedValue | None:
    """Return the default of an expression: `process.env.KEY ?? "…"`."""
    called = _FALLBACK.match(text, start) if _EXPRESSION.match(text, start) else None
    value = AssignedValue(*called.span(1), is_quoted=True, is_plain=False) if called else None
    return (
        value
        if value and looks_secret(text, value) and not values.is_placeholder(text[value.start : value.end])
        else None
    )


def sentence_value(text: str, name: SecretName, end: int) -> AssignedValue | None:
    """Return the value that a sentence states for the name ending at `end`."""
    is_secret = name.is_sure or name.kind in ("secret", "token", "api-key", "password")
    start = stated_value_start(text, end) if is_secret else None
    value = value_at(text, start) if start is not None else None
    is_told = looks_secret(text, value) or (
        value is not None and name.is_password and values.is_mixed_password(text[value.start : value.end])
    )
    return secret_value(text, name, value) if is_told else None


def next_line_value(text: str, name: SecretName, end: int) -> AssignedValue | None:
    """Return a secret that stands alone on the line below the name."""
    if text[name.start - 1 : name.start] in (",", "|", "\t", ";") and name.start:
        return None
    span = value_below(text, end) if name.is_sure or name.kind in ("secret", "token", "api-key") else None
    value = AssignedValue(*span, is_quoted=True, is_plain=False) if span else None
    if value is None or not looks_secret(text, value):
        return None
    is_sure = values.is_strong(text[value.start : value.end][: values.MAX_VALUE_CHARS]) or name.is_password
    return secret_value(text, name, value) if is_sure else None
