"""The index: `sync`, `add`, `index` and `index status`.

What is not covered is always named, with the next step.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.output import format_size, one_line
from recall_tui.cli.sync import embed_index, sync_index
from recall_tui.errors import BrokenFileError, LockedError, UsageError

if TYPE_CHECKING:
    from recall_tui.features.hooks.catch_up import CatchUpResult
    from recall_tui.index.ingest.refresh import RefreshResult
    from recall_tui.index.maintenance.coverage import Coverage
    from recall_tui.index.maintenance.disk_state import DiskState
    from recall_tui.index.vectors.build import BuildResult
    from recall_tui.index.vectors.coverage import VectorCoverage
    from recall_tui.workbench import Workbench

MAX_LISTED_SOURCES = 20
"""Sources that are named where they are many; --json names them all."""


@command()
@click.argument("file", required=False)
@click.option("--rebuild", is_flag=True, help="index everything again")
@click.option("--status", "is_status", is_flag=True, help="only show what the index covers")
@click.option("--dry-run", is_flag=True, help="say what waits without doing it")
def sync(run: CommandContext, file: str | None, rebuild: bool, is_status: bool, dry_run: bool) -> int | None:
    """Finish pending work of ended sessions, and bring the index up to date.

    With FILE: index that file and report it, as `add` does.
    """
    if sum((file is not None, rebuild, is_status, dry_run)) > 1:
        raise UsageError("FILE, --rebuild, --status and --dry-run go alone", hint="see: recall-tui sync --help")
    if file is not None:
        return _add_file(run, file)
    bench = run.open()
    if dry_run:
        _print_waiting(run, bench)
        return None
    if is_status:
        return _print_coverage(run, bench)
    if rebuild:
        return _print_refresh(run, sync_index(run, bench, anew=True), embed_index(run, bench, anew=True))
    left = _finish_pending(run, bench)
    return _print_refresh(run, sync_index(run, bench), embed_index(run, bench), left)


def _print_waiting(run: CommandContext, bench: Workbench) -> None:
    """Say what ended sessions left to do; whether files changed is known only by indexing them."""
    from recall_tui.features.health.report import count_waiting

    waiting = count_waiting(bench.store)
    if run.json:
        run.out.document({"waiting": waiting, "dry_run": True})
        return
    run.out.line(f"{waiting['sessions']} ended sessions to archive, {waiting['jobs']} jobs")
    run.out.note("changed files would be indexed (not done: --dry-run)")


def _finish_pending(run: CommandContext, bench: Workbench) -> CatchUpResult | None:
    """Captures and jobs that wait; None where nothing does."""
    from recall_tui.features.health.report import count_waiting

    if not any(count_waiting(bench.store).values()):
        return None
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.features.hooks.catch_up import finish_pending

    with catch_interrupt() as is_stopped:
        done = finish_pending(bench.store, is_stopped)
        if is_stopped():
            raise KeyboardInterrupt("interrupted; the next sync does the rest")
    if done.is_skipped:
        run.out.note("another process does what ended sessions left to do")
    return done


def _pending_rows(left: CatchUpResult) -> list[dict[str, object]]:
    captured = [("capture", mark.session_id, decision.did, decision.why) for mark, decision in left.decisions]
    jobs = [(one.job.kind, one.job.session_id, one.did, one.why) for one in left.deferred]
    return [dict(zip(("kind", "session_id", "did", "why"), row, strict=True)) for row in (*captured, *jobs)]


@command()
@click.argument("what", required=False, type=click.Choice(["status"]))
@click.option("--incremental", is_flag=True, help="index only new and changed files, like sync")
def index(run: CommandContext, what: str | None, incremental: bool) -> int | None:
    """Rebuild the index of this memory, or show its coverage: index status."""
    bench = run.open()
    if what == "status":
        return _print_coverage(run, bench)
    return _print_refresh(
        run, sync_index(run, bench, anew=not incremental), embed_index(run, bench, anew=not incremental)
    )


@command()
@click.argument("file")
def add(run: CommandContext, file: str) -> int | None:
    """Index FILE now: a Markdown file of the memory, or a transcript in its agent's folder.

    Files elsewhere are refused, because the next sync would remove them again; the message names the right command.
    """
    return _add_file(run, file)


def _add_file(run: CommandContext, file: str) -> int | None:
    from recall_tui.features.health.add_file import find_record, resolve_request
    from recall_tui.storage.state.tombstones import shell_words

    bench = run.open()
    one = resolve_request(bench.store, run.path(file))
    before = find_record(bench.index, one)
    done = sync_index(run, bench)
    known = find_record(bench.index, one)
    if known is None or done.is_skipped:
        raise LockedError("another process is indexing", hint=f"its results will be found; or run again: add {file}")
    if known.failed:
        raise BrokenFileError(f"{known.path}: {known.failed}", hint="fix it; each sync tries again")
    is_new = before is None or (before.hash, before.size) != (known.hash, known.size)
    facts = {"file": known.path, "kind": known.kind, "passages": known.passages, "session_id": known.session or None}
    if run.json:
        run.out.document({**facts, "title": known.title, "is_new": is_new, "has_body": known.has_body})
        return None
    count = f"{known.passages} passage{'' if known.passages == 1 else 's'}"
    words = "Added" if is_new else "Indexed before"
    run.out.line(run.out.style(one_line(f"{words}: {known.path} ({known.kind}, {count})")))
    if not known.has_body:
        run.out.note("its words are found by its transcript; of the archive itself summary and tags are indexed")
    elif known.passages:
        run.out.note(one_line(f"find it: recall-tui search {shell_words(f'{known.title} kind:{known.kind}')}"))
    else:
        run.out.note("nothing in it can be searched for")
    return None


def _print_refresh(
    run: CommandContext, done: RefreshResult, built: BuildResult | None, left: CatchUpResult | None = None
) -> int | None:
    rows = _pending_rows(left) if left else []
    for row in () if run.json else rows:
        why = f": {row['why']}" if row["why"] else ""
        run.out.line(one_line(f"{row['did']} {row['session_id']} ({row['kind']}{why})"))
    if run.json:
        counted = {"added": done.added, "changed": done.changed, "removed": done.removed, "failed": done.failed}
        took = round(done.took * 1000, 1)
        facts: dict[str, object] = {**counted, "passages": done.passages}
        facts |= {"took_ms": took, "is_skipped": done.is_skipped, **({"pending": rows} if rows else {})}
        run.out.document({**facts, "vectors": _build_as_json(built)} if built else facts)
    elif done.is_skipped:
        run.out.note("another process is indexing; its results will be found")
    else:
        counts = f"{done.added} added, {done.changed} changed, {done.removed} removed, {done.failed} failed"
        run.out.line(f"{counts}; {done.passages:,} passages written in {done.took:.1f} s")
        if built and (built.rows or built.dropped):
            run.out.line(f"vectors: {built.rows} rows made, {built.dropped} batches left, in {built.took:.1f} s")
    if built and built.is_skipped:
        run.out.note("another process makes vectors")
    if done.failed:
        run.out.note("which could not be read, and why: recall-tui index status")
    return 1 if done.failed else None


def _build_as_json(built: BuildResult) -> dict[str, object]:
    counts: dict[str, object] = {
        "embedded": built.embedded,
        "rows": built.rows,
        "dropped": built.dropped,
        "missing": built.missing,
    }
    return counts | {"took_ms": round(built.took * 1000, 1), "is_skipped": built.is_skipped}


def _print_coverage(run: CommandContext, bench: Workbench) -> int | None:
    from recall_tui.features.health import embeddings
    from recall_tui.index.maintenance.disk_state import read_disk_state

    covered, found = bench.index.coverage(bench.store), read_disk_state(bench.index, bench.store)
    vectors = embeddings.find_coverage(bench.store, bench.index)
    if run.json:
        facts = _coverage_as_json(bench, covered, found)
        run.out.document({**facts, "vectors": _vectors_as_json(vectors)} if vectors else facts)
    else:
        _print_report(run, bench, covered, found, vectors)
    if vectors and (vectors.trouble or vectors.missing):
        run.out.note(one_line(vectors.advice) or "some passages wait for vectors; run: recall-tui sync")
    if covered.trouble:
        run.out.note(f"{one_line(covered.trouble)}; run: recall-tui sync")
    elif progress := bench.index.build_progress():
        run.out.note(f"{progress.label(bench.store.now())}; run: recall-tui sync")
    elif covered.is_busy:
        run.out.note("another process is indexing; ask again when it is done")
    elif not covered.sources:
        run.out.note("nothing is indexed yet; run: recall-tui sync")
    elif not found.is_current:
        run.out.note("some of it has changed since it was indexed; run: recall-tui sync")
    elif covered.failed:
        run.out.note("what failed is tried again at each sync")
    return None if covered.is_whole and covered.sources and found.is_current else 1


def _coverage_as_json(bench: Workbench, covered: Coverage, found: DiskState) -> dict[str, object]:
    from recall_tui.features.capture.retention import agent_retention

    failures, faulty = bench.index.failures(bench.store), bench.index.faulty(bench.store)
    return {
        "sources": covered.sources,
        "indexed": covered.indexed,
        "failed": covered.failed,
        "passages": covered.passages,
        "stored": covered.stored,
        "is_whole": covered.is_whole,
        "gone": covered.gone,
        "faulty": covered.faulty,
        "folder": bench.index.folder,
        "on_disk": found.count,
        "not_indexed": found.new,
        "stale": found.stale,
        "is_current": found.is_current,
        "failures": [{"path": one.path, "line": one.failed_line, "reason": one.failed} for one in failures],
        "faults": [
            {"path": one.path, "line": one.fault_line, "reason": one.fault, "lines": one.faults} for one in faulty
        ],
        "stretches": covered.stretches,
        "stored_stretches": covered.stored_stretches,
        "bytes": covered.bytes,
        "refreshed_at": covered.refreshed_at or None,
        "own": _own_as_json(bench, covered),
        "is_busy": covered.is_busy,
        "trouble": covered.trouble,
        "retention": [{"agent": one.agent, **one.retention._asdict()} for one in agent_retention(bench.store)],
    }


def _own_as_json(bench: Workbench, covered: Coverage) -> dict[str, int]:
    """What the memory's questions are answered from, as `status --json` counts it."""
    own = covered if covered.damage else bench.index.own_totals(bench.store)
    return {"sources": own.sources, "indexed": own.indexed, "passages": own.passages}


def _vectors_as_json(vectors: VectorCoverage) -> dict[str, object]:
    return {**asdict(vectors), "is_whole": vectors.is_whole, "trouble": vectors.trouble}


def _print_report(
    run: CommandContext, bench: Workbench, covered: Coverage, found: DiskState, vectors: VectorCoverage | None
) -> None:
    from recall_tui.features.capture.retention import agent_retention
    from recall_tui.features.health.index_problems import describe_failure, describe_read_error

    others = ((len(found.new), "not indexed yet"), (len(found.stale), "changed since"), (found.failed, "failed"))
    counts = [f"{found.count - sum(count for count, _ in others)} indexed"]
    counts += [f"{count} {what}" for count, what in others if count]
    _print_line(run, "sources", f"{found.count:,} on disk: {', '.join(counts)}")
    if covered.gone:
        _print_line(run, "kept", f"{covered.gone} that are gone from the disk")
    if kept := ", ".join(f"{one.title} {one.retention.describe()}" for one in agent_retention(bench.store)):
        _print_line(run, "agents keep", kept)
    _print_line(run, "passages", f"{covered.passages:,} in the catalogue, {covered.stored:,} in the text index")
    if not covered.damage and (own := bench.index.own_totals(bench.store)).passages != covered.passages:
        _print_line(run, "own", f"{own.passages:,} of them, in {own.sources:,} sources, are this memory's")
    if vectors:
        _print_line(run, "vectors", vectors.told)
    _print_line(run, "size", f"{format_size(covered.bytes)} in {bench.index.folder}")
    _print_line(run, "up to date", covered.refreshed_at or "never")
    _print_paths(run, "new", found.new)
    _print_paths(run, "changed", found.stale)
    for kind, told in (
        ("failed", map(describe_failure, bench.index.failures(bench.store))),
        ("faulty", map(describe_read_error, bench.index.faulty(bench.store))),
    ):
        for where, reason in told:
            _print_line(run, kind, f"{where}: {reason}")


def _print_paths(run: CommandContext, name: str, paths: Sequence[str]) -> None:
    for path in paths[:MAX_LISTED_SOURCES]:
        _print_line(run, name, path)
    if len(paths) > MAX_LISTED_SOURCES:
        _print_line(run, name, f"and {len(paths) - MAX_LISTED_SOURCES} more")


def _print_line(run: CommandContext, name: str, words: str) -> None:
    run.out.line(f"{name:<11} {run.out.style(one_line(words))}")
