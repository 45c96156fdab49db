"""Work off the event loop, and work that waits a moment.

A job runs in a thread, touches no widget, and ends in one message; the newest job of a group is the only one heard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from textual.message import Message
from textual.message_pump import MessagePump
from textual.timer import Timer
from textual.worker import Worker, get_current_worker

from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import ActionFailed

LONG_WORK = frozenset(("bulk", "work", "keep"))
"""Groups of work that shows a count and can be stopped."""


class WorkerHost(Protocol):
    """A widget, a screen or the app."""

    def run_worker(
        self, work: Callable[[], None], *, name: str, group: str, exclusive: bool, thread: bool
    ) -> Worker[None]:
        """Run the work as Textual does."""
        ...

    def post_message(self, message: Message) -> bool:
        """Take a message, from any thread."""
        ...


def run_in_thread(
    asker: WorkerHost, job: Callable[[], Message], group: str, failed: Callable[[DisplayError], Message] = ActionFailed
) -> None:
    """Run `job` for `asker` and post it the message; any exception becomes the message that `failed` makes."""

    def run() -> None:
        worker = get_current_worker()
        try:
            message = job()
        except Exception as error:
            message = failed(DisplayError.of(error))
        if not worker.is_cancelled:
            asker.post_message(message)

    asker.run_worker(run, name=group, group=group, exclusive=True, thread=True)


class Debouncer:
    """Work that waits a moment, by name; asking for it again starts its moment anew."""

    def __init__(self, owner: MessagePump) -> None:
        self._owner = owner
        self._timers: dict[str, Timer] = {}

    def after(self, name: str, seconds: float, do: Callable[[], object]) -> None:
        """Do it in so many seconds, unless it is asked for or stopped before."""

        def fire() -> None:
            # A timer that was stopped may have fired already, its event still waiting in the queue.
            if self._timers.get(name) is timer:
                del self._timers[name]
                do()

        self.stop(name)
        timer = self._timers[name] = self._owner.set_timer(seconds, fire)

    def stop(self, *names: str) -> None:
        """Do not do it after all."""
        for name in names:
            if timer := self._timers.pop(name, None):
                timer.stop()

    @property
    def are_over(self) -> bool:
        """Nothing waits."""
        return not self._timers
