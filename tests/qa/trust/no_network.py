"""Refuses every way out of this machine and notes who tried; loopback and sockets of the file system stay open.

It stands by itself, so that it can be put into an environment where each interpreter runs it as it starts.
"""

from __future__ import annotations

import os
import sys

_REACHING = ("socket.connect", "socket.sendto", "socket.sendmsg")
_LOOKING_UP = ("socket.getaddrinfo", "socket.gethostbyname")
_NEAR = ("127.", "::1", "localhost", "0.0.0.0", "::ffff:127.")


def is_near(host: object) -> bool:
    """Whether a host is this machine."""
    text = host.decode("ascii", "replace") if isinstance(host, bytes) else host
    return text is None or not isinstance(text, str) or not text or text.startswith(_NEAR)


def forbid(told: str) -> None:
    """From now on this process reaches nobody; each try is a line of the file `told` and an OSError."""

    def audit(event: str, given: tuple[object, ...]) -> None:
        if not event.startswith("socket."):
            return
        host: object = None
        if event in _REACHING and len(given) > 1 and isinstance(given[1], tuple):
            host = given[1][0]
        elif event in _LOOKING_UP:
            host = given[0]
        if is_near(host):
            return
        line = f"{event} {host!r} by {' '.join(sys.argv)[:200]}\n".encode("utf-8", "replace")
        descriptor = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, line)
        os.close(descriptor)
        raise OSError(101, "no network here")

    sys.addaudithook(audit)
