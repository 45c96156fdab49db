"""Sessions that this program itself started to ask a model: they are nobody's work, and no memory takes them in.

A model is run in a folder of our state, or its prompt begins with our mark.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from recall_tui.domain import Conversation

TASK_PREFIX = "<recall-tui-task>"
"""What a prompt begins with that this program gave to a model."""
_OTHER_CHARS = lazy_pattern(r"[^A-Za-z0-9]")


def is_own_session(conversation: Conversation, state: Path) -> bool:
    """Whether the session was started by this program, whose state is in the folder `state`."""
    cwd = conversation.head.cwd
    if cwd and any(Path(cwd).is_relative_to(folder) for folder in (state, state.resolve())):
        return True
    prompts = (message.text for message in conversation.messages() if message.kind == "prompt")
    return next(prompts, "").lstrip().startswith(TASK_PREFIX)


def is_own_folder(path: Path, state: Path) -> bool:
    """Whether Claude Code's name of the folder that a transcript is in stands for a folder of our state."""
    return f"{path.parent.name}-".startswith(_own_folder_names(state))


@lru_cache(maxsize=4)
def _own_folder_names(state: Path) -> tuple[str, ...]:
    return tuple({f"{_OTHER_CHARS.sub('-', str(folder))}-" for folder in (state, state.resolve())})
