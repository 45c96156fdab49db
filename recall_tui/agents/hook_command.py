"""The commands of ours that agents run, hooks and the server: how they are written, and whose they are.

A command is known by its structure and never by where its program lies, so that one that moved is known still.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from itertools import chain, pairwise
from pathlib import Path, PureWindowsPath

from recall_tui.agents.target import Site
from recall_tui.domain.hook import MEMORY_OPTION
from recall_tui.text.lazy_pattern import lazy_pattern

_OWN_NAMES = frozenset(["recall-tui", "recall_tui"])
_SHELL_OPTIONS = frozenset(["-c", "-lc", "-ic", "-lic"])
_PACKAGE_VERSION = lazy_pattern(r"[@\[=<>~!].*")
_RECALL_ECHO_NAME = "RECALL-ECHO"
_SESSION_RECALL_SCRIPTS = frozenset(["memory-recall.sh", "session-end-remember.sh"])
_SESSION_RECALL_NAMES = frozenset(["recall", "recall.ts", "recall.js", "recall.mjs"])
_SESSION_RECALL_EVENTS = frozenset(["hook", "remember", "session-start", "session-end"])
_RECALL_ECHO_COMMAND = lazy_pattern(
    r"""["']?(?:[^"'`;&|<>$\n]*[\\/])?recall-echo(?:\.exe)?["']?   # the program, unquoted spaces too
    \s+(?:checkpoint|promote|consume|archive-session)
    (?:\s+--?[\w-]+(?:[=\s]["']?[\w.-]+["']?)?)*\s*""",
    re.VERBOSE | re.IGNORECASE,
)


def build_command(site: Site, agent: str = "", *, hands_memory: bool = False) -> str:
    """The line that a shell runs for the memory's hooks: absolute, quoted, bound to the memory by `--root`.

    It names the agent whose JSON does not tell, and says whether a start hands over MEMORY.md, too.
    """
    more = (*(("--agent", agent) if agent else ()), *((MEMORY_OPTION,) if hands_memory else ()))
    return f"{shlex.join(site.command)} hook --root {shlex.join((str(site.layout.root), *more))}"


def program_argv(called: Path, python: Path) -> tuple[str, ...]:
    """The words that start this program from anywhere: its own script when it was called by that, else the interpreter.

    `-P` keeps a folder of ours in the project where a hook runs from taking the program's place.
    """
    if _program_name(called.name) in _OWN_NAMES and called.is_file():
        return (str(called),)
    return (str(python), "-P", "-m", "recall_tui")


def split_command(command: object, args: object = None) -> tuple[str, ...]:
    """The words of a hook's command; empty for what is none."""
    if not isinstance(command, str):
        return ()
    if isinstance(args, list):
        return (command, *(word for word in args if isinstance(word, str)))
    try:
        return tuple(shlex.split(command))
    except ValueError:
        return tuple(command.split())


def is_own_hook(words: Sequence[str]) -> bool:
    """Whether the words start this program's hook for a memory, wherever the program is, or was."""
    return memory_root_of(words) is not None


def server_argv(site: Site) -> tuple[str, ...]:
    """Return the words that start the memory's server for an agent, bound to the memory by `--root`."""
    return (*site.command, "--root", str(site.layout.root), "mcp")


def is_own_server(words: Sequence[str]) -> bool:
    """Return True if the words start this program's server, wherever the program is, or was."""
    words = _without_shell(words)
    return "mcp" in words and any(map(_is_own_program, words[: words.index("mcp")]))


def server_roots(words: Sequence[str]) -> tuple[Path, ...]:
    """Return the memory that the words of our server name, if any."""
    words = _without_shell(words)
    named = (value for option, value in pairwise(words) if option == "--root")
    joined = (word.partition("=")[2] for word in words if word.startswith("--root="))
    return tuple(map(Path, chain(named, joined)))


def _without_shell(words: Sequence[str]) -> Sequence[str]:
    """The words of the line that a shell is given to run; other words as they are."""
    line = next((word for option, word in pairwise(words) if option in _SHELL_OPTIONS), None)
    return words if line is None else split_command(line)


def _is_own_program(word: str) -> bool:
    """Whether it is this program, or its package as `uvx` takes it: `recall-tui[mcp]`, `recall-tui@latest`."""
    return _PACKAGE_VERSION.sub("", _program_name(word)) in _OWN_NAMES


def memory_root_of(words: Sequence[str]) -> str | None:
    """The memory that our hook is for; None for what is no hook of ours."""
    for place, (before, word) in enumerate(pairwise(words), start=2):
        if word == "hook" and _program_name(before) in _OWN_NAMES:
            after = [*words[place:], ""]
            named = (after[at + 1] for at, one in enumerate(after[:-1]) if one == "--root")
            joined = (one.partition("=")[2] for one in after if one.startswith("--root="))
            return next(chain(named, joined), None)
    return None


def find_predecessor(command: object, args: object = None) -> str:
    """The earlier tool that wrote the hook: `recall-echo` or `session recall`; empty when it is another's."""
    if not isinstance(command, str):
        return ""
    if _is_recall_echo_hook(command, args):
        return "recall-echo"
    words = split_command(command, args)
    if any(_program_name(word) in _SESSION_RECALL_SCRIPTS for word in words):
        return "session recall"
    pairs = pairwise(words)
    is_call = any(_program_name(one) in _SESSION_RECALL_NAMES and two in _SESSION_RECALL_EVENTS for one, two in pairs)
    return "session recall" if is_call else ""


def _is_recall_echo_hook(command: str, args: object) -> bool:
    """Whether it is a hook that some release of recall-echo wrote."""
    words = split_command(command, args)
    if words[:1] == ("echo",) and len(words) > 1 and words[1].lstrip("'\"").startswith(_RECALL_ECHO_NAME):
        return True
    line = " ".join((command, *words[1:])) if isinstance(args, list) else command
    return _RECALL_ECHO_COMMAND.fullmatch(line.strip()) is not None


def _program_name(word: str) -> str:
    """A program's name, of a path of either kind, without `.exe`."""
    return PureWindowsPath(word).name.removesuffix(".exe")
