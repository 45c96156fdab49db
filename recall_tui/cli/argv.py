"""Detect a hook call in the arguments before anything is imported: agents wait for every start."""

from collections.abc import Sequence

HOOK_COMMAND = "hook"
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
