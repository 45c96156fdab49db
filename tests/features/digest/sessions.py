"""Sessions in the making, each message on a line of its own, and what is read of their digests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from recall_tui.domain import Conversation, ConversationHead, Message, ToolCall
from recall_tui.features.digest.digest import Digest, read_digest

GOODBYE = "Great, that should do it! Let me know if you need anything else."


class Session:
    """A session in the making; each message stands on a line of its own."""

    def __init__(self, title: str = "", cwd: str = "/work/shop", branch: str = "") -> None:
        self.head = ConversationHead("s-1", "claude", Path("/nowhere.jsonl"), title=title, cwd=cwd, branch=branch)
        self.messages: list[Message] = []

    def say(self, kind: str, text: str, **facts: object) -> Session:
        self.messages.append(Message(kind, text, line=len(self.messages) + 1, **facts))  # type: ignore[arg-type]
        return self

    def prompt(self, text: str) -> Session:
        return self.say("prompt", text)

    def reply(self, text: str) -> Session:
        return self.say("reply", text)

    def run(self, command: str, answer: str, *, is_error: bool = False) -> Session:
        return self._use("Bash", {"command": command}, command, answer, is_error=is_error)

    def edit(self, path: str, *, is_error: bool = False) -> Session:
        return self._use("Edit", {"file_path": path}, path, "done", is_file=True, is_error=is_error)

    def ask(self, answer: str) -> Session:
        return self._use("AskUserQuestion", {"questions": []}, "", answer)

    def _use(
        self,
        name: str,
        arguments: dict[str, object],
        target: str,
        answer: str,
        *,
        is_file: bool = False,
        is_error: bool = False,
    ) -> Session:
        call = ToolCall(f"t{len(self.messages)}", name, target[:200], arguments, is_file)
        self.say("tool_call", "", tool=call)
        return self.say("tool_result", answer, tool=call, is_error=is_error)

    def digest(self) -> Digest:
        def messages() -> Iterator[Message]:
            return iter(self.messages)

        return read_digest(Conversation(self.head, messages))


def kinds(made: Digest) -> list[tuple[str, str]]:
    return [(one.kind, one.text) for one in made.items]


def texts(made: Digest) -> str:
    return "\n".join(one.text for one in made.items)


def orders() -> Session:
    """A bug that was found, explained and fixed."""
    return (
        Session()
        .prompt("The nightly export of orders hangs. Find out why and fix it please.")
        .reply("Let me look at the export.")
        .run("pytest tests/test_export.py", "Exit code 1\nFAILED tests/test_export.py", is_error=True)
        .reply("Now I see the root cause.")
        .reply(
            "The pool of `OrderStore` has a default `max_wait` of 0, which means it waits without end when all ten"
            " connections are taken, so the export blocks itself in `export_orders`."
        )
        .edit("/work/shop/store/pool.py")
        .run("pytest tests/test_export.py", "12 passed")
        .reply(
            "The nightly export of orders no longer hangs when all connections are taken.\n\n## What changed\n\n"
            "- `OrderStore` now opens its pool with `max_wait` of 30 s instead of 0, so that `export_orders`"
            " fails loudly"
            " (a queue was considered and is not needed)\n"
            "- `export_orders` reads in pages of 500 rows instead of holding one connection for each order\n\n"
            + GOODBYE
        )
    )
