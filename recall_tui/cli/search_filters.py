"""The filters of a search as options of a command, one for each that a query may hold as well."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from recall_tui.cli.click_ext import Run
    from recall_tui.search.query import Filters

_FILTERS = {
    "kind": "conversation, prompt, reply, tool, memory, topic, window, wiki, …; several with commas",
    "project": "of this project",
    "agent": "of this agent, such as claude",
    "session": "of the session whose id begins so",
    "tool": "where this tool was used",
    "file": "that touch this file",
    "branch": "said on this branch",
    "source": "of archives from this source",
    "since": "from then on: 12h, 2d, 1w, today, yesterday, 2026-03, 2026-03-06",
    "until": "until then, the same words",
}


def filter_options(function: Any) -> Any:
    """Give a command the option of each filter."""
    for name, text in reversed(_FILTERS.items()):
        function = click.option(f"--{name}", metavar="VALUE", help=f"only {text}")(function)
    return function


def filters_in(run: Run, options: dict[str, Any]) -> Filters:
    """The filters that were given, taken out of a command's options; UsageError for a value that is none."""
    from recall_tui.search.query import filters_from

    given = {name: options.pop(name) for name in _FILTERS}
    return filters_from({name: value for name, value in given.items() if value is not None}, run.now())
