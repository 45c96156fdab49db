"""The wiki of a memory: pages, redirects, links and the index page.

A file that is not a page is listed as malformed and does not keep the others from being read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from recall_tui.errors import NotFoundError
from recall_tui.storage.documents.wiki_page import (
    INDEX_SLUG,
    OWN_WIKI_NAMES,
    Category,
    InvalidPage,
    WikiPage,
    parse_wiki_page,
)
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.markdown import frontmatter

_OUTSIDE_LINK = "it is a link that points outside the memory"
MAX_RECENT_PAGES = 10
CATEGORY_TITLES: Mapping[Category, str] = {
    "entity": "Entities",
    "concept": "Concepts",
    "project": "Projects",
    "reference": "References",
    "theme": "Themes",
}


@dataclass(frozen=True, slots=True)
class Wiki:
    """All pages of one folder, as read."""

    folder: Path
    pages: Mapping[str, WikiPage]
    """Pages by file name without `.md`, in order; it is their slug, even if the frontmatter says otherwise."""
    malformed: tuple[InvalidPage, ...] = ()
    drifted: Mapping[str, str] = field(default_factory=dict)
    """Slugs in frontmatter that differ from the file name, by file name."""

    def page(self, slug: str) -> WikiPage:
        """Return the page of that slug, following redirects; NotFoundError when there is none or they form a cycle."""
        seen: set[str] = set()
        while slug in self.pages and slug not in seen:
            seen.add(slug)
            page = self.pages[slug]
            if not page.redirect_to:
                return page
            slug = page.redirect_to
        if slug in seen:
            raise NotFoundError(f"{slug} is a redirect that leads back to itself", hint="recall-tui wiki lint")
        near = _similar_names(slug, self.pages)
        raise NotFoundError(
            f"the wiki has no page {slug}", hint=f"did you mean {near}?" if near else "see: recall-tui wiki list"
        )

    def is_circular(self, slug: str) -> bool:
        """Return whether the redirects from that page lead in a circle."""
        seen: set[str] = set()
        while slug in self.pages and slug not in seen:
            seen.add(slug)
            slug = self.pages[slug].redirect_to
        return slug in seen

    @property
    def own(self) -> tuple[WikiPage, ...]:
        """The pages that are not redirects."""
        return tuple(page for page in self.pages.values() if not page.redirect_to)

    def holds(self, slug: str) -> bool:
        """Return whether a file has that name: a page, a malformed file or the index."""
        return slug in self.pages or slug == INDEX_SLUG or any(one.slug == slug for one in self.malformed)

    def path(self, slug: str) -> Path:
        """Return the path of the page with that slug, existing or not."""
        return self.folder / f"{slug}.md"

    def backlinks(self, slug: str) -> tuple[str, ...]:
        """Return the slugs of the pages that link to it, in text or as related; not of those that became it."""
        return tuple(
            name
            for name, page in self.pages.items()
            if name != slug
            and not page.redirect_to
            and (slug in page.related or any(link.slug == slug for link in page.links if link.target in OWN_WIKI_NAMES))
        )


def read_folder(folder: Path, is_shut: Callable[[Path], bool] = lambda _: False) -> Wiki:
    """Read the wiki in the folder; empty when the folder is missing.

    Files for which `is_shut` is true are malformed.
    """
    pages: dict[str, WikiPage] = {}
    malformed: list[InvalidPage] = []
    drifted: dict[str, str] = {}
    for path in sorted(folder.glob("*.md")) if folder.is_dir() else ():
        if path.stem == INDEX_SLUG or not path.is_file():
            continue
        try:
            page = (
                InvalidPage(path.stem, _OUTSIDE_LINK) if is_shut(path) else parse_wiki_page(read_text(path), path.stem)
            )
        except OSError as error:
            page = InvalidPage(path.stem, error.strerror or str(error))
        if isinstance(page, InvalidPage):
            malformed.append(page)
        elif page.slug != path.stem:
            drifted[path.stem] = page.slug
            pages[path.stem] = replace(page, slug=path.stem)
        else:
            pages[path.stem] = page
    return Wiki(folder, pages, tuple(malformed), drifted)


def render_index(pages: Iterable[WikiPage], generated: date) -> str:
    """Render `index.md`: the pages by category, then the recently updated ones."""
    own = sorted((page for page in pages if not page.redirect_to), key=lambda page: page.slug)
    parts = ["# Wiki\n"]
    for category, title in CATEGORY_TITLES.items():
        those = [page for page in own if page.category == category]
        if those:
            parts.append(f"\n## {title} ({len(those)})\n\n" + "".join(map(_row, those)))
    newest = sorted(own, key=lambda page: (page.updated, page.slug), reverse=True)[:MAX_RECENT_PAGES]
    if newest:
        rows = (f"- {page.updated} [[{page.slug}]] ({_count_text(len(page.sources))})\n" for page in newest)
        parts.append("\n## Recent Updates\n\n" + "".join(rows))
    values = {"type": "wiki-index", "generated": generated.isoformat(), "total": len(own)}
    return frontmatter.join_frontmatter(values, "".join(parts))


def is_index_line(line: str) -> bool:
    """Return whether a line may belong to an index that we made."""
    return line.startswith(("---", "type:", "generated:", "total:", "# Wiki", "## ", "- [[")) or "[[" in line[:16]


def _row(page: WikiPage) -> str:
    description = f" — {page.description}" if page.description else ""
    return f"- [[{page.slug}]]{description}{' (stub)' if page.is_stub else ''}\n"


def _count_text(sources: int) -> str:
    return f"{sources} source{'' if sources == 1 else 's'}"


def _similar_names(slug: str, slugs: Iterable[str]) -> str:
    import difflib

    return next(iter(difflib.get_close_matches(slug, list(slugs), n=1)), "")
