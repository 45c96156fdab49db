"""What a page rests on: every place where it names a document, a session or a day that it speaks of.

Only how a page writes it is read; whether it is there is looked up without opening it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from recall_tui.storage.inventory import MIGRATED_FOLDER
from recall_tui.storage.layout import Layout
from recall_tui.storage.markdown.frontmatter import split_frontmatter
from recall_tui.text.dates import valid_day

MAX_PAGE_CHARS = 200_000
"""Characters of a page that are looked through."""
MAX_CITATIONS = 500
"""Citations of a page."""
_LIST_KEYS = ("pointers", "sources")
"""The frontmatter keys under which a page lists what it was made from."""
_CITATION_FORMS = re.compile(
    r"\[\[(?P<wiki>[^\[\]\n]{1,200})\]\]"
    r"|\]\((?P<link>[^()\s]{1,300})\)"
    r"|\[(?P<tag>session-ref|day):(?P<values>[^\[\]\n]{1,300})\]"
    r"|(?<![\w/.-])(?P<path>(?:[\w.-]+/){0,6}[\w.-]+\.md)(?::(?P<lines>\d{1,7}(?:[-–]\d{1,7})?))?(?![\w/])"
    r"|(?<![\w/.-])(?P<name>(?:conversation|archive-log)-\d{3,9})(?![\w-]|\.\w)"
)
_LINE_SUFFIX = re.compile(r"(?::|#L)(\d{1,7})(?:[-–]L?(\d{1,7}))?$")
URL_SCHEME = re.compile(r"(?!migration:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_MIGRATED = re.compile(r"migration:\d{4}-\d{2}-\d{2}:(?=[^/\\]+$)")
"""Before the name of a typed memory that became a page, and that lies in the archive since."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One thing that a page rests on."""

    words: str
    """As the page names it."""
    reference: str = ""
    """By what its document is found; empty for a day."""
    day: date | None = None
    lines: tuple[int, int] | None = None
    """Its lines, from 1, when the page says which."""
    weight: str = ""
    """How much of the page it is, where the page says so."""
    is_there: bool = True
    """False when it names a file that does not exist."""
    session: str = ""
    """The session that it names, on one line; see `session_label.name_sessions`."""
    is_proposed: bool = False
    """The file does not exist yet, and a proposal that waits makes it."""


def citations(layout: Layout, text: str) -> tuple[Citation, ...]:
    """What the page rests on, each thing once: first what it lists at its head, then what it names, in its order."""
    values, body = split_frontmatter(text[:MAX_PAGE_CHARS])
    found: dict[object, Citation] = {}
    for one in (*_listed_citations(layout, values), *_named_citations(layout, body)):
        found.setdefault((one.reference, one.day, one.lines), one)
        if len(found) == MAX_CITATIONS:
            break
    return tuple(found.values())


def _listed_citations(layout: Layout, values: Mapping[str, object]) -> Iterator[Citation]:
    weights = values.get("salience")
    for name in _LIST_KEYS:
        listed = values.get(name)
        for one in listed if isinstance(listed, list) else ():
            uri = one.get("uri", one.get("source", "")) if isinstance(one, dict) else one
            if isinstance(uri, str) and uri.strip():
                weight = weights.get(uri, "") if isinstance(weights, dict) else ""
                yield resolve_path(layout, uri.strip(), str(weight) if isinstance(weight, int | float) else "")


def _named_citations(layout: Layout, body: str) -> Iterator[Citation]:
    for match in _CITATION_FORMS.finditer(body):
        if wiki := match["wiki"]:
            yield _resolve_wiki_link(layout, wiki)
        elif link := match["link"]:
            if not URL_SCHEME.match(link) and not link.startswith("#") and ".md" in link:
                yield resolve_path(layout, link)
        elif tag := match["tag"]:
            yield from _resolve_tag(tag, match["values"])
        elif path := match["path"]:
            yield resolve_path(layout, f"{path}:{match['lines']}" if match["lines"] else path)
        else:
            yield Citation(match["name"], match["name"])


def resolve_path(layout: Layout, words: str, weight: str = "") -> Citation:
    """What a path means, perhaps with lines at its end, in any place where the memory keeps pages."""
    lines = _LINE_SUFFIX.search(words)
    reference = words[: lines.start()] if lines else words.partition("#")[0]
    reference = _MIGRATED.sub(f"{MIGRATED_FOLDER}/", reference)
    span = (int(lines[1]), max(int(lines[1]), int(lines[2] or lines[1]))) if lines else None
    # A design names a day or an archive without its ending.
    forms = (reference,) if reference.endswith(".md") else (reference, f"{reference}.md")
    found = (_path_inside(layout, place, form) for form in forms for place in _search_folders(layout))
    name = next(filter(None, found), "") if reference else ""
    return Citation(words, name or reference, lines=span, weight=weight, is_there=bool(name))


def _search_folders(layout: Layout) -> Iterator[Path]:
    """Where a name may be meant, the nearest first."""
    yield from (layout.root, layout.base, layout.weekly, layout.monthly, layout.days, layout.topics)
    yield from (place.folder for place in layout.archives)
    if layout.summaries is not None:
        yield layout.summaries


def _path_inside(layout: Layout, place: Path, reference: str) -> str:
    """The file of that name in a place, from the root on; empty when there is none or it is no part of the memory."""
    root = layout.root.resolve()
    try:
        path = (place / reference).resolve()
        return path.relative_to(root).as_posix() if path.is_relative_to(root) and path.is_file() else ""
    except (OSError, ValueError):
        return ""


def _resolve_wiki_link(layout: Layout, words: str) -> Citation:
    slug = words.partition("|")[0].strip().removeprefix("wiki:")
    if slug.endswith(".md") or "/" in slug:
        return resolve_path(layout, slug)
    page = _path_inside(layout, layout.wiki, f"{slug}.md")
    return Citation(f"[[{words}]]", page or f"{slug}.md", is_there=bool(page))


def _resolve_tag(tag: str, values: str) -> Iterator[Citation]:
    for value in filter(None, map(str.strip, values.split(","))):
        if tag == "session-ref":
            yield Citation(f"session {value}", value)
        elif day := _parse_day(value):
            yield Citation(value, day=day)


def _parse_day(text: str) -> date | None:
    try:
        return valid_day(date.fromisoformat(text))
    except ValueError:
        return None
