"""The command line as a test calls it: words in, code and both streams out."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from recall_tui.cli.main import run
from recall_tui.environment import Environment


@dataclass(frozen=True, slots=True)
class Said:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Stdout, which must be one JSON document."""
        return json.loads(self.out)


Recall = Callable[..., Said]


@pytest.fixture
def recall(
    environment: Environment,
    now: Callable[[], datetime],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Recall:
    """Call `recall-tui` with these words, on this test's own machine."""

    def call(*words: object, stdin: str | bytes = b"") -> Said:
        given = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given), encoding="utf-8"))
        capsys.readouterr()
        code = run([str(word) for word in words], environment=environment, now=now)
        captured = capsys.readouterr()
        assert "Traceback" not in captured.err
        return Said(code, captured.out, captured.err)

    return call


Stand = Callable[..., Said]


@pytest.fixture
def stand(
    environment: Environment,
    now: Callable[[], datetime],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Stand:
    """Call the program with the first argument as the current folder."""

    def call(folder: Path, *words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = run(list(words), environment=environment._replace(cwd=folder), now=now)
        said = capsys.readouterr()
        assert "Traceback" not in said.err, (folder, words, said.err)
        return Said(code, said.out, said.err)

    return call
