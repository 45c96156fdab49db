"""A server on loopback that speaks as models do: it notes what it was asked, and answers what it was told to."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Write = Callable[[bytes], None]


@dataclass(frozen=True)
class Answer:
    """What the server says to one request."""

    body: object = b""
    """Bytes as they are, anything else as JSON."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    length: int | None = None
    """The length that is announced, when it is not the true one."""
    then: Callable[[Write], None] | None = None
    """What is done with the connection once the body was sent."""


@dataclass(frozen=True)
class Asked:
    """A request that the server got."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Server:
    """What it was asked, what it answers, and when it is over."""

    def __init__(self, port: int, *answers: Answer) -> None:
        self.port = port
        self.asked: list[Asked] = []
        self.over = threading.Event()
        self._answers = list(answers)

    @property
    def base(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}"

    def answers(self, *answers: Answer) -> None:
        """What it says to the first request, the second and so on; the last one to all further ones."""
        self._answers = list(answers)

    def answer(self, asked: Asked) -> Answer:
        """The answer to a request."""
        self.asked.append(asked)
        return self._answers[min(len(self.asked), len(self._answers)) - 1]


def openai(text: str, **usage: object) -> Answer:
    """An answer in the dialect of OpenAI."""
    used = {"prompt_tokens": 11, "completion_tokens": 5, **usage}
    message = {"role": "assistant", "content": text}
    return Answer({"model": "gpt-x", "choices": [{"message": message, "finish_reason": "stop"}], "usage": used})


def anthropic(*content: dict[str, Any], **more: object) -> Answer:
    """An answer in the dialect of Anthropic."""
    used = {"input_tokens": 11, "cache_read_input_tokens": 4, "output_tokens": 5}
    return Answer({"model": "claude-x", "content": list(content), "stop_reason": "end_turn", "usage": used, **more})


@contextmanager
def serving(*answers: Answer) -> Iterator[Server]:
    """Such a server, for as long as the block lasts."""
    server: Server

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            one = server.answer(Asked(self.path, dict(self.headers), json.loads(sent)))
            body = one.body if isinstance(one.body, bytes) else json.dumps(one.body).encode()
            self.send_response_only(one.status)
            for name, value in one.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body) if one.length is None else one.length))
            self.send_header("Connection", "close")
            self.end_headers()
            self._write(body)
            if one.then:
                one.then(self._write)

        def _write(self, data: bytes) -> None:
            self.wfile.write(data)
            self.wfile.flush()

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Nothing is said."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server = Server(http.server_address[1], *answers)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.over.set()
        http.shutdown()
        http.server_close()
