"""Whether a command line calls a hook: told before anything is imported, since agents wait for every start."""

from collections.abc import Sequence

HOOK = "hook"
TAKING_A_VALUE = ("--root", "--dir", "--layout", "--agent")
"""Options before whose value no command can stand."""
_VALUELESS = ("--json", "--quiet", "--verbose", "--no-color")
_ASKING = ("-h", "--help", "--version")


def is_hook(words: Sequence[str]) -> bool:
    """Whether the words call a hook, and do not ask about it."""
    left = list(words)
    while left:
        word = left.pop(0)
        if word == HOOK:
            return not any(one in left for one in _ASKING)
        if word in TAKING_A_VALUE and left:
            left.pop(0)
        elif word not in _VALUELESS and word.partition("=")[0] not in TAKING_A_VALUE:
            return False
    return False
