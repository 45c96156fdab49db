"""Frontmatter: the block of `key: value` lines between two `---` lines at the start of a file.

`split_frontmatter` reads what `join_frontmatter` writes back as the same values, and so does any YAML reader. Other
formats are read as far as possible; a broken line loses only that line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Mapping
from datetime import datetime

from recall_tui.text.dates import iso_time, parse_time
from recall_tui.text.lazy_pattern import lazy_pattern

DELIMITER = "---"
_KEY = lazy_pattern(r"([A-Za-z_][\w.-]*+(?: ++[\w.-]++)*+)[ \t]*+:(?:[ \t]+|$)", re.ASCII)
_PLAIN_KEY = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_-]*")
_INTEGER = lazy_pattern(r"0|-?[1-9][0-9]{0,400}")
_FRACTION = lazy_pattern(r"-?[0-9]+\.[0-9]+(?:e[+-][0-9]+)?")
_WORD_LIST = lazy_pattern(r"\[\s*+(?:[A-Za-z0-9_][\w/-]*+(?:\s*+,\s*+[A-Za-z0-9_][\w/-]*+)*\s*+)?\]")
_UNPRINTABLE = lazy_pattern("[\x7f-\xa0\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_INDICATORS = frozenset("\"'[]{}&*!|>%@`,?")
_BRACKET = lazy_pattern(r"[\[\]{}]")
_COLLECTIONS = frozenset(["tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"])
_MAX_DEPTH = 64
"""The deepest nesting of brackets to read."""
_SPECIAL_VALUES: dict[str, object] = {
    "": None,
    "~": None,
    "null": None,
    "true": True,
    "false": False,
    ".inf": float("inf"),
    "-.inf": float("-inf"),
    ".nan": float("nan"),
}
_RESERVED_WORDS = frozenset(["true", "false", "null", "yes", "no", "on", "off", "y", "n"])
_NOT_PARSED = object()


class UnquotedScalar(str):
    """A word to write without quotes, as older versions did; quoted anyway when it is not one plain word."""

    __slots__ = ()


def split_frontmatter(text: str) -> tuple[dict[str, object], str]:
    """Split `text` into its frontmatter values and its body.

    A text without frontmatter, or with unclosed frontmatter, has no values and is all body. Dates stay strings.
    """
    start, end, body = _bounds(text)
    if body < 0:
        return {}, text
    block = text[start:end]
    values = _parse_simple(block)
    if values is None:
        values = _parse_yaml(block)
    if values is None:
        values = _salvage(block)
    if not values and block.strip():
        return {}, text
    return values, text[body:]


def is_closed(text: str) -> bool:
    """Return whether `text` begins with complete frontmatter, so that reading more of the file adds nothing to it."""
    return _bounds(text)[2] >= 0


def is_lossless(text: str) -> bool:
    """Return whether the frontmatter can be read completely, so that rewriting it loses no line."""
    start, end, body = _bounds(text)
    return body >= 0 and (_parse_simple(text[start:end]) is not None or _parse_yaml(text[start:end]) is not None)


def starts_block(text: str) -> bool:
    """Return whether `text` begins like a file with frontmatter."""
    return text.lstrip("\ufeff \t\r\n").startswith(DELIMITER)


def join_frontmatter(values: Mapping[str, object], body: str) -> str:
    """Return `body` with `values` as frontmatter, one line each, in order."""
    if not values and split_frontmatter(body) == ({}, body):
        return body
    lines = [f"{_key(key)}: {_value(value)}\n" for key, value in values.items()]
    return f"{DELIMITER}\n{''.join(lines)}{DELIMITER}\n{body}"


def nests_too_deeply(block: str) -> bool:
    """Return whether brackets nest so deeply that YAML would take quadratic time to reject them."""
    depth = 0
    for bracket in _BRACKET.finditer(block):
        depth += 1 if bracket[0] in "[{" else -1 if depth else 0
        if depth > _MAX_DEPTH:
            return True
    return False


def read_time(value: object) -> datetime | None:
    """Parse `value` as a time, in UTC if it has no offset; None when it is not a time."""
    return parse_time(value) if isinstance(value, str) else None


def write_time(at: datetime | None) -> str:
    """Format `at` in UTC to the second, such as `2026-03-06T12:00:00Z`; empty for None."""
    return iso_time(at) if at else ""


def _bounds(text: str) -> tuple[int, int, int]:
    """Return the start and end of the block and the start of the body; the last is -1 without a complete block."""
    at = 1 if text.startswith("\ufeff") else 0
    while True:
        stop = text.find("\n", at)
        if stop < 0:
            return 0, 0, -1
        line = text[at:stop].rstrip()
        at = stop + 1
        if line:
            break
    if line != DELIMITER:
        return 0, 0, -1
    start = at
    while at < len(text):
        stop = text.find("\n", at)
        stop = len(text) if stop < 0 else stop
        if text.startswith(DELIMITER, at) and text[at:stop].rstrip() == DELIMITER:
            return start, at, min(stop + 1, len(text))
        at = stop + 1
    return 0, 0, -1


def _parse_simple(block: str) -> dict[str, object] | None:
    """Parse a block that needs no YAML; None when one of its lines does."""
    values: dict[str, object] = {}
    for line in block.split("\n"):
        line = line.rstrip()
        if not line or line[0] == "#":
            continue
        pair = _parse_pair(line)
        if pair is None or (value := _parse_value(pair[1])) is _NOT_PARSED:
            return None
        values[pair[0]] = value
    return values


def _parse_pair(line: str) -> tuple[str, str] | None:
    if line[0] == '"':
        try:
            key, end = _JSON.raw_decode(line)
        except ValueError:
            return None
        rest = line[end:].lstrip()
        return (key, rest[1:].strip()) if rest.startswith(":") else None
    found = _KEY.match(line)
    return (found[1], line[found.end() :].strip()) if found else None


def _parse_value(value: str) -> object:
    """Parse a value that needs no YAML; else return `_NOT_PARSED`."""
    if value[:1] in {'"', "[", "{"}:
        try:
            return _JSON.decode(value)
        except (ValueError, RecursionError):
            return _split(value) if _WORD_LIST.fullmatch(value) else _NOT_PARSED
    if value and (value[0] in _INDICATORS or value.startswith("- ") or " #" in value):
        return _NOT_PARSED
    return _plain_value(value)


def _plain_value(word: str) -> object:
    """Convert a word to a number, boolean or null, if writing that gives the same word; else return the word."""
    if word in _SPECIAL_VALUES:
        return _SPECIAL_VALUES[word]
    if _INTEGER.fullmatch(word):
        return int(word)
    if _FRACTION.fullmatch(word) and _number(float(word)) == word:
        return float(word)
    return word


def _split(value: str) -> list[object]:
    inner = value.strip().removeprefix("[").removesuffix("]").strip()
    return [_plain_value(part.strip().strip("\"'")) for part in inner.split(",")] if inner else []


_JSON = json.JSONDecoder(parse_float=_plain_value, parse_int=_plain_value, parse_constant=str)


def _parse_yaml(block: str) -> dict[str, object] | None:
    """Parse a block as YAML without dates, references and tags; None when it is not such YAML."""
    if nests_too_deeply(block):
        return None
    import yaml

    class Loader(yaml.SafeLoader):
        """A loader that reads words like `_plain_value`, keeps keys as written, and rejects references and tags.

        References could expand without bound.
        """

        def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
            if self.check_event(yaml.AliasEvent):
                raise yaml.YAMLError("references are not read")
            return super().compose_node(parent, index)

        def construct_object(self, node: yaml.Node, deep: bool = False) -> object:
            if isinstance(node, yaml.ScalarNode):
                return _plain_value(node.value) if node.style is None else node.value
            if node.tag not in _COLLECTIONS:
                raise yaml.YAMLError("tags are not read")
            return super().construct_object(node, deep)

        def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, object]:
            self.flatten_mapping(node)
            for key, _ in node.value:
                if isinstance(key, yaml.ScalarNode):
                    key.style = key.style or '"'
            return super().construct_mapping(node, deep)

    try:
        values = yaml.load(block, Loader)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError):
        return None
    if not isinstance(values, dict):
        return None
    return {str(key): value for key, value in values.items()}


def _salvage(block: str) -> dict[str, object]:
    """Parse what is readable of a broken block, line by line."""
    values: dict[str, object] = {}
    for line in block.split("\n"):
        pair = _parse_pair(line.rstrip()) if line.strip() else None
        if pair is None:
            continue
        key, raw = pair
        value = _parse_value(raw)
        if value is _NOT_PARSED:
            quoted = len(raw) > 1 and raw[0] == raw[-1] and raw[0] in "\"'"
            value = _split(raw) if raw.startswith("[") else raw[1:-1] if quoted else raw
        values[key] = value
    return values


def _key(key: str) -> str:
    return key if _PLAIN_KEY.fullmatch(key) and key.lower() not in _RESERVED_WORDS else _quote(key)


def _value(value: object) -> str:
    if isinstance(value, UnquotedScalar) and _PLAIN_KEY.fullmatch(value) and value.lower() not in _RESERVED_WORDS:
        return str(value)
    if isinstance(value, str):
        return _quote(value)
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_quote(str(key))}: {_value(item)}" for key, item in value.items()) + "}"
    return str(value)


def _number(value: float) -> str:
    """Format a float so that both JSON and YAML 1.1 read it: with a point, even before an exponent."""
    if value != value or value in (float("inf"), float("-inf")):
        return ".nan" if value != value else ".inf" if value > 0 else "-.inf"
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


def _quote(text: str) -> str:
    """Quote `text` on one line with escapes that JSON and YAML share."""
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(str(text), ensure_ascii=False))
