"""The command palette: every command that works here, with its key.

It has no list of its own, and keys may come faster than it opens and closes.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from inspect import isawaitable
from typing import TYPE_CHECKING, Any, cast

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.css.query import NoMatches
from textual.theme import ThemeProvider
from textual.worker import Worker

from recall_tui.tui.keys.commands import LiveCommand, live_commands
from recall_tui.tui.modal import DismissOnce

if TYPE_CHECKING:
    from textual.fuzzy import Matcher
    from textual.timer import Timer, TimerCallback

    from recall_tui.tui.keyboard import Keyboard


_DESCRIPTION_SCORE = 1.0
"""Below the score of any matching title."""


class Palette(CommandPalette, DismissOnce[None]):
    """Textual's palette."""

    def _action_command_list(self, action: str) -> None:
        # The list turns its pages only once it was laid out; before that it knows none of its rows.
        with suppress(KeyError):
            super()._action_command_list(action)

    @contextmanager
    def _while_it_closes(self) -> Iterator[None]:
        """What a last key began, or a timer, finds its list gone when the palette has closed; that ends no app."""
        try:
            yield
        except NoMatches:
            if self.is_active:
                raise

    def run_worker(self, work: Any, *words: Any, **settings: Any) -> Worker[Any]:
        """Run the work, a search above all."""

        async def done() -> object:
            with self._while_it_closes():
                return await work()
            return None

        return super().run_worker(done, *words, **settings)

    def set_timer(self, delay: float, callback: TimerCallback | None = None, **settings: Any) -> Timer:
        """Call back later, such as to say that nothing matches."""

        async def late() -> None:
            with self._while_it_closes():
                if callback is not None and isawaitable(done := callback()):
                    await done

        return super().set_timer(delay, late, **settings)


class ThemeChoices(ThemeProvider):
    """The themes to choose from; the app keeps the one that is chosen."""

    @property
    def commands(self) -> list[tuple[str, Callable[[], None]]]:
        """Each theme with the call that chooses it."""
        app = cast("Keyboard", self.app)
        return [(name, partial(app.choose_theme, name)) for name in sorted(app.available_themes)]


def match_score(matcher: Matcher, title: str, description: str) -> float:
    """Return how well a command matches: by letters of its title, by words of its description; 0 for no match."""
    if (score := matcher.match(title)) > 0:
        return score
    text = f"{title} {description}".casefold()
    return _DESCRIPTION_SCORE if all(word in text for word in matcher.query.casefold().split()) else 0.0


class LiveCommands(Provider):
    """The commands of the screen that the palette was opened on."""

    async def startup(self) -> None:
        """Read the commands once, when the palette opens."""
        self._commands = [
            command
            for command in live_commands(self.screen)
            if command.is_shown and command.action != "command_palette"
        ]
        self._width = max((len(command.title) for command in self._commands), default=0)

    async def discover(self) -> Hits:
        """All of them, before anything is typed."""
        for command in self._commands:
            yield DiscoveryHit(self._row(command, Content(command.title)), self._run(command), command.title)

    async def search(self, query: str) -> Hits:
        """Those that match what was typed, best first."""
        matcher = self.matcher(query)
        for command in self._commands:
            if (score := match_score(matcher, command.title, command.help)) > 0:
                title = matcher.highlight(command.title) if matcher.match(command.title) else Content(command.title)
                yield Hit(score, self._row(command, title), self._run(command), command.title)

    def _row(self, command: LiveCommand, title: Content) -> Content:
        gap = " " * (self._width - len(command.title) + 3)
        keys = " ".join(command.keys[:1])
        return Content.assemble(title, gap, (f"{keys:<7}", "not bold $accent"), (command.help, "not bold $text-muted"))

    def _run(self, command: LiveCommand) -> partial[Coroutine[object, object, None]]:
        return partial(cast("Keyboard", self.app).run_command, command.action, command.node)
