"""The server's process: it answers one request after the other until the client is gone."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable
from typing import TYPE_CHECKING

from recall_tui.mcp import messages
from recall_tui.mcp.library import MemoryLibrary
from recall_tui.mcp.messages import JsonObject, ProtocolError, ProtocolMessage
from recall_tui.mcp.server import ClientDescription, McpServer
from recall_tui.mcp.stdio import TOO_LONG, ClientDisconnected, StdioChannel

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

ASK_SECONDS = 120.0
"""How long the person's answer is waited for in the handshake era."""


class ClientCaller:
    """The client of a call, which can show the person a form."""

    def __init__(self, channel: StdioChannel, request: ProtocolMessage, client: ClientDescription) -> None:
        self.name = client.name
        self.is_modern = request.is_modern
        elicitation = client.capabilities.get("elicitation")
        self.can_ask = isinstance(elicitation, dict) and (
            not self.is_modern or not elicitation or "form" in elicitation
        )
        self._channel = channel
        self._id = f"recall-{request.id}"

    def ask(self, message: str, schema: JsonObject) -> JsonObject | None:
        """Show the person a form and return the answer; None when there is none in time."""
        params = {"message": message, "requestedSchema": schema}
        self._channel.send({"jsonrpc": "2.0", "id": self._id, "method": "elicitation/create", "params": params})
        until = time.monotonic() + ASK_SECONDS
        while (left := until - time.monotonic()) > 0 and (line := self._channel.next_line(left)) is not None:
            try:
                answer = messages.parse_message(line)
            except ProtocolError:
                continue
            if answer.is_answer and answer.id == self._id:
                return answer.result if isinstance(answer.result, dict) else None
            if not answer.is_answer and answer.id is not None:
                self._channel.put_off(line)
        return None


def serve(open_memory: Callable[[], Workbench], *, is_debugging: bool = False) -> None:
    """Serve the client on stdin and stdout until it is gone; `is_debugging` keeps stderr for tracebacks."""
    channel = StdioChannel.of_process(is_debugging=is_debugging)
    server = McpServer(MemoryLibrary(open_memory), lambda request, client: ClientCaller(channel, request, client))
    try:
        for line in channel.lines():
            if (answer := _answer(server, line)) is not None:
                channel.send(answer)
    except ClientDisconnected:
        return


def _answer(server: McpServer, line: bytes) -> JsonObject | None:
    if line == TOO_LONG:
        return messages.error_message(None, ProtocolError(messages.PARSE_ERROR, "the line is too long"))
    try:
        return server.answer(line)
    except ClientDisconnected:
        raise
    except Exception:  # Whatever happens in a call must not end the server.
        traceback.print_exc()
        failure = ProtocolError(messages.INTERNAL_ERROR, "internal error")
        return messages.error_message(messages.id_in_line(line), failure)
