"""Find secrets by the name they are assigned to: `password=…`, `"api_key": "…"`, `--token …`, `| Secret | … |`.

A value counts unless it is a reference, a placeholder, code or prose.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.assigned_values import (
    AssignedValue,
    fallback_value,
    is_cell,
    looks_secret,
    next_line_value,
    pass_value,
    query_value,
    secret_value,
    sentence_value,
    value_at,
)
from recall_tui.text.secrets.commands import (
    is_likely_password,
    passwd_secret,
    positional_secret,
)
from recall_tui.text.secrets.credentials import cookie_secrets, header_secrets, key_set_secrets, password_file_secrets
from recall_tui.text.secrets.decoded_views import unescape_json
from recall_tui.text.secrets.literals import ScannedText, scan
from recall_tui.text.secrets.names import ANCHORS, SecretName, name_at, without_name
from recall_tui.text.secrets.prefixes import WHOLE_PREFIXES, whole_token
from recall_tui.text.secrets.value_positions import (
    FLAG,
    STATEMENT_CUES,
    argument_start,
    column_secrets,
    heading_start,
    is_random_word,
    list_secrets,
    login_password_start,
    manifest_secrets,
    sent,
    value_before,
    value_before_name,
    value_start,
    yaml_block_lines,
)
from recall_tui.text.secrets.wrapped_values import wrapped_end

_QUOTE = r"\\{0,15}(?:\"\"\"|'''|[\"'`“”‘’«»]|&quot;|&#39;)"
_MARKS = r"(?:\*{1,3}|_{2,3})"
"""Markdown emphasis."""
_ASSIGNMENT_SIGN = lazy_pattern(
    rf"{_MARKS}?(?P<close>{_QUOTE}|\][\"'`](?=[,)]))?\]?[)]?{_MARKS}?"
    r"(?P<note>[ ]?(?:\[[^\]\n]{0,40}\]|\([^)\n]{0,40}\)))?"
    r"(?:\??:[ ]?[A-Za-z][\w.|\[\], ]{0,30}[ ]?(?==))?"
    r"(?:(?P<assign>[ \t]{0,40}(?:=>|:=|<-|->|\?\?=|\|\|=|\?=|\+=|!?={1,3}|[：＝]"
    rf"|::?(?!:)(?:{_MARKS}(?=[ \t]))?)[ \t]{{0,40}})"
    r"|(?P<xml>(?:[ ][\w:-]{1,30}=\"[^\"\n]{0,80}\"){0,4}>)"
    r"|(?P<cell>[ \t]{0,40}[|│┃][ \t]{0,40})"
    r"|(?P<list>[ ]?,(?:\s|\\{1,8}n){0,40}"
    r"|[)]?\.(?:fill|type|send_keys|sendKeys|setValue|set_value|pressSequentially|write_text|write)\()"
    r"|(?P<next></\w{1,20}>\s{0,40}<\w{1,20}(?:[ ][\w:-]{1,30}=\"[^\"\n]{0,80}\"){0,4}>)"
    r"|(?P<dash>[ \t]{1,4}(?:[—–→-]|--|\\{1,7}u(?:201[34]|2192))[ \t]{1,4}|[ ]\((?=\\{0,7}[\"'`“]))"
    r"|(?P<space>[ \t]{1,40}))"
)
_CELL = lazy_pattern(r"[`\"']?([^\s|│┃`\"']{1,4096}+)[`\"']?(?=[ \t]{0,200}(?:[|│┃]|\\n|\n|\Z))")
_XML_VALUE = lazy_pattern(
    r"\s{0,40}(?:<[Vv]alue>\s{0,40})?([^<\s](?:[^<\n]{0,1024}?[^<\s])?|[A-Za-z0-9+/=_-]{16,}+(?:(?:\s|\\{1,7}n){1,40}[A-Za-z0-9+/=_-]{4,}+){1,200}+)\s{0,40}(?=</|\\{1,8}u003c\\{0,8}/|<!)"
)
_WORD_BELOW = lazy_pattern(
    r"(?:\n|\\n)[ \t]{0,12}(?:[⎿|│>][ \t]{0,4}|\\{1,7}u23bf[ ]{0,4})?[!#-\[\]-~]{6,512}+(?=[ \t]*(?:\r?\n|\Z)|[\"\\])"
)
"""A line break and, below it, a single word."""
_MAX_COMMAND_CHARS = 400
_READING_VERBS = (
    "pass ",
    "get",
    "show",
    "read",
    "cat ",
    "echo ",
    "printenv",
    "lookup",
    "auth",
    "base64",
    "head",
    "tail",
    "access",
    "find-",
    "less",
    "more",
    "type",
    "bat ",
)
"""Parts of the commands in `command_output`."""
_BEFORE_LINE = lazy_pattern(
    r"(?:^|\n|\\n|→|\t|[\"'`])[ \t>+|-]{0,12}(?:\d{1,6}[:|→][ \t]?)?[#$%> ]{0,4}"
    r"(?:(?:export|set|setenv|env|ENV|ARG|declare|typeset|local|readonly|-x|-gx|-e|--env|--build-arg|-D|-P|-)"
    r"[ \t=]{0,4}){0,3}[\w.-]{0,8}\Z"
)
_VARIABLE = lazy_pattern(
    r"(?:-e|--env|--build-arg|--from-literal=?|--set(?:-string)?|-D|-P|export|setx?|env|ENV|ARG|\$env:)"
    r"[ \t=]{0,4}[\"']?[\w.:-]{0,60}\Z"
)
_QUERY = lazy_pattern(r"[?&][\w.\-\[\]]{0,40}\Z")
_VALUE_END_CHARS = frozenset(("", "\n", "\r", '"', "'", "`", "\\"))
_STATEMENT_CUES = (" are ", " is ", ": ", " from ", " set ")
"""The text between a name and every match of `statement_secrets`."""
_CALLS = ("(", "=(", " = (", " '", ' "')
_LONG_VALUE_AHEAD = lazy_pattern(r"[^\n]{0,40}?[A-Za-z0-9+/_-]{32}")
_PASS_OPTION = lazy_pattern(r"(?:[ ]/|-pass(?:in|out|word)?(?:[ =]?|\\{0,7}[\"'],[ ]?)\\{0,7}[\"']?)\Z")
"""The text before `pass:` in a command that takes a password."""
_TEMPLATE_DEFAULT = lazy_pattern(
    r"[\"']?[ ]?[:{][ ]*\r?\n(?:[ \t]+(?:[Tt]ype|[Dd]escription|NoEcho|sensitive|M\w{1,20})[ ]*[:=][^\n]{0,200}\n){0,6}"
    r"[ \t]+[Dd]efault[ ]*[:=][ ]*|\\{0,7}\"[ ]?\{(?:[^{}\n]{0,120}[ ;,])?[ ]?default[ ]*=[ ]*"
)
"""The text between a template parameter's name and its default."""
_ROW = lazy_pattern(r"\*{0,2}:?[ ]{0,3}[|>]?[+-]?\\{1,7}r?\\{0,7}n|[,;|]|[ ]{1,8}[|]|\\{1,7}t|[ ]{2}")
"""The separator after a column heading, or after a name above its value, in a line of JSON."""
_MAX_ROWS_CHARS = 4_000
_MAX_HEADING_CHARS = 400
_FORMS = ("assign", "xml", "cell", "list", "next", "dash", "space")
_AROUND_HEADINGS = frozenset((",", "|", "\t", "\n", " ", '"', "`", "\r"))
_RESULT = lazy_pattern(r"\"result\\{0,7}\": ?\\{0,7}\"(?!\[redacted:)([^\"\\\n]{4,256})\\{0,7}\"")
_LONG_WORD_AHEAD = lazy_pattern(r" [A-Za-z0-9_+/=-]{20}")
_SCHEME = lazy_pattern(r"[A-Za-z][\w-]{1,20}[ \t]([^\s\"'`,;<>(){}|\\]{16,}+)")


def assigned_secrets(scanned: ScannedText, limit: int) -> Iterator[tuple[str, int, int]]:
    """Yield (kind, start, end) of each secret after the name of one that ends before `limit`."""
    text, flat, low = scanned.text, scanned.flat, scanned.low
    for anchor, places in zip(ANCHORS, scanned.starts, strict=True):
        if not places:
            continue
        done = looked = last = 0
        for start in places:
            place = anchor.match(low, start, limit) if start >= last else None
            if place is None:
                continue
            last = place.end()
            if start < done:
                continue
            found: Iterable[tuple[str, int, int]]
            if place[0] == "kie":
                found, done = cookie_secrets(text, place.end())
            elif place[0] == "kty":
                found, looked = key_set_secrets(text, looked, place.end())
            elif (around := without_name(text, low, place)) is not None:
                found = list(around)
            elif place[0][-1] in " :./(":
                found = list(positional_secret(text, place))
            elif place[0][:2] in WHOLE_PREFIXES:
                found = list(whole_token(text, place))
            else:
                found = list(_secrets_at(text, flat, low, place))
                if found:
                    done = max(end for _, _, end in found)
            yield from found


def _secrets_at(text: str, flat: str, low: str, place: re.Match[str]) -> Iterator[tuple[str, int, int]]:
    word, end = place[0], place.end()
    line_end = text.find("\n", end, end + _MAX_COMMAND_CHARS)
    line_end = line_end if line_end >= 0 else text.find("\\n", end, end + _MAX_COMMAND_CHARS)
    if (
        line_end >= 0
        and _WORD_BELOW.match(text, line_end)
        and any(verb in text[max(0, place.start() - _MAX_COMMAND_CHARS) : line_end] for verb in _READING_VERBS)
    ):
        from recall_tui.text.secrets.command_output import printed_secret

        if printed := list(printed_secret(text, place.start(), end)):
            yield from printed
            return
    if text.startswith(_STATEMENT_CUES, end):
        from recall_tui.text.secrets.statements import statement_secrets

        if stated := list(statement_secrets(text, word, end)):
            yield from stated
            return
    if word == "uth" and text[end : end + 1] in (" ", "\t"):
        from recall_tui.text.secrets.dialogs import server_login

        if login := list(server_login(text, end)):
            yield from login
            return
    if word[-1] == "s" and word.startswith("pass") and word != "pass":
        yield from list_secrets(text, end)
        return
    if low[end : end + 1] == " " and low[end + 1 : end + 2].isalpha() and word in ("ken", "key", "cret", "uth"):
        sure = text[max(0, place.start() - 48) : end]
        if (
            "-" not in sure
            and "set" not in sure
            and "ENV" not in sure
            and "stats " not in sure
            and not low.startswith(STATEMENT_CUES, end)
            and not _LONG_WORD_AHEAD.match(text, end)
        ):
            return
    if word == "passwd" and (spans := list(_passwd_secret(text, low, place))):
        yield from (("password", *span) for span in spans)
    elif word == "pass" and low.startswith("pg", place.start() - 2):
        yield from password_file_secrets(text, end, end + 4_000)
    elif (name := name_at(flat, low, place)) is not None:
        if name.kind == "account-key" and not _LONG_VALUE_AHEAD.match(text, end):
            return
        if word == "uthorization":
            yield from header_secrets(text, end)
        elif (found := _value_after(text, low, name, end)) is not None:
            yield name.kind, found.start, found.end
        elif _ROW.match(text, end) and text.find("\\n", end, end + _MAX_ROWS_CHARS) >= 0:
            yield from _row_secrets(text, name, end)
        else:
            yield from ((name.kind, *span) for span in _nearby_secrets(text, low, name, end))


def _passwd_secret(text: str, low: str, place: re.Match[str]) -> Iterator[tuple[int, int]]:
    """Yield the password argument of the command whose name ends with this word."""
    start = place.start()
    while start and (low[start - 1].isalpha() or low[start - 1] == "_"):
        start -= 1
    yield from passwd_secret(text, low[start : place.end()], place.end())


def _row_secrets(text: str, name: SecretName, end: int) -> Iterator[tuple[str, int, int]]:
    """Yield the secrets below a name in a JSON line, where line ends are escaped."""
    back = _MAX_ROWS_CHARS if name.text == "secret" else _MAX_HEADING_CHARS
    first = text.rfind("\\n", max(0, name.start - back), name.start)
    first = (
        first + 2
        if first >= 0 and back == _MAX_HEADING_CHARS
        else max(text.rfind('"', 0, name.start) + 1, name.start - back)
    )
    last = text.rfind("\\n", end, end + _MAX_ROWS_CHARS)
    last = text.find('"', last + 2, last + _MAX_ROWS_CHARS) if text.find("\\n", last + 2) < 0 else last
    last = last if last > 0 else min(len(text), end + _MAX_ROWS_CHARS)
    view = unescape_json(text[first:last])
    if view is not None:
        scanned = scan(view.text)
        heading_end = len(view.text) if name.text == "secret" else view.text.find("\n") + 1
        for kind, start, stop in assigned_secrets(scanned, heading_end or len(view.text)):
            one, other = view.span(start, stop)
            yield kind, one + first, other + first


def _nearby_secrets(text: str, low: str, name: SecretName, end: int) -> Iterator[tuple[int, int]]:
    """Yield the secrets below a name, or elsewhere near it where the context identifies them."""
    if name.text == "secret" and low.startswith("kind: ", name.start - 6):
        yield from manifest_secrets(text, name.start)
    elif default := _TEMPLATE_DEFAULT.match(text, end):
        value = secret_value(text, name, value_at(text, default.end(), is_plain=True))
        if value is not None:
            yield value.start, value.end
    elif name.text.endswith("random_password"):
        result = _RESULT.search(text, end, end + 2_000)
        if result:
            yield result.span(1)
    elif text[end : end + 1] in _AROUND_HEADINGS or text[name.start - 1 : name.start] in ',|\t"`':
        yield from column_secrets(text, heading_start(text, name), end, lambda cell: is_cell(name, cell))


def _value_after(text: str, low: str, name: SecretName, end: int) -> AssignedValue | None:
    """Return the secret assigned to the name ending at `end`."""
    sign = _ASSIGNMENT_SIGN.match(text, end)
    before = text[max(0, name.start - 64) : name.start]
    is_plain = name.is_loud or name.is_sure
    if "val" in low[end : end + 200] or "content" in low[end : end + 80]:
        begin = value_start(text, before + name.text, end)
        if begin is not None:
            return secret_value(text, name, value_at(text, begin, is_plain=is_plain))
    if (span := value_before_name(text, name.start, before)) or (name.is_password and (span := sent(text, end))):
        return secret_value(text, name, AssignedValue(*span, is_quoted=True, is_plain=False))
    if text[end : end + 1] in _VALUE_END_CHARS and (span := value_before(text, name.start)):
        return secret_value(text, name, AssignedValue(*span, is_quoted=text[span[0] - 1] in "\"'", is_plain=is_plain))
    if text.startswith(_CALLS, end) and (value := _call_secret(text, name, end)) is not None:
        return value
    if sign is None and (value := sentence_value(text, name, end)) is not None:
        return value
    if sign is None or (sign["assign"] and text[sign.end() : sign.end() + 2].lstrip("\r")[:1] == "\n"):
        if "- " in before:
            from recall_tui.text.secrets.argument_lists import item_below

            if (below := item_below(text, name, before, end)) is not None:
                return below
        return next_line_value(text, name, end)
    form = next(kind for kind in _FORMS if sign[kind])
    start = sign.end()
    match form:
        case "assign":
            if (block := yaml_block_lines(text, name.start, start)) is not None:
                words = "".join(text[block[0] : block[1]].split())[: values.MAX_VALUE_CHARS]
                is_secret = "[redacted:" not in words and (name.is_sure or values.is_strong(words))
                return AssignedValue(*block, is_quoted=True, is_plain=True) if is_secret else None
            scheme = _SCHEME.match(text, start)
            if scheme and values.is_strong(scheme[1][: values.MAX_VALUE_CHARS]):
                return AssignedValue(
                    start, wrapped_end(text, *scheme.span(1)) or scheme.end(), is_quoted=False, is_plain=True
                )
            is_query = sign["assign"] == "=" and _QUERY.search(before) is not None
            given = _assigned_value(text, low, name, sign, before, is_query=is_query)
            return secret_value(text, name, given) or fallback_value(text, start)
        case "xml" | "next":
            tagged = _XML_VALUE.match(text, start)
            inside = AssignedValue(*tagged.span(1), is_quoted=True, is_plain=form == "xml") if tagged else None
            return secret_value(text, name, inside) if form == "xml" or looks_secret(text, inside) else None
        case "cell":
            cell = _CELL.match(text, start)
            if cell and "}}" in cell[1]:
                return None
            beside = AssignedValue(*cell.span(1), is_quoted=True, is_plain=False) if cell else None
            return secret_value(text, name, beside) if looks_secret(text, beside) else None
        case "list":
            from recall_tui.text.secrets.argument_lists import listed_value

            return listed_value(text, name, sign, before)
        case "dash":
            apart = value_at(text, start)
            words = text[apart.start : apart.end] if apart else ""
            is_told = is_likely_password(words) if apart and apart.is_quoted else is_random_word(words)
            return secret_value(text, name, apart) if is_told and name.text != "pass" and " " not in words else None
        case _:
            from recall_tui.text.secrets.adjacent_values import adjacent_value

            return adjacent_value(text, low, name, sign, before, end)


def _call_secret(text: str, name: SecretName, end: int) -> AssignedValue | None:
    """Return the password argument of a method that takes a password, or a user and a password."""
    if name.kind in ("authorization", "credential"):
        is_client = name.text.endswith(("redis.auth", "jedis.auth", "client.auth", "cache.auth"))
        if is_client and (alone := value_at(text, end + 1)) and alone.is_quoted and text.startswith(")", alone.end + 1):
            return alone if is_likely_password(text[alone.start : alone.end]) else None
        span = login_password_start(text, end)
        return (
            AssignedValue(*span, is_quoted=True, is_plain=False)
            if span and is_likely_password(text[slice(*span)])
            else None
        )
    start = argument_start(text, name.text, end) if name.is_password else None
    argument = value_at(text, start) if start is not None else None
    return (
        secret_value(text, name, argument)
        if argument and is_likely_password(text[argument.start : argument.end])
        else None
    )


def _assigned_value(
    text: str, low: str, name: SecretName, sign: re.Match[str], before: str, *, is_query: bool
) -> AssignedValue | None:
    if text[name.start - 1 : name.start] == ":" and sign["assign"] == ":" and "arn:" in before:
        return None
    if name.text == "pass" and _PASS_OPTION.search(before):
        return value_at(text, sign.end(), is_plain=True)
    if name.text == "pass" and sign["assign"] != "=" and not sign["close"]:
        return pass_value(text, sign.end(), before)
    if is_query:
        return query_value(text, sign.end())
    is_tight = sign["assign"] in ("=", ":=") and not sign["close"]
    is_first = low[name.start - 1 : name.start] in ("", "\n") or _BEFORE_LINE.search(before) is not None
    is_setting = "." in name.text or "-" in name.text or name.is_loud
    is_plain = (is_tight and (name.is_loud or (is_first and is_setting) or _VARIABLE.search(before) is not None)) or (
        is_tight and before.endswith("-") and FLAG.search(before) is not None
    )
    if sign["assign"].strip() == ":" and name.is_loud and is_first and not sign["close"]:
        is_plain = True
    return value_at(text, sign.end(), is_plain=is_plain)
