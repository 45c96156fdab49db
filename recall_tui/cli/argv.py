"""Detect calls that agents wait for in the arguments, before anything is imported."""

from collections.abc import Sequence
from typing import NamedTuple

PROGRAM = "recall-tui"
COMPLETION_VARIABLE = "_RECALL_TUI_COMPLETE"
"""The variable with which a shell requests completions."""
HOOK_COMMAND = "hook"
_CONSUME_COMMAND = "consume"
_SERVER_COMMAND = "mcp"
_SEARCH_COMMAND = "search"
_ROOT_OPTIONS = ("--root", "--dir")
VALUE_OPTIONS = ("--root", "--dir", "--layout", "--agent")
"""Options that take a value, which is never the command."""
_FLAG_OPTIONS = ("--json", "--quiet", "--verbose", "--no-color")
_INFO_OPTIONS = ("-h", "--help", "--version")


def is_hook_call(words: Sequence[str]) -> bool:
    """Return whether the arguments call a hook, rather than ask for its help."""
    left = list(words)
    while left:
        word = left.pop(0)
        if word == HOOK_COMMAND:
            return not any(one in left for one in _INFO_OPTIONS)
        if word in VALUE_OPTIONS and left:
            left.pop(0)
        elif word not in _FLAG_OPTIONS and word.partition("=")[0] not in VALUE_OPTIONS:
            return False
    return False


def plain_consume_root(words: Sequence[str]) -> str | None:
    """Return the folder in `consume [ROOT]`, "" without one; None for any other call, also one with options."""
    if words[:1] != [_CONSUME_COMMAND] or len(words) > 2 or any(word.startswith("-") for word in words):
        return None
    return words[1] if len(words) == 2 else ""


def plain_server_root(words: Sequence[str]) -> str | None:
    """Return the folder in `mcp [--root PATH]`, "" without one; None for any other call."""
    rest = [word for word in words if word != _SERVER_COMMAND]
    if len(words) - len(rest) != 1:
        return None
    if len(rest) == 2 and rest[0] in _ROOT_OPTIONS:
        return rest[1]
    return None if rest else ""


class PlainSearch(NamedTuple):
    """A call of `search` that needs no parser of options."""

    query: str
    root: str | None = None
    limit: int | None = None
    json: bool = False
    no_sync: bool = False


def plain_search(words: Sequence[str]) -> PlainSearch | None:
    """Return the query and options of a `search` with the most common options alone; None for any other call."""
    left, queried = list(words), []
    found = PlainSearch("")
    has_command = False
    while left:
        word = left.pop(0)
        if word in _ROOT_OPTIONS and left:
            found = found._replace(root=left.pop(0))
        elif word == "--json":
            found = found._replace(json=True)
        elif has_command and word == "--no-sync":
            found = found._replace(no_sync=True)
        elif has_command and word == "--limit" and left and left[0].isdecimal() and int(left[0]):
            found = found._replace(limit=int(left.pop(0)))
        elif word.startswith("-") or (not has_command and word != _SEARCH_COMMAND):
            return None
        elif has_command:
            queried.append(word)
        else:
            has_command = True
    query = " ".join(queried)
    return found._replace(query=query) if query.strip() else None
