"""Classify values assigned to a secret's name: secrets, references, placeholders, code and words."""

from __future__ import annotations

import math
import re
from collections import Counter

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.word_lists import PLACEHOLDER_WORDS, SENTENCE_WORDS

MAX_VALUE_CHARS = 128
"""The prefix of a value that is examined; the rest is of the same kind."""
_MIN_STRONG_CHARS = 20
"""The minimum length of random letters and digits that are a secret whatever the name."""

_MIN_KEY_CHARS = 32
"""The minimum length of a key whose name does not mark it as secret."""

_REFERENCE = lazy_pattern(
    r"\$\{[^}]*\}|\$\{\{.*\}\}|\$\([^)]*\)|\$(?:[A-Z_][A-Z0-9_]*|[a-z_][a-z0-9_]*|[a-z]+(?:[A-Z][a-z]+)+|\d|[?!@*#])(?:(?:\[|:|->|\.)[^\n]*)?|\{\{.*\}\}|%\(\w+\)[sd]"
    r"|%[A-Za-z_]\w*%|%[-+0]?\d*[sdvqrxT]|\{[\w.\[\]'\"!:>]{0,40}\}|<[^<>]*>|\[[^\]]*\]|#\{.*\}|@\{?\w+\}?@?|:\w+|\?|`[^`]*`"
    r"|!(?:Ref|GetAtt|Sub|vault|secret|ENV)\b.*|(?:op|vault|arn|file|env|ssm|keyring|ref)(?:\+\w+)?:.*"
    r"|(?:getenv|env|lookup|var|vars|local|data|secrets|secret|config|process|os|context|params|settings|args|ctx|self"
    r"|this|import|props|state|req|request|res|response|options|opts|input|user|event|body|payload)[.(\[?].*"
    r"|ENC\(.*|\\?\*+|[.…_-]+|\d{0,3}"
)
_HAS_REFERENCE = lazy_pattern(
    r"\$\{[\w.:-]+\}|\$\([^)]*\)|\{\{[^{}]*\}\}|#\{[^}]*\}|\[redacted:|\$\{\{|<[a-z][\w -]*>", re.IGNORECASE
)


_WORDS = lazy_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_PLACEHOLDER = lazy_pattern(
    r"(?:your|my|insert|enter|replace|change|the|some)[_ -].*|.*(?:_here|-here| here|HERE|placeholder|PLACEHOLDER)\d?"
    r"|.{0,12}(?:x{4,}|X{4,}|\*{3,}|\.{3,}|…|•{2,}).{0,4}|(?:test|fake|dummy|example|sample|mock)[_-]?\w{0,8}\d{0,3}"
    r"|(.)\1{3,}|\[?redacted.*|123456(?:789?0?)?|0123456789.{0,4}",
    re.IGNORECASE,
)
_FALSE_START = lazy_pattern(
    r"[a-z][a-z0-9+.-]{1,20}://|\d{4}-\d\d-\d\d|v?\d{1,6}(?:\.\d{1,6})+$|sha\d{1,3}[:-]|data:|urn:|/(?:[\w.-]+/)+|~/|\.{1,2}/",
    re.IGNORECASE,
)
_PREFIXED_TURN_CHARS = 3.9
"""`_MAX_TURN_CHARS` after an issuer's prefix, which is strong evidence itself."""
_OLD_FALSE_START = lazy_pattern(r"[$<{*%\[#@&/~.]|\\")
_NAME = lazy_pattern(
    r"[A-Za-z]+\d{0,2}(?:[_.:/-]+[A-Za-z]+\d{0,2})+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
    r"|[A-Za-z_]+\d{0,2}(?:\.[A-Za-z_]+\d{0,2})+|[a-z]+(?:\d?[A-Z][a-z]+)+\d{0,3}|(?:[A-Z][a-z]+)+\d{0,3}|[A-Za-z]+:"
)
_FILE = lazy_pattern(
    r"[\w./~-]+\.(?:py|js|ts|tsx|jsx|json|ya?ml|toml|md|txt|sh|go|rs|html|css|env|pem|key|crt|cer|pub|lock|sql|rb|php|java)"
    r"(?::\d+)?",
    re.ASCII,
)
_OWN_WORD = lazy_pattern(r"pass|pwd|secret|token|key|auth|cred|login|cookie", re.IGNORECASE)
_PASSWORD_SIGN = lazy_pattern(r"[!@#$%^&*?+=~|]")
_NUMBERED = lazy_pattern(r"[A-Z][a-z]+\d{1,2}")
_PIECES = lazy_pattern(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_MAX_TURN_CHARS = 3.25
"""The maximum mean letters per case change at which letters alone form no words."""
_MIN_MEAN_WORD_CHARS = 2.75
"""The minimum mean word length at which a value may be made of words."""
_DIGIT = lazy_pattern(r"\d")
_LETTER = lazy_pattern(r"[^\W\d_]")


def is_reference(value: str) -> bool:
    """Return whether the value is a reference to a secret or a template for one."""
    return _REFERENCE.fullmatch(value) is not None or _HAS_REFERENCE.search(value) is not None


def is_placeholder(value: str) -> bool:
    """Return whether the value is a placeholder or consists of words that stand for a secret."""
    if _PLACEHOLDER.fullmatch(value):
        return True
    words = _WORDS.findall(value)
    return all(word.lower() in PLACEHOLDER_WORDS for word in words) and len(_DIGIT.findall(value)) <= 2


def is_strong(value: str) -> bool:
    """Return whether the value is long and looks random."""
    if len(value) < _MIN_STRONG_CHARS or _is_name(value) or entropy(value) < 3:
        return False
    kinds = [any(map(test, value)) for test in (str.isupper, str.islower, str.isdigit)]
    is_mixed = kinds[0] or kinds[1] if kinds[2] else is_turning(value)
    return value.isascii() and " " not in value and is_mixed and not _is_file(value)


def is_key(value: str) -> bool:
    """Return whether the value is longer and more mixed than ids, digests and names."""
    kinds = [any(map(test, value)) for test in (str.isupper, str.islower, str.isdigit)]
    return len(value) >= _MIN_KEY_CHARS and all(kinds) and is_strong(value) and is_irregular(value)


def is_probable(value: str, least: int = 8) -> bool:
    """Return whether the value has letters and digits unlike any word or name."""
    if len(value) < least or len(set(value)) < 4 or _is_name(value) or not value.isascii():
        return False
    if " " in value or _OLD_FALSE_START.match(value) or _FALSE_START.match(value) or _is_file(value):
        return False
    has_digit = _DIGIT.search(value) is not None
    return (has_digit or is_irregular(value)) and _LETTER.search(value) is not None and entropy(value) >= 2.3


def is_chosen_password(value: str) -> bool:
    """Return whether a word without spaces is a chosen password, not a word or an identifier."""
    if len(value) < 4 or len(set(value)) < 2 or _is_file(value) or _FALSE_START.match(value):
        return False
    if _is_name(value) and (_OWN_WORD.search(value) or not _DIGIT.search(value)):
        return _DIGIT.search(value) is not None and value[0].isupper() and "_" not in value and "." not in value
    return True


def is_mixed_password(value: str) -> bool:
    """Return whether a word has a digit and two other classes of characters; it may be an identifier with a digit."""
    if len(value) < 8 or " " in value or not value.isascii() or not _DIGIT.search(value):
        return False
    if is_reference(value) or is_placeholder(value) or is_address(value) or "[redacted:" in value:
        return False
    kinds = [any(map(str.isupper, value)), any(map(str.islower, value)), _PASSWORD_SIGN.search(value) is not None]
    is_word = _OWN_WORD.search(value) is not None or "_" in value or "." in value
    return sum(kinds) >= 2 and not _NUMBERED.fullmatch(value) and (not is_word or is_probable(value))


def is_phrase(value: str) -> bool:
    """Return whether words separated by spaces are a passphrase, not a sentence or a label."""
    words = value.split()
    if any(word.lower().strip(".,:;!?'\"()") in SENTENCE_WORDS for word in words):
        return False
    if any(is_probable(word, 5) or (len(word) > 3 and _PASSWORD_SIGN.search(word)) for word in words):
        return True
    return len(words) >= 3 and all(word.islower() or word.isdigit() for word in words) and value.isascii()


def is_number(value: str) -> bool:
    """Return whether the value is a number."""
    return value.replace(".", "", 1).replace("_", "").isdigit()


def is_code_label(value: str) -> bool:
    """Return whether the value is an identifier, or a capitalized word such as a form label."""
    return _is_name(value) or (value.isalpha() and value[0].isupper() and value[1:].islower())


def has_sign(value: str) -> bool:
    """Return whether the value contains a symbol common in passwords, and a letter."""
    return _PASSWORD_SIGN.search(value) is not None and _LETTER.search(value) is not None


def has_own_word(value: str) -> bool:
    """Return whether the value contains a word for a secret."""
    return _OWN_WORD.search(value) is not None


def is_irregular(value: str) -> bool:
    """Return whether the letters form no words: lower case, capitals and digits alternate too often."""
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    digits = sum(map(str.isdigit, value))
    return letters + digits >= 10 and letters <= _MIN_MEAN_WORD_CHARS * len(pieces)


def is_turning(value: str, least: int = 12, most: float = _MAX_TURN_CHARS) -> bool:
    """Return whether capitals and lower case alternate too often to form words, with or without digits."""
    pieces = _PIECES.findall(value)
    letters = sum(map(len, pieces))
    has_both = not value.isupper() and not value.islower()
    return letters >= least and has_both and letters <= most * len(pieces) and entropy(value) >= 3


def is_random_body(body: str) -> bool:
    """Return whether the text after an issuer's prefix is random: it has a digit, or its letters form no words."""
    if _DIGIT.search(body):
        return True
    body = body[:MAX_VALUE_CHARS]
    return is_turning(body, 16, _PREFIXED_TURN_CHARS) and not is_placeholder(body)


def entropy(value: str) -> float:
    """Return the Shannon entropy in bits per character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())


def is_address(value: str) -> bool:
    """Return whether the value is an address, a path, a date or a version."""
    return _FALSE_START.match(value) is not None or _is_file(value)


def _is_name(value: str) -> bool:
    return _NAME.fullmatch(value) is not None and not is_irregular(value)


def _is_file(value: str) -> bool:
    return _FILE.fullmatch(value) is not None
