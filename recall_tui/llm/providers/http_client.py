"""Send a request over HTTP: retry while the server is busy, stop in time, never follow a redirect.

The key is only in the request's header; a redirect would send it to another server.
"""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import suppress
from email.utils import parsedate_to_datetime
from math import isfinite
from time import monotonic
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from recall_tui.llm.failure_text import first_line
from recall_tui.llm.model import Failure, Usage, never_cancelled
from recall_tui.llm.providers.dialects import Dialect, Omissions, error_text
from recall_tui.llm.providers.endpoints import Endpoint

if TYPE_CHECKING:
    import httpx

MAX_ANSWER_BYTES = 4 * 1024 * 1024
"""The maximum response size; a larger response is aborted."""
MAX_ATTEMPTS = 4
FIRST_DELAY_SECONDS = 0.5
MAX_DELAY_SECONDS = 20.0
"""A longer delay requested by the server is respected while there is time."""
_RETRY_STATUSES = (408, 425, 429)
_POLL_SECONDS = 0.05
_SHUTDOWN_SECONDS = 1.0
_NO_USAGE = Usage(0, 0)
_INSTALL_HINT = "pip install 'recall-tui[llm]'"

RequestT = TypeVar("RequestT")
AnswerT = TypeVar("AnswerT")
Exchanger = Callable[[], Coroutine[Any, Any, AnswerT | Failure]]


class _Response(NamedTuple):
    """A server's response."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class _NoResponse(NamedTuple):
    """The reason that no response arrived."""

    why: str
    usage: Usage | None
    """None when the request may have been delivered."""


class HttpExchange(Generic[RequestT, AnswerT]):
    """Requests to one endpoint in one dialect."""

    def __init__(
        self,
        dialect: Dialect[RequestT, AnswerT],
        endpoint: Endpoint,
        *,
        most_bytes: int = MAX_ANSWER_BYTES,
        pause: Callable[[float], Awaitable[None]] | None = None,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._dialect = dialect
        self.endpoint = endpoint
        self._most_bytes = most_bytes
        self._pause = pause
        self._chance = chance

    def answer(
        self, question: RequestT, seconds: float, is_cancelled: Callable[[], bool] = never_cancelled
    ) -> AnswerT | Failure:
        """Send the request, retrying while the server is busy, until there is a response or `seconds` have passed."""
        try:
            import httpx  # noqa: F401
        except ImportError:
            return Failure("httpx is not installed", _INSTALL_HINT, _NO_USAGE)
        end = monotonic() + seconds
        said = _await_in_thread(lambda: self._talk(question, end), end, is_cancelled)
        if said is None:
            hint = f"recall-tui config set {self.endpoint.table}.timeout_seconds N"
            return Failure(f"{self.endpoint.host} did not answer within {seconds:g} seconds", hint)
        if isinstance(said, Failure):
            return said._replace(reason=first_line(said.reason, (self.endpoint.key,)))
        return said

    async def _talk(self, question: RequestT, end: float) -> AnswerT | Failure:
        import httpx

        left_out: Omissions = frozenset()
        attempt = 0
        async with httpx.AsyncClient(
            proxy=self.endpoint.proxy,
            verify=_certificates(self.endpoint.certificates),
            timeout=None,  # the caller leaves at `end`, whatever happens here
            trust_env=False,
            follow_redirects=False,
        ) as client:
            while True:
                heard = await self._heard(client, self._dialect.body(question, left_out))
                if isinstance(heard, Failure):
                    return heard
                if isinstance(heard, _Response) and heard.status in (400, 422):
                    simpler = self._dialect.simpler(question, left_out, heard.body.decode("utf-8", "replace"))
                    if simpler is not None:
                        left_out = simpler
                        continue
                if isinstance(heard, _Response) and not _is_busy(heard):
                    return self._understood(heard, question)
                attempt += 1
                pause = _retry_delay(heard, attempt, self._chance())
                if attempt >= MAX_ATTEMPTS or monotonic() + pause > end:
                    return self._given_up(heard, attempt, pause if attempt < MAX_ATTEMPTS else 0)
                await self._wait(pause)

    async def _wait(self, seconds: float) -> None:
        if self._pause is not None:
            await self._pause(seconds)
            return
        import asyncio

        await asyncio.sleep(seconds)

    async def _heard(self, client: httpx.AsyncClient, body: dict[str, Any]) -> _Response | _NoResponse | Failure:
        """Send one request and read its response up to the size limit."""
        import httpx

        host = self.endpoint.host
        headers = {**self._dialect.headers(self.endpoint.key), "Accept-Encoding": "identity"}
        data = bytearray()
        try:
            async with client.stream("POST", self.endpoint.url, headers=headers, json=body) as response:
                try:
                    async for chunk in response.aiter_raw():
                        data += chunk
                        if len(data) > self._most_bytes:
                            return Failure(f"{host} sent more than {self._most_bytes // 1024 // 1024} MB")
                except httpx.HTTPError:
                    if response.is_success:
                        # The request may have been billed: do not retry.
                        return Failure(f"the answer of {host} breaks off")
                return _Response(response.status_code, response.headers, bytes(data))
        except httpx.TransportError as error:
            is_out = not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout | httpx.ProxyError)
            why = f"{host} cannot be reached: {error or type(error).__name__}"
            return _NoResponse(why, None if is_out else _NO_USAGE)

    def _understood(self, heard: _Response, question: RequestT) -> AnswerT | Failure:
        host = self.endpoint.host
        if 300 <= heard.status < 400:
            hint = f"recall-tui config set {self.endpoint.table}.api_base …"
            return Failure(f"{host} redirects, which is not followed", hint)
        if not 200 <= heard.status < 300:
            return Failure(f"{host} answered {heard.status}: {error_text(heard.body)}", self._hint(heard.status))
        try:
            data = json.loads(heard.body)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            return Failure(f"{host} answered no JSON object: {error_text(heard.body)}")
        if data.get("error"):
            return Failure(f"{host}: {error_text(heard.body)}")
        return self._dialect.understood(data, question)

    def _given_up(self, heard: _Response | _NoResponse, attempts: int, pause: float) -> Failure:
        times = "once" if attempts == 1 else f"{attempts} times"
        if isinstance(heard, _NoResponse):
            return Failure(f"{heard.why} (tried {times})", usage=heard.usage)
        wait = f", and asks to wait {pause:.0f} seconds" if pause else ""
        what = f"{self.endpoint.host} answered {heard.status} {times}{wait}: {error_text(heard.body)}"
        return Failure(what, "try later", _NO_USAGE)

    def _hint(self, status: int) -> str:
        if status in (401, 403):
            return "is the key right?"
        table = self.endpoint.table
        return f"are {table}.model and {table}.api_base right?" if status == 404 else ""


def _await_in_thread(
    talk: Exchanger[AnswerT], end: float, is_cancelled: Callable[[], bool]
) -> AnswerT | Failure | None:
    """Run the coroutine in its own thread so that it can be abandoned at any time; None after `end`."""
    import asyncio

    said: list[AnswerT | Failure] = []
    leave: list[Callable[[], object]] = []
    begun, done = threading.Event(), threading.Event()

    def hold() -> None:
        try:
            asyncio.run(held())
        except Exception as error:
            said.append(Failure(f"{type(error).__name__}: {error}", usage=_NO_USAGE))
        finally:
            begun.set()
            done.set()

    async def held() -> None:
        loop, task = asyncio.get_running_loop(), asyncio.ensure_future(talk())
        leave.append(lambda: loop.call_soon_threadsafe(task.cancel))
        begun.set()
        try:
            said.append(await task)
        except asyncio.CancelledError:
            pass
        except Exception as error:
            said.append(Failure(f"{type(error).__name__}: {error}"))
        finally:
            done.set()

    threading.Thread(target=hold, name="model", daemon=True).start()
    begun.wait()
    try:
        while not done.wait(_POLL_SECONDS):
            if is_cancelled():
                return Failure("cancelled")
            if monotonic() > end:
                return None
    finally:
        for cancel in leave:
            with suppress(RuntimeError):
                cancel()
        done.wait(_SHUTDOWN_SECONDS)
    return said[0] if said else None


def _is_busy(heard: _Response) -> bool:
    """Return whether to retry later; an exhausted quota does not come back by waiting."""
    return (heard.status in _RETRY_STATUSES or heard.status >= 500) and b"insufficient_quota" not in heard.body


def _retry_delay(heard: _Response | _NoResponse, attempt: int, chance: float) -> float:
    """Return the seconds until the next attempt: the server's request, or exponential backoff with jitter if longer."""
    own = min(FIRST_DELAY_SECONDS * 2.0 ** (attempt - 1), MAX_DELAY_SECONDS) * (0.5 + chance / 2)
    asked = _retry_after(heard.headers) if isinstance(heard, _Response) else None
    return own if asked is None else max(own, asked)


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds of `Retry-After`; a date is relative to the server's own clock."""
    value = headers.get("retry-after", "").strip()
    try:
        seconds = float(value)
    except ValueError:
        try:
            until = parsedate_to_datetime(value) - parsedate_to_datetime(headers.get("date", ""))
        except (TypeError, ValueError):
            return None
        seconds = until.total_seconds()
    return max(seconds, 0.0) if isfinite(seconds) else None


def _certificates(certificates: str) -> Any:
    """Return the `verify` argument: the default certificates or those of a file."""
    if not certificates:
        return True
    import ssl

    return ssl.create_default_context(cafile=certificates)


def clean_header(text: str) -> str:
    """Return the text as valid UTF-8: lone surrogates become a question mark."""
    return text.encode("utf-8", "replace").decode("utf-8")
