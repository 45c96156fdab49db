"""The program's commands in the palette: each leads to the place in the app that does it, or shows its command line.

The table of commands belongs to the command line, which hands it to the app.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from recall_tui.tui.keys.key_labels import key_label
from recall_tui.tui.keys.palette import match_score
from recall_tui.tui.screen_table import SCREENS

if TYPE_CHECKING:
    from recall_tui.tui.app import RecallApp
    from recall_tui.tui.screens.text_modal import TextModal


class ProgramCommand(NamedTuple):
    """A command of the command line."""

    name: str
    help: str
    usage: str
    """Its arguments and main options."""
    familiar: tuple[str, ...] = ()
    """Words of other programs that people try for it."""


class CommandPlace(NamedTuple):
    """The place in the app that does what a command does."""

    screen: str
    panel: str = ""
    """The widget that gets the focus."""
    binding: str = ""
    """The id of the key that does it there."""
    key: str = ""
    """That key, unless the settings change it."""
    action: str = ""
    """The action that runs at once; empty when the person presses the key."""


_HEALTH, _AGENTS = CommandPlace("health", "#state"), CommandPlace("health", "#agents", "install", "i")
PLACES = {
    "search": CommandPlace("home", "", "search", "/", "search"),
    "recall": CommandPlace("home", "", "search", "/", "search"),
    "list": CommandPlace("home", "#archive"),
    "show": CommandPlace("home", "#archive", "open", "enter"),
    "read": CommandPlace("timeline"),
    "report": CommandPlace("timeline", "", "report", "S"),
    "compact": CommandPlace("timeline", "", "propose", "w"),
    "archive": CommandPlace("health", "#state", "archive_all", "A"),
    "summarize": CommandPlace("home", "#archive", "summarize", "s"),
    "export": CommandPlace("home", "#archive", "export", "e"),
    "forget": CommandPlace("home", "#archive", "forget", "F"),
    "consume": CommandPlace("home", "#window", action="show_recent"),
    "sync": CommandPlace("health", "#index", "refresh", "r", "look_again"),
    "index": CommandPlace("health", "#index", "refresh", "r", "look_again"),
    "distill": CommandPlace("distill"),
    "remember": CommandPlace("", "", "remember", "plus", "app.remember"),
    "review": CommandPlace("review", "#proposals", "accept", "a"),
    "dream": CommandPlace("review", "#proposals"),
    "wiki": CommandPlace("wiki"),
    "status": _HEALTH,
    "dashboard": _HEALTH,
    "doctor": CommandPlace("health", "#doctor", "fix", "f"),
    "ledger": CommandPlace("health", "#spend"),
    "install": _AGENTS,
    "uninstall": CommandPlace("health", "#agents", "uninstall", "x"),
    "agents": CommandPlace("health", "#agents"),
    "config": CommandPlace("settings"),
    "undo": CommandPlace("", "", "undo", "u", "app.undo"),
    "redo": CommandPlace("", "", "redo", "U", "app.redo"),
}
_KEYS_EVERYWHERE = frozenset(name for name, place in PLACES.items() if place.action.startswith("app."))
_NAME_WIDTH = 16
_KEY_WIDTH = 7


class ProgramCommands(Provider):
    """The commands of the command line, by their names."""

    @property
    def host(self) -> RecallApp:
        """The app, with the commands that it was given."""
        return cast("RecallApp", self.app)

    def _commands(self) -> Iterator[ProgramCommand]:
        """All but those that are keys of every screen, which the palette lists beside these, such as Undo."""
        return (one for one in self.host.program_commands if one.name not in _KEYS_EVERYWHERE)

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(self._row(command, Content(command.name)), partial(self._run, command), command.name)

    async def search(self, query: str) -> Hits:
        """Those that match what was typed, best first."""
        matcher = self.matcher(query)
        for command in self._commands():
            if (score := match_score(matcher, command.name, " ".join((command.help, *command.familiar)))) > 0:
                name = matcher.highlight(command.name) if matcher.match(command.name) else Content(command.name)
                yield Hit(score, self._row(command, name), partial(self._run, command), command.name)

    def _row(self, command: ProgramCommand, name: Content) -> Content:
        keys = place_keys(self.host, command.name)
        gap = " " * max(1, _NAME_WIDTH - len(command.name))
        return Content.assemble(
            name, gap, (f"{keys:<{_KEY_WIDTH}} ", "not bold $accent"), (command.help, "not bold $text-muted")
        )

    async def _run(self, command: ProgramCommand) -> None:
        place = PLACES.get(command.name)
        if place is None or self.host.bench is None:
            await self.host.push_screen(_command_line(command))
            return
        if place.screen:
            self.host.action_go(place.screen)
        self.app.call_later(self._arrive, place)

    async def _arrive(self, place: CommandPlace) -> None:
        panels = list(self.app.screen.query(place.panel)) if place.panel else []
        for widget in panels:
            widget.focus()
        if place.action:
            owners = (widget for widget in panels if hasattr(widget, f"action_{place.action}"))
            await self.app.run_action(place.action, next(owners, self.app.screen))


def place_keys(app: RecallApp, name: str) -> str:
    """The keys that lead to what a command does, such as `6 A`; empty for what only the command line does."""
    place = PLACES.get(name)
    if place is None or app.bench is None:
        return ""
    number = next((str(screen.number) for screen in SCREENS if screen.name == place.screen), "")
    key = key_label(app.bench, place.binding, place.key) if place.binding else ""
    return " ".join(filter(None, (number, key)))


def _command_line(command: ProgramCommand) -> TextModal:
    from recall_tui.tui.screens.text_modal import TextModal
    from recall_tui.tui.text import plain_text

    line = f"recall-tui {command.name} {command.usage}".strip()
    help_text = f"{command.help[:1].upper()}{command.help[1:]}."
    return TextModal(command.name, plain_text(f"{help_text}\n\nIn a terminal:\n\n  {line}"))
