"""Whether a person has an agent: one of its folders, or its program, is there."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from recall_tui.environment import Environment


def is_present(environment: Environment, paths: Iterable[Path] = (), programs: Iterable[str] = ()) -> bool:
    """Whether one of the paths exists, or one of the programs is found as a shell finds it."""
    if any(path.exists() for path in paths):
        return True
    return any(environment.program(program) for program in programs)
