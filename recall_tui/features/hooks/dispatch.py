"""Answer each event of an agent's hook by its own verb, and say what was decided.

Nothing here waits long: what takes its time is left to `catch_up`, in a process that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.domain.hook import HookAnswer, HookDecision, HookEvent
from recall_tui.memory import Memory, bound

if TYPE_CHECKING:
    from recall_tui.features.hooks.catch_up import CatchUpResult


class HookResult(NamedTuple):
    """What an event brought about."""

    answer: HookAnswer
    decision: HookDecision
    handed: str = ""
    """The window's text, which is to be emptied once the answer arrived whole."""
    wants_catch_up: bool = False
    """Something is left that a process of its own shall do."""


class HookDispatcher:
    """The verbs of a memory that agents' hooks call."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def react(self, event: HookEvent) -> HookResult:
        """Do what the event asks for, and say what was decided."""
        match event.name:
            case "start":
                return self._start(event)
            case "prompt":
                return self._prompt(event)
            case "compact":
                from recall_tui.features.hooks.session_end import checkpoint_session

                decision = checkpoint_session(self._memory, event)
                return HookResult(HookAnswer(), decision, wants_catch_up=decision.did == "spooled")
            case "compacted":
                return HookResult(HookAnswer(), self._compacted(event))
            case "stop":
                from recall_tui.features.capture.session_marker import mark_live

                return HookResult(HookAnswer(), mark_live(self._memory, event))
            case "end":
                from recall_tui.features.hooks.session_end import end_session

                return HookResult(HookAnswer(), end_session(self._memory, event), wants_catch_up=True)

    def handed_over(self, window: str) -> bool:
        """Empty the window after its text arrived; False when it is another by now."""
        from recall_tui.features.context.consume import clear_window

        return self._memory.commit(bound(clear_window, window), by="hook") is not None

    def catch_up(self, is_over: Callable[[], bool] = lambda: False) -> CatchUpResult:
        """Capture sessions that ended unseen, retain transcripts that expire, bring the index up to date."""
        from recall_tui.features.hooks.catch_up import catch_up

        return catch_up(self._memory, is_over)

    def _start(self, event: HookEvent) -> HookResult:
        from recall_tui.features.capture.session_marker import mark_live
        from recall_tui.features.hooks.session_start import start_session

        started = start_session(self._memory, event)
        with suppress(OSError):
            mark_live(self._memory, event)
        return HookResult(started.answer, started.decision, started.window, wants_catch_up=True)

    def _prompt(self, event: HookEvent) -> HookResult:
        from recall_tui.features.capture.session_marker import mark_live
        from recall_tui.features.context.prompt_context import recall_for_prompt

        reaction = HookResult(*recall_for_prompt(self._memory, self._memory.index, event))
        with suppress(OSError):
            mark_live(self._memory, event)
        return reaction

    def _compacted(self, event: HookEvent) -> HookDecision:
        from recall_tui.features.capture.compaction_summary import plan_compaction_summary
        from recall_tui.features.capture.session_marker import captures_sessions

        if event.is_subagent or not event.session_id or not captures_sessions(self._memory):
            return HookDecision("skipped", "nothing is written for it")
        made = self._memory.commit(bound(plan_compaction_summary, event.session_id, event.summary), by="hook")
        return (
            HookDecision("kept", made.title)
            if made
            else HookDecision("skipped", "no summary, or no checkpoint to keep it")
        )
