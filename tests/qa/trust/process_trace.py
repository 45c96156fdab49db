"""Notes every process that an interpreter starts and every way that it takes to a network, a line of JSON for each.

It stands by itself, so that it can be put into an environment where each interpreter runs it as it starts.
"""

from __future__ import annotations

import json
import os
import sys

_STARTING = (
    "subprocess.Popen", "os.posix_spawn", "os.spawn", "os.exec", "os.fork", "os.forkpty", "os.system", "os.startfile",
    "pty.spawn", "webbrowser.open",
)  # fmt: skip
_REACHING = ("socket.connect", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo", "socket.gethostbyname")


def _words(given: tuple[object, ...]) -> list[str]:
    """The words of a command, of whatever form it has."""
    for one in given[1::-1]:
        if isinstance(one, (list, tuple)) and one:
            return [os.fsdecode(word) if isinstance(word, (str, bytes, os.PathLike)) else repr(word) for word in one]
        if isinstance(one, (str, bytes)):
            return [os.fsdecode(one)]
    return []


def watch(told: str) -> None:
    """From now on each such event is a line of the file `told`."""

    def audit(event: str, given: tuple[object, ...]) -> None:
        if event in _STARTING:
            words = _words(given)
        elif event in _REACHING:
            address = given[1] if len(given) > 1 and event != "socket.getaddrinfo" else given[0]
            if not isinstance(address, tuple) and event in _REACHING[:3]:
                return  # a socket of the file system
            words = [repr(address)]
        else:
            return
        line = json.dumps({"event": event, "words": words, "by": sys.argv[-1:]}) + "\n"
        descriptor = os.open(told, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, line.encode("utf-8", "replace"))
        os.close(descriptor)

    sys.addaudithook(audit)
