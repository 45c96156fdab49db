"""Find a secret's value at positions other than directly after its name.

Columns, lists, following lines, the same or a nested object, calls and sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.commands import is_password_value
from recall_tui.text.secrets.names import LIST_START, SecretName

ValueCheck = Callable[[str], bool]
Span = tuple[int, int]
SecretSpan = tuple[str, int, int]

_MAX_ROWS = 100
"""The maximum of rows below a heading."""
_MAX_LINE_CHARS = 2_000
_RULE = lazy_pattern(r"[ \t|+:=-]*")
_CELL = lazy_pattern(r"\s*[`\"']?([^`\"'\s|]{4,4096})[`\"']?\s*")
_INDENT = lazy_pattern(r"[ \t]*")
_BLOCK = lazy_pattern(r"[|>][+-]?\d?[+-]?[ \t]*(?:#[^\n]*)?(?:\r?\n|\\{1,7}n)")
_DATA = lazy_pattern(r"^(?P<indent>[ \t]*)(?:data|stringData):[ \t]*$", re.MULTILINE)
_DATUM = lazy_pattern(r"[ \t]+[\w.-]{1,80}: *[\"']?([A-Za-z0-9+/=_-]{4,20000})[\"'}\] \t]*\r?$")
_KIND_CHARS = 2_000

FLAG = lazy_pattern(r"(?:^|[\s\"'`\[(,=])-{1,2}[\w-]{0,40}\Z")
"""The text before the name of an option."""
_MARK = r"\\{0,15}[\"'`]"
_NAME_KEY = r"(?:\w{0,12}name|\w{0,12}key|id|variable|env)"
_VALUE_KEY = r"(?:[a-z]{1,12}_?)?value"
_PAIR = lazy_pattern(
    rf"(?:{_MARK})?(?:,|;|\s|\\{{1,8}}[nrt]|}}|{{){{0,60}}?(?:{_MARK})?"
    r"(?:parameter|default|secret|string|clear)?_?(?:value|val|content)"
    rf"(?:{_MARK})?\s{{0,8}}(?:=>|[:=])\s{{0,8}}",
    re.IGNORECASE,
)
"""The text between a name that is itself a value and the value that belongs to it: `name: X, value: …`."""
_NAMED_VALUE = lazy_pattern(
    r"(?:name|key|parameterkey|id|variable|env)(?:[\"'`\\]{0,15})\s{0,4}(?:=>|[:=])\s{0,4}[\"'`\\]{0,15}[\w./-]{0,60}\Z",
    re.IGNORECASE,
)
_NESTED_VALUE = lazy_pattern(
    rf"(?:{_MARK})?\s{{0,2}}(?:=>|[:=])?\s{{0,2}}{{(?:[^{{}}]{{0,160}}?(?:[,{{\s]|\\{{1,7}}[nt]))?"
    rf"(?:{_MARK})?{_VALUE_KEY}(?:{_MARK})?[ ]?(?:=>|[:=])[ ]?",
    re.IGNORECASE,
)
"""The text between a name and its value nested one level deeper in braces."""
_YAML_VALUE = lazy_pattern(
    r"[\"']?:[ ]?\r?\n(?P<indent>[ \t]+)(?:(?!value)[\w-]{1,40}:[^\n]{0,120}\n(?P=indent)){0,6}value:[ ]{1,4}",
    re.IGNORECASE,
)
"""The YAML form of `_NESTED_VALUE`."""
_VALUE_BEFORE_NAME = lazy_pattern(
    rf"(?<![\w.])(?:{_MARK})?{_VALUE_KEY}(?:{_MARK})?\s{{0,4}}(?:=>|[:=])\s{{0,4}}"
    rf"(?:(?P<quote>{_MARK})(?P<quoted>[^\"'`\n\\]{{4,256}})(?P=quote)|(?P<bare>[^\s\"'`,{{}}\[\]\\]{{4,256}}))"
    rf"(?:,|\s|\\{{1,8}}[nrt]){{1,60}}(?:{_MARK})?{_NAME_KEY}(?:{_MARK})?\s{{0,4}}(?:=>|[:=])\s{{0,4}}(?:{_MARK})?[\w./-]{{0,60}}\Z",
    re.IGNORECASE,
)
_BEFORE_CHARS = 300

_QUOTE = r"\\{0,7}[\"'`]"
_SETTER = lazy_pattern(
    r"(?:define|setdefault|write\w{0,16}|(?:put|set|add)[_A-Z]?\w{0,24}|fill|type|type_text|typeText|input)"
    r"\(\s{0,40}(?:\\{0,7}[\"'`])[\w.:/#\[=\"'-]{0,60}\Z",
    re.IGNORECASE,
)
"""The text before a name whose value is the next argument."""
_ARGUMENT = lazy_pattern(rf"\([ ]?(?=(?:[NrbfLu]|Some\()?{_QUOTE})")
_SETS_PASSWORD = lazy_pattern(
    r"(?:.*\.)?(?:(?:set|with|using|use)\w*)?(?<!old)(?:passw(?:or)?d|passphrase|(?<=set)_?pass)"
)
"""The name of a method that takes a password: `setDbPassword`, `with_passphrase`, `ssh.Password`; not `should_pass`."""
_USER_AND_PASSWORD = lazy_pattern(
    rf"(?:(?:[ ]?=[ ]?)?\(\s{{0,40}}|[ ]){_QUOTE}[^\"'`\n\\]{{1,80}}{_QUOTE}\s{{0,4}},\s{{0,40}}"
    rf"(?:Some\()?{_QUOTE}([^\"'`\n\\]{{4,256}}){_QUOTE}"
)
"""A user name and a password, as `HTTPBasicAuth` takes them."""

STATEMENT_CUES = (" is", " was", " for ", " of ", " to ", " has been ", " will be ")
"""Words after a name in a sentence about it, in lower case."""
_LINKING_VERB = (
    r"(?:(?:(?:[ ](?:is|was|are|be|will|has|had|been|gets?|got|now|still)){1,5}"
    r"(?:[ ](?:set|changed|reset|updated)(?: to)?)?|[ ](?:set|changed|reset|updated) to)(?:[ ]?:)?[ ]{1,3}"
    r"|[ ](?:ist|lautet|war|est|es|era|è|é|är|是|为|это)(?:[ ]?:)?[ ]{1,3}|'s[ ]|[ ]?[:=][ ]{1,3})"
)
_WHOSE_PATTERN = (
    r"(?:[ ](?:is|was|has|had|been|got|generated|created|issued|assigned|reset|changed|set|updated)){0,3}"
    r"[ ](?:for|of|to|on|in|at|by|f\w{1,2}r|vom?n?|pour|du|del?|para)(?:[ ][\w.@/'\"`()-]{1,48}){1,8}?"
)
_STATED_VALUE = lazy_pattern(
    rf"[*_`\"')]{{0,4}}\s{{0,3}}(?:{_WHOSE_PATTERN})?(?P<link>{_LINKING_VERB})(?=[\"'`“‘*]|\S{{0,64}}[\d!@#$%^&*?~+=])",
    re.IGNORECASE,
)
_VALUE_IS_NAME = lazy_pattern(
    r"(?:^|[\s\"'`*(])([^\s\"'`*()]{6,128})[\"'`*]{0,3}[ ](?:is|as)(?: now)?[ ](?:the|your|my|our|a)[ ]"
    r"(?:\w{1,16}[ ]){0,2}\Z"
)
"""A value that a sentence declares to be the secret that follows."""
_SENT = lazy_pattern(
    r":?[ ]?\*?\\{0,7}[\"'}][)]?\s{0,4};?(?:\s|\\{1,7}n){0,12}(?:\w{1,20}\.)?send(?:line|_user)?[ (](?:-- )?"
    r"\\{0,7}[\"']([^\"'\s\\]{4,128})"
)
"""The string that an expect script sends after a prompt (https://core.tcl-lang.org/expect)."""
ANSWERED = lazy_pattern(r"[/_-]password(?:-again)? password\Z|(?:^|\n)rootpw\Z")
"""The text before a password in answers for debconf or Anaconda."""
OF_A_FILE = lazy_pattern(r" (?:\\{0,7}\"([^\"\n\\]{4,128})\\{0,7}\"|[\w.-]{1,64}:([^\s:\\]{4,128}))")
"""The password in strongSwan's `: PSK "…"` and HAProxy's `stats auth user:…`."""
_USE_PHRASE = lazy_pattern(
    r"(?:^|[\s\"'(])(?:use|using|with|try|enter|type)(?: the| this| (?:the )?user(?:name)? \S{1,64} and(?: the)?)? \Z"
)
_LINE_BELOW_LABEL = lazy_pattern(
    r"[ ][^\n:\\]{1,80}:[*]{0,2}[ \t]*(?:\r?\n|\\{1,7}n){1,3}(?:[ \t]*```\w*(?:\r?\n|\\{1,7}n))?"
    r"[ \t>|]{0,12}[`\"']?([^\s`\"'|\\]{8,256})[`\"']?[ \t]*(?=\r?\n|\\{1,7}[rn]|\Z|\\?\")"
)
_CHAR_CLASSES = (str.isupper, str.islower, str.isdigit)


def column_secrets(text: str, start: int, end: int, judge: ValueCheck) -> Iterator[Span]:
    """Yield the cells below the heading from `start` to `end`: of CSV, of a drawn table, of aligned columns."""
    first = text.rfind("\n", max(0, start - _MAX_LINE_CHARS), start) + 1
    last = text.find("\n", end, end + _MAX_LINE_CHARS)
    if last < 0 or start - first > _MAX_LINE_CHARS:
        return
    heading = text[first:last]
    for divider in ("|", "│", "\t", ",", ";"):
        number = heading.count(divider)
        if number and _is_heading(heading, divider):
            at = text.count(divider, first, start)
            yield from _divided_cells(text, last + 1, divider, number, at, judge)
            return
    before, after = text[max(first, start - 2) : start], text[end : end + 2]
    if (
        (start == first or before.isspace())
        and (after[:1] in ("\n", "") or after.isspace())
        and "  " in heading.strip()
    ):
        yield from _aligned_cells(text, last + 1, start - first, judge)


def _is_heading(heading: str, divider: str) -> bool:
    cells = [cell.strip(" \t\r\"'`*") for cell in heading.strip("| \r").split(divider)]
    if divider in ",;" and f"{divider} " not in heading:
        cells[0] = cells[0].rpartition(" ")[2]
    return len(cells) > 1 and all(len(cell) <= 40 and cell.count(" ") <= 3 for cell in cells) and "=" not in heading


def _divided_cells(text: str, start: int, divider: str, number: int, at: int, judge: ValueCheck) -> Iterator[Span]:
    for first, last in _lines(text, start):
        line = text[first:last]
        if _RULE.fullmatch(line):
            continue
        if line.count(divider) < number:
            return
        place = first
        for _ in range(at):
            place = text.find(divider, place, last) + 1
        cell = text.find(divider, place, last)
        yield from _cell(text, place, cell if cell >= 0 else last, judge)


def _aligned_cells(text: str, start: int, at: int, judge: ValueCheck) -> Iterator[Span]:
    for first, last in _lines(text, start):
        if _RULE.fullmatch(text, first, last):
            continue
        place = first + at
        if place >= last or text[place].isspace() or (at and not text[place - 1].isspace()):
            return
        end = place
        while end < last and not text[end].isspace():
            end += 1
        yield from _cell(text, place, end, judge)


def _cell(text: str, start: int, end: int, judge: ValueCheck) -> Iterator[Span]:
    cell = _CELL.fullmatch(text, start, end)
    if cell and judge(cell[1]):
        yield cell.span(1)


def _lines(text: str, start: int) -> Iterator[Span]:
    for _ in range(_MAX_ROWS):
        if start >= len(text):
            return
        end = text.find("\n", start, start + _MAX_LINE_CHARS)
        if end < 0:
            end = min(len(text), start + _MAX_LINE_CHARS)
        yield start, end
        start = end + 1


def yaml_block_lines(text: str, name_start: int, start: int) -> Span | None:
    """Return the lines of a YAML block scalar that starts at `start` (YAML 1.2.2, 8.1)."""
    opened = _BLOCK.match(text, start)
    if opened is None:
        return None
    line = text.rfind("\n", max(0, name_start - _MAX_LINE_CHARS), name_start) + 1
    own = _INDENT.match(text, line)
    indent = len(own[0]) if own else 0
    end = first = opened.end()
    for begin, last in _lines(text, first):
        inner = _INDENT.match(text, begin, last)
        depth = len(inner[0]) if inner else 0
        if begin + depth == last:
            continue
        if depth <= indent:
            break
        end = last
    lead = _INDENT.match(text, first, end)
    return (lead.end(), end) if lead and end > lead.end() else None


def value_below(text: str, end: int) -> Span | None:
    """Return the word on the next non-empty line, if it is the only one there."""
    match = _VALUE_BELOW.match(text, end)
    return match.span(1) if match else None


_VALUE_BELOW = lazy_pattern(
    r":?[*]{0,2}[ \t]*\r?\n(?:[ \t]*\r?\n)?(?:[ \t]*```\w*\r?\n)?"
    r"[ \t>|]{0,12}[`\"']?([^\s`\"'|]{6,4096})[`\"']?[ \t]*(?:\r?\n|\Z)"
)


def manifest_secrets(text: str, place: int) -> Iterator[Span]:
    """Yield the values of a Kubernetes Secret whose kind is at `place`."""
    first, last = max(0, place - _KIND_CHARS), place + _KIND_CHARS
    first = max(first, text.rfind("\n---", first, place) + 1)
    rule = text.find("\n---", place, last)
    for data in _DATA.finditer(text, first, rule if rule >= 0 else last):
        for begin, end in _lines(text, data.end() + 1):
            datum = _DATUM.match(text, begin, end)
            if datum is None or len(data["indent"]) >= len(text[begin:end]) - len(text[begin:end].lstrip()):
                break
            yield datum.span(1)


_LIST_START = lazy_pattern(LIST_START)
_LIST_ITEM = lazy_pattern(
    r"(?:(?:\s|\\{1,7}n|,){0,60}(?:-[ ])?\\{0,7}[\"']([^\"'\\\n]{6,256})\\{0,7}[\"']"
    r"|(?:\r?\n|\\{1,7}n)[ \t]*-[ ]([^\s\"'\\:\[{]{6,256})(?=\s|\\|\Z))"
)
_MAX_LIST_ITEMS = 200


def list_secrets(text: str, start: int) -> Iterator[SecretSpan]:
    """Yield the items of a list of passwords whose name ends at `start`."""
    opened = _LIST_START.match(text, start)
    place = opened.end() if opened else len(text)
    for _ in range(_MAX_LIST_ITEMS):
        item = _LIST_ITEM.match(text, place)
        if item is None:
            return
        group = item.lastindex or 1
        if _is_secret_item(item[group]):
            yield "password", *item.span(group)
        place = item.end()


def _is_secret_item(value: str) -> bool:
    if values.is_reference(value) or values.is_placeholder(value) or values.is_address(value) or "[redacted:" in value:
        return False
    return values.is_chosen_password(value) and values.is_probable(value, 6)


def value_start(text: str, before: str, end: int) -> int | None:
    """Return the start of the value that belongs to the name ending at `end`; `before` ends with that name."""
    nested = _NESTED_VALUE.match(text, end) or _YAML_VALUE.match(text, end)
    if nested is not None:
        return nested.end()
    pair = _PAIR.match(text, end)
    return pair.end() if pair and _NAMED_VALUE.search(before) else None


def value_before(text: str, start: int) -> Span | None:
    """Return the value before the name in the same object; the name starts at `start`."""
    first = max(0, start - _BEFORE_CHARS)
    if "alue" not in text[first:start]:
        return None
    found = _VALUE_BEFORE_NAME.search(text, first, start)
    return found.span("quoted" if found["quoted"] else "bare") if found else None


def is_setter(before: str) -> bool:
    """Return whether the name is the first argument of a call that sets it."""
    return _SETTER.search(before) is not None


def argument_start(text: str, name: str, end: int) -> int | None:
    """Return the start of the argument of a method that takes a password; its name ends at `end`."""
    call = _ARGUMENT.match(text, end) if text.startswith("(", end) and _SETS_PASSWORD.fullmatch(name) else None
    return call.end() if call else None


def login_password_start(text: str, end: int) -> Span | None:
    """Return the range of the second argument of a call that takes a user name first; its name ends at `end`."""
    login = _USER_AND_PASSWORD.match(text, end)
    return login.span(1) if login else None


def stated_value_start(text: str, end: int) -> int | None:
    """Return the start of the value that a sentence states for the name ending at `end`."""
    link = _STATED_VALUE.match(text, end)
    return link.end() if link else None


def value_before_name(text: str, start: int, before: str) -> Span | None:
    """Return the value that a sentence declares to be the secret whose name starts at `start`, after `before`."""
    if " is " not in before and " as " not in before:
        return None
    told = _VALUE_IS_NAME.search(text, max(0, start - _BEFORE_CHARS), start)
    return told.span(1) if told and is_random_word(told[1]) and "..." not in told[1] else None


def sent(text: str, end: int) -> Span | None:
    """Return the string that an expect script sends after a password prompt; the name ends at `end`."""
    found = _SENT.match(text, end)
    return found.span(1) if found and is_password_value(found[1]) else None


def is_use_phrase(before: str) -> bool:
    """Return whether the name is in a phrase like `use password …`."""
    return _USE_PHRASE.search(before) is not None


def value_below_label(text: str, end: int) -> Span | None:
    """Return the word alone below a line that continues after the name and ends with a colon."""
    found = _LINE_BELOW_LABEL.match(text, end)
    return found.span(1) if found and is_random_word(found[1]) else None


def is_random_word(value: str) -> bool:
    """Return whether a word is random: at least three character classes, or long and mixed."""
    if values.is_address(value) or values.is_reference(value) or values.is_placeholder(value):
        return False
    if values.is_strong(value):
        return True
    kinds = sum(any(map(kind, value)) for kind in _CHAR_CLASSES) + values.has_sign(value)
    return len(value) >= 8 and kinds >= 3 and values.is_probable(value)


def heading_start(text: str, name: SecretName) -> int:
    """Return the start of the heading, which may have words before the name, such as `Secret access key`."""
    start = name.start
    while start > 1 and text[start - 1] == " " and text[start - 2].isalnum() and name.start - start < 24:
        start -= 1
        while start and text[start - 1].isalnum():
            start -= 1
    return start
