"""The app: it holds one workbench, shows its screens, and carries out what works everywhere.

First paint reads the memory's own files and the app's last position; everything after it happens off the event loop.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.widget import Widget
from textual.worker import Worker

from recall_tui import resources
from recall_tui.environment import Environment
from recall_tui.features.setup.removal import is_removed
from recall_tui.tui import messages, themes
from recall_tui.tui.app_screen import WIDE_MIN_COLUMNS
from recall_tui.tui.document_pointer import Item, row_citation
from recall_tui.tui.keyboard import Keyboard
from recall_tui.tui.keys.commands import live_commands
from recall_tui.tui.memory_view_model import EXPECTED_ERRORS, DisplayError
from recall_tui.tui.runtime import textual_repairs
from recall_tui.tui.screen_table import DEFAULT_SCREEN, SCREENS, ScreenSpec, load_screen
from recall_tui.tui.screens.reversal_modal import ReversalModal, ReversalPlanned, find_reversal, reverse
from recall_tui.tui.session_restore import SessionRestore
from recall_tui.tui.workers import LONG_WORK, run_in_thread
from recall_tui.workbench import Workbench

if TYPE_CHECKING:
    from recall_tui.tui.program_commands import ProgramCommand


def _palette_class() -> type[Any]:
    from recall_tui.tui.keys.palette import LiveCommands

    return LiveCommands


def _program_commands_class() -> type[Any]:
    from recall_tui.tui.program_commands import ProgramCommands

    return ProgramCommands


CHOOSE_AGAIN = 64
"""The app's result when the memory is left for the choice of one: it was the sample, or its set-up was undone."""
MAX_CLIPBOARD_BYTES = 74_994
"""What every terminal takes into the clipboard; what is longer, many leave out without a word."""

_MAX_COPY_CHARS = 40
"""The most of a copied text to repeat."""
_OWN_THEME_NAMES = frozenset(theme.name for theme in themes.OWN_THEMES)


class RecallApp(Keyboard, inherit_bindings=False):
    """The terminal workbench of one memory."""

    TITLE = "recall-tui"
    DEFAULT_MODE = DEFAULT_SCREEN.name
    LEFT_OUT = frozenset(("go", "undo", "redo", "jump", "remember"))
    COMMANDS: ClassVar[set[Any]] = {_palette_class, _program_commands_class}
    VERTICAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [(0, "-tiny"), (14, "-short"), (17, "-tall")]  # type: ignore[misc]
    HORIZONTAL_BREAKPOINTS: ClassVar[list[tuple[int, str]]] = [(0, "-narrow"), (WIDE_MIN_COLUMNS, "-wide")]  # type: ignore[misc]
    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(
                str(entry.number), f"go('{entry.name}')", entry.title, show=False, tooltip=entry.help, id=entry.name
            )
            for entry in SCREENS
        ),
        Binding("u", "undo", "Undo", tooltip="Undo your last change; never a hook's", id="undo"),
        Binding("U", "redo", "Redo", show=False, tooltip="Repeat the undone change", id="redo"),
        Binding(
            "plus",
            "remember",
            "Remember",
            show=False,
            tooltip="Add a lesson learned, decision, fact or note to MEMORY.md",
            id="remember",
        ),
        Binding("question_mark", "keys", "Keys", tooltip="The keys that work here", id="keys"),
        Binding("ctrl+o", "jump", "Jump", show=False, tooltip="Jump to a panel by its letter", id="jump"),
        Binding("ctrl+t", "change_theme", "Theme", show=False, tooltip="Choose how the app looks", id="theme"),
        Binding("ctrl+p", "command_palette", "Commands", show=False, priority=True, id="palette"),
        Binding("q", "quit", "Quit", show=False, tooltip="Leave the app", id="quit"),
        Binding("ctrl+q", "quit", "Quit", show=False, priority=True),
        Binding("ctrl+c", "help_quit", show=False, system=True),
    ]

    def __init__(
        self,
        bench: Workbench | None,
        environment: Environment,
        *,
        stopwatch: Callable[[], float] = time.perf_counter,
        follows: bool = True,
        remembers: bool = True,
        is_demo: bool = False,
    ) -> None:
        """With `remembers` the cursors are where they were left, and stored; a demo says that it is one."""
        sheets = [resources.styles_folder() / f"{name}.tcss" for name in ("base", "home", "distill", "reader")]
        super().__init__(sheets, environment, follows=follows)
        self.animation_level = "none"
        self.bench = bench
        self.is_demo = is_demo
        self.program_commands: tuple[ProgramCommand, ...] = ()
        """The commands of the command line, for the palette."""
        self.stopwatch = stopwatch
        """Gives seconds; what a search took is measured by it."""
        for theme in themes.OWN_THEMES:
            self.register_theme(theme)
        self.theme = self._own_theme = self.theme_of(bench)
        self._left_running: set[Worker[Any]] = set()
        """Work that the person was told of when they wanted to leave."""
        self.bookmarking = SessionRestore(bench.store) if bench is not None and remembers else None

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's colours, of a theme that is not ours such that words can be read."""
        variables = super().get_css_variables()
        if self.theme not in _OWN_THEME_NAMES:
            variables = self.theme_variables = {**variables, **themes.readable_colors(variables)}
        return variables

    def get_default_screen(self) -> Screen[None]:
        """What the app opens with."""
        assert self.bench is not None
        return _build_screen(DEFAULT_SCREEN, self.bench)

    def on_mount(self) -> None:
        """Everything but what is painted comes after the first paint."""
        self.call_after_refresh(textual_repairs.end_startup)
        if self.bench is not None:
            self.begin_with(self.bench)

    def on_unmount(self) -> None:
        """Leave nothing behind."""
        self.end_tending()

    def begin_with(self, bench: Workbench) -> None:
        """Take a memory's keys and screens, and begin to tend it."""
        self._take_settings(bench)
        self.memory_changed.subscribe(self, lambda _: self._take_settings(bench))
        for entry in SCREENS:
            self.add_mode(entry.name, partial(_build_screen, entry, bench))
        self.tend(bench)
        self.switch_mode(DEFAULT_SCREEN.name)
        if self.bookmarking is not None and self.bookmarking.is_first:
            from recall_tui.storage.trust import is_foreign

            if is_foreign(bench.store):
                from recall_tui.tui.screens.first_run.welcome_modal import WelcomeModal

                self.call_after_refresh(self.push_screen, WelcomeModal(bench))
        if self.is_demo:
            self.say("This is a demo with sample data: nothing of yours is read, and changes are discarded at the end.")

    def _take_settings(self, bench: Workbench) -> None:
        self.rebind(bench)
        if (theme := self.theme_of(bench)) != self._own_theme:
            self._own_theme = self.theme = theme

    def theme_of(self, bench: Workbench | None) -> str:
        """The theme that a memory's settings name, when there is such a theme."""
        wanted = bench.config.text("theme") if bench is not None else themes.DEFAULT_THEME
        return wanted if wanted in self.available_themes else themes.DEFAULT_THEME

    def choose_theme(self, name: str) -> None:
        """Show a theme, and write it into the settings unless the environment names one."""
        self.theme = name
        bench = self.bench
        if bench is None:
            return
        if bench.config.origin("theme") == "environment":
            self.say(f"{name} for now: RECALL_THEME sets {bench.config.text('theme')} at every start")
            return
        from recall_tui.features.setup.configure import set_value

        self._own_theme = name
        run_in_thread(self, lambda: messages.ChangeCommitted(bench.apply(set_value, "theme", name), "", ""), "theme")

    @on(messages.ChangeCommitted)
    def _change_made(self, message: messages.ChangeCommitted) -> None:
        if message.entry is None:
            self.say(message.nothing)
            return
        if message.entry.undoes and (bench := self.bench) is not None and is_removed(bench.store):
            self.exit(CHOOSE_AGAIN)
            return
        title = message.entry.title
        if message.entry.undoes:
            title = title.partition(": ")[2] or title
        new = f"{title}   {_undo_key(self.screen)} undo"
        self.say(
            "\n".join((f"{message.said}: “{title}”" if message.said else new, *message.notes, *message.entry.notes))
        )
        self.memory_changed.publish(None)
        self.refresh_index()

    def action_go(self, name: str) -> None:
        """Show a screen of the table."""
        if self.bench is None:
            return
        if (bookmarking := self.bookmarking) is not None:
            bookmarking.note(self.screen_stack[0])
            self.run_worker(bookmarking.keep, group="bookmark", thread=True, exit_on_error=False)
        self.switch_mode(name)

    async def action_quit(self) -> None:
        """Leave the app; while long work runs only when asked twice, for leaving ends it."""
        running = {worker for worker in self.workers if worker.group in LONG_WORK and worker.is_running}
        if running - self._left_running:
            self._left_running = running
            self.warn("Work is still running, and leaving stops it; what is done so far is kept. Quit again to leave.")
            return
        await super().action_quit()

    def exit(self, *args: Any, **options: Any) -> None:
        """Leave the app, and keep where it was left."""
        if self.bookmarking is not None and self.is_running:
            self.bookmarking.note(self.screen_stack[0])
            self.bookmarking.keep()
        super().exit(*args, **options)

    def action_undo(self) -> None:
        """Take back the person's newest change."""
        self._reverse(is_redo=False)

    def action_redo(self) -> None:
        """Repeat the undone change."""
        self._reverse(is_redo=True)

    def _reverse(self, *, is_redo: bool) -> None:
        """Undo or redo a change; one that should be confirmed is shown first."""
        if (bench := self.bench) is not None:
            run_in_thread(
                self, lambda: find_reversal(bench, is_redo=is_redo) or reverse(bench, is_redo=is_redo), "change"
            )

    @on(ReversalPlanned)
    def _reversal_planned(self, message: ReversalPlanned) -> None:
        def answered(is_wanted: bool | None) -> None:
            if is_wanted and (bench := self.bench) is not None:
                run_in_thread(self, lambda: reverse(bench, message.number, is_redo=message.is_redo), "change")

        if self.bench is not None:
            self.push_screen(ReversalModal(message, self.bench), answered)

    def action_remember(self) -> None:
        """Ask for a line to remember, and save it as it was shown."""
        from recall_tui.tui.screens.remember_modal import RememberedLine, RememberModal, save_line

        bench = self.bench
        if bench is None:
            return

        def answered(line: RememberedLine | None) -> None:
            if line is not None:
                run_in_thread(self, lambda: save_line(bench, line), "change")

        self.push_screen(RememberModal(bench), answered)

    def action_keys(self) -> None:
        """Show the keys that work here."""
        from recall_tui.tui.screens.key_help import KeyHelp

        self.push_screen(KeyHelp(self.screen))

    def action_jump(self) -> None:
        """Put a letter on each panel; the letter takes the focus there."""
        from recall_tui.tui.screens.jump_modal import Jump

        panels = [widget for widget in self.screen.focus_chain if widget.display]

        def focus(widget: Widget | None) -> None:
            if widget is not None:
                widget.focus()

        self.push_screen(Jump(panels), focus)

    def why_not(self, action: str, parameters: tuple[object, ...]) -> str:
        """Without a memory there is nothing to go to or take back."""
        needs_memory = action in ("go", "undo", "redo", "jump", "remember")
        return "No memory is open: choose one first" if needs_memory and self.bench is None else ""

    def copy_passage(self, item: Item) -> None:
        """Copy what a row stands for, with where it is from and without secrets."""
        bench = self.bench
        if bench is None:
            return
        try:
            text = row_citation(bench, item)
        except EXPECTED_ERRORS as error:
            self.complain(DisplayError.of(error))
            return
        self.copy_cited(text)

    def copy_to_clipboard(self, text: str) -> None:
        """Copy text without secrets and what a terminal would obey where it is pasted, whoever selected it.

        Half characters, which no clipboard takes, are replaced.
        """
        from recall_tui.text.secrets.redact import redact
        from recall_tui.tui.text import strip_controls

        copied = redact(strip_controls(text.encode("utf-8", "replace").decode("utf-8")))
        super().copy_to_clipboard(copied)
        length = len(copied.encode())
        if length > MAX_CLIPBOARD_BYTES:
            self.warn(f"{length // 1024:,} KB copied: many terminals silently cut the clipboard at 73 KB")

    def copy_cited(self, text: str) -> None:
        """Copy a passage whose last line says where it is from, and say how it begins."""
        from recall_tui.text.cut import shorten
        from recall_tui.tui.text import plain_line

        self.copy_to_clipboard(text)
        lines = text.splitlines()
        count = max(len(lines) - 1, 1)
        what = f"Copied {count:,} line{'s' * (count != 1)} and the source"
        self.say(f"{what}: “{shorten(plain_line(lines[0]), _MAX_COPY_CHARS)}”" if lines else what)

    def edit(self, path_of: Callable[[], Path], line: int) -> None:
        """Open a file in the person's editor, and read the memory again afterwards."""
        from recall_tui.tui.runtime import editor

        try:
            found = editor.editor_command(self.environment.env, path_of(), line, find=self.environment.program)
            words = editor.resolve_command(self.environment, found)
        except EXPECTED_ERRORS as error:
            self.complain(DisplayError.of(error))
        else:
            self.lend(words)

    def lend(self, words: Sequence[str], folder: Path | None = None) -> None:
        """Lend the terminal to a program until it ends, and read the memory again afterwards."""
        import subprocess

        from textual.app import SuspendNotSupported

        try:
            with self.suspend():
                subprocess.run(words, cwd=folder, check=False)
        except SuspendNotSupported:
            self.complain(DisplayError("This terminal cannot start another program"))
        except EXPECTED_ERRORS as error:
            self.complain(DisplayError.of(error))
        else:
            self.refresh()
            self.memory_changed.publish(None)


def _build_screen(entry: ScreenSpec, bench: Workbench) -> Screen[None]:
    return load_screen(entry)(bench)


def _undo_key(screen: Screen[Any]) -> str:
    keys = (command.keys[0] for command in live_commands(screen) if command.action == "undo")
    return next(keys, "u")
