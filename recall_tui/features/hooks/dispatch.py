"""What a workbench does when an agent's hook calls: each event answered by its own verb, and the decision said.

Nothing here waits long: what takes its time is left to `catch_up`, in a process that nobody waits for.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.domain.hook import Decision, HookAnswer, HookEvent

if TYPE_CHECKING:
    from recall_tui.domain import By, JournalEntry, Plan
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.sessions import Captured
    from recall_tui.features.hooks.catch_up import CaughtUp
    from recall_tui.index.ingest.refresh import Refreshed
    from recall_tui.index.opener import Index
    from recall_tui.storage.memory_context import Store


class Reaction(NamedTuple):
    """What an event brought about."""

    answer: HookAnswer
    decision: Decision
    handed: str = ""
    """The window's text, which is to be emptied once the answer arrived whole."""
    wants_catch_up: bool = False
    """Something is left that a process of its own shall do."""


class Reacting:
    """The part of a workbench that agents' hooks call."""

    if TYPE_CHECKING:
        store: Store

        @property
        def index(self) -> Index:
            """The search index."""

        def apply(self, verb: Callable[..., Plan], *args: Any, by: By = "person") -> JournalEntry | None:
            """Make the verb's changes."""

        def capture(self, path: Path, *, source: Source = "session", by: By = "person") -> Captured:
            """Archive a transcript."""

        def sync(
            self,
            progress: Callable[[int, int], None] | None = None,
            *,
            anew: bool = False,
            is_cancelled: Callable[[], bool] = lambda: False,
        ) -> Refreshed:
            """Bring the index up to date."""

    def react(self, event: HookEvent) -> Reaction:
        """Do what the event asks for, and say what was decided."""
        match event.name:
            case "start":
                return self._start(event)
            case "prompt":
                return self._prompt(event)
            case "compact":
                from recall_tui.features.hooks.session_end import checkpoint

                decision = checkpoint(self.store, event, self._captured)
                return Reaction(HookAnswer(), decision, wants_catch_up=decision.did == "spooled")
            case "compacted":
                return Reaction(HookAnswer(), self._compacted(event))
            case "stop":
                from recall_tui.features.capture.session_marker import notice

                return Reaction(HookAnswer(), notice(self.store, event))
            case "end":
                from recall_tui.features.hooks.session_end import session_end

                return Reaction(HookAnswer(), session_end(self.store, event, self._captured), wants_catch_up=True)

    def handed_over(self, window: str) -> bool:
        """Empty the window after its text arrived; False when it is another by now."""
        from recall_tui.features.context.consume import clear

        return self.apply(clear, window, by="hook") is not None

    def catch_up(self, is_over: Callable[[], bool] = lambda: False) -> CaughtUp:
        """Capture sessions that ended unseen, retain transcripts that expire, bring the index up to date."""
        from recall_tui.features.hooks.catch_up import Hands, catch_up

        def applied(verb: Callable[[Store], Plan]) -> object:
            return self.apply(verb, by="schedule")

        def embedded() -> object:
            from recall_tui.features.health.embeddings import make

            return make(self.store, self.index, is_cancelled=is_over)

        hands = Hands(self._captured, applied, lambda: self.sync(is_cancelled=is_over), embedded)
        return catch_up(self.store, hands, is_over)

    def _captured(self, path: Path, source: Source) -> Captured:
        return self.capture(path, source=source, by="hook")

    def _start(self, event: HookEvent) -> Reaction:
        from recall_tui.features.capture.session_marker import notice
        from recall_tui.features.hooks.session_start import session_start

        started = session_start(self.store, event)
        with suppress(OSError):
            notice(self.store, event)
        return Reaction(started.answer, started.decision, started.window, wants_catch_up=True)

    def _prompt(self, event: HookEvent) -> Reaction:
        from recall_tui.features.capture.session_marker import notice
        from recall_tui.features.context.prompt_context import prompt_recall

        reaction = Reaction(*prompt_recall(self.store, self.index, event))
        with suppress(OSError):
            notice(self.store, event)
        return reaction

    def _compacted(self, event: HookEvent) -> Decision:
        from recall_tui.features.capture.compaction_summary import compacted
        from recall_tui.features.capture.session_marker import captures

        if event.is_subagent or not event.session_id or not captures(self.store):
            return Decision("skipped", "nothing is written for it")
        made = self.apply(compacted, event.session_id, event.summary, by="hook")
        return Decision("kept", made.title) if made else Decision("skipped", "no summary, or no checkpoint to keep it")
