"""The steps after a memory was made: keep the sessions that agents left, install into the agents, and what to try.

Each step says what it does before it does it, and can be skipped.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, ClassVar, NamedTuple, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from recall_tui.tui import messages
from recall_tui.tui.modal import Modal
from recall_tui.tui.screens.first_run.messages import AgentsInstalled
from recall_tui.tui.screens.text_modal import color_diff
from recall_tui.tui.text import plain_line, plain_text
from recall_tui.tui.widgets.footer import KeyFooter
from recall_tui.tui.workers import run_in_thread

if TYPE_CHECKING:
    from recall_tui.agents.installer import AgentPlan
    from recall_tui.workbench import Workbench

_MUTED = "$text-muted"
_MAX_PROJECTS = 6
_MIN_TIMED = 5
"""Sessions after which the remaining time is estimated."""


NOT_KEPT = "○ No session is kept yet: A in Health (6) keeps them"
NOT_INSTALLED = "○ No agent is connected yet: i in Health (6) connects one"
"""Each names the place of a step that was skipped."""


class WaitingSessions(NamedTuple):
    """The transcripts that a new memory could keep."""

    paths: tuple[Path, ...]
    projects: tuple[tuple[str, int], ...]
    """Folders that they worked in, from the home folder on, those with most sessions first."""
    others: int
    """Sessions of other projects, which the memory does not take."""
    outcome: str
    """Sentence on what becomes of a session that is kept, and of one that is not."""
    published: tuple[str, ...] = ()
    """Sentences on what a team will read of them; none where nobody else reads the memory."""


class SetupStep(Modal[str]):
    """One step; dismissed with what was done, empty when it was skipped."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Do it", tooltip="Do this step", id="do_step"),
        Binding("escape,s", "skip", "Skip", tooltip="Skip this step; you can do it later", id="skip_step"),
    ]

    def __init__(self, bench: Workbench, title: str, body: Content) -> None:
        super().__init__()
        self.bench = bench
        self._title = title
        self._body = body
        self._is_busy = False

    def compose(self) -> ComposeResult:
        """The step in its panel, and a line for its progress."""
        panel = VerticalScroll(Static(self._body), id="said", classes="panel")
        panel.border_title = plain_text(plain_line(self._title))
        yield panel
        yield KeyFooter(has_palette=False)

    def on_mount(self) -> None:
        """Let the arrows scroll."""
        self.query_one("#said").focus()

    def show_progress(self, words: str) -> None:
        """Show how far the work is, in the panel's lower border."""
        self.query_one("#said", VerticalScroll).border_subtitle = plain_text(words)

    def action_do(self) -> None:
        """Do it, once."""
        if not self._is_busy:
            self._is_busy = True
            self.refresh_bindings()
            self.start()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The key to begin is gone once the work runs."""
        return not self._is_busy if action == "do" else super().check_action(action, parameters)

    def start(self) -> None:
        """Begin the work."""
        self.dismiss("done")

    def action_skip(self) -> None:
        """Go on without it."""
        self.dismiss("")

    @on(messages.WorkFailed)
    def _failed(self, message: messages.WorkFailed) -> None:
        self.dismiss(f"▲ {message.trouble.message}")


class KeepSessions(SetupStep):
    """Archive the sessions that are on the machine; stopping keeps what is done."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Keep", tooltip="Keep these sessions", id="do_step"),
    ]

    def __init__(self, bench: Workbench, waiting: WaitingSessions) -> None:
        super().__init__(bench, "Keep your sessions", _describe_sessions(waiting))
        self._waiting = waiting
        self._stop = Event()

    def start(self) -> None:
        """Archive them one after another."""
        from recall_tui.tui.screens.home.archive_progress import archive_all

        paths, bench, app, stop, begun = self._waiting.paths, self.bench, self.app, self._stop, time.monotonic()

        def progress(done: int) -> None:
            words = f"keeping {done + 1:,} of {len(paths):,}{_remaining(time.monotonic() - begun, done, len(paths))}"
            self.post_message(messages.WorkProgressed(f"{words} · esc skips the rest"))

        def work() -> Message:
            done = archive_all(bench, paths, progress, lambda: stop.is_set() or not app.is_running)
            return messages.SessionsArchived(done)

        run_in_thread(self, work, "keep", messages.WorkFailed)

    def action_skip(self) -> None:
        """Stop the work, or go on without it."""
        if self._is_busy:
            self._stop.set()
        else:
            super().action_skip()

    def on_unmount(self) -> None:
        """Leave no work behind."""
        self._stop.set()

    @on(messages.WorkProgressed)
    def _progressed(self, message: messages.WorkProgressed) -> None:
        self.show_progress(message.words)

    @on(messages.SessionsArchived)
    def _archived(self, message: messages.SessionsArchived) -> None:
        counts = message.done.counts
        kept, empty = counts["archived"] + counts["updated"], counts["skipped"]
        parts = [f"✓ {kept:,} session{'s' * (kept != 1)} kept"]
        parts += [f"{empty:,} {'were' if empty != 1 else 'was'} empty"] if empty else []
        parts += [f"{counts['failed']:,} could not be read"] if counts["failed"] else []
        parts += [f"{message.done.left:,} left: A in Health"] if message.done.left else []
        self.dismiss(", ".join(parts))


class InstallAgents(SetupStep):
    """Install the memory into every agent that is found, as one page of diffs."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "do", "Install", tooltip="Install into these agents", id="do_step"),
    ]

    def __init__(self, bench: Workbench, plans: Sequence[AgentPlan]) -> None:
        super().__init__(bench, "Connect your agents", _describe_plans(bench, plans))
        self._plans = plans

    def start(self) -> None:
        """Install into one after another; what fails is named, and the others go on."""
        bench, plans = self.bench, self._plans
        run_in_thread(self, lambda: AgentsInstalled(install_all(bench, plans)), "install", messages.WorkFailed)

    @on(AgentsInstalled)
    def _installed(self, message: AgentsInstalled) -> None:
        self.dismiss(message.words)


class SetupDone(SetupStep):
    """What was done, and what to try first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter,escape", "do", "Open", tooltip="Open the memory", id="open_made"),
    ]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is left to skip."""
        return action != "skip" and super().check_action(action, parameters)


def find_waiting(bench: Workbench) -> WaitingSessions:
    """Find the sessions that the memory could keep, with the folders that they worked in."""
    from recall_tui.features.capture.project_extent import describe_keeping, describe_publication, home_relative
    from recall_tui.transcripts.edge_lines import session_folder

    others: Counter[str] = Counter()
    paths = tuple(bench.unarchived(others=others)) if not bench.layout.design.retains_transcripts else ()
    folders = Counter(home_relative(bench.store, folder) for path in paths if (folder := session_folder(path)))
    outcome, published = describe_keeping(bench.store), describe_publication(bench.store, paths)
    return WaitingSessions(paths, tuple(folders.most_common()), others.total(), outcome, published)


def install_all(bench: Workbench, plans: Sequence[AgentPlan]) -> str:
    """Install as planned; return a line for each agent."""
    from recall_tui.errors import RecallError
    from recall_tui.features.capture.session_marker import captures_sessions

    lines = []
    for target, plan in plans:
        try:
            bench.agents.install(target, seen=plan)
        except (RecallError, OSError) as error:
            lines.append(f"▲ {target.title}: {error}")
        else:
            keeps = "keeps its sessions here and " if captures_sessions(bench.store) else ""
            gets = f"{keeps}receives" if target.has_hooks else "is told of"
            lines.append(f"✓ {target.title} {gets} this memory")
    return "\n".join(lines)


def describe_end(bench: Workbench, done: Sequence[str]) -> Content:
    """What the steps did, how to begin, and what a model would add."""
    from recall_tui.features.capture.session_marker import captures_sessions
    from recall_tui.features.summaries.model_backlog import collect_backlog
    from recall_tui.tui.keys.key_labels import key_label
    from recall_tui.tui.screens.health.view_model import MODEL_OFFER

    backlog = collect_backlog(bench.store)
    count = len(backlog.sessions)
    of = f"the {count:,} sessions" if count != 1 else "the session"
    cost = f"about {_count_tokens(backlog.tokens)} tokens for {of} kept"
    add = key_label(bench, "remember", "plus")
    appear = "as they are kept" if captures_sessions(bench.store) else "once you add them, with A in Health (6)"
    parts = [plain_text(line) for words in done for line in words.splitlines()]
    parts += [Content("")] if parts else []
    parts += [
        plain_text(f"Press / to search every session, enter to open one, {add} to save a lesson, ? for the keys.")
        if bench.rows
        else plain_text(f"Sessions appear in Home {appear}. Press {add} to save a lesson, ? for the keys."),
        Content(""),
        Content(f"{MODEL_OFFER}{f' ({cost})' if backlog.sessions else ''}.").stylize(_MUTED),
    ]
    return Content("\n").join(parts)


def _describe_sessions(waiting: WaitingSessions) -> Content:
    count = len(waiting.paths)
    parts = [
        plain_text(f"{count:,} session{'s' * (count != 1)} on this machine can be kept:"),
        Content(""),
        *(plain_text(f"{number:>7,}  {plain_line(folder)}") for folder, number in waiting.projects[:_MAX_PROJECTS]),
    ]
    if rest := waiting.projects[_MAX_PROJECTS:]:
        parts.append(plain_text(f"{sum(number for _, number in rest):>7,}  in {len(rest)} more folders"))
    parts += [
        Content(""),
        plain_text(waiting.outcome),
    ]
    for sentence in waiting.published:
        parts += [Content(""), plain_text(plain_line(sentence))]
    if others := describe_others(waiting.others):
        parts.append(plain_text(f"{others}.").stylize(_MUTED))
    return Content("\n").join(parts)


def describe_others(count: int) -> str:
    """The sessions of other projects, which the memory does not keep; empty when there are none."""
    if not count:
        return ""
    stay = f"{count:,} sessions of other projects stay" if count > 1 else "1 session of another project stays"
    return f"{stay} out of this memory"


def _describe_plans(bench: Workbench, plans: Sequence[AgentPlan]) -> Content:
    from dataclasses import replace

    from recall_tui.storage.journal.plan_diff import plan_as_diff

    parts = [plain_text(plain_line(one)) for _, plan in plans for one in cast("list[str]", plan.facts["about"])]
    parts += [plain_text(plain_line(note)).stylize(_MUTED) for _, plan in plans for note in plan.notes]
    parts += [Content(""), Content("The changes (undo with u in Home, or recall-tui undo):").stylize(_MUTED)]
    for _, plan in plans:
        shown = tuple(edit for edit in plan.edits if not edit.path.is_relative_to(bench.store.state))
        diff = plan_as_diff(replace(plan, edits=shown), bench.store.root, bench.store.environment.home)
        parts += [Content(""), color_diff(diff)]
    return Content("\n").join(parts)


def _count_tokens(count: int) -> str:
    """A rounded count, such as `40,000` or `1.2 million`."""
    return f"{count / 1_000_000:.1f} million" if count >= 1_000_000 else f"{max(1, round(count / 1_000)) * 1_000:,}"


def _remaining(elapsed: float, done: int, total: int) -> str:
    """The estimated rest of the time, such as ` · about 2 min left`; empty at the beginning."""
    if done < _MIN_TIMED:
        return ""
    seconds = elapsed / done * (total - done)
    return f" · about {round(seconds / 60)} min left" if seconds >= 90 else f" · about {max(1, round(seconds))} s left"
