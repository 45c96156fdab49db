"""Looking at the wiki: `wiki list`, `show`, `lint`, `targets`, `status`.

Nothing here changes anything; a page that cannot be read is said and keeps no other from being shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from recall_tui.cli.click_ext import CommandContext, command
from recall_tui.cli.commands.report import EXIT_NOTHING
from recall_tui.cli.output import one_line
from recall_tui.storage.documents.wiki_page import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from recall_tui.storage.documents.shared_wikis import WikiLocation
    from recall_tui.storage.documents.wiki_folder import Wiki
    from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim, WikiPage
    from recall_tui.storage.memory_context import Store

_DEFAULT_NAME = "Agent"
"""Who it is when nothing says so."""
shared_option: Callable[[Any], Any] = click.option(
    "--shared", metavar="NAME", default="", help="use this shared wiki of wiki.shared"
)


@command("list")
@shared_option
@click.option("--all", "is_all", is_flag=True, help="include every shared wiki")
@click.option("--stubs", is_flag=True, help="only pages with one source")
@click.option("--category", type=click.Choice(CATEGORIES), help="only pages of this category")
def list_(run: CommandContext, shared: str, is_all: bool, stubs: bool, category: str | None) -> int | None:
    """List the pages, without redirects."""
    from recall_tui.storage.documents.shared_wikis import read_wiki

    store = run.open().store
    found = [(one.name, read_wiki(store, one.folder)) for one in _select_wikis(store, shared, is_all)]
    rows = [
        _page_row(name, page)
        for name, one in found
        for page in one.own
        if (not stubs or page.is_stub) and category in (None, page.category)
    ]
    malformed = [
        {"target": name, "slug": bad.slug, "reason": bad.reason} for name, one in found for bad in one.malformed
    ]
    if run.json:
        run.out.document({"pages": rows, "malformed": malformed})
        return None if rows or malformed else EXIT_NOTHING
    for row in rows:
        stub = " (stub)" if row["is_stub"] else ""
        line = f"[{row['target']}] {row['slug']} [{row['category']}]{stub} — {row['description']}"
        run.out.line(run.out.style(one_line(line)))
    if not rows:
        run.out.note("no wiki pages; one begins with: recall-tui wiki stub SLUG --category CATEGORY")
    for bad in malformed:
        run.out.warn(one_line(f"[{bad['target']}] {bad['slug']} is not a wiki page: {bad['reason']}"))
    return None if rows or malformed else EXIT_NOTHING


@command()
@click.argument("slug")
@shared_option
def show(run: CommandContext, slug: str, shared: str) -> None:
    """Print the page SLUG: its description, superseded claims, backlinks and text."""
    from recall_tui.features.wiki.page_changes import open_wiki
    from recall_tui.storage.documents.conflicts import conflict_note
    from recall_tui.storage.documents.shared_wikis import expect_readable
    from recall_tui.storage.files.atomic import read_text

    store = run.open().store
    there = open_wiki(store, shared)
    if bad := next((one for one in there.malformed if one.slug == slug), None):
        expect_readable(store, there.folder, there.path(slug))
        text = read_text(there.path(slug))
        if run.json:
            run.out.document({"slug": slug, "malformed": bad.reason, "line": bad.line, "text": text})
        else:
            run.out.text(text)
            run.out.warn(one_line(f"{slug}.md is not a wiki page: {bad.reason} (line {bad.line})"))
        return
    page = there.page(slug)
    if run.json:
        run.out.document(_page_as_json(there, page, slug))
        return
    for line in _head_lines(there, page, slug):
        run.out.line(run.out.style(one_line(line)))
    run.out.line()
    run.out.text(page.body.strip("\n") + "\n")
    if note := conflict_note("wiki", read_text(there.path(page.slug))):
        run.out.note(note)


@command()
@shared_option
@click.option("--include-shared", is_flag=True, help="include every shared wiki")
def lint(run: CommandContext, shared: str, include_shared: bool) -> int | None:
    """List the wiki's problems by rule; exit 1 unless they are only old or unlinked pages."""
    from recall_tui.features.wiki.lint import ADVISORY_RULES, lint_target

    store = run.open().store
    found = [
        (one.name, finding)
        for one in _select_wikis(store, shared, include_shared)
        for finding in lint_target(store, one.name)
    ]
    code = None if ADVISORY_RULES.issuperset(finding.rule for _, finding in found) else 1
    if run.json:
        rows = [{"target": name, **finding._asdict()} for name, finding in found]
        run.out.document({"findings": rows, "count": len(rows)})
        return code
    for rule in dict.fromkeys(finding.rule for _, finding in found):
        those = [(name, finding) for name, finding in found if finding.rule == rule]
        run.out.line(run.out.style(f"{rule} ({len(those)})", bold=True))
        for name, finding in those:
            run.out.line("  " + run.out.style(one_line(f"[{name}] {finding.slug}:{finding.line} {finding.what}")))
    if not found:
        run.out.line("No issues found.")
    return code


@command()
def targets(run: CommandContext) -> None:
    """List the wikis of this memory: its own, then the shared ones in wiki.shared."""
    from recall_tui.storage.documents.shared_wikis import list_wikis as known

    found = known(run.open().store)
    if run.json:
        run.out.document({"targets": [one._asdict() for one in found]})
        return
    for one in found:
        run.out.line(run.out.style(one_line(f"{one.name} ({one.role}) — {one.folder}")))


@command()
def status(run: CommandContext) -> None:
    """Show the memory's owner, then the pages, stubs and categories of each wiki."""
    from recall_tui.storage.documents.shared_wikis import list_wikis as known
    from recall_tui.storage.documents.shared_wikis import read_wiki

    store = run.open().store
    name, role = _identity_labels(store)
    rows = [_wiki_counts(one, read_wiki(store, one.folder)) for one in known(store)]
    if run.json:
        run.out.document(
            {"identity": {"name": name or _DEFAULT_NAME, "role": role, "is_fallback": not name}, "targets": rows}
        )
        return
    missing = "IDENTITY.md says no name" if store.layout.identity.is_file() else "no IDENTITY.md"
    who = f"{name}{f' — {role}' if role else ''}" if name else f"{_DEFAULT_NAME} ({missing})"
    run.out.line(run.out.style(one_line(f"identity {who}")))
    for row in rows:
        by = ", ".join(f"{count} {category}" for category, count in row["categories"].items() if count)
        bad = f", {row['malformed']} malformed" if row["malformed"] else ""
        words = f"{row['target']} ({row['role']}): {row['pages']} pages, {row['stubs']} stubs{bad}"
        run.out.line(run.out.style(one_line(f"{words}{f'; {by}' if by else ''}")))


def _select_wikis(store: Store, shared: str, is_all: bool) -> tuple[WikiLocation, ...]:
    from recall_tui.storage.documents.shared_wikis import find_wiki
    from recall_tui.storage.documents.shared_wikis import list_wikis as known

    return known(store) if is_all else (find_wiki(store, shared),)


def _page_row(target: str, page: WikiPage) -> dict[str, object]:
    return {
        "target": target,
        "slug": page.slug,
        "category": page.category,
        "sources": len(page.sources),
        "is_stub": page.is_stub,
        "name": page.name,
        "description": page.description,
        "updated": page.updated,
    }


def _page_as_json(there: Wiki, page: WikiPage, asked: str) -> dict[str, object]:
    return {
        "slug": page.slug,
        "asked": asked,
        "name": page.name,
        "description": page.description,
        "category": page.category,
        "created": page.created,
        "updated": page.updated,
        "confidence": page.confidence,
        "is_stub": page.is_stub,
        "sources": [_source_row(one) for one in page.sources],
        "related": page.related,
        "contradicts": page.contradicts,
        "supersedes": [one._asdict() for one in page.supersedes],
        "backlinks": there.backlinks(page.slug),
        "links": [one._asdict() for one in page.links],
        "grounding": page.grounding,
        "body": page.body,
    }


def _source_row(source: PageSource) -> dict[str, object]:
    first, last = source.ref.lines or (0, -1)
    return {"uri": source.ref.document, "start": first, "lines": last - first + 1, "summary": source.summary}


def _head_lines(there: Wiki, page: WikiPage, asked: str) -> Iterable[str]:
    count = len(page.sources)
    yield f"# {page.name} [{page.category}] ({count} source{'' if count == 1 else 's'})"
    yield f"Slug: {page.slug}{f' (from {asked})' if asked != page.slug else ''}"
    yield f"Created: {page.created or '?'}  Updated: {page.updated or '?'}  Confidence: {page.confidence or '?'}"
    if page.description:
        yield f"Description: {page.description}"
    for source in page.sources:
        yield f"Source: {source.ref}{f' — {source.summary}' if source.summary else ''}"
    yield from map(_superseded_line, page.supersedes)
    for title, name in (("In no source", "unverified"), ("May be stale", "stale")):
        listed = page.grounding.get(name)
        yield from (
            (f"{title}: {words}" for words in listed if isinstance(words, str)) if isinstance(listed, list) else ()
        )
    for title, slugs in (("Related", page.related), ("Contradicts", page.contradicts)):
        if slugs:
            yield f"{title}: {', '.join(slugs)}"
    if back := there.backlinks(page.slug):
        yield f"Linked from: {', '.join(back)}"


def _superseded_line(one: SupersededClaim) -> str:
    then = f" → {one.by}" if one.by else ""
    return f"Superseded {one.on or '?'}: {one.fact or '(no words)'}{then} ({one.source})"


def _wiki_counts(target: WikiLocation, there: Wiki) -> dict[str, Any]:
    own = there.own
    return {
        "target": target.name,
        "role": target.role,
        "folder": target.folder,
        "pages": len(own),
        "stubs": sum(page.is_stub for page in own),
        "malformed": len(there.malformed),
        "categories": {category: sum(page.category == category for page in own) for category in CATEGORIES},
    }


def _identity_labels(store: Store) -> tuple[str, str]:
    """The name and the first paragraph of the role, on one line; empty when there is none."""
    from recall_tui.storage.documents.identity import read_identity

    who = read_identity(store)
    return one_line(who.name), one_line(who.role.strip().partition("\n\n")[0])
