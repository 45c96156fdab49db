"""The app when no memory was found: it opens with the first run and goes on to the memory that is made or opened there.

Nothing is written before the person chose it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from textual import on
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError
from recall_tui.storage.layout import LocatedMemory
from recall_tui.tui.app import CHOOSE_AGAIN, RecallApp
from recall_tui.tui.screens.first_run.demo import DemoMemory
from recall_tui.tui.screens.first_run.messages import (
    AgentsPlanned,
    InitPlanned,
    MemoryOpened,
    SessionsCounted,
    SetupEnded,
    TranscriptsFound,
)
from recall_tui.tui.session_restore import SessionRestore
from recall_tui.tui.text import display_path, plain_text
from recall_tui.tui.workers import WorkerHost, run_in_thread
from recall_tui.workbench import Workbench, local_now


class FirstRunApp(RecallApp):
    """The app without a memory yet."""

    DEFAULT_MODE = "first-run"

    def __init__(
        self,
        environment: Environment,
        *,
        now: Callable[[], datetime] = local_now,
        root: Path | None = None,
        stopwatch: Callable[[], float] = time.perf_counter,
        follows: bool = True,
    ) -> None:
        super().__init__(None, environment, stopwatch=stopwatch, follows=follows)
        self._now = now
        self._root = root
        self._sample: DemoMemory | None = None

    def get_default_screen(self) -> Screen[None]:
        """The first run."""
        from recall_tui.tui.screens.first_run.screen import FirstRun

        return FirstRun(self.environment, self._root, self._now().tzinfo)

    async def action_quit(self) -> None:
        """Leave the app; leaving the sample leads back to the choice."""
        if self._sample is not None:
            self.exit(CHOOSE_AGAIN)
        else:
            await super().action_quit()

    def on_unmount(self) -> None:
        """Delete the sample with the app."""
        if self._sample is not None:
            self._sample.remove()

    def look_for_transcripts(self, asker: WorkerHost) -> None:
        """Tell `asker` what the agents have left."""
        from recall_tui.features.setup.transcript_survey import survey_transcripts

        environment, now = self.environment, self._now()
        run_in_thread(asker, lambda: TranscriptsFound(survey_transcripts(environment, now)), "survey")

    def open_folder(self, folder: Path) -> None:
        """Show the memory of a folder; where there is none, what setting one up would make."""

        def job() -> Message:
            try:
                return MemoryOpened(Workbench.open(folder, environment=self.environment, now=self._now))
            except NotFoundError:
                there = "No memory there." if folder.is_dir() else f"There is no folder {self._shown(folder)} yet."
                return self._planned(folder, f"{there} ")

        run_in_thread(self, job, "open")

    def plan(self, root: Path, layout: LayoutName | None = None) -> None:
        """Show what setting up a memory would make."""
        run_in_thread(self, lambda: self._planned(root, "", layout), "open")

    def _planned(self, root: Path, first: str, name: LayoutName | None = None) -> InitPlanned:
        from recall_tui.features.capture.project_extent import describe_extent
        from recall_tui.features.setup.init import choose_layout, initial_files, plan_init
        from recall_tui.storage.existing_memory import describe_outer

        layout = choose_layout(self.environment, root, name)
        bench = Workbench.at(LocatedMemory(layout, "made here"), self.environment, self._now)
        folders = [f"{self._shown(path)}/" for path in layout.folders() if not path.is_dir()]
        plan = bench.preview(plan_init)
        files = [self._shown(edit.path) for edit in plan.edits]
        kept = [self._shown(path) for path in initial_files(layout) if path.exists()]
        extent = describe_extent(bench.store, is_all=plan.facts["projects"] == "all", in_app=True)
        outer = describe_outer(self.environment, layout, root)
        whose = f"{first}This memory is {layout.design.about}.\n\n"
        return InitPlanned(bench, whose, (*folders, *files), tuple(kept), (*([outer] if outer else ()), *extent))

    def _shown(self, path: Path) -> str:
        return display_path(path, self.environment.home)

    @on(InitPlanned)
    def _set_up_planned(self, message: InitPlanned) -> None:
        """Show the plan; it is carried out when the person says so."""
        from recall_tui.tui.screens.text_modal import PlanModal

        bench = message.bench
        parts = [plain_text(f"{message.first}This creates:\n")]
        parts += (plain_text(f"+ {line}").stylize("$success") for line in message.made)
        parts += (plain_text(f"= {line} stays unchanged").stylize("$text-muted") for line in message.kept)
        parts += [Content(""), *(plain_text(f"{sentence[0].upper()}{sentence[1:]}.") for sentence in message.about)]

        def answered(is_wanted: bool | None) -> None:
            if is_wanted:
                self.set_up(bench)

        title = f"Set up a memory in {self._shown(bench.store.root)}"
        self.push_screen(PlanModal(title, Content("\n").join(parts)), answered)

    def set_up(self, bench: Workbench) -> None:
        """Make a memory, go through the steps that fill it, and show it."""
        from recall_tui.tui.screens.first_run.steps import find_waiting

        def job() -> Message:
            bench.initialise()
            return SessionsCounted(bench, find_waiting(bench))

        run_in_thread(self, job, "open")

    @on(SessionsCounted)
    def _sessions_counted(self, message: SessionsCounted) -> None:
        from recall_tui.tui.screens.first_run.steps import NOT_KEPT, KeepSessions, describe_others

        bench = message.bench
        self.screen_stack[0].query("#first").set(display=False)
        if not message.waiting.paths:
            self._plan_agents(bench, (others,) if (others := describe_others(message.waiting.others)) else ())
            return
        self.push_screen(
            KeepSessions(bench, message.waiting), lambda done: self._plan_agents(bench, (done or NOT_KEPT,))
        )

    def _plan_agents(self, bench: Workbench, done: tuple[str, ...]) -> None:
        run_in_thread(self, lambda: AgentsPlanned(bench, bench.agents.offers(), done), "open")

    @on(AgentsPlanned)
    def _agents_planned(self, message: AgentsPlanned) -> None:
        from recall_tui.tui.screens.first_run.steps import NOT_INSTALLED, InstallAgents

        bench, before = message.bench, message.done
        if not message.plans:
            self._end_setup(bench, before)
            return
        self.push_screen(
            InstallAgents(bench, message.plans),
            lambda done: self._end_setup(bench, (*before, done or NOT_INSTALLED)),
        )

    def _end_setup(self, bench: Workbench, done: tuple[str, ...]) -> None:
        from recall_tui.tui.screens.first_run.steps import describe_end

        run_in_thread(self, lambda: SetupEnded(bench, describe_end(bench, done)), "open")

    @on(SetupEnded)
    def _setup_ended(self, message: SetupEnded) -> None:
        from recall_tui.tui.screens.first_run.steps import SetupDone

        bench = message.bench
        self.push_screen(SetupDone(bench, "Ready", message.words), lambda _: self._show(bench))

    def open_demo(self) -> None:
        """Show a throw-away copy of the sample memory."""
        from recall_tui.tui.screens.first_run import demo

        self.is_demo = True
        self._sample = demo.create_demo(env=demo.editor_environment(self.environment.env))
        self.environment = self._sample.environment
        self._show(Workbench.open(self._sample.root, environment=self.environment, now=demo.demo_now))

    @on(MemoryOpened)
    def _memory_opened(self, message: MemoryOpened) -> None:
        self._show(message.bench)

    def _show(self, bench: Workbench) -> None:
        if self.bench is not None:
            return
        self.bench = bench
        self.theme = self.theme_of(bench)
        self.bookmarking = SessionRestore(bench.store) if self._sample is None else None
        self.begin_with(bench)
