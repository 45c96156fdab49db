"""Changing the wiki: pages begun, added to, put in order, made one, renamed, superseded; older notes taken in.

Every change is one entry of the journal. What touches many files is shown and asked about first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.commands.forget import EXIT_DECLINED, is_confirmed
from recall_tui.cli.commands.wiki_read import shared_option
from recall_tui.cli.output import one_line
from recall_tui.errors import UsageError
from recall_tui.memory import bound
from recall_tui.storage.documents.wiki_page import CATEGORIES

if TYPE_CHECKING:
    from recall_tui.domain import Plan
    from recall_tui.storage.documents.wiki_folder import Wiki
    from recall_tui.storage.documents.wiki_page import PageSource
    from recall_tui.workbench import Workbench

_dry_option: Callable[[Any], Any] = click.option("--dry-run", is_flag=True, help="preview the change without making it")
_yes_option: Callable[[Any], Any] = click.option("--yes", is_flag=True, help="skip the confirmation")


@command()
@click.argument("slug")
@click.option("--category", type=click.Choice(CATEGORIES[:-1]), required=True, help="the page's category")
@click.option("--name", default="", help="the page's name (default: from the slug)")
@click.option("--description", default="", help="a one-line description (default: the first sentence)")
@click.option("--lede", default="", help="the opening text")
@click.option("--why", default="", help="for a concept or a project: the reason")
@click.option("--how-to-apply", default="", help="for a concept or a project: the consequence")
@click.option("--where", default="", help="for a reference: its location")
@click.option("--when", default="", help="for a reference: its use")
@click.option("--source", default="", metavar="DOCUMENT[:LINES]", help="the source (default: today's log)")
@shared_option
@_dry_option
def stub(
    run: CommandContext,
    slug: str,
    category: Any,
    name: str,
    description: str,
    lede: str,
    source: str,
    shared: str,
    **more: Any,
) -> None:
    """Start the page SLUG; concepts and projects take --why and --how-to-apply, references --where and --when."""
    from recall_tui.features.wiki import page_changes

    bench = run.open()
    given = {
        "Why": more["why"],
        "How to apply": more["how_to_apply"],
        "Where to find it": more["where"],
        "When to use it": more["when"],
    }
    wanted = page_changes.PART_LABELS[category]
    if stray := [label for label, words in given.items() if words and label not in wanted]:
        raise UsageError(
            f"a page of category {category} has no part {stray[0]!r}", hint=f"its parts: {_join_labels(wanted)}"
        )
    parts = {label: given[label] for label in wanted}
    begun = page_changes.NewPage(slug, category, _get_source(bench, source), name, description, lede, parts)
    _apply_change(run, bench, more["dry_run"], page_changes.stub, begun, shared)


@command()
@click.argument("slug")
@click.option("--source", required=True, metavar="DOCUMENT[:LINES]", help="the source of the text")
@click.option("--body", required=True, metavar="TEXT", help="the text to add")
@shared_option
@_dry_option
def append(run: CommandContext, slug: str, source: str, body: str, shared: str, dry_run: bool) -> None:
    """Add a fragment and its source to the page SLUG."""
    from recall_tui.features.wiki import page_changes

    bench = run.open()
    _apply_change(run, bench, dry_run, page_changes.append, slug, body, _get_source(bench, source), (), shared)


@command()
@click.argument("slug")
@click.option("--source", required=True, metavar="DOCUMENT", help="the evidence")
@click.option("--fact", default="", help="the outdated claim, as it was written")
@click.option("--by", "then", default="", metavar="FACT", help="the claim that replaces it")
@click.option("--on", "day", default="", metavar="DATE", help="the day it became outdated (default: the evidence's)")
@shared_option
@_dry_option
def supersede(
    run: CommandContext, slug: str, source: str, fact: str, then: str, day: str, shared: str, dry_run: bool
) -> None:
    """Mark a claim of the page SLUG as outdated, with its evidence and the date."""
    from recall_tui.features.wiki import page_changes
    from recall_tui.storage.documents.wiki_page import SupersededClaim

    since = run.since(day or None)
    bench = run.open()
    evidence = _get_source(bench, source)
    on = since.date().isoformat() if since else _day_of(bench, evidence) or run.now().date().isoformat()
    claim = SupersededClaim(str(evidence.ref), fact.strip(), on, then.strip())
    _apply_change(run, bench, dry_run, page_changes.supersede, slug, claim, shared)


def _day_of(bench: Workbench, evidence: PageSource) -> str:
    """The day of the document that the evidence stands in; empty when it tells none."""
    from recall_tui.features.grounding.evidence import document_day
    from recall_tui.features.wiki.page_sources import open_source

    opened = open_source(bench.store, evidence)
    return document_day(opened.reference, opened.text) if opened else ""


@command()
@click.argument("source", metavar="FROM")
@click.argument("into", metavar="INTO")
@shared_option
@_dry_option
@_yes_option
def merge(run: CommandContext, source: str, into: str, shared: str, dry_run: bool, yes: bool) -> int | None:
    """Merge the page FROM into the page INTO; links are updated, and FROM stays as a redirect."""
    from recall_tui.features.wiki import page_changes

    return _confirm_change(run, "Merge them?", dry_run, yes, page_changes.merge, source, into, shared)


@command()
@click.argument("old")
@click.argument("new")
@shared_option
@_dry_option
@_yes_option
def rename(run: CommandContext, old: str, new: str, shared: str, dry_run: bool, yes: bool) -> int | None:
    """Rename the page OLD to NEW; links are updated, and OLD stays as a redirect."""
    from recall_tui.features.wiki import page_changes

    return _confirm_change(run, "Rename it?", dry_run, yes, page_changes.rename, old, new, shared)


@command()
@click.argument("slug", required=False)
@click.option("--all", "is_all", is_flag=True, help="every page with at least two sources")
@click.option("--agent", default="", metavar="MODEL", help="the model for this run, as in llm.dream; off: none")
@shared_option
@_dry_option
@_yes_option
def rebuild(run: CommandContext, slug: str | None, is_all: bool, agent: str, shared: str, **how: bool) -> int | None:
    """Rebuild the page SLUG from its sources: each statement once, with its lines, newest first.

    Text without a source stays. A configured model writes the page in sections, checked against the lines it cites;
    without one nothing is rephrased.
    """
    from recall_tui.features.wiki import rebuild as wiki_rebuild

    if is_all == (slug is not None):
        raise UsageError("which page is to be rebuilt?", hint="recall-tui wiki rebuild SLUG, or: --all")
    dry_run, yes = how["dry_run"], how["yes"]
    if slug is not None:
        told = _rebuild_with_model(run, [slug], agent, shared).get(slug, (None, ()))
        return _confirm_change(run, "Rebuild it?", dry_run, yes, wiki_rebuild.rebuild, slug, shared, *told)
    many = wiki_rebuild.rebuildable_pages(_open_wiki(run, shared))
    return _confirm_change(
        run,
        "Rebuild them?",
        dry_run,
        yes,
        wiki_rebuild.rebuild_all,
        shared,
        _rebuild_with_model(run, many, agent, shared),
    )


def _open_wiki(run: CommandContext, shared: str) -> Wiki:
    from recall_tui.features.wiki.page_changes import open_wiki

    return open_wiki(run.open().store, shared)


def _rebuild_with_model(
    run: CommandContext, slugs: Sequence[str], agent: str, shared: str
) -> dict[str, tuple[str, tuple[str, ...]]]:
    """What a model makes of the pages, as far as it answers; a page that it fails is said, with why."""
    from recall_tui.cli.model_option import has_model, with_provider
    from recall_tui.cli.sigint import catch_interrupt
    from recall_tui.errors import RecallError
    from recall_tui.features.wiki.rebuild_model import RebuiltPage, rebuild_with_model
    from recall_tui.llm.client import ModelClient, run_concurrently
    from recall_tui.llm.model import Failure

    store = with_provider(run.open(), agent).store
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    if not slugs or not has_model(run, store, "dream"):
        return found
    with catch_interrupt() as is_stopped:
        calls = ModelClient(store, is_stopped)

        def one(slug: str) -> RebuiltPage | Failure:
            try:
                return rebuild_with_model(store, slug, calls, shared)
            except RecallError as error:
                return Failure(error.message)

        run.out.note("asking the model for pages; Ctrl-C goes on without it")
        for slug, said in run_concurrently(one, slugs, store.config.whole("llm.concurrency"), is_stopped):
            if isinstance(said, Failure):
                run.out.note(one_line(f"{slug}: without a model: {said.reason}"))
                continue
            found[slug] = said.body, said.stale
            if said.left_out:
                run.out.note(
                    one_line(f"{slug}: {said.left_out} of the model's claims are in no line, and are left out")
                )
            if said.note:
                run.out.note(one_line(f"{slug}: {said.note}"))
    return found


@command("knowledge-map")
@_dry_option
def knowledge_map(run: CommandContext, dry_run: bool) -> None:
    """Update the Knowledge Map of WISDOM.md; the rest of the file stays unchanged."""
    from recall_tui.features.wiki.knowledge_map import plan_map

    _apply_change(run, run.open(), dry_run, plan_map)


@command("migrate-typed-memories")
@_dry_option
@_yes_option
def migrate_typed_memories(run: CommandContext, dry_run: bool, yes: bool) -> int | None:
    """Convert the files user_…, feedback_…, project_… and reference_… to pages; the originals move to the archive."""
    from recall_tui.features.wiki import import_notes

    return _confirm_change(run, "Migrate them?", dry_run, yes, import_notes.migrate_typed_memories)


@command("migrate-insights")
@_dry_option
@_yes_option
def migrate_insights(run: CommandContext, dry_run: bool, yes: bool) -> int | None:
    """Create the missing theme pages for insights in dreams/insights; the insights stay."""
    from recall_tui.features.wiki import import_notes

    return _confirm_change(run, "Migrate them?", dry_run, yes, import_notes.migrate_insights)


def _get_source(bench: Workbench, words: str) -> PageSource:
    """The source that a person names, as `read` takes it; by default the log of today."""
    from recall_tui.features.wiki.page_sources import get_page_source

    return get_page_source(bench.store, lambda: bench.index, words)


def _join_labels(labels: tuple[str, ...]) -> str:
    return ", ".join(labels) or "none"


def _apply_change(run: CommandContext, bench: Workbench, dry_run: bool, verb: Callable[..., Plan], *args: Any) -> None:
    """Make a change, or only show it."""
    seen = bench.preview(verb, *args)
    if dry_run:
        run.show(seen)
        return
    run.report(bench.apply(verb, *args), nothing=seen.title)
    _print_notes(run, seen)


def _confirm_change(
    run: CommandContext, question: str, dry_run: bool, yes: bool, verb: Callable[..., Plan], *args: Any
) -> int | None:
    """Show a change of several files, and make it when the person says so."""
    bench = run.open()
    seen = bench.preview(verb, *args)
    if dry_run:
        run.show(seen)
        return None
    if seen.edits and not yes:
        if not run.json:
            run.out.patch(run.diff(seen))
        if not is_confirmed(run, question):
            return EXIT_DECLINED
    run.report(bench.store.commit(bound(verb, *args), expected=seen), nothing=seen.title)
    _print_notes(run, seen)
    return None


def _print_notes(run: CommandContext, seen: Plan) -> None:
    for note in seen.notes:
        run.out.note(one_line(note))
