"""A memory as a plugin of a host program: after `await create(config, context)` the host's sessions are archived.

The plugin works as soon as it is created; disk access runs off the event loop, and a failing model never prevents
archiving.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, runtime_checkable

from recall_tui import __version__
from recall_tui.domain import SessionDigest
from recall_tui.environment import expand_home
from recall_tui.errors import ModelError, NotFoundError, UsageError
from recall_tui.features.capture import model_summary
from recall_tui.features.capture.archive import Source
from recall_tui.features.hooks import host_session
from recall_tui.features.setup.init import choose_layout
from recall_tui.storage.layout import LocatedMemory
from recall_tui.transcripts.host_records import object_fields
from recall_tui.workbench import Workbench, clean_up, current_environment

if TYPE_CHECKING:
    from recall_tui.features.digest.view import SessionView

ENTRY_POINTS = "recall_tui.host_plugins"
"""The entry point group in which this package registers `create` as `memory`."""
MODEL_TIMEOUT_SECONDS = 60.0
"""The limit for a model; after it the session is archived with an extractive summary."""
_ROOT_KEYS = ("root", "entity_root")
"""The keys for the folder in a config or a context."""
_LEVEL_NAMES: dict[str, Level] = {"healthy": "Healthy", "degraded": "Degraded", "down": "Down"}
_log = logging.getLogger(__name__)

Level = Literal["Healthy", "Degraded", "Down"]
SessionInput = tuple[tuple[object, ...], dict[str, object], Source]
"""The messages, the host's metadata and the kind of capture."""


@runtime_checkable
class HostModel(Protocol):
    """A language model of the host, sync or async; a plain function of the prompt is also accepted."""

    def complete(self, question: str, *, max_tokens: int) -> str | Awaitable[str]:
        """Return the response to a prompt."""


@dataclass(frozen=True, slots=True)
class Meta:
    """The plugin's identity."""

    name: str
    version: str
    description: str


@dataclass(frozen=True, slots=True)
class Health:
    """The memory's health level, with the reason unless healthy."""

    level: Level
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetupPrompt:
    """A question that a host asks the user before creating the plugin; the answer is stored in the
    config under `key`.
    """

    key: str
    question: str
    default: str = ""
    is_required: bool = False


META = Meta("recall-tui", __version__, "A memory that lasts: sessions archived, searched and handed to the next one")


@dataclass(frozen=True)
class MemoryPlugin:
    """A memory as a plugin of a host program."""

    bench: Workbench
    """The memory itself, for a host that needs more than archiving: search, window, distill."""
    model: object = None
    """The host's model, if it has one."""
    meta: Meta = META
    roles: tuple[str, ...] = ("Memory",)
    """The plugin's role for the host: always exactly one."""
    tools: tuple[object, ...] = ()
    tasks: tuple[object, ...] = ()
    routes: tuple[object, ...] = ()

    def setup_prompts(self) -> tuple[SetupPrompt, ...]:
        """Return the questions for the user; the answer is the `root` of the config."""
        return setup_prompts()

    async def start(self) -> None:
        """Do nothing: the plugin works as soon as it is created."""

    async def stop(self) -> None:
        """Do nothing: nothing is running."""

    async def health(self) -> Health:
        """Return the health report that `recall-tui status` prints."""
        report = await asyncio.to_thread(self.bench.health)
        return Health(_LEVEL_NAMES[report.level], "; ".join(report.reasons))

    async def archive_session(
        self, messages: Iterable[object], metadata: Mapping[str, object] | object | None = None
    ) -> int:
        """Archive a finished session and add it to the window; return its archive number, or 0 without messages.

        `metadata` may contain `session_id`, `agent`, `title`, `cwd`, `branch`, `model`, `started_at` and `ended_at`.
        """
        return await self._capture(messages, metadata, "session")

    async def create_checkpoint(
        self, messages: Iterable[object], metadata: Mapping[str, object] | object | None = None
    ) -> int:
        """Archive a running session without a window entry; its archive number stays the same later."""
        return await self._capture(messages, metadata, "checkpoint")

    async def _capture(self, messages: Iterable[object], metadata: object, source: Source) -> int:
        session = tuple(messages), dict(object_fields(metadata)), source
        digest = await self._digest(session) if self.model is not None else None
        # A stopping host cancels its tasks; an archive in progress is still completed.
        return await asyncio.shield(asyncio.to_thread(self._archived, session, digest))

    def _archived(self, session: SessionInput, said: SessionDigest | None) -> int:
        """Archive the session, with the model's summary if there is one; return the archive's number, or 0."""
        messages, metadata, source = session
        with host_session.open_conversation(self.bench.store, messages, metadata) as conversation:
            if conversation is None:
                return 0
            self._set_up()
            return host_session.capture_host_session(self.bench.store, conversation, source, said, by="hook").number

    def _question(self, session: SessionInput) -> tuple[str, SessionView] | None:
        """Return the prompt for the session's summary and the view that it shows; None when nothing is to archive."""
        messages, metadata, source = session
        with host_session.open_conversation(self.bench.store, messages, metadata) as conversation:
            if conversation is None or not host_session.is_changed(self.bench.store, conversation, source):
                return None
            view = model_summary.read_view(self.bench.store, conversation)
            return model_summary.build_request(self.bench.store, view), view

    async def _digest(self, session: SessionInput) -> SessionDigest | None:
        """Return the summary by the host's model; None on any failure."""
        try:
            asked = await asyncio.to_thread(self._question, session)
            if asked is None:
                return None
            question, view = asked
            answer = await asyncio.wait_for(_ask_model(self.model, question), MODEL_TIMEOUT_SECONDS)
            said = await asyncio.to_thread(model_summary.check_digest, model_summary.parse_response(answer), view)
            if said.rejected:
                _log.debug("%s", said.rejected)
            return said
        except Exception as error:
            _log.debug("the session is archived in its own words: %s", error)
            return None

    def _set_up(self) -> None:
        """Create the folders and files of a missing memory; the folder above its root has to exist."""
        layout = self.bench.layout
        if layout.base.is_dir() or layout.window.exists():
            return
        if not layout.root.is_dir() and not layout.root.parent.is_dir():
            raise NotFoundError(f"there is no folder {layout.root.parent}", hint="make it, or name another root")
        self.bench.initialise()


async def create(config: Mapping[str, object] | None = None, context: object = None) -> MemoryPlugin:
    """Create the plugin for the memory at the config's `root`, else the context's, else the one that commands find.

    The context is a mapping or an object and may have a `model`. A root without a memory gets one when the first
    session is archived. Raises UsageError for a root that is a file, NotFoundError when no root is given and none is
    found.
    """
    bench = await asyncio.to_thread(_open_workbench, _find_root(config) or _find_root(context))
    return MemoryPlugin(bench, _field_value(context, "model"))


def setup_prompts() -> tuple[SetupPrompt, ...]:
    """Return the questions for the user before the plugin is created."""
    return (SetupPrompt("root", "Folder of the memory", default="."),)


def _field_value(source: object, name: str) -> object:
    return source.get(name) if isinstance(source, Mapping) else getattr(source, name, None)


def _find_root(source: object) -> Path | None:
    for name in _ROOT_KEYS:
        if value := _field_value(source, name):
            if not isinstance(value, str | Path):
                raise UsageError(f"{name} is no path: {value!r}", hint="give it as text or as a Path")
            return expand_home(value, current_environment().home, name)
    return None


def _open_workbench(root: Path | None) -> Workbench:
    environment = current_environment()
    try:
        bench = Workbench.open(root, environment=environment)
    except NotFoundError:
        if root is None:
            raise
        return Workbench.at(LocatedMemory(choose_layout(environment, root, None), "the plugin's root"), environment)
    return clean_up(bench)


async def _ask_model(model: object, question: str) -> object:
    """Return the model's response; a synchronous model is called off the event loop."""
    if isinstance(model, HostModel):
        ask = partial(model.complete, question, max_tokens=model_summary.ANSWER_TOKENS)
        is_async = inspect.iscoroutinefunction(model.complete)
    elif callable(model):
        ask, is_async = partial(model, question), _is_async(model)
    else:
        raise ModelError("the context's model is neither a function nor an object with `complete`")
    answer = ask() if is_async else await asyncio.to_thread(ask)
    return await answer if inspect.isawaitable(answer) else answer


def _is_async(function: Callable[..., object]) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(type(function).__call__)
