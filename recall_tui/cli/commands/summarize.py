"""`summarize`: one summary for a session, shown before it is saved.

The draft is in the conversation's own words, told by a model where one is set up, or handed in by an agent; a summary
that a person wrote or changed is replaced only by a person's word.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from recall_tui import files
from recall_tui.cli.click_ext import CommandContext, change_as_json, command
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.model_option import has_model
from recall_tui.cli.output import one_line
from recall_tui.cli.sigint import catch_interrupt
from recall_tui.errors import ConflictError, RecallError, UsageError

if TYPE_CHECKING:
    from recall_tui.domain import ConversationHead, Plan
    from recall_tui.features.digest.digest import Digest
    from recall_tui.features.summaries.session_draft import SessionToSummarize
    from recall_tui.features.summaries.summarize import SummaryFacts
    from recall_tui.index.opener import Index
    from recall_tui.workbench import Workbench


@command()
@click.argument("session", required=False, default="")
@click.option("--text", "file", metavar="FILE|-", help="save this text (-: from stdin) instead of drafting one")
@click.option(
    "--all", "is_all", is_flag=True, help="have the model summarize every session that has only an extracted summary"
)
@click.option("--force", is_flag=True, help="also replace text by a person, a model or an agent")
@click.option("--dry-run", is_flag=True, help="show the summary without saving it")
@click.option("--yes", is_flag=True, help="save without confirmation")
@click.option("--scope", metavar="NAME", help="for a part of the project: a folder in _memory/, created if new")
def summarize(
    run: CommandContext,
    session: str,
    file: str | None,
    is_all: bool,
    force: bool,
    dry_run: bool,
    yes: bool,
    scope: str | None,
) -> int | None:
    """Write one page about a session: title, context, decisions, findings and open items.

    SESSION is an id, a prefix of one, or an archive's number; inside an agent's session the default is that session. A
    session always has the same page, and the summary is shown before it is saved. With --dry-run it may be a transcript
    file, and no memory is needed.

    With --all the model summarizes each session that has only an extracted summary, newest first. The cost is estimated
    first; Ctrl-C or the daily limit stops the run, and the next run continues.
    """
    if is_all:
        if session or file:
            raise UsageError("--all takes no session and no text", hint="recall-tui summarize --all")
        return _summarize_all(run, _open_scope(run.open(), scope), is_dry=dry_run, is_settled=yes)
    if (transcript := _find_transcript(run, session)) is not None:
        _print_digest(run, transcript, is_dry=dry_run and not file)
        return None
    from recall_tui.features.summaries import session_draft
    from recall_tui.storage.scopes import scope_of_session

    bench = _open_scope(run.open(), scope)
    text = session_draft.clean_summary(_read_text(run, file)) if file else ""
    try:
        reference = session_draft.session_reference(bench.store, session, lambda: _synced_index(run, bench))
    except UsageError:
        _print_choices(run, bench)
        raise
    if not scope:
        # A session has one page, wherever it was put first.
        bench = _open_scope(bench, scope_of_session(bench.layout, reference))
    one = session_draft.prepare_session(bench.store, reference, text)
    try:
        one = one if text else _summarize_with_model(run, one)
        return _save_summary(run, bench, one, is_forced=force, is_dry=dry_run, is_settled=yes)
    finally:
        one.draft.discard()


def _synced_index(run: CommandContext, bench: Workbench) -> Index:
    """The index, with the sessions of a moment ago: it is asked which of them were held on a day."""
    from recall_tui.cli.sync import try_sync_index

    if left := try_sync_index(run, bench):
        run.out.note(left)
    return bench.index


def _summarize_all(run: CommandContext, bench: Workbench, *, is_dry: bool, is_settled: bool) -> int | None:
    """Have the model tell of every session that has its own words only, within the limits of the day."""
    from recall_tui.features.health.model_usage import format_dollars, usage_report
    from recall_tui.features.summaries.model_backlog import collect_backlog, work_off
    from recall_tui.llm.client import ModelClient

    if not has_model(run, bench.store, "summary"):
        raise UsageError("there is no model for summaries", hint="recall-tui config set llm.provider claude")
    backlog, usage = collect_backlog(bench.store), usage_report(bench.store, days=1)
    cost = f", {format_dollars(backlog.cost)}" if backlog.cost is not None else ""
    estimate = (
        f"{len(backlog.sessions)} sessions, about {backlog.tokens:,} tokens{cost}, by {usage.models['summary']}; "
        f"left today: {usage.calls_left} calls, {usage.tokens_left:,} tokens"
    )
    facts: dict[str, object] = {"sessions": len(backlog.sessions), "tokens": backlog.tokens, "cost": backlog.cost}
    if is_dry or not backlog.sessions:
        if run.json:
            run.out.document(facts)
        else:
            run.out.line(one_line(estimate) if backlog.sessions else "every session has a summary by the model already")
        return None
    if not is_settled and not is_confirmed(run, one_line(f"{estimate}. Begin?")):
        return EXIT_DECLINED
    with run.out.progress("summarising", run.stopwatch, "sessions") as progress, catch_interrupt() as is_stopped:
        total = len(backlog.sessions)
        result = work_off(
            bench.store,
            backlog,
            ModelClient(bench.store, is_stopped),
            by="person",
            report=lambda done: progress(done, total) if progress else None,
        )
    if run.json:
        run.out.document(facts | {"told": list(result.told), "failed": result.failed, "left": result.left})
    else:
        run.out.line(f"{len(result.told)} sessions told, {len(result.failed)} failed, {result.left} left")
        if why := result.reason or next(iter(result.failed.values()), ""):
            run.out.note(one_line(why))
    return 1 if result.failed and not result.told else None


def _open_scope(bench: Workbench, scope: str | None) -> Workbench:
    from recall_tui.cli.commands.synthesize import scoped_workbench

    return scoped_workbench(bench, scope, may_be_new=True) if scope else bench


def _save_summary(
    run: CommandContext, bench: Workbench, one: SessionToSummarize, *, is_forced: bool, is_dry: bool, is_settled: bool
) -> int | None:
    """Show the plan, ask unless that is settled, and make it."""
    from recall_tui.cli.project_questions import warn_about_repository

    seen = bench.preview(one.summarize)
    warn_about_repository(run, bench)
    if is_dry and run.json and one.conversation is not None:
        from recall_tui.features.capture.model_summary import model_digest
        from recall_tui.features.digest.digest import read_digest

        made = read_digest(one.conversation)
        if one.draft.digest.told_by:
            made = model_digest(one.draft.digest, made)
        change = {"diff": run.diff(seen), "notes": seen.notes, "facts": seen.facts}
        run.out.document(_digest_as_json(made, one.conversation.head) | change)
        return None
    if is_dry:
        run.show(seen)
        return None
    guarded = one_line(seen.facts["guarded"])
    path = one_line(bench.store.relative(Path(seen.facts["path"])))
    if seen.edits and is_settled and guarded and not is_forced:
        raise ConflictError(f"{path}: {guarded}", hint="--dry-run shows the change, --force makes it")
    if not seen.edits:
        return _apply_and_report(run, bench, seen, one)
    if not run.json:
        run.out.note(f"{'creating' if seen.facts['status'] == 'created' else 'updating'} {path}")
    if not is_settled and not _confirm_plan(run, seen, f"{path}: {guarded}. " * bool(guarded)):
        return EXIT_DECLINED
    return _apply_and_report(run, bench, seen, one)


def _find_transcript(run: CommandContext, named: str) -> Path | None:
    """The file that SESSION names; None when it is a session's id or an archive's number."""
    from recall_tui.storage.files.symlinks import is_file

    path = run.path(named) if named else None
    return path if path is not None and is_file(path) else None


def _print_digest(run: CommandContext, path: Path, *, is_dry: bool) -> None:
    """Print what a transcript leaves behind."""
    from recall_tui.domain import SkippedResult
    from recall_tui.features.digest.digest import read_digest
    from recall_tui.transcripts.registry import read_transcript

    if not is_dry:
        raise UsageError(
            f"{path} is a file", hint="--dry-run shows its digest; to save one, name the session by its id"
        )
    conversation = read_transcript(path)
    if isinstance(conversation, SkippedResult):
        raise RecallError(f"{path}: {conversation.reason}")
    made = read_digest(conversation)
    if run.json:
        run.out.document(_digest_as_json(made, conversation.head))
        return
    run.out.line(one_line(made.title or "(no title)"))
    run.out.line(one_line(f"{made.status}: {made.outcome or 'no outcome stated'}"))
    for item in made.items:
        run.out.line(one_line(f"{item.kind} (line {item.lines[0]}): {item.text}"))
    if made.files:
        run.out.line(one_line(f"files: {', '.join(made.files)}"))


def _digest_as_json(made: Digest, head: ConversationHead) -> dict[str, object]:
    items = [{"kind": one.kind, "text": one.text, "lines": list(one.lines)} for one in made.items]
    return {
        "title": made.title,
        "outcome": made.outcome,
        "status": made.status,
        "items": items,
        "files": list(made.files),
        "model": head.model,
        "tokens": head.tokens,
    }


def _confirm_plan(run: CommandContext, seen: Plan[SummaryFacts], warning: str) -> bool:
    """Show what would be written, and ask; UsageError where nobody can be asked."""
    if not run.json and (sys.stdin is None or not sys.stdin.isatty()):
        raise UsageError("no terminal to ask for confirmation", hint="say --yes to save it, or --dry-run to see it")
    if not run.json:
        run.out.patch(run.diff(seen))
        for note in seen.notes:
            run.out.note(one_line(note))
    return is_confirmed(run, f"{warning}Save this summary?")


def _apply_and_report(
    run: CommandContext, bench: Workbench, seen: Plan[SummaryFacts], one: SessionToSummarize
) -> int | None:
    entry = bench.store.commit(one.summarize, expected=seen) if seen.edits else None
    if run.json:
        run.out.document(
            {**seen.facts, "notes": seen.notes, "change": None if entry is None else change_as_json(entry)}
        )
        return None
    run.report(entry, nothing=seen.title)
    if entry is not None:
        for note in seen.notes:
            run.out.note(one_line(note))
    return None


def _summarize_with_model(run: CommandContext, one: SessionToSummarize) -> SessionToSummarize:
    """The subject in a model's words, when there is one and it answers; else as it is."""
    from recall_tui.features.summaries.session_draft import with_model_summary
    from recall_tui.llm.client import ModelClient
    from recall_tui.llm.model import Failure

    with catch_interrupt() as is_stopped:
        if not has_model(run, one.store, "summary"):
            return one
        run.out.note("asking the model for summaries; Ctrl-C takes the draft without it")
        said = with_model_summary(one, ModelClient(one.store, is_stopped))
    if not isinstance(said, Failure):
        if rejected := said.draft.digest.rejected:
            run.out.note(one_line(f"{rejected}; quoted from the conversation instead"))
        return said
    run.out.note(one_line(f"quoted from the conversation: {said.reason}"))
    return one


def _print_choices(run: CommandContext, bench: Workbench) -> None:
    """Name the sessions that may be meant."""
    from recall_tui.features.summaries.session_draft import latest_sessions

    for listed in latest_sessions(bench.store):
        when = f"{listed.modified.astimezone():%Y-%m-%d %H:%M}"
        run.out.note(one_line(f"{listed.session_id}  {when}  {listed.title}"))


def _read_text(run: CommandContext, name: str) -> str:
    """The text of a file, or of stdin."""
    if name == "-":
        data = files.read_all(sys.stdin.buffer) if sys.stdin is not None and not sys.stdin.isatty() else b""
        return data.decode("utf-8", "replace")
    path = run.path(name)
    try:
        return files.read_user_file(path).decode("utf-8", "replace")
    except OSError as error:
        raise RecallError(f"{path}: {error.strerror}") from error
