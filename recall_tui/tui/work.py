"""Work off the event loop.

A job runs in a thread, touches no widget, and ends in one message; the newest job of a group is the only one heard.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump
from textual.worker import Worker, get_current_worker

from recall_tui.tui.messages import Failed
from recall_tui.tui.seen import Trouble


def in_thread(
    asker: Any,
    job: Callable[[], Message],
    group: str,
    failed: Callable[[Trouble], Message] = Failed,
) -> Worker[None]:
    """Run `job` for `asker`, a widget, screen or app, and post it the message; any exception becomes `failed`."""

    def run() -> None:
        worker = get_current_worker()
        try:
            message = job()
        except Exception as error:
            message = failed(Trouble.of(error))
        if not worker.is_cancelled:
            _post(asker, message)

    worker: Worker[None] = asker.run_worker(run, thread=True, exclusive=True, group=group, name=group)
    return worker


def _post(asker: MessagePump, message: Message) -> None:
    asker.post_message(message)
