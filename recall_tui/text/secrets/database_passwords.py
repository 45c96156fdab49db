"""Passwords of databases: in statements that make a user, and in strings that say where to connect."""

from __future__ import annotations

from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy

Found = tuple[str, int, int]

_IDENTIFIED = lazy(
    r"(?i:identified\s{1,4}(?:(?:via|with)\s{1,4}[\w\"'`]{1,40}\s{1,4})?(?:by|as|using)\s{1,4}(?:password\s{0,4}\(?)?)"
    r"(?:\\{0,7}'([^'\n\\]{4,128})\\{0,7}'|\\{0,7}\"([^\"\n\\]{4,128})\\{0,7}\"|(?=[^\s;]{0,60}\d)([^\s;'\"$<{\\]{4,128}))"
)
"""MySQL, MariaDB and Oracle: `CREATE USER … IDENTIFIED BY …`."""
_REFERENCE = lazy(r"[$<{:&?%*]|x{3,}|\[redacted:|(?:your|my|new|the)?_?pass(?:word)?$")
_CONNECT = lazy(r"(?:jdbc:oracle:\w{2,8}:|sqlplus(?: -\w{1,8}){0,3} [\"']?)[\w.$#-]{1,64}/([^\s\"'@/]{4,128})@")
_NEEDED = ("oracle:", "sqlplus ")


def in_statements(text: str) -> Iterator[Found]:
    """Passwords of users whom a statement of SQL makes or changes."""
    for match in _IDENTIFIED.finditer(text):
        group = match.lastindex or 1
        if not _REFERENCE.match(match[group]):
            yield "password", *match.span(group)


def in_connect_strings(text: str, low: str) -> Iterator[Found]:
    """Passwords between the name of a user and the place to connect to; `low` is the text in small letters."""
    if not any(word in low for word in _NEEDED):
        return
    for match in _CONNECT.finditer(text):
        if not _REFERENCE.match(match[1]):
            yield "password", *match.span(1)
