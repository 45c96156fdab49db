"""The first start in a real terminal: five Enters lead from a home without a memory to one that is filled and used."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from tests import tmux
from tests.first_start import SUBJECTS, has_hooks_and_server, in_terminal, leave_sessions

pytestmark = [pytest.mark.long, pytest.mark.skipif(not tmux.is_installed(), reason="tmux is not installed")]
STEPS = ("No memory found", "Set up a memory in", "Keep your sessions", "Connect your agents", "Ready")
"""Words of the screens that an Enter leaves, in their order."""


@pytest.mark.parametrize("size", [(80, 24), (120, 36)], ids=["80x24", "120x36"])
def test_five_enters_lead_to_sessions_by_title_that_are_found_and_kept_from_now_on(
    environment: Environment, size: tuple[int, int]
) -> None:
    leave_sessions(environment)
    with in_terminal(environment, size) as terminal:
        for words in STEPS:
            assert words in terminal.wait_for(words)
            assert words != "Ready" or "Skip" not in terminal.lines[-1]
            terminal.press("Enter")
        shown = terminal.wait_for("Sessions")
        assert "MEMORY.md" in shown
        for subject in SUBJECTS:
            assert f"Rename the {subject}" in terminal.wait_for(f"Rename the {subject}")
        terminal.press("/")
        terminal.type("imports")
        assert terminal.wait(lambda: is_only_hit(terminal, SUBJECTS[-1]))
    assert has_hooks_and_server(environment)


def is_only_hit(terminal: tmux.Terminal, subject: str) -> bool:
    """Whether of the sessions, the newest of which is also the recent one, only this is listed."""
    shown = "\n".join(terminal.lines)
    return f"Rename the {subject}" in shown and f"Rename the {SUBJECTS[1]}" not in shown
