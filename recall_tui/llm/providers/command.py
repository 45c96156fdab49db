"""Run a command-line program as a model: the prompt on stdin, the answer on stdout, no shell.

The program runs in its own folder with the guard variable that disables our hooks. Every call ends in time and leaves
no process running.
"""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable, Mapping
from pathlib import Path

from recall_tui.domain.hook import GUARD_VARIABLE
from recall_tui.environment import Environment
from recall_tui.llm.failure_text import first_line, last_line
from recall_tui.llm.model import Completion, Failure, JsonSchema, Usage, estimate_usage, never_cancelled
from recall_tui.llm.providers.cli_output import ParsedOutput
from recall_tui.llm.providers.presets import Preset
from recall_tui.llm.providers.processes import MAX_ANSWER_BYTES, ProcessResult, ProcessSpec, run_process
from recall_tui.storage.files.atomic import content_digest, make_folder, read_text, write_file
from recall_tui.text.cut import strip_controls

WORKING_FOLDER = "model"
"""The neutral working folder in the memory's state folder; its sessions are never archived."""
_PLACEHOLDER = re.compile(r"\{(model|system|schema|schema_file|max_tokens)\}")
_MAX_ARGUMENT_BYTES = 100_000
"""The maximum of a single argument; Linux allows 131,072."""
_SECRET_NAME = re.compile(r"key|token|secret|password", re.IGNORECASE)
_UNKNOWN_OPTION = re.compile(r"(?:unknown|unexpected|unrecognized|no such) (?:option|argument|flag)", re.IGNORECASE)
_UPDATE_HINT = "update the program, or write how it is run into llm.command"
_NO_USAGE = Usage(0, 0)


class CommandModel:
    """A model that is a command-line program."""

    def __init__(
        self, name: str, preset: Preset, model: str, environment: Environment, state: Path, seconds: float
    ) -> None:
        self.name = name
        self._preset = preset
        self._model = model
        self._environment = environment
        self._folder = state / WORKING_FOLDER
        self._seconds = seconds
        self._secrets = [value for key, value in environment.env.items() if _SECRET_NAME.search(key)]

    @property
    def program(self) -> str:
        """The program that is run, as its path or as its name on the PATH."""
        return self._found([*self._preset.words])[0]

    def complete(
        self,
        prompt: str,
        system: str = "",
        schema: JsonSchema | None = None,
        max_tokens: int = 1_000,
        *,
        is_cancelled: Callable[[], bool] = never_cancelled,
    ) -> Completion | Failure:
        """Run the program once; a system text that it takes no option for is prepended to the prompt."""
        asked = f"{system}\n\n{prompt}" if system else prompt
        if is_cancelled():
            return Failure("cancelled", usage=_NO_USAGE)
        try:
            task = self._task(prompt, system, schema, max_tokens)
            ended = run_process(task, is_cancelled)
        except (OSError, ValueError) as error:
            reason = (isinstance(error, OSError) and error.strerror) or str(error)
            said = first_line(f"{self._preset.words[0]} cannot be run: {reason}", self._secrets)
            return Failure(said, self._preset.hint or "is it installed?", _NO_USAGE)
        return self._understood(ended, asked)

    def _task(self, prompt: str, system: str, schema: JsonSchema | None, max_tokens: int) -> ProcessSpec:
        """Return the process to run; creates the working folder and the files that the program reads from it."""
        make_folder(self._folder)
        preset = self._preset
        form = json.dumps(schema, sort_keys=True) if schema else ""
        takes_system = any("{system}" in word for word in (*preset.words, *preset.system))
        is_apart = takes_system and len(system.encode("utf-8", "replace")) <= _MAX_ARGUMENT_BYTES
        values = {
            "model": self._model,
            "system": strip_controls(system or preset.alone) if is_apart else "",
            "schema": form,
            "schema_file": str(self._folder / f"form-{content_digest(form)[:16]}.json"),
            "max_tokens": str(max_tokens),
        }
        words = [
            *preset.words,
            *(preset.model if self._model else ()),
            *(preset.system if values["system"] else ()),
            *(preset.schema if form and len(form) <= _MAX_ARGUMENT_BYTES else ()),
            *preset.last,
        ]
        files = dict(preset.files)
        if any("{schema_file}" in word for word in words):
            files[values["schema_file"]] = form
        self._put(files)
        filled = [_PLACEHOLDER.sub(lambda place: values[place[1]], word) for word in words]
        stdin = prompt if is_apart or not system else f"{system}\n\n{prompt}"
        return ProcessSpec(
            self._found(filled), stdin.encode("utf-8", "replace"), self._folder, self._env(), self._seconds
        )

    def _put(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self._folder / name
            if read_text(path) != text:
                write_file(path, text.encode())

    def _found(self, words: list[str]) -> list[str]:
        """Expand `~/` of the program's path, which a variable may name: without a shell nothing else does."""
        program, *rest = words
        program = self._environment.env.get(self._preset.program_variable) or program
        return [str(self._environment.home / program[2:]) if program.startswith("~/") else program, *rest]

    def _env(self) -> dict[str, str]:
        kept = {key: value for key, value in self._environment.env.items() if key not in self._preset.hidden}
        return {**kept, **self._preset.env, GUARD_VARIABLE: "1"}

    def _understood(self, ended: ProcessResult, asked: str) -> Completion | Failure:
        if ended.how == "cancelled":
            return Failure("cancelled")
        if ended.how == "late":
            hint = "recall-tui config set llm.timeout_seconds N"
            return Failure(f"{self.name} did not answer within {self._seconds:g} seconds", hint)
        if ended.how == "endless":
            return Failure(f"{self.name} wrote more than {MAX_ANSWER_BYTES // 1024 // 1024} MB and was ended")
        reading = self._preset.read(ended.out.decode("utf-8", "replace"))
        if ended.code:
            return self._failure(f"{self.name} {_exit_reason(ended.code)}", reading, ended)
        if reading.trouble or not reading.text.strip():
            return self._failure(f"{self.name} gave no answer", reading, ended)
        return Completion(
            reading.text, reading.usage or estimate_usage(asked, reading.text), strip_controls(reading.model)
        )

    def _failure(self, what: str, reading: ParsedOutput, ended: ProcessResult) -> Failure:
        why = first_line(reading.trouble, self._secrets)
        why = why or last_line(ended.last.decode("utf-8", "replace"), self._secrets)
        why = why or last_line(reading.text, self._secrets)
        hint = _UPDATE_HINT if _UNKNOWN_OPTION.search(why) else self._preset.hint
        return Failure(first_line(f"{what}: {why}" if why else what, self._secrets), hint, reading.usage)


def _exit_reason(code: int) -> str:
    if code > 0:
        return f"ended with {code}"
    try:
        return f"was ended by {signal.Signals(-code).name}"
    except ValueError:
        return f"was ended by signal {-code}"
