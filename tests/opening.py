"""Hears every opening of a file for reading, and tells of those below a memory that pass the one function by.

It stands by itself, so that processes which tests start hear it from their beginning: see `watched/sitecustomize.py`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recall_tui.environment import Environment

CHECKOUT = Path(__file__).resolve().parents[1]
PACKAGE, TESTS = f"{CHECKOUT / 'recall_tui'}/", f"{CHECKOUT / 'tests'}/"
FOLDER = str(CHECKOUT / "tests" / "watched")
"""For PYTHONPATH: processes with it hear, too, and write into the file that TOLD names."""
TOLD = "RECALL_TEST_OPENED"
OPENED: list[str] = []
"""What this process opened otherwise."""
_ALLOWED = {
    ("files.py", ""): "it is the one function",
    ("features/summaries/git_state.py", ""): "files of a repository, by a walk of its own",
    ("storage/files/atomic.py", "sync_file"): "what was written is brought to the disk",
    ("testing.py", "_check_secrets"): "a memory in a temporary folder of its own, which is deleted",
}
"""Modules, or their functions, that may open what is below a memory."""
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_DIRECTORY


def listen(tell: Callable[[str], object]) -> None:
    """From now on `tell` of each such opening: which file, and by which line."""

    def hear(event: str, given: tuple[object, ...]) -> None:
        if event != "open" or not hasattr(files := sys.modules.get("recall_tui.files"), "_lookup_boundary"):
            return
        found: Callable[[str], tuple[object, ...]] = files._lookup_boundary  # type: ignore[union-attr]
        path, flags = given[0], given[2]
        if not isinstance(path, str | os.PathLike) or not isinstance(flags, int) or flags & _WRITING:
            return
        name = os.path.abspath(path)  # type: ignore[type-var]  # noqa: PTH100
        if found(name)[1] is not None and (culprit := _culprit()):
            tell(f"{name} was opened by {culprit}\n")

    sys.addaudithook(hear)


def told_file(environment: Environment) -> Path:
    """Where processes that stand on the places tell of it."""
    return Path(environment.env["RECALL_STATE"]).parent / "opened-otherwise"


def heard(environment: Environment) -> dict[str, str]:
    """The variables that have a process of this program heard."""
    return {"PYTHONPATH": f"{FOLDER}{os.pathsep}{CHECKOUT}", TOLD: str(told_file(environment))}


def told_into(path: str) -> Callable[[str], object]:
    """Write what is told at the end of a file."""

    def tell(line: str) -> None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        os.write(descriptor, line.encode("utf-8", "replace"))
        os.close(descriptor)

    return tell


def _culprit() -> str:
    """The line of the package that opened a file; empty when a test did, or who may."""
    frame = sys._getframe(2)
    while frame:
        file = frame.f_code.co_filename
        if file.startswith(TESTS):
            return ""
        if file.startswith(PACKAGE):
            module = file.removeprefix(PACKAGE)
            is_allowed = (module, "") in _ALLOWED or (module, frame.f_code.co_name) in _ALLOWED
            return "" if is_allowed else f"{module}:{frame.f_lineno}"
        frame = frame.f_back
    return ""
