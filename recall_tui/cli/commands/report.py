"""`report`: the sessions of a span of time, what they settled and what they left open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.errors import UsageError

if TYPE_CHECKING:
    from recall_tui.features.documents.work_report import ReportedSession

EXIT_NOTHING = 1


@command()
@click.option("--since", default="yesterday", metavar="WHEN", help="from then on: yesterday, monday, 1w, 2026-03-06")
@click.option("--until", metavar="WHEN", help="up to and including that day or month")
@click.option("--project", default="", metavar="P", help="sessions of this project only, by name or folder")
@click.option("--by", type=click.Choice(["project", "day"]), default="project", help="the grouping (project)")
def report(
    run: CommandContext, since: str, until: str | None, project: str, by: Literal["project", "day"]
) -> int | None:
    """Report the sessions since a day: what they settled, what they left open, and their files.

    Sentences are quoted from the archives, each with its session: `recall-tui show 014` opens it.
    """
    from recall_tui.features.documents.work_report import find_sessions, render_report

    bench = run.open()
    first, end = run.since(since), run.until(until)
    assert first is not None
    if end is not None and end <= first:
        raise UsageError(f"{until!r} is before {since!r}", hint="--since names the earlier moment")
    found = find_sessions(bench.store, first, end, project)
    if run.json:
        document = {"since": first, "until": end, "sessions": [_session_as_json(one) for one in found]}
        run.out.document(document)
        return None if found else EXIT_NOTHING
    zone = bench.store.now().tzinfo
    if not found:
        to = f" to {end.astimezone(zone):%Y-%m-%d %H:%M}" if end else ""
        run.out.note(f"no session from {first.astimezone(zone):%Y-%m-%d %H:%M}{to}")
        return EXIT_NOTHING
    for line in render_report(found, by, zone).rstrip().split("\n"):
        run.out.line(run.out.style(line))
    return None


def _session_as_json(one: ReportedSession) -> dict[str, object]:
    return one._asdict()
