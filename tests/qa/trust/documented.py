"""What the code has and what the pages tell of it, each as names that can be compared."""

from __future__ import annotations

import ast
import importlib
import re
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import click

from recall_tui import errors
from recall_tui.cli.command_table import COMMANDS
from recall_tui.cli.main import EXIT_INTERRUPTED
from tests.readme import CHECKOUT, PAGES, everything_typed, text_of

FOREIGN_FLAGS = {"--typos", "--model", "--most", "--resume", "--id", "--fork", "--restore-chat-history", "--session-id"}
"""Of the measuring programs under tests/qa/bench, of a model's program that a page invents, and of agents."""
_BY_SCHEME = {"HTTP_PROXY", "HTTPS_PROXY"}
"""Variables whose names are put together."""
_VARIABLE = re.compile(r"_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
_OF_THE_SYSTEM = re.compile(r"(O|SC|SEEK)_[A-Z_]+")
"""Flags of `open`, names of `sysconf` and of places to seek from, which look like variables."""
_TOLD_VARIABLE = re.compile(r"`(_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`")
_FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
_CONSTANT = re.compile("_?([A-Z]+_)*(FILE|FOLDER|LOCK|LOCK_NAME)")
ELSEWHERE = {
    *(
        ".aider.conf.yml",
        ".aider.chat.history.md",
        ".aider.input.history",
        "chats",
        "tokenizer.json",
        "history.jsonl",
        "ARCHITECTURE.md",
    ),
    *(".recall", ".recall.lock", ".recall-forgotten", ".recall-ignore", ".synthesis-state.json", ".dreams", "_docs"),
    *(
        "dream-state.json",
        "candidates.json",
        "analyses.json",
        "recall-format",
        "meta.json",
        "session-state",
        "api_conversation_history.json",
        "history_item.json",
        "workspace.yaml",
    ),
    "folder",
}
"""Of those that are called so: files of agents and models, of the memory itself, in folders that are described as a
whole, and a member inside a file."""
_STATE = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)


def section(page: str, heading: str) -> str:
    """The text below a `##` heading."""
    return text_of(page).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def flags() -> set[str]:
    """The options of all commands."""
    every = {"--help", "--version"}
    for row in COMMANDS.values():
        module, _, function = row.target.partition(":")
        every |= flags_of(getattr(importlib.import_module(module), function))
    return every


def flags_of(command: click.Command) -> set[str]:
    """The options of a command and of those below it."""
    own = {word for param in command.params for word in (*param.opts, *param.secondary_opts) if word.startswith("--")}
    below = command.commands.values() if isinstance(command, click.Group) else ()
    return own.union(*(flags_of(one) for one in below))


def variables() -> set[str]:
    """The names of environment variables that stand in the code."""
    found, exported = set(_BY_SCHEME), set[str]()
    for path in (CHECKOUT / "recall_tui").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and [one.id for one in node.targets if isinstance(one, ast.Name)] == [
                "__all__"
            ]:
                exported |= set(ast.literal_eval(node.value))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and _VARIABLE.fullmatch(node.value):
                found.add(node.value)
    found -= exported
    return {name for name in found if not _OF_THE_SYSTEM.fullmatch(name)}


def variables_told() -> set[str]:
    """The names of environment variables in the section on them."""
    return set(_TOLD_VARIABLE.findall(section("docs/settings.md", "Environment")))


def flags_told() -> set[str]:
    """The options that the pages name."""
    return {flag for page in PAGES for flag in _FLAG.findall(text_of(page))}


def exit_codes() -> set[int]:
    """What a command may end with."""
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.RecallError)]
    return {0, EXIT_INTERRUPTED} | {one.exit_code for one in kinds}


def exit_codes_told() -> set[int]:
    """The exit codes on the page about commands."""
    told = re.search(r"Exit codes: ([^.]+)\.", " ".join(text_of("docs/commands.md").split()))
    return {int(number) for number in re.findall(r"\b\d+\b", told[1])} if told else set()


def state_patterns() -> list[str]:
    """What SECURITY.md says lies in the state folder."""
    return _STATE.findall(section("SECURITY.md", "Where files are"))


def state_names() -> set[str]:
    """The fixed part of each name in that list."""
    parts = (part for one in state_patterns() for part in one.split("/"))
    return {part for part in parts if part and not re.search(r"[*<…~]", part)}


def state_constants() -> dict[str, str]:
    """What the code calls files and folders by constants, each with the module."""
    found = {}
    for path in sorted((CHECKOUT / "recall_tui").rglob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = node.value.value if isinstance(node.value, ast.Constant) else None
                if _CONSTANT.fullmatch(node.targets[0].id) and isinstance(value, str) and " " not in value:
                    found[value] = path.relative_to(CHECKOUT).as_posix()
    return found


def undescribed(state: Path) -> list[str]:
    """Files below the state folder that no line of the list describes."""
    patterns = [re.sub(r"<[^>]+>", "*", one) for one in state_patterns()]
    found = (path.relative_to(state).as_posix() for path in state.rglob("*") if path.is_file())
    return sorted(name for name in found if not any(fnmatch(name, one + "*" * one.endswith("/")) for one in patterns))


def lost_targets() -> list[str]:
    """Lines of the pages whose make target, program of the checkout or extra does not exist."""
    targets = set(re.findall(r"^(\w+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    extras = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    lost = []
    for one in everything_typed():
        words = one.words
        if words[0] == "make" and words[1] not in targets:
            lost.append(one.line)
        if words[0] == "python" and not (CHECKOUT / words[1]).is_file():
            lost.append(one.line)
        if words[0] == "pip" and not set(words[2].partition("[")[2].strip("]").split(",")) <= set(extras):
            lost.append(one.line)
    return lost
