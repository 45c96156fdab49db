"""Find secrets given as an answer: Redis `AUTH`, the input that an expect script sends, a PIN in a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.commands import PROMPT, is_likely_password, is_password_value

Span = tuple[int, int]
SecretSpan = tuple[str, int, int]

_SENT = lazy_pattern(
    r"assword[^\"'}\n\\]{0,12}(?:\\{0,7}[\"'}])?[)}]{0,2}(?:\s|\\{1,7}[nrt]|[;{,]){0,24}(?:exp_)?send(?:line|_user)?"
    r"[ (](?:--? )?\\{0,7}[\"'{]([^\"'\s\\{}$]{4,128})"
)
"""A prompt that a script such as expect waits for, and the input it sends (https://core.tcl-lang.org/expect)."""
_AT_PROMPT = lazy_pattern(
    r"(?:redis-cli(?: -{1,2}\w+(?:[ =][\w.-]{1,60})?){0,4} "
    r"|[\w.-]{1,64}:\d{2,5}(?:\[\d{1,3}\])?>|redis[^\s>]{0,20}>)[ ]?A\Z",
    re.IGNORECASE,
)
_LINE_START = lazy_pattern(r"(?:\A|\n|\\{1,7}n|[`\"])(?:[$>#][ ]?)?A\Z")
_MIXED = lazy_pattern(r"[a-z]{2,}[A-Z]")
_RULES = lazy_pattern(r"[ ](?:on|off|reset|nopass|resetpass|sanitize-payload|allkeys|allcommands|[~&+%-]\S+)(?=[ ])")
_PASSWORD_RULE = lazy_pattern(r"[ ](?:\\{0,7}[\"'])?>([^\s\"'\\=>][^\s\"'\\]{3,127})")
_MAX_RULE_CHARS = 400
_LOGIN = lazy_pattern(
    r"[ ](?:(?P<user>[\w.@-]{1,64})[ ])?\"?(?P<value>[^\s\"'`\\<>$]{6,128})\"?(?=[ ]*(?:[\r\n\\`\"]|\Z))"
)
_PROMPT_LOGIN = lazy_pattern(r"[ ](?:default[ ])?\"?(?P<value>[^\s\"'`\\<>$]{6,128})")
"""The same at a prompt, where the answer may follow on the line."""
_SETTING = "masterauth"
_SET = lazy_pattern(r"[ \t]{1,20}\"?([^\s\"'`\\<>$]{6,128})")
_BEFORE_CHARS = 90
_PIN = lazy_pattern(
    r"(?:[ -]?(?:code|number|nummer))?[*_`\"')]{0,4}(?P<whose>[ ](?:of|for|to|on)(?:[ ][\w'’]{1,16}){1,4}?)?"
    r"(?:(?P<sign>\s{0,2}[:=]\s{0,3})"
    r"|(?P<verb>[ ](?:is|was|ist|war|est|es)(?: now| still| set to)?:?[ ]|[ ](?:set|changed) to[ ])|[ ])"
    r"[*_`\"'“]{0,4}(?P<value>\d{4}(?:[ ]?\d{1,4})?)"
    r"(?=[.,;]?(?:\s*\Z|[\s*_`\"'”)\\!?]*(?:[\r\n\\<]|\Z))|[.,;!?)][ ]|[*_`\"'”]|[ ](?:and|or|but|so|please|now|to)\b)"
)
_PIN_CUE = lazy_pattern(r"(?:with|enter|use|using|type|my|your|the|our)[ ](?:the[ ])?\Z")


def server_login(text: str, end: int) -> Iterator[SecretSpan]:
    """Yield the password given to a server by `masterauth`, or by `AUTH` alone on its line or at a prompt.

    The word ends at `end`.
    """
    if text[end - len(_SETTING) : end].lower() == _SETTING:
        given = _SET.match(text, end)
        yield from [("password", *given.span(1))] if given and is_password_value(given[1]) else []
        return
    before = text[max(0, end - 3 - _BEFORE_CHARS) : end - 3]
    if _AT_PROMPT.search(before):
        given = _LOGIN.match(text, end) or _PROMPT_LOGIN.match(text, end)
        is_told = given is not None and is_password_value(given["value"])
    else:
        given = _LOGIN.match(text, end) if text[end - 4 : end] == "AUTH" and _LINE_START.search(before) else None
        value = given["value"] if given else ""
        is_told = is_likely_password(value) or (_MIXED.search(value) is not None and is_password_value(value))
    if given and is_told:
        yield "password", *given.span("value")


def access_rule(text: str, end: int) -> Iterator[Span]:
    """Yield the passwords in a rule of Redis for a user, as of `ACL SETUSER`; `user` ends at `end`.

    https://redis.io/docs/latest/operate/oss_and_stack/management/security/acl
    """
    last = text.find("\n", end, end + _MAX_RULE_CHARS)
    last = last if last >= 0 else min(len(text), end + _MAX_RULE_CHARS)
    first = _PASSWORD_RULE.search(text, end, last)
    if first and _RULES.search(text, end, last):
        for rule in _PASSWORD_RULE.finditer(text, end, last):
            if is_password_value(rule[1]):
                yield rule.span(1)


def expected_answers(text: str, low: str) -> Iterator[Span]:
    """Yield the input that a script sends at a password prompt; `low` is the text in lower case."""
    place = low.find(PROMPT)
    while place >= 0:
        answer = _SENT.match(text, place)
        if answer and is_password_value(answer[1]):
            yield answer.span(1)
        place = low.find(PROMPT, place + len(PROMPT))


def pin(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Yield the digits that a sentence or a form gives for a PIN, whose name spans `start` to `end`."""
    told = _PIN.match(text, end)
    if told is None:
        return
    if not (told["sign"] or told["verb"]):
        if told["whose"]:
            return
        is_told = _PIN_CUE.search(text, max(0, start - 16), start) is not None
        if not (text[start:end].isupper() or is_told):
            return
    yield "pin", *told.span("value")
