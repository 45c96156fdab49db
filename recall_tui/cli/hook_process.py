"""Run a hook as a process: read the agent's input, write one whole answer or none, always exit with 0.

Nothing reaches stderr; every error is logged in the memory's state folder. Imported without click, since agents wait
for every start.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, NamedTuple

from recall_tui.agents import hook_protocol
from recall_tui.agents.headless import is_started_by_program
from recall_tui.agents.memory_precedence import is_overridden
from recall_tui.cli import hook_watchdog
from recall_tui.cli.argv import HOOK_COMMAND, VALUE_OPTIONS
from recall_tui.domain.hook import GUARD_VARIABLE, MEMORY_OPTION, HookAnswer, HookDecision, HookEvent
from recall_tui.environment import Environment, expand_home
from recall_tui.errors import RecallError
from recall_tui.features.hooks.dispatch import HookResult
from recall_tui.storage.files.atomic import note_state
from recall_tui.storage.state import hook_log

if TYPE_CHECKING:
    from recall_tui.workbench import Workbench

LOCK_TIMEOUT_SECONDS = 0.5
"""The wait for another process that changes the memory."""
MAX_STDIN_BYTES = 16 << 20
"""The maximum of an agent's input; a prompt may be a long paste."""
STDIN_TIMEOUT_SECONDS = 2.0
"""The wait for an agent that sends nothing or does not close its end."""
TIMEOUT_SECONDS: Mapping[str, float] = {
    "start": 8.0,
    "prompt": 4.0,
    "compact": 25.0,
    "compacted": 8.0,
    "stop": 2.0,
    "end": 25.0,
}
"""The time limit of each event."""
_SILENCE_SECONDS = 0.2
"""The silence that ends the input after a complete object."""
_READ_BYTES = 1 << 16
_PROBE = b"{}"
"""The input of a caller that only tests whether the hook starts."""


class HookInterrupt(BaseException):
    """A signal stops the process, or it timed out."""


class HookArgs(NamedTuple):
    """The valid arguments of a hook call."""

    event: str = ""
    root: str = ""
    layout: str = ""
    agent: str = ""
    hands_memory: bool = False
    """The agent does not load MEMORY.md itself."""


class HookIO(NamedTuple):
    """The environment, clock and streams of a hook."""

    environment: Environment
    now: Callable[[], datetime]
    read: Callable[[], bytes]
    """Read the agent's input; empty when it sends none in time."""
    write: Callable[[str], None]
    """Write a whole answer, or raise an OSError."""
    limit: Callable[[float], object] = lambda _: None
    """Stop the call after this many seconds."""


def parse_args(words: Sequence[str]) -> HookArgs:
    """Parse the arguments; invalid ones are ignored."""
    found: dict[str, str] = {}
    left = list(words)
    while left:
        word = left.pop(0)
        name, sign, value = word.partition("=")
        if name in VALUE_OPTIONS:
            if not sign:
                value = left.pop(0) if left else ""
            found["root" if name == "--dir" else name[2:]] = value
        elif not word.startswith("-") and word != HOOK_COMMAND and "event" not in found:
            found["event"] = word
    return HookArgs(**found, hands_memory=MEMORY_OPTION in words)


def main(words: Sequence[str], watch: hook_watchdog.Watchdog | None = None) -> None:
    """Answer the hook and end the process; starts the watchdog unless one is given."""
    started = perf_counter()
    if os.environ.get(GUARD_VARIABLE):
        os._exit(0)
    with suppress(BaseException):
        from recall_tui.cli.output import fill_streams

        fill_streams()
        watch = watch or hook_watchdog.start_watchdog()
        for number in hook_watchdog.SIGNALS:
            signal.signal(number, _handle_signal)
        edge = process_io(watch)
        edge.limit(STDIN_TIMEOUT_SECONDS + 1)
        run(words, edge, started)
    os._exit(0)


def process_io(watch: hook_watchdog.Watchdog | None = None) -> HookIO:
    """Return the process's own environment, clock and streams; a missing home or folder is replaced
    by a placeholder.
    """
    try:
        home = Path.home()
    except RuntimeError:
        home = Path("/nonexistent")
    try:
        cwd = Path.cwd()
    except OSError:
        cwd = Path("/")

    def limit(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        if watch is not None:
            watch.limit(seconds)

    environment = Environment(home, cwd, dict(os.environ))
    return HookIO(environment, lambda: datetime.now().astimezone(), _read_stdin, _write_stdout, limit)


def run(words: Sequence[str], edge: HookIO, started: float) -> None:
    """Answer a single call; every error is only logged."""
    if edge.environment.env.get(GUARD_VARIABLE):
        return
    said = parse_args(words)
    call = _HookCall(edge, said, started)
    try:
        call.answer()
    except BaseException as error:
        # Native libraries may raise a BaseException that is not an Exception.
        call.log(HookDecision("failed", _error_reason(error)))


class _HookCall:
    """A single call of a hook."""

    def __init__(self, edge: HookIO, said: HookArgs, started: float) -> None:
        self.edge = edge
        self.said = said
        self.started = started
        self.event: HookEvent | None = None
        self.bench: Workbench | None = None

    def answer(self) -> None:
        """Read, react, answer and log; then start the work that the answer did not wait for."""
        text = self.edge.read()
        if text.strip() == _PROBE:
            return
        event = hook_protocol.parse_event(text, self.edge.environment.env, event=self.said.event, agent=self.said.agent)
        if event is None:
            self.log(HookDecision("skipped", "no event that is known" if text.strip() else "nothing was said"))
            return
        is_child = event.is_child or is_started_by_program(event)
        self.event = event = event._replace(wants_memory=self.said.hands_memory, is_child=is_child)
        self.edge.limit(TIMEOUT_SECONDS[event.name])
        self.bench = self._opened(event)
        gc.enable()
        reaction = self._reaction(self.bench, event)
        decision = self._handed(reaction, event)
        self.log(decision)
        if reaction.wants_catch_up:
            from recall_tui.features.hooks.catch_up import is_due, start_detached

            if is_due(self.bench.store):
                start_detached(self.bench.store)

    def _opened(self, event: HookEvent) -> Workbench:
        from recall_tui.storage.layout import find_memory
        from recall_tui.workbench import Workbench, clean_up

        environment = self.edge.environment
        if event.cwd is not None:
            environment = Environment(environment.home, event.cwd, environment.env)
        root = expand_home(self.said.root, environment.home, "--root") if self.said.root else None
        found = find_memory(environment, root, self.said.layout or None)
        return clean_up(Workbench.at(found, environment, self.edge.now, LOCK_TIMEOUT_SECONDS))

    def _reaction(self, bench: Workbench, event: HookEvent) -> HookResult:
        """React to the event; when the session's project has hooks for another memory, this one stays silent."""
        if event.name not in ("start", "prompt") or not is_overridden(
            event, bench.layout.root, bench.store.environment
        ):
            return bench.hooks.react(event)
        decision = HookDecision("skipped", "the project's own memory answers")
        if event.name == "prompt":
            return HookResult(HookAnswer(), decision)
        return bench.hooks.react(event)._replace(answer=HookAnswer(), decision=decision, handed="")

    def _handed(self, reaction: HookResult, event: HookEvent) -> HookDecision:
        """Write the answer, clear the window if it was handed over, and return the resulting decision."""
        text = hook_protocol.render_answer(reaction.answer, event)
        if not text:
            return reaction.decision
        try:
            self.edge.write(text)
        except OSError as error:
            return HookDecision("failed", f"the answer did not arrive: {error.strerror}", reaction.decision.facts)
        if reaction.handed and self.bench is not None:
            try:
                is_empty = self.bench.hooks.handed_over(reaction.handed)
            except Exception as error:
                return reaction.decision._replace(why=f"EPHEMERAL.md is not emptied: {_error_reason(error)}")
            if not is_empty:
                return reaction.decision._replace(why="EPHEMERAL.md changed meanwhile; it is left unchanged")
        return reaction.decision

    def log(self, decision: HookDecision) -> None:
        """Log the decision where possible."""
        event = self.event
        note_state(self.edge.environment.state)
        line = hook_log.HookLogEntry(
            at=self.edge.now().isoformat(timespec="milliseconds"),
            event=event.name if event else self.said.event,
            agent=event.agent if event else self.said.agent,
            session_id=event.session_id if event else "",
            ms=(perf_counter() - self.started) * 1_000,
            decision=decision,
        )
        with suppress(Exception):
            hook_log.append_entry(self._log_folder(), line)
            return
        # A log outside the memories names no session: forgetting a session does not clean it.
        with suppress(Exception):
            hook_log.append_entry(self.edge.environment.state, line._replace(session_id=""))

    def _log_folder(self) -> Path:
        """Return the memory's state folder; the user's while the memory is unknown or has none yet."""
        environment = self.edge.environment
        if self.bench is not None:
            return self.bench.store.state
        if self.said.root:
            with suppress(OSError, RuntimeError, RecallError):
                own = environment.of_memory(environment.cwd / expand_home(self.said.root, environment.home))
                if own.is_dir():
                    return own
        return environment.state


def _error_reason(error: BaseException) -> str:
    if isinstance(error, OSError):
        return f"{error.strerror or type(error).__name__}: {error.filename}" if error.filename else str(error)
    if isinstance(error, HookInterrupt):
        return str(error)
    message = getattr(error, "message", "")
    return str(message) if message else f"{type(error).__name__}: {error}"


def _handle_signal(number: int, _frame: object) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise HookInterrupt("it took too long" if number == signal.SIGALRM else f"stopped by {signal.Signals(number).name}")


def _read_stdin() -> bytes:
    """Read stdin to its end; empty for a terminal or oversized input.

    The wait also ends after a complete JSON object when the agent does not close its end.
    """
    # From here on every signal is logged.
    signal.pthread_sigmask(signal.SIG_UNBLOCK, hook_watchdog.SIGNALS)
    if os.isatty(0):
        return b""
    said = bytearray()
    until = monotonic() + STDIN_TIMEOUT_SECONDS
    while len(said) <= MAX_STDIN_BYTES:
        left = max(0.0, until - monotonic())
        is_closed = said.endswith((b"}", b"}\n"))
        ready, _, _ = select.select([0], [], [], min(left, _SILENCE_SECONDS) if is_closed else left)
        if ready:
            part = os.read(0, _READ_BYTES)
            if not part:
                return bytes(said)
            said += part
        elif not left or _is_complete_json(said):
            return bytes(said)
    return b""


def _is_complete_json(said: bytearray) -> bool:
    try:
        json.loads(said)
    except (ValueError, RecursionError):
        return False
    return True


def _write_stdout(text: str) -> None:
    from recall_tui.cli.output import write_whole

    with hook_watchdog.block_signals():
        write_whole(text)
