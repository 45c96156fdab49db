"""`watch`: a memory kept up to date for as long as its terminal is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import one_line

if TYPE_CHECKING:
    from recall_tui.cli.watcher import EventCallback

_UNIT_MS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
_MAX_DIGITS, _MAX_DAYS = 12, 366
_MAX_TITLES = 3
"""Proposals that one line names."""


def _duration_parser(least: int) -> Callable[[click.Context, click.Parameter, str], int]:
    """What reads a length of time of at least so many milliseconds: `2000`, or with a unit `90s`, `12h`, `1d`."""

    def read(ctx: click.Context, param: click.Parameter, value: str) -> int:
        words = value.strip().lower()
        number = words.rstrip("mshdw")
        unit = words[len(number) :] or "ms"
        if not (number.isdecimal() and number.isascii() and len(number) <= _MAX_DIGITS) or unit not in _UNIT_MS:
            raise click.BadParameter(
                f"{value!r} is no length of time; such as 2000 (ms), 90s, 30m, 12h, 1d", ctx, param
            )
        span = int(number) * _UNIT_MS[unit]
        if not least <= span <= _MAX_DAYS * _UNIT_MS["d"]:
            raise click.BadParameter(f"{value!r} is out of range; from {least} ms to a year", ctx, param)
        return span

    return read


@command()
@click.option("--compact", is_flag=True, help="propose weeks, months and wisdom when they are due")
@click.option("--dream", is_flag=True, help="dream at every --dream-interval")
@click.option(
    "--dream-interval",
    callback=_duration_parser(1_000),
    default="1d",
    metavar="MS|SPAN",
    help="time between dreams (1d)",
)
@click.option(
    "--debounce", callback=_duration_parser(50), default="2s", metavar="MS|SPAN", help="wait after a change (2s)"
)
def watch(run: CommandContext, compact: bool, dream: bool, dream_interval: int, debounce: int) -> None:
    """Sync the index whenever the memory's files change, until Ctrl-C, or until the terminal is closed.

    Proposals of kinds named in review.auto apply automatically; all others wait in review.
    """
    from recall_tui.cli.watcher import Watcher, WatchOptions, catch_shutdown, watch_lock

    bench = run.open()
    wish = WatchOptions(debounce, compact, dream, timedelta(milliseconds=dream_interval))
    tell = _event_printer(run)
    with watch_lock(bench), catch_shutdown() as until:
        facts = {"compacts": compact, "dreams": dream, "debounce_ms": debounce, "dream_interval_ms": dream_interval}
        tell("started", {"root": str(bench.store.root), **facts})
        if dream and not bench.config.get("dream.enabled") and not run.json:
            run.out.note("dream.enabled is off, so no search is logged for dreams to learn from")
        Watcher(bench, wish, until, tell, run.stopwatch).run()
        tell("ended", {"why": until.why})


def _event_printer(run: CommandContext) -> EventCallback:
    """What says an event: a line of JSON on stdout, or a line on stderr."""

    def tell(event: str, facts: Mapping[str, object]) -> None:
        if run.json:
            run.out.row({"event": event, "at": run.now(), **facts})
        elif words := _event_line(event, facts):
            run.out.note(one_line(f"{run.now():%H:%M:%S} {words}"))
            for note in _event_notes(facts):
                run.out.note(one_line(f"         {note}"))

    return tell


def _event_line(event: str, facts: Mapping[str, object]) -> str:
    """The event on one line; empty for what is not worth one."""
    match event:
        case "started":
            also = "".join(f", {what}" for what, is_on in _enabled_labels(facts) if is_on)
            return f"watching {facts['root']}: syncs{also}; Ctrl-C ends it"
        case "synced":
            counts = ", ".join(f"{facts[name]} {name}" for name in ("added", "changed", "removed", "failed"))
            return f"synced: {counts}"
        case "busy":
            return "another process is indexing; looking again soon"
        case "compacted" | "dreamt":
            return _proposal_line(event, facts)
        case "failed":
            return f"{facts['what']} failed: {facts['why']}"
    return f"ended: {facts['why']}"


def _enabled_labels(facts: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    interval = _duration_label(int(float(str(facts["dream_interval_ms"]))))
    return ("compacts", facts["compacts"]), (f"dreams every {interval}", facts["dreams"])


def _duration_label(milliseconds: int) -> str:
    """A length of time as the options take it, such as `30m`."""
    unit = next(unit for unit in ("d", "h", "m", "s", "ms") if milliseconds % _UNIT_MS[unit] == 0)
    return f"{milliseconds // _UNIT_MS[unit]}{unit}"


def _proposal_line(event: str, facts: Mapping[str, object]) -> str:
    """What a compaction or a dream put into review, and what it said of it."""
    rows = facts.get("proposals")
    titles = [str(row.get("title", "")) for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    if not titles:
        return f"{event}: nothing new to propose" if event == "dreamt" or _event_notes(facts) else ""
    more = f" and {len(titles) - _MAX_TITLES} more" if len(titles) > _MAX_TITLES else ""
    verb = "waits" if len(titles) == 1 else "wait"
    return f"{event}: {'; '.join(titles[:_MAX_TITLES])}{more} {verb} in review: recall-tui review"


def _event_notes(facts: Mapping[str, object]) -> list[str]:
    """What was said beside it, but for what its line says already."""
    notes = facts.get("notes")
    return [str(note) for note in notes if note.strip()] if isinstance(notes, list) else []
