"""Whether a program started a session, where nobody looks on, by what the agent writes down of it.

What an agent says to its hooks is looked at in `hook_protocol`; this is for the agent that does not tell them.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from recall_tui import files

if TYPE_CHECKING:
    from recall_tui.domain.hook import HookEvent

_HEAD_BYTES = 4_096
"""Of a transcript, in which its first record says who began it."""
_HEADLESS_ORIGINATOR = re.compile(rb'"originator"\s*:\s*"codex_(?:exec|sdk)')


def is_started_by_program(event: HookEvent) -> bool:
    """Whether the transcript says so: Codex names what began a session in its first record."""
    if event.agent != "codex" or event.transcript is None:
        return False
    with suppress(OSError), files.open_file(event.transcript, files.MAX_TRANSCRIPT_BYTES) as file:
        return _HEADLESS_ORIGINATOR.search(file.read(_HEAD_BYTES)) is not None
    return False
