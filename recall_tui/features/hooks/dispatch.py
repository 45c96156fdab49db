"""Answer each event of an agent's hook by its own verb, and say what was decided.

Nothing here waits long: what takes its time is left to `catch_up`, in a process that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.hook import Decision, HookAnswer, HookEvent
from recall_tui.memory import Memory, bound

if TYPE_CHECKING:
    from recall_tui.features.hooks.catch_up import CaughtUp


class Reaction(NamedTuple):
    """What an event brought about."""

    answer: HookAnswer
    decision: Decision
    handed: str = ""
    """The window's text, which is to be emptied once the answer arrived whole."""
    wants_catch_up: bool = False
    """Something is left that a process of its own shall do."""


class HookDispatcher:
    """The verbs of a memory that agents' hooks call."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def react(self, event: HookEvent) -> Reaction:
        """Do what the event asks for, and say what was decided."""
        match event.name:
            case "start":
                return self._start(event)
            case "prompt":
                return self._prompt(event)
            case "compact":
                from recall_tui.features.hooks.session_end import checkpoint

                decision = checkpoint(self._memory, event)
                return Reaction(HookAnswer(), decision, wants_catch_up=decision.did == "spooled")
            case "compacted":
                return Reaction(HookAnswer(), self._compacted(event))
            case "stop":
                from recall_tui.features.capture.session_marker import notice

                return Reaction(HookAnswer(), notice(self._memory, event))
            case "end":
                from recall_tui.features.hooks.session_end import session_end

                return Reaction(HookAnswer(), session_end(self._memory, event), wants_catch_up=True)

    def handed_over(self, window: str) -> bool:
        """Empty the window after its text arrived; False when it is another by now."""
        from recall_tui.features.context.consume import clear

        return self._memory.commit(bound(clear, window), by="hook") is not None

    def catch_up(self, is_over: Callable[[], bool] = lambda: False) -> CaughtUp:
        """Capture sessions that ended unseen, retain transcripts that expire, bring the index up to date."""
        from recall_tui.features.hooks.catch_up import catch_up

        return catch_up(self._memory, is_over)

    def _start(self, event: HookEvent) -> Reaction:
        from recall_tui.features.capture.session_marker import notice
        from recall_tui.features.hooks.session_start import session_start

        started = session_start(self._memory, event)
        with suppress(OSError):
            notice(self._memory, event)
        return Reaction(started.answer, started.decision, started.window, wants_catch_up=True)

    def _prompt(self, event: HookEvent) -> Reaction:
        from recall_tui.features.capture.session_marker import notice
        from recall_tui.features.context.prompt_context import prompt_recall

        reaction = Reaction(*prompt_recall(self._memory, self._memory.index, event))
        with suppress(OSError):
            notice(self._memory, event)
        return reaction

    def _compacted(self, event: HookEvent) -> Decision:
        from recall_tui.features.capture.compaction_summary import compacted
        from recall_tui.features.capture.session_marker import captures

        if event.is_subagent or not event.session_id or not captures(self._memory):
            return Decision("skipped", "nothing is written for it")
        made = self._memory.commit(bound(compacted, event.session_id, event.summary), by="hook")
        return Decision("kept", made.title) if made else Decision("skipped", "no summary, or no checkpoint to keep it")
