"""`remember --session-end`: the lessons of one session, named by a person or by a hook.

A session in which nothing was learned is no failure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from recall_tui.cli.click_ext import Run
from recall_tui.cli.commands.archive import named_on_stdin
from recall_tui.cli.model_option import is_offered
from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import stoppable
from recall_tui.domain import Skipped
from recall_tui.errors import NotFoundError

if TYPE_CHECKING:
    from pathlib import Path

    from recall_tui.domain import By
    from recall_tui.workbench import Workbench


def remember_session(run: Run, reference: str) -> int | None:
    """Write what was learned in the session; 1 when its transcript cannot be read."""
    from recall_tui.features.capture import lessons

    by: By = "person" if reference else "hook"
    path = named_on_stdin(run) if not reference else None
    bench = run.open()
    path = path or _transcript(run, bench, reference)
    with_model = is_offered(run, bench.store, "summary")
    with stoppable() as is_pressed:
        found = lessons.learned(bench.store, path, with_model=with_model, is_cancelled=is_pressed)
    if isinstance(found, Skipped):
        run.report(None, nothing=found.reason)
        return 1 if found.faults else None
    if found.trouble:
        run.out.note(one_line(f"in the session's own words, without a model: {found.trouble}"))
    seen = bench.preview(lessons.write, found)
    return run.report(bench.apply(lessons.write, found, by=by), nothing=seen.title)


def _transcript(run: Run, bench: Workbench, reference: str) -> Path:
    """The transcript of that path, or of the session with that id."""
    path = run.places.cwd / reference
    try:
        return path if path.is_file() else bench.find_transcript(reference)
    except OSError:
        raise NotFoundError(f"no session or transcript called {reference!r}") from None
