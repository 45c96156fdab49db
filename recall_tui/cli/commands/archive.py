"""Into memory: the ways in which a transcript or the window becomes an archive.

A transcript that cannot be read is said, and the others are still archived.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command, dry_run_option
from recall_tui.cli.commands.forget import EXIT_DECLINED
from recall_tui.cli.model_option import has_model
from recall_tui.cli.output import one_line
from recall_tui.errors import RecallError, UsageError

if TYPE_CHECKING:
    from datetime import datetime

    from recall_tui.domain import Actor
    from recall_tui.features.capture.archive import Source
    from recall_tui.features.capture.sessions import CaptureResult
    from recall_tui.storage.journal.batch import Batch
    from recall_tui.workbench import Workbench

_HOOK_HINT = 'it takes {"session_id": "…", "transcript_path": "…"} on stdin'


@command()
@click.argument("transcripts", nargs=-1, metavar="[TRANSCRIPT]...")
@click.option("--session", metavar="ID", help="archive the session with this id")
@click.option("--all-unarchived", is_flag=True, help="archive every transcript without an archive, oldest first")
@click.option(
    "--since", metavar="WHEN", help="with --all-unarchived: only those changed since, such as 2d or 2026-03-06"
)
@click.option("--all-projects", is_flag=True, help="with --all-unarchived: include every project on this machine")
@click.option("--dry-run", is_flag=True, help="list the sessions without archiving them")
def archive(
    run: CommandContext,
    transcripts: tuple[str, ...],
    session: str | None,
    all_unarchived: bool,
    since: str | None,
    all_projects: bool,
    dry_run: bool,
) -> int | None:
    """Archive transcripts. Each gets one archive, which is updated when the session continues.

    A memory in a repository or project folder takes only that project's sessions, unless --all-projects is given.

    A configured model writes the summaries of the sessions you name; --all-unarchived asks no model.
    """
    if sum((bool(transcripts), session is not None, all_unarchived)) != 1:
        raise UsageError("say what to archive", hint="TRANSCRIPT…, or --session ID, or --all-unarchived")
    for option, is_given in (("--since", since is not None), ("--all-projects", all_projects)):
        if is_given and not all_unarchived:
            raise UsageError(f"{option} goes with --all-unarchived")
    from recall_tui.cli.project_questions import warn_about_others, warn_about_repository
    from recall_tui.index.sources.transcripts import find_transcript

    bench = run.open()
    said = warn_about_repository(run, bench)
    if all_unarchived:
        return _archive_all(run, bench, run.since(since), of_all=all_projects, dry_run=dry_run, said=said)
    paths = [find_transcript(bench.store, session)] if session is not None else [run.path(name) for name in transcripts]
    if dry_run:
        _print_pending(run, paths, bench)
        return None
    warn_about_others(run, bench, paths)
    return _archive_paths(run, bench, paths)


def _archive_all(
    run: CommandContext, bench: Workbench, since: datetime | None, *, of_all: bool, dry_run: bool, said: str
) -> int | None:
    """Archive what is not, or name it; then say what was left out because it is of other projects.

    `said` was said of the repository already and is not repeated.
    """
    from recall_tui.cli.project_questions import offer_join

    others: Counter[str] = Counter()
    paths = list(bench.unarchived(since, of_all=of_all, others=others))
    code = None
    if dry_run:
        _print_pending(run, paths, bench)
        _describe_publication(run, bench, paths, said)
    elif not _confirms_publication(run, bench, paths, said):
        return EXIT_DECLINED
    else:
        code = _archive_paths(run, bench, paths, is_told=False, others=others)
    if run.json or not others:
        return code
    count = others.total()
    run.out.note(
        f"{count} session{'s' * (count != 1)} of other projects {'are' if count != 1 else 'is'} left out; "
        "--all-projects takes them too"
    )
    if offer_join(run, bench, others) and not dry_run:
        return _archive_paths(run, bench, bench.unarchived(since), is_told=False) or code
    return code


def _confirms_publication(run: CommandContext, bench: Workbench, paths: Sequence[Path], said: str) -> bool:
    """Say what a team would read, and ask on a terminal; True where nobody else reads the memory."""
    is_told = _describe_publication(run, bench, paths, said)
    return not (is_told and run.out.can_ask) or run.out.asked("Write these pages?")


def _describe_publication(run: CommandContext, bench: Workbench, paths: Sequence[Path], said: str) -> bool:
    """Say what a team would read of these sessions, except what was said already; False where nobody else reads it."""
    from recall_tui.features.capture.project_extent import describe_publication

    told = () if run.json else describe_publication(bench.store, paths)
    for sentence in told:
        if sentence not in said:
            run.out.note(one_line(sentence))
    return bool(told)


def offer_to_keep(run: CommandContext, bench: Workbench, *, yes: bool) -> None:
    """Ask whether to archive the sessions on the machine, and archive them with progress; Ctrl-C keeps what is done."""
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.capture import sessions
    from recall_tui.features.capture.project_extent import describe_keeping, describe_publication

    paths = tuple(bench.unarchived()) if not bench.layout.design.retains_transcripts else ()
    if not paths:
        return
    count = len(paths)
    named = f"{count:,} session{'s' * (count != 1)}"
    for sentence in describe_publication(bench.store, paths):
        run.out.note(one_line(sentence))
    run.out.note(one_line(describe_keeping(bench.store)))
    if not yes and not run.out.asked(f"Keep {named} now?", is_usual=True):
        run.out.note("none was kept; Health in the app offers it again")
        return
    counts: Counter[str] = Counter()
    with (
        sessions.capture_batch(bench.store) as batch,
        catch_interrupt() as is_stopped,
        run.out.progress("keeping", run.stopwatch, "sessions") as progress,
    ):
        for done, path in enumerate(paths, 1):
            if is_stopped():
                break
            row = _archive_one(bench, path, "session", "person", None, batch)
            counts[str(row["status"])] += 1
            if row["status"] == "failed":
                _print_row(run, row)
            if progress is not None:
                progress(done, count)
    told = [f"kept {counts['archived'] + counts['updated']:,} of {named}"]
    told += [f"{counts['skipped']:,} without a conversation"] if counts["skipped"] else []
    told += [f"{counts['failed']:,} could not be read"] if counts["failed"] else []
    run.out.line(f"✓ {', '.join(told)}")


def _print_pending(run: CommandContext, paths: Iterable[Path], bench: Workbench) -> None:
    """Name the transcripts that would be archived, and whose sessions they are."""
    from recall_tui.features.capture.project_extent import describe_projects, home_relative, sessions_by_project
    from recall_tui.search.session_labels import label_transcripts
    from recall_tui.text.session_line import session_line
    from recall_tui.transcripts.shared_file import is_transcript

    named = list(paths)
    counts = sessions_by_project(bench.store, filter(is_transcript, named))
    if run.json:
        run.out.document({"would_archive": named, "projects": dict(counts), "dry_run": True})
        return
    labels = label_transcripts(bench.index, bench.store, named)
    for path in named:
        label = labels.get(str(path))
        if label:
            run.out.line(run.out.style(one_line(session_line(label, bench.store.now()))))
        run.out.line(f"{'  ' if label else ''}{run.out.style(one_line(home_relative(bench.store, path)), dim=True)}")
    whose = f": {one_line(describe_projects(counts))}" if counts else ""
    run.out.note(f"{len(named)} to archive{whose} (not done: --dry-run)" if named else "nothing to archive")


@command()
@dry_run_option
def archive_session(run: CommandContext, dry_run: bool) -> int | None:
    """Archive the session that a hook names in JSON on stdin."""
    path = transcript_from_stdin(run)
    bench = run.open()
    paths = _accepted_paths(run, bench, path)
    if dry_run:
        _print_pending(run, paths, bench)
        return None
    return _archive_paths(run, bench, paths, by="hook", is_told=False)


@command()
@click.argument("transcript", required=False)
@click.option("--trigger", default="precompact", metavar="WORD", help="the trigger, noted in the archive")
@click.option("--context", default="", metavar="TEXT", help="the subject, noted in the archive")
@dry_run_option
def checkpoint(run: CommandContext, transcript: str | None, trigger: str, context: str, dry_run: bool) -> int | None:
    """Archive a session that is still running, not yet as a recent one; without TRANSCRIPT, hook JSON on stdin."""
    path = run.path(transcript) if transcript else transcript_from_stdin(run)
    by: Actor = "person" if transcript else "hook"
    run.out.detail(f"checkpoint: {trigger}")
    bench = run.open()
    paths = [path] if transcript else _accepted_paths(run, bench, path)
    if dry_run:
        _print_pending(run, paths, bench)
        return None
    from recall_tui.text.secrets.redact import redact

    notes = {"trigger": one_line(trigger), "context": redact(one_line(context))}
    notes = {key: text for key, text in notes.items() if text and text != "precompact"}
    return _archive_paths(run, bench, paths, source="checkpoint", by=by, is_told=False, notes=notes)


def _accepted_paths(run: CommandContext, bench: Workbench, path: Path) -> list[Path]:
    """The transcript that a hook names, unless it is of a project that the memory does not take."""
    from recall_tui.features.capture.archived_sessions import is_accepted

    if not path.is_file() or is_accepted(bench.store, path):
        return [path]
    run.out.note(one_line(f"{path} is of another project"))
    return []


@command()
@click.option("--context", default="", metavar="TEXT", help="the archive's title")
@dry_run_option
def promote(run: CommandContext, context: str, dry_run: bool) -> int | None:
    """Archive the text of EPHEMERAL.md, and empty it."""
    from recall_tui.features.capture.promotion import promote as promoting

    bench = run.open()
    seen = bench.preview(promoting, context)
    if dry_run:
        run.show(seen)
        return None
    entry = bench.apply(promoting, context)
    return run.report(entry, nothing=seen.title)


def _archive_paths(
    run: CommandContext,
    bench: Workbench,
    paths: Iterable[Path],
    *,
    source: Source = "session",
    by: Actor = "person",
    is_told: bool = True,
    others: Counter[str] | None = None,
    notes: Mapping[str, str] | None = None,
) -> int | None:
    """Capture each path and say what became of it; 1 when one failed.

    `others` counts the sessions that are left out because they are of other projects.

    With `is_told` a model tells the summary of each, where one is set up; it is asked nothing more once it has no
    answer, or Ctrl-C was pressed.
    """
    from recall_tui.features.capture import sessions
    from recall_tui.features.capture.project_extent import describe_projects, sessions_by_project

    rows: list[dict[str, object]] = []
    counts: Counter[str] = Counter()
    taken: list[Path] = []
    with sessions.capture_batch(bench.store) as batch:
        tell = _summarizer(run, bench, by, batch) if is_told else None
        for path in paths:
            row = _archive_one(bench, path, source, by, notes, batch)
            counts[str(row["status"])] += 1
            if row["status"] in ("archived", "updated"):
                taken.append(path)
            if notes and row["status"] == "unchanged":
                run.out.note("nothing was said since its archive was written: trigger and context are noted nowhere")
            if tell and row["status"] in ("archived", "updated", "unchanged"):
                row["told_by"] = tell(str(row["session_id"]))
            if run.json:
                rows.append(row)
            else:
                _print_row(run, row)
    if run.json:
        left = {} if others is None else {"other_projects": others.total()}
        run.out.document({"captured": rows, "counts": dict(counts), **left})
    elif counts.total() != 1:
        run.out.note(", ".join(f"{count} {status}" for status, count in counts.items()) or "nothing to archive")
        if len(taken) > 1:
            run.out.note(one_line(f"projects: {describe_projects(sessions_by_project(bench.store, taken))}"))
    return 1 if counts["failed"] else None


def _summarizer(run: CommandContext, bench: Workbench, by: Actor, batch: Batch) -> Callable[[str], str | None] | None:
    """What puts a model's summary to a session's archive and returns who told it; None when there is no model."""
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.summaries.resummarize import apply_resummary
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.model import Failure

    if not has_model(run, bench.store, "summary"):
        return None
    is_over = False

    def tell(session_id: str) -> str | None:
        nonlocal is_over
        if is_over:
            return None
        with catch_interrupt() as is_stopped:
            told = apply_resummary(bench.store, session_id, ModelClient(bench.store, is_stopped), by=by, batch=batch)
        if isinstance(told, Failure):
            is_over = True
            run.out.note(one_line(f"quoted from the conversation: {told.reason}"))
            return None
        return told or None

    return tell


def _archive_one(
    bench: Workbench, path: Path, source: Source, by: Actor, notes: Mapping[str, str] | None, batch: Batch
) -> dict[str, object]:
    try:
        return _result_as_json(bench.capture(path, source=source, by=by, notes=notes, batch=batch))
    except RecallError as error:
        reason = f"{error.message}; {error.hint}" if error.hint else error.message
    except OSError as error:
        from recall_tui.cli import os_errors

        reason = os_errors.error_reason(error, path)
    return {"transcript": path, "status": "failed", "reason": reason}


def _result_as_json(captured: CaptureResult) -> dict[str, object]:
    return {
        "transcript": captured.path,
        "status": captured.status,
        "reason": captured.reason or None,
        "session_id": captured.session_id or None,
        "number": captured.number or None,
        "archive": captured.archive or None,
        "messages": captured.messages,
        "faults": captured.faults,
    }


def _print_row(run: CommandContext, row: dict[str, object]) -> None:
    name = one_line(str(row.get("archive") or row["transcript"]))
    status, reason = str(row["status"]), one_line(str(row.get("reason") or ""))
    if status == "failed":
        run.out.error(f"{name}: {reason}")
        return
    told = reason or f"{row['messages']} message{'s' * (row['messages'] != 1)}"
    faults = f"; {row['faults']} lines could not be read" if row.get("faults") else ""
    run.out.line(f"{status:<10} {run.out.style(name)}  ({told}{faults})")


def transcript_from_stdin(run: CommandContext) -> Path:
    """The transcript that a hook's JSON names; a UsageError at a terminal, where nobody would write any."""
    import json

    if sys.stdin is None or sys.stdin.isatty():
        raise UsageError("no hook speaks here", hint=_HOOK_HINT)
    try:
        event = json.loads(sys.stdin.buffer.read())
    except (ValueError, RecursionError) as error:
        raise RecallError(f"stdin is not JSON: {error}", hint=_HOOK_HINT) from None
    named = event.get("transcript_path") if isinstance(event, dict) else None
    if not isinstance(named, str) or not named or "\0" in named:
        raise RecallError("stdin names no transcript_path", hint=_HOOK_HINT)
    return run.path(named)
