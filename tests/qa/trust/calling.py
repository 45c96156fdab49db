"""Commands called in this process, on a terminal that a person looks at or into a pipe, and the bytes that came."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from recall_tui.cli.main import run
from recall_tui.environment import Environment
from tests.conftest import NOON


class _Stream(io.TextIOWrapper):
    """A stream of a process, kept in memory."""

    is_terminal = False

    def isatty(self) -> bool:
        return self.is_terminal

    @property
    def bytes(self) -> bytes:
        """All that was written."""
        self.flush()
        held = self.buffer
        assert isinstance(held, io.BytesIO)
        return held.getvalue()


@dataclass(frozen=True, slots=True)
class Came:
    """What a command gave back."""

    code: int
    raw: bytes
    """Of stdout."""
    err: str

    @property
    def out(self) -> str:
        """Stdout as text."""
        return self.raw.decode("utf-8", "surrogateescape")

    @property
    def json(self) -> Any:
        """Stdout, which must be one JSON document."""
        return json.loads(self.raw)


def called(environment: Environment, *words: str, stdin: bytes = b"", on_terminal: bool = False) -> Came:
    """Call `recall-tui` with these words; an exception that it lets through is the caller's."""
    with _streams(stdin, on_terminal) as (out, err):
        code = run(list(words), environment=environment, now=lambda: NOON)
        return Came(code, out.bytes, err.bytes.decode("utf-8", "surrogateescape"))


@contextmanager
def _streams(stdin: bytes, on_terminal: bool) -> Iterator[tuple[_Stream, _Stream]]:
    before = sys.stdin, sys.stdout, sys.stderr
    out, err = (_Stream(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    out.is_terminal = err.is_terminal = on_terminal
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8"), out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
