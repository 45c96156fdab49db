"""Looking at a memory: `status`, `dashboard`, `show`.

Nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import click

from recall_tui import __version__
from recall_tui.cli.checklist import print_checklist
from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import format_size, one_line
from recall_tui.errors import NotFoundError
from recall_tui.text.dates import local_time, parse_time, relative_time

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.agents.status import AgentStatus
    from recall_tui.domain import HealthReport
    from recall_tui.workbench import Workbench

_COLORS = {"healthy": "green", "degraded": "yellow", "down": "red", "ok": "green", "watch": "yellow", "full": "red"}
_LEVEL_SYMBOLS = {"healthy": "●", "degraded": "▲", "down": "○"}
_BAR_CELLS = 40
"""Cells of a bar."""
Details = Mapping[str, object]


@command()
@click.argument("root", required=False)
@click.option("--bars", is_flag=True, help="show bars, recent sessions and the largest sections instead")
def status(run: CommandContext, root: str | None, bars: bool) -> int | None:
    """Show the active memory and its health; exit 1 when it is down, or a hook does not run."""
    if bars:
        return _show_bars(run, root)
    if (bench := _open(run, root)) is None:
        return 1
    statuses = bench.agents.statuses(found_only=True)
    agents = list(_agent_rows(statuses))
    troubles = tuple(trouble for *_, trouble in agents if trouble)
    report = bench.health(agents=statuses)
    unsaid = tuple(one for one in troubles if not any(one in reason for reason in report.reasons))
    if unsaid and report.level != "down":
        report = replace(report, level="degraded", reasons=(*report.reasons, *unsaid))
    if run.json:
        rows = [
            {"name": name, "scope": scope, "state": words, "trouble": trouble} for name, scope, words, trouble in agents
        ]
        run.out.document({**_report_as_json(bench, report), "agents": rows})
        return 1 if troubles else _exit_code(report)
    _print_headline(run, bench, report)
    print_checklist(run, report)
    for name, words in _report_lines(report.facts, run.now()):
        run.out.line(f"{name:<11} {one_line(words)}")
    if agents:
        shown = "; ".join(f"{name} ({scope}) {words}" for name, scope, words, _ in agents)
        run.out.line(f"{'agents':<11} {one_line(shown)}")
    _print_reasons(run, report)
    return 1 if troubles else _exit_code(report)


@command()
@click.argument("root", required=False)
def dashboard(run: CommandContext, root: str | None) -> int | None:
    """Show health as bars, with recent sessions and the largest sections; the same as status --bars."""
    return _show_bars(run, root)


def _show_bars(run: CommandContext, root: str | None) -> int | None:
    from recall_tui.features.health.report import recent_archives
    from recall_tui.text.session_line import SESSION_HEADS, label_archive, session_cells

    if (bench := _open(run, root)) is None:
        return 1
    report = bench.health()
    sessions = recent_archives(bench.store) if report.level != "down" else ()
    if run.json:
        rows = [
            {key: getattr(one, key) for key in ("name", "date", "title", "duration", "messages")} for one in sessions
        ]
        run.out.document({**_report_as_json(bench, report), "version": __version__, "recent": rows})
        return _exit_code(report)
    _print_headline(run, bench, report)
    run.out.line(f"{'version':<11} {__version__}")
    print_checklist(run, report)
    if report.level != "down":
        _print_freshness(run, report.facts)
        _print_bars(run, report.facts)
    for name, words in _report_lines(report.facts, run.now()):
        if name not in ("MEMORY.md", "recent"):
            run.out.line(f"{name:<11} {one_line(words)}")
    largest = cast("list[dict[str, object]]", _detail_table(report.facts, "memory").get("largest", []))
    if largest:
        run.out.line()
        run.out.table(("largest sections", "lines"), [(one["title"], one["lines"]) for one in largest], right=(1,))
    if sessions:
        run.out.line()
        cells = [(one.name, *session_cells(label_archive(one), run.now()), one.messages) for one in sessions]
        run.out.table(("recent sessions", *SESSION_HEADS, "messages"), cells, right=(5, 6), cut=1)
    _print_reasons(run, report)
    return _exit_code(report)


def _open(run: CommandContext, root: str | None) -> Workbench | None:
    """The memory; with --json one that there is none of is a report, too."""
    try:
        return run.open(root)
    except NotFoundError as error:
        if not run.json:
            raise
        reason = f"{error.message}; {error.hint}"
        head = {"root": run.folder(root), "layout": None, "why": None}
        run.out.document({**head, "health": "down", "reasons": [reason]})
        return None


def _agent_rows(statuses: Iterable[AgentStatus]) -> Iterator[tuple[str, str, str, str | None]]:
    """The agents that the memory is installed into: name, scope, state, and what is wrong."""
    from recall_tui.agents.problems import installed_agents

    for one in installed_agents(statuses):
        yield one.target.name, one.scope, one.words, one.trouble or None


def _exit_code(report: HealthReport) -> int | None:
    return 1 if report.level == "down" else None


def _report_as_json(bench: Workbench, report: HealthReport) -> dict[str, object]:
    head = {"root": bench.layout.root, "layout": bench.layout.name, "why": bench.why}
    return {**head, "health": report.level, "reasons": report.reasons, **report.facts}


def _print_headline(run: CommandContext, bench: Workbench, report: HealthReport) -> None:
    from recall_tui.features.health.report import describe_sharing

    out = run.out
    out.line(f"{'memory':<11} {out.style(str(bench.layout.root), bold=True)}")
    out.line(f"{'layout':<11} {bench.layout.name}  ({out.style(bench.why)})")
    if shared := describe_sharing(bench.store):
        out.line(f"{'shared':<11} {one_line(shared)}")
    level = out.style(f"{_LEVEL_SYMBOLS[report.level]} {report.level}", fg=_COLORS[report.level])
    out.line(f"{'health':<11} {'○ new' if report.is_new else level}")


def _print_reasons(run: CommandContext, report: HealthReport) -> None:
    items = cast("list[dict[str, str]]", report.facts.get("checks", []))
    texts = tuple(item["text"] for item in items if item["state"] == "attention")
    for reason in (one for one in report.reasons if not any(text in one for text in texts)):
        run.out.line(f"{run.out.style('!', fg='yellow')} {run.out.style(one_line(reason))}")
    for note in cast("list[str]", report.facts.get("notes", [])):
        run.out.line(f"  {run.out.style(one_line(note), dim=True)}")


def _detail_table(facts: Details, name: str) -> Details:
    table = facts.get(name)
    return table if isinstance(table, Mapping) else {}


def _report_lines(facts: Details, now: datetime) -> Iterator[tuple[str, str]]:
    """The facts of a report, one line each."""
    if memory := _detail_table(facts, "memory"):
        weight = f"{format_size(_as_int(memory['bytes']))} of {format_size(_as_int(memory['max_bytes']))}"
        yield "MEMORY.md", f"{memory['lines']}/{memory['max_lines']} lines, {weight}, {memory['percent']} %"
    if window := _detail_table(facts, "window"):
        newest = f", newest {_day_and_age(window['newest'], now)}" if window["newest"] else ""
        free = ", and text that is no entry" if window["free_text"] else ""
        yield "recent", f"{window['entries']}/{window['max']} sessions{newest}{free}"
    if archives := _detail_table(facts, "archives"):
        day = _day_and_age(archives["newest_at"], now) if archives["newest_at"] else ""
        last = " of ".join(filter(None, (cast("str | None", archives["newest"]), day)))
        newest = f", newest {last}" if archives["count"] else ""
        weight = f", {format_size(_as_int(archives['bytes']))}" if archives["bytes"] else ""
        oldest = f", oldest {archives['oldest_at']}" if archives["oldest_at"] else ""
        yield "archives", f"{archives['count']:,}{weight}{newest}{oldest}"
    if (expiring := _detail_table(facts, "expiring")) and expiring["sessions"]:
        held = f"{expiring['archived']} archived, {expiring['kept']} kept as a copy"
        lost = _as_int(expiring["sessions"]) - _as_int(expiring["archived"]) - _as_int(expiring["kept"])
        words = f"{expiring['sessions']} sessions within {expiring['within_days']} days: {held}, {lost} neither"
        yield "expiring", words
    if left := _detail_table(facts, "waiting"):
        sessions, jobs = _as_int(left["sessions"]), _as_int(left["jobs"])
        told = [f"{sessions} ended session{'s' * (sessions != 1)}"] if sessions else []
        told += [f"{jobs} job{'s' * (jobs != 1)} of ended sessions"] if jobs else []
        if told:
            yield "waiting", f"{', '.join(told)}; run: recall-tui sync"
    if (retained := _detail_table(facts, "retained")) and retained["copies"]:
        days = "for ever" if retained["days"] is None else f"{retained['days']} days (keep.days)"
        yield (
            "retained",
            f"{retained['copies']} copies of transcripts, {format_size(_as_int(retained['bytes']))}, kept {days}",
        )
    if "topics" in facts:
        yield "topic files", str(facts["topics"])
    if any((files := _detail_table(facts, "files")).values()):
        yield "files", _file_counts(files)
    if index := _detail_table(facts, "index"):
        failed = f", {index['failed']} failed" if index.get("failed") else ""
        old = "; run: recall-tui sync" if index.get("trouble") or not index["sources"] else ""
        if vectors := _detail_table(index, "vectors"):
            waiting = f", {vectors['missing']} wait; run: recall-tui sync" if vectors["missing"] else ""
            yield "vectors", f"{vectors['rows']:,} rows of {vectors['passages']:,} passages{waiting}"
        own = _detail_table(index, "own") or index
        yield (
            "index",
            f"{own['indexed']:,} of {own['sources']:,} sources, {own['passages']:,} passages{failed}{old}",
        )


def _day_and_age(stamp: object, now: datetime) -> str:
    """The day of a time and its age, such as `2026-03-06 (2d ago)`; the text itself when it is no time."""
    moment = parse_time(str(stamp))
    return str(stamp) if moment is None else f"{local_time(moment, now.tzinfo):%Y-%m-%d} ({relative_time(moment, now)})"


_KIND_LABELS = {
    "dailies": ("day log", "day logs"),
    "weeklies": ("week", "weeks"),
    "monthlies": ("month", "months"),
    "typed_memories": ("typed memory", "typed memories"),
    "wiki_pages": ("wiki page", "wiki pages"),
    "insights": ("insight", "insights"),
    "contradictions": ("contradiction", "contradictions"),
}


def _file_counts(files: Details) -> str:
    """What there is of each kind, such as `12 day logs, 1 week, WISDOM.md`."""
    told = [f"{count} {names[count != 1]}" for key, names in _KIND_LABELS.items() if (count := _as_int(files.get(key)))]
    return ", ".join((*told, "WISDOM.md" if files["wisdom"] else "no WISDOM.md"))


def _print_freshness(run: CommandContext, facts: Details) -> None:
    """How long ago the newest session was archived, and when MEMORY.md was written last."""
    memory, newest = _detail_table(facts, "memory"), _detail_table(facts, "archives")["newest_at"]
    archived = relative_time(parse_time(str(newest)), run.now()) if newest else "never"
    run.out.line(
        f"{'freshness':<11} last archived {archived}; MEMORY.md written {str(memory['updated'] or 'never')[:16]}"
    )


def _print_bars(run: CommandContext, facts: Details) -> None:
    memory, window = _detail_table(facts, "memory"), _detail_table(facts, "window")
    percent = _as_int(memory["percent"])
    sections = f"{memory['sections']} section{'s' * (memory['sections'] != 1)}"
    lines = f"{memory['lines']}/{memory['max_lines']} lines, {sections}  {percent} %"
    run.out.line(f"{'MEMORY.md':<11} {_render_bar(run, percent / 100, str(memory['level']))}  {lines}")
    share = _as_int(window["entries"]) / max(1, _as_int(window["max"]))
    sessions = f"{window['entries']}/{window['max']} sessions"
    run.out.line(f"{'recent':<11} {_render_bar(run, share, 'ok')}  {sessions}")


def _render_bar(run: CommandContext, share: float, level: str) -> str:
    full = min(_BAR_CELLS, round(share * _BAR_CELLS))
    return run.out.style("━" * full, fg=_COLORS.get(level)) + run.out.style("─" * (_BAR_CELLS - full), dim=True)


def _as_int(value: object) -> int:
    return value if isinstance(value, int) else 0


@command()
@click.argument("reference", metavar="ID|PATH[:LINES]|@N|DATE|WEEK|MONTH|SLUG")
@click.option("--summary", is_flag=True, help="for a session: its summary instead of the conversation")
def show(run: CommandContext, reference: str, summary: bool) -> int | None:
    """Print a document, some of its lines (such as 14:40-58), or @3: the third hit of the last search.

    Name a document by its number, name, session or path, a day, a week or a month by its date (2026-03-06, 2026-W10,
    2026-03), a wiki page by its name; a session prints its conversation.
    """
    from recall_tui.cli.hit_lines import whole_document_hint
    from recall_tui.features.documents.excerpt import find_excerpt
    from recall_tui.features.documents.lookup import get_conversation, get_summary
    from recall_tui.features.documents.read import explain_missing, read_by_name
    from recall_tui.features.documents.resume import ResumeCommand, find_resume_command
    from recall_tui.storage.documents.conflicts import conflict_note

    bench = run.open()
    find = get_summary if summary else get_conversation
    try:
        shown = find_excerpt(bench.store, lambda: bench.index, reference, find)
    except NotFoundError as error:
        if summary:
            return run.report_missing(error, reference)
        try:
            shown = read_by_name(bench.store, lambda: bench.index, reference).excerpt
        except NotFoundError:
            told = explain_missing(bench.store, lambda: bench.index, reference)
            return run.report_missing(told or error, reference)
    document = shown.document
    note = conflict_note(document.kind, document.text, shown.lines)
    found = find_resume_command(bench.store, document)
    resume = found if isinstance(found, ResumeCommand) else None
    if run.json:
        head = {"path": document.path, "title": document.title, "kind": document.kind}
        of = document.head
        session = of and {"id": of.session_id, "agent": of.agent, "model": of.model, "tokens": of.tokens}
        run.out.document(
            {
                **head,
                "session": session,
                "resume": resume and resume.shell_line,
                "lines": shown.lines,
                "text": shown.text,
                "note": note or None,
            }
        )
    else:
        run.out.text(shown.text)
        if note:
            run.out.note(note)
        if reference.strip().startswith("@") and not shown.is_whole:
            run.out.note(whole_document_hint(bench.store, shown))
        if resume is not None and shown.is_whole:
            run.out.note(f"resume it in {resume.agent}: {resume.shell_line}")
    return None
