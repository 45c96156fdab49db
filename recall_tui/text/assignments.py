"""Secrets told by the name they are assigned to: `password=…`, `"api_key": "…"`, `--token …`.

A value counts only when it cannot be a word of the language, the name of something, or a place to fill in.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy

_NO_VALUE = r"(?![a-z,.;)(\]/\n]|[ ][A-Za-z'(`\"]{1,12}[ ,.:;)?\n])"
"""What follows a name in a sentence, or where it is part of a longer word."""
ANCHORS = tuple(
    re.compile(rare + _NO_VALUE)
    for rare in (
        r"k(?:(?<=[Tt]ok)en|ey)",
        r"K(?:(?<=[Tt]OK)EN|ey|EY)",
        r"w(?:(?<=assw)(?:or)?|(?<=pw))d",
        r"W(?:(?<=ASSW)(?:OR)?|(?<=PW))D",
        r"ecret",
        r"S(?:ECRET|(?<=ASS)PHRASE|(?<=_PASS)(?=\s?[=:]))",
        r"assphrase",
    )
)
"""Parts of the names that begin with one character, so that a search for them runs at the speed of memory."""
_BEFORE_ANCHOR = {"ken": 2, "key": 0, "word": 4, "ecret": 1, "secret": 0, "s": 3, "sphrase": 3, "assphrase": 1}

_ASSIGNMENT = lazy(
    r"(?P<word>passw(?:or)?d|passphrase|pass|pwd|secret|token|key)"
    r"(?:[_-]?(?:access|value|base|key|prod|production|dev|test|live|staging|main|\d{1,3})){0,3}"
    r"(?P<close>\\{0,15}[\"'`]\]?)?"
    r"(?:\??:[ ]?[A-Za-z][\w.|\[\] ]{0,30}(?==))?"
    r"(?P<sign>[ \t]{0,8}(?:=>|:=|={1,3}|:)[ \t]{0,8}|>(?=[^\s<>]{8,512}</)|,[ ]?(?=\\{0,15}[\"'])|[ \t]{1,4})"
    r"(?:\\{0,15}(?P<quote>[\"'`])(?P<quoted>(?:(?!(?P=quote))[^\s\\]|\\[^\s\"'`]){8,512}+)(?=\\{0,15}(?P=quote))"
    r"|\\{0,15}[\"'](?P<open>[^\s\"'`\\]{20,512}+)(?=\\|\s|\Z|[\"'])"
    r"|(?P<bare>[^\s\"'`,;<>(){}\[\]|&\\]{8,512}+)(?![(\[{]|<(?!/)))",
    re.IGNORECASE,
)
_LOGIN = lazy(r"login[ \t]{1,4}[^\s\\]{1,80}(?:\s|\\{1,7}[nrt]|[+>|→]|\d{1,6}→|\\{1,7}u2192){1,24}$")
"""What stands before a password in a netrc file."""
_FLAG = lazy(r"(?:^|\s)--[\w-]{0,40}$")
_KEY_OF = lazy(
    r"(?:api|access|account|private|secret|auth|encryption|signing|master|shared|client|service|storage|license|deploy"
    r"|webhook|session|hmac|jwt|crypt|integration|subscription)[_\-. ]?$",
    re.IGNORECASE,
)
_ENVIRONMENT_KEY = lazy(r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]{0,40}_$")
_HARMLESS_TOKEN = lazy(r"(?:page|next|previous|continuation|cancel|cancellation|sync|sort)[_-]?$", re.IGNORECASE)
_SECRET = lazy(r"secret[_-]?$", re.IGNORECASE)
_AZURE = lazy(r"(?:account|sharedaccess)$", re.IGNORECASE)
_AWS = lazy(r"aws[\w\-. ]{0,20}$|SecretAccess$", re.IGNORECASE)

_TEMPLATE = lazy(
    r"[$<{%*\[#@&/~.]|\\|(?:os|process|env|self|this|config|settings|args|ctx|params|import|secrets|var|data)\."
    r"|[a-z][a-z0-9+.-]{1,20}://|\d{4}-\d\d-\d\d|v?\d{1,6}(?:\.\d{1,6})+|sha\d{1,3}[:-]",
    re.IGNORECASE,
)
_PLACEHOLDER = lazy(
    r"example|placeholder|your|change.?me|dummy|sample|redacted|x{4,}|\*{3}|\.{3}|…|insert|replace|fake|foobar|secret.?here"
    r"|token.?here|key.?here|\$\{|\{\{|<|>|mock",
    re.IGNORECASE,
)
_NAME = lazy(
    r"[A-Za-z]+\d{0,2}(?:[_.:/-]+[A-Za-z]+\d{0,2})+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
    r"|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+|[a-z]+(?:\d?[A-Z][a-z]+)+\d{0,3}|(?:[A-Z][a-z]+)+\d{0,3}|[A-Za-z]+:"
)
_FILE = lazy(
    r"[\w.-]+\.(?:py|js|ts|tsx|json|ya?ml|toml|md|txt|sh|go|rs|html|css|env|pem|key|crt|lock)(?::\d+)?", re.ASCII
)
_PASSWORD_WORDS = ("pass", "pwd")
_DIGIT = lazy(r"\d")
_JUDGED = 64
"""Characters of a value that are looked at; what follows is of the same kind."""
_STRONG = 20
"""Characters from which letters and digits at random are a secret whatever they are assigned to."""


def assigned(text: str) -> Iterator[tuple[str, int, int]]:
    """The kind, start and end of each secret that stands after the name of one."""
    for anchor in ANCHORS:
        for place in anchor.finditer(text):
            start = place.start() - _before(text, place)
            match = _ASSIGNMENT.match(text, start) if start >= 0 else None
            if match and (found := _judged(text, match)):
                yield found


def _before(text: str, anchor: re.Match[str]) -> int:
    """How many characters of the name stand before its anchor."""
    word = anchor[0].lower()
    if word == "wd":
        return 4 if text[anchor.start() - 1] in "sS" else 1
    return _BEFORE_ANCHOR[word]


def _judged(text: str, match: re.Match[str]) -> tuple[str, int, int] | None:
    before = text[max(0, match.start() - 48) : match.start()]
    word = match["word"].lower()
    is_login = match["sign"].isspace() and _LOGIN.search(before) is not None
    if match["sign"].isspace() and not (is_login or _FLAG.search(before)):
        return None
    if word == "token" and _HARMLESS_TOKEN.search(before):
        return None
    is_quoted = match["bare"] is None
    start, end = match.span("open" if match["open"] else "quoted" if is_quoted else "bare")
    value = text[start:end]
    is_listed = match["sign"].startswith(",")
    if ((match["open"] or is_listed) and not _is_strong(value[:_JUDGED])) or (is_listed and not match["close"]):
        return None
    if not is_quoted:
        value = value.rstrip(".,:!?*)")
        end = start + len(value)
        if not _DIGIT.search(value, 0, _JUDGED):
            return None
    value = value[:_JUDGED]
    if word == "key" and not _KEY_OF.search(before) and not (_ENVIRONMENT_KEY.search(before) and _is_strong(value)):
        return None
    if not (is_secret(value, is_quoted, word) or (is_login and not _TEMPLATE.match(value))):
        return None
    return _kind(word, before, value), start, end


def _kind(word: str, before: str, value: str) -> str:
    if word in ("key", "secret") and _AWS.search(before) and len(value) == 40:
        return "aws-secret-key"
    if word == "key":
        return "azure-key" if _AZURE.search(before) else "secret" if _SECRET.search(before) else "api-key"
    return "password" if word.startswith(_PASSWORD_WORDS) else word


def is_secret(value: str, is_quoted: bool, word: str) -> bool:
    """Whether a value assigned to a name with `word` in it is a secret, not a name, an expression or a placeholder."""
    if len(value) < 8 or len(set(value)) < 4:
        return False
    if _is_strong(value):
        return not _TEMPLATE.match(value) or value[0] == "/" or (is_quoted and value[0] in "*#%&")
    if _TEMPLATE.match(value) or _PLACEHOLDER.search(value) or _FILE.fullmatch(value):
        return False
    if word.startswith(_PASSWORD_WORDS) and is_quoted:
        return not _NAME.fullmatch(value) and (value.isascii() or _DIGIT.search(value) is not None)
    if _NAME.fullmatch(value) or not value.isascii():
        return False
    has_digit = any(char.isdigit() for char in value)
    has_letter = any(char.isalpha() for char in value)
    if is_quoted and word in ("secret", "key") and has_letter:
        return True
    return has_digit and has_letter and _entropy(value) >= 2.5


def _is_strong(value: str) -> bool:
    """Whether the value is long and looks drawn at random."""
    if len(value) < _STRONG or _NAME.fullmatch(value) or _entropy(value) < 3:
        return False
    kinds = [any(map(test, value)) for test in (str.isupper, str.islower, str.isdigit)]
    return value.isascii() and kinds[2] and (kinds[0] or kinds[1]) and not _PLACEHOLDER.match(value)


def _entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
