"""Find secrets by their position: in a URL, a header, the members of a key, near an access key id, in SQL."""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.values import is_probable, is_strong
from recall_tui.text.secrets.wrapped_values import wrapped_end

SecretSpan = tuple[str, int, int]

_USER_INFO = lazy_pattern(
    r"([^\s:/@\"'`<>\\\[]{0,400}+)(?::([^\s\"'`<>\\]{1,256}?))?@(?=\[[0-9a-f:]|[\w$-][\w.${}-]*(?:[:/?#]|\Z|[\s\"'`,;)\]\\>&|]))"
)
_PORT_PATH = lazy_pattern(r"\d{1,5}(?:/|\Z)")
_TEMPLATE = lazy_pattern(r"[$%{*]|\[redacted:|x{3,}$|\.\.\.|…")
_PLACEHOLDER_USER = lazy_pattern(
    r"(?:user|username|usr|login|name|my_?user):(?:pass|password|passwd|pwd|pw|secret|token)", re.IGNORECASE
)
"""Placeholders for a user and a password in documentation."""
_PLAIN_USER = lazy_pattern(r"[a-z]{1,16}(?:[._-][a-z]{1,16}){0,5}\d{0,4}", re.IGNORECASE)
_BEARER_WORD = lazy_pattern(r"B(?=earer)")
_SIGNATURE = lazy_pattern(r"&(?:amp;)?sig=([A-Za-z0-9%+/_=-]{30,200}+)")
_ONE_TIME = lazy_pattern(r"otpauth://[^\s\"'<>]{1,300}?[?&](?:amp;)?secret=([A-Z2-7]{8,256}+)", re.IGNORECASE)
_BEARER = lazy_pattern(r"Bearer(?:\s|%20|\+){1,4}([A-Za-z0-9._~+/=-]{16,}+)")
_HEADER = lazy_pattern(
    r"\\{0,15}[\"'`]?\]?\s{0,4}(?:[:=,]|=>)\s{0,4}\\{0,15}[\"'`]?"
    r"(?:[A-Za-z][\w-]{1,30}[ \t]{1,4})?(?:[\w.-]{1,40}:)?([A-Za-z0-9._~+/=-]{8,}+)",
    re.IGNORECASE,
)
_PARAMETERS = lazy_pattern(
    r"(?:signature|response|mac|token|oauth_token|oauth_signature|cnonce|password|key)=\\{0,15}[\"']?([A-Za-z0-9._~+/=%-]{12,4096}+)",
    re.IGNORECASE,
)
_COOKIES = lazy_pattern(
    r"\\{0,15}[\"'`]?\]?(?:\s{0,4}[:=,]\s{0,4}|[ ](?=\\{0,7}[\"']?[\w.-]{1,40}=))\\{0,15}[\"'`]?([^\n\"'`\\]{8,8192}+)"
)
_COOKIE_OBJECT = lazy_pattern(r"s?\\{0,7}[\"']?\s{0,4}[:=]\s{0,4}\{([^{}\n]{8,4096}+)")
_MEMBER = lazy_pattern(
    r"[\"']([\w.-]{0,40}(?:sess|sid|auth|token|jwt|csrf|xsrf|remember|login)[\w.-]{0,40})\\{0,7}[\"']\s{0,4}:\s{0,4}"
    r"\\{0,7}[\"']([^\s\"'\\]{8,4096}+)",
    re.IGNORECASE,
)
_SHORT_SESSION = lazy_pattern(
    r"(?<![\w.-])[\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,20}=([^;\s\"'`\\]{8,11})(?![^;\s\"'`\\])",
    re.IGNORECASE,
)
_SESSION = lazy_pattern(
    r"[\w.-]{0,40}(?:sess|sid|auth|token|jwt|csrf|xsrf|remember|login|user|secure|\.[A-Z]|id)[\w.-]{0,40}=([^;\s\"'`\\]{12,4096}+)",
    re.IGNORECASE,
)
_COOKIE = lazy_pattern(r"[\w.-]{1,80}=([^;\s\"'`\\]{20,4096}+)")
_PLACEHOLDER = lazy_pattern(
    r"your|token_?here|example|placeholder|x{4,}|access_?token$|api_?key$|\.\.\.", re.IGNORECASE
)
_HAS_DIGIT = lazy_pattern(r"\d")
_KEY_MEMBERS = lazy_pattern(
    r"\\{0,15}\"(?:d|p|q|dp|dq|qi|k)\\{0,15}\"\s{0,8}:\s{0,8}\\{0,15}\"([A-Za-z0-9_=+/-]{16,16384}+)"
)
_JWK_CHARS = 16_000
"""The distance from a key's type within which its members are searched."""
_KEY_NEAR_ID = lazy_pattern(r"(?:(?<![A-Za-z0-9+/=_.-])|(?<=\\[nt]))([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=_-])")
_BESIDE_CHARS = 240
_PGPASS = lazy_pattern(r":(?:\d{4,5}|\*):[^\s:/]{1,64}:[^\s:/]{1,64}:(?!\[redacted:)([^\s\"'`]{3,128})(?=\s|\\|\Z)")
_IDENTIFIED_BY = lazy_pattern(
    r"(?i:identified\s{1,4}(?:(?:via|with)\s{1,4}[\w\"'`]{1,40}\s{1,4})?(?:by|as|using)\s{1,4}(?:password\s{0,4}\(?)?)"
    r"(?:\\{0,7}'([^'\n\\]{4,128})\\{0,7}'|\\{0,7}\"([^\"\n\\]{4,128})\\{0,7}\"|(?=[^\s;]{0,60}\d)([^\s;'\"$<{\\]{4,128}))"
)
"""MySQL, MariaDB and Oracle: `CREATE USER … IDENTIFIED BY …`."""
_REFERENCE = lazy_pattern(r"[$<{:&?%*]|x{3,}|\[redacted:|(?:your|my|new|the)?_?pass(?:word)?$")
_CONNECT_STRING = lazy_pattern(
    r"(?:(?:jdbc:oracle:\w{2,8}:|(?:sqlplus|expdp|impdp|sqlldr)(?: -\w{1,8}){0,3} (?:userid=)?[\"']?)"
    r"[\w.$#-]{1,64}/"
    r"|(?:(?:psexec|wmiexec|smbexec|atexec|dcomexec|secretsdump|smbclient|mssqlclient)(?:\.py)?"
    r"(?: -[\w-]{1,20}){0,4} [\"']?[\w.-]{1,64}/[\w.$-]{1,64}|mysqlsh(?: --?[\w-]{1,12}){0,4} [\w.-]{1,64}):)"
    r"([^\s\"'@/]{4,128})\Z"
)
CONNECT_PROGRAMS = (
    "oracle:",
    "sqlplus ",
    "exec",
    "pdp ",
    "sqlldr ",
    "secretsdump",
    "smbclient",
    "mssqlclient",
    "mysqlsh ",
)
_CONNECT_CHARS = 240


def url_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield passwords before the `@` of an address, and tokens in place of the user."""
    place = text.find("://")
    while place >= 0:
        match = _USER_INFO.match(text, place + 3)
        if match and (found := _user_info(text, match)):
            yield found
        place = text.find("://", place + 3)


def _user_info(text: str, match: re.Match[str]) -> SecretSpan | None:
    user, password = match[1], match[2]
    if password is None or password.startswith("x-oauth"):
        is_token = len(user) >= 20 and is_strong(user) and not _PLAIN_USER.fullmatch(user)
        return ("url-token", *match.span(1)) if is_token else None
    if "/" in password and (_PORT_PATH.match(password) or password.startswith("/")):
        return None
    if _TEMPLATE.match(password) or _PLACEHOLDER_USER.fullmatch(text, match.start(1), match.end(2)):
        return None
    return "url-password", *match.span(2)


def bearer_tokens(text: str) -> Iterator[SecretSpan]:
    """Yield the tokens after `Bearer`."""
    for place in _BEARER_WORD.finditer(text):
        match = _BEARER.match(text, place.start())
        if match and (found := _authorization(text, match)):
            yield found


def one_time_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield one-time-password seeds in the URI that an authenticator scans (Google's Key Uri Format)."""
    for match in _ONE_TIME.finditer(text):
        yield "otp-secret", *match.span(1)


def query_signatures(text: str) -> Iterator[SecretSpan]:
    """Yield the signatures of pre-signed addresses."""
    for match in _SIGNATURE.finditer(text):
        yield "signature", *match.span(1)


def header_secrets(text: str, place: int) -> Iterator[SecretSpan]:
    """Yield the credentials after the name of an authorization header that ends at `place`."""
    match = _HEADER.match(text, place)
    found = _authorization(text, match) if match else None
    if match and found:
        yield found
        end = match.end()
        for one in _PARAMETERS.finditer(text, end, min(end + 600, _line_end(text, end))):
            yield "authorization", *one.span(1)


def _authorization(text: str, match: re.Match[str]) -> SecretSpan | None:
    if not _HAS_DIGIT.search(match[1]) or _PLACEHOLDER.search(match[1]):
        return None
    start, end = match.span(1)
    return "authorization", start, wrapped_end(text, start, end) or end


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start, start + 600)
    return end if end >= 0 else start + 600


def cookie_secrets(text: str, place: int) -> tuple[list[SecretSpan], int]:
    """Return the values of session cookies in a header whose name ends at `place`, and the end of the header."""
    if members := _COOKIE_OBJECT.match(text, place):
        found = [("cookie", *one.span(2)) for one in _MEMBER.finditer(text, *members.span(1)) if is_probable(one[2])]
        return found, members.end()
    match = _COOKIES.match(text, place)
    return (list(cookies(text, *match.span(1))), match.end()) if match else ([], place)


def cookies(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Yield the values of session cookies between two offsets."""
    for cookie in _SESSION.finditer(text, start, end):
        if _HAS_DIGIT.search(cookie[1]) and not _TEMPLATE.match(cookie[1]):
            yield "cookie", *cookie.span(1)
    for cookie in _SHORT_SESSION.finditer(text, start, end):
        if is_probable(cookie[1]) and not _TEMPLATE.match(cookie[1]):
            yield "cookie", *cookie.span(1)
    for cookie in _COOKIE.finditer(text, start, end):
        if is_strong(cookie[1][:64]):
            yield "cookie", *cookie.span(1)


def key_set_secrets(text: str, start: int, place: int) -> tuple[list[SecretSpan], int]:
    """Return the private members of a JSON key whose type is at `place` (RFC 7518, 6.2.2, 6.3.2 and 6.4.1).

    Text before `start` is skipped; the second item is the end of the searched range.
    """
    end = min(len(text), place + _JWK_CHARS)
    members = _KEY_MEMBERS.finditer(text, max(start, place - _JWK_CHARS), end)
    return [("private-key", *member.span(1)) for member in members], end


def secrets_near_ids(text: str, ids: list[tuple[int, int]]) -> Iterator[SecretSpan]:
    """Yield the Amazon secret keys near the access key ids they belong to."""
    done = 0
    for start, end in ids:
        for match in _KEY_NEAR_ID.finditer(text, max(done, start - _BESIDE_CHARS), end + _BESIDE_CHARS):
            done = match.end()
            if is_strong(match[1]) and not match[1].islower():
                yield "aws-secret-key", *match.span(1)


def password_file_secrets(text: str, start: int, end: int) -> Iterator[SecretSpan]:
    """Yield the password fields of a PostgreSQL password file."""
    for match in _PGPASS.finditer(text, start, end):
        yield "password", *match.span(1)


def sql_passwords(text: str) -> Iterator[SecretSpan]:
    """Yield the passwords in SQL statements that create or alter a user."""
    for match in _IDENTIFIED_BY.finditer(text):
        group = match.lastindex or 1
        if not _REFERENCE.match(match[group]):
            yield "password", *match.span(group)


def connect_string_secrets(text: str, low: str) -> Iterator[SecretSpan]:
    """Yield the passwords of `user/password@address` strings; `low` is the text in lower case."""
    place = low.find("@")
    while place >= 0:
        first = max(0, place - _CONNECT_CHARS)
        match = _CONNECT_STRING.search(text, first, place) if names_connect_program(low, first, place) else None
        if match and not _REFERENCE.match(match[1]):
            yield "password", *match.span(1)
        place = low.find("@", place + 1)


def names_connect_program(low: str, start: int, end: int) -> bool:
    """Return whether the range names a program that connects with such a string."""
    before = low[start:end]
    return any(word in before for word in CONNECT_PROGRAMS)
