"""A host program: it finds the memory by its entry point, loads it, and keeps sixteen sessions at once.

Prints one JSON document with all that it saw. Run it with the folder of the memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from dataclasses import asdict
from importlib.metadata import entry_points
from typing import Any

SESSIONS = 16


class Context:
    """What this host hands to its plugins."""

    entity_root = "/no/such/folder"

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.model = self.answer

    async def answer(self, question: str) -> str:
        """A model that is slow, and that answers in a fence."""
        self.asked.append(question)
        await asyncio.sleep(0.01)
        return (
            '```json\n{"summary": "The validator fails.", "topics": ["Host"], "decisions": [], "action_items": []}\n```'
        )


def messages(number: int, *, is_whole: bool) -> list[dict[str, Any]]:
    """A session of this host, or the first half of it."""
    first = [
        {"role": "system", "content": "You are helpful."},
        {"role": "user", "content": f"Why does page {number} crash? The key is sk-ant-api03-{'a1B2' * 22}xAA"},
        {"role": "assistant", "content": [{"type": "text", "text": f"The validator of page {number} fails."}]},
    ]
    second = [
        {"role": "user", "content": [{"type": "image", "data": b"\x00"}, {"type": "text", "text": "Mend it"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "edit"}}]},
        {"role": "tool", "tool_call_id": "c1", "content": {"done": True}},
        {"role": "assistant", "content": "Mended."},
    ]
    return first + second if is_whole else first


def opened_on_loop(*folders: str) -> list[str]:
    """The files in these folders or in the state folder that the thread which calls this opens from now on."""
    loop, watched, found = threading.get_ident(), (*folders, os.environ["RECALL_STATE"]), list[str]()

    def hear(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and threading.get_ident() == loop and str(arguments[0]).startswith(watched):
            found.append(str(arguments[0]))

    sys.addaudithook(hear)
    return found


async def run(root: str) -> dict[str, Any]:
    """Load the plugin and live a day with it."""
    opened = opened_on_loop(root)
    points = entry_points(group="recall_tui.host_plugins")
    create = next(iter(points.select(name="memory"))).load()
    context = Context()
    plugin = await create({"entity_root": root}, context)
    before = await plugin.health()
    await plugin.start()
    ticks = 0

    async def tick() -> None:
        nonlocal ticks
        while True:
            ticks += 1
            await asyncio.sleep(0.005)

    clock = asyncio.create_task(tick())
    told = [{"session_id": f"session-{number}", "cwd": "/home/u/app"} for number in range(SESSIONS)]
    halves = [plugin.create_checkpoint(messages(n, is_whole=False), told[n]) for n in range(SESSIONS)]
    checkpoints = await asyncio.gather(*halves)
    wholes = [plugin.archive_session(messages(n, is_whole=True), told[n]) for n in range(SESSIONS)]
    archives = await asyncio.gather(*wholes)
    asked = len(context.asked)
    again = await asyncio.gather(
        *(plugin.archive_session(messages(n, is_whole=True), told[n]) for n in range(SESSIONS)),
    )
    asked_again = len(context.asked) - asked
    one = messages(99, is_whole=True)
    last = {"session_id": "one", "cwd": "/home/u/app"}
    same = await asyncio.gather(*(plugin.archive_session(one, last) for _ in range(SESSIONS)))
    clock.cancel()
    await plugin.stop()
    return {
        "points": [point.name for point in points],
        "meta": asdict(plugin.meta),
        "roles": plugin.roles,
        "offers": [plugin.tools, plugin.tasks, plugin.routes],
        "prompts": [asdict(prompt) for prompt in plugin.setup_prompts()],
        "before": asdict(before),
        "after": asdict(await plugin.health()),
        "checkpoints": checkpoints,
        "archives": archives,
        "again": again,
        "same": same,
        "opened_on_loop": opened,
        "asked": asked,
        "asked_again": asked_again,
        "secrets_in_questions": sum("sk-ant-api03-a1B2" in question for question in context.asked),
        "ticks": ticks,
    }


if __name__ == "__main__":
    print(json.dumps(asyncio.run(run(sys.argv[1]))))
