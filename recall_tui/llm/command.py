"""A model that is a program: the question on its stdin, the answer on its stdout, no shell between.

It runs in a folder of its own, in a process group that is gone when the call ends, and with the mark by which our
hooks know that they are not to answer.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

from recall_tui.domain.hook import GUARD
from recall_tui.llm.model import Completion, Failure, JsonSchema, estimated, never
from recall_tui.paths import Places
from recall_tui.storage.atomic import make_folder

FOLDER = "model"
"""The neutral working folder, in the memory's state folder; sessions of it are never archived."""
_STEP_SECONDS = 0.05


class CommandModel:
    """A program that answers."""

    def __init__(self, name: str, words: Sequence[str], places: Places, state: Path, timeout: float) -> None:
        self.name = name
        self._words = tuple(words)
        self._places = places
        self._folder = state / FOLDER
        self._timeout = timeout

    def complete(
        self,
        prompt: str,
        system: str = "",
        schema: JsonSchema | None = None,
        max_tokens: int = 1_000,
        *,
        is_cancelled: Callable[[], bool] = never,
    ) -> Completion | Failure:
        """Run the program once, with the system text before the prompt."""
        asked = f"{system}\n\n{prompt}" if system else prompt
        try:
            make_folder(self._folder)
            process = subprocess.Popen(
                self._words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=self._folder,
                env={**self._places.env, GUARD: "1"},
                start_new_session=True,
            )
        except OSError as error:
            return Failure(f"{self._words[0]}: {error.strerror}", "is it installed?")
        end = monotonic() + self._timeout
        data: bytes | None = asked.encode("utf-8", "replace")
        try:
            while not is_cancelled():
                try:
                    out, trouble = process.communicate(data, timeout=_STEP_SECONDS)
                except subprocess.TimeoutExpired:
                    data = None
                    if monotonic() > end:
                        return Failure(f"{self.name} did not answer within {self._timeout:g} seconds")
                    continue
                if process.returncode:
                    return Failure(
                        f"{self.name} ended with {process.returncode}: {trouble[-200:].decode(errors='replace')}"
                    )
                text = out.decode("utf-8", "replace")
                return Completion(text, estimated(asked, text))
            return Failure("cancelled")
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
