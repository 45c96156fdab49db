"""A wiki page: a subject, what is known of it, and the source of each part.

Pages of the published design are read in every format it writes, and it reads what we write. An unreadable page is
reported with line and reason, and its text is never changed.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from recall_tui.domain.documents import SourceRef
from recall_tui.storage.documents.topic_files import is_device
from recall_tui.storage.markdown import frontmatter, frontmatter_edit
from recall_tui.storage.markdown.outline import line_kinds, split_lines
from recall_tui.text.lazy_pattern import lazy_pattern

Category = Literal["entity", "concept", "project", "reference", "theme"]
CATEGORIES: tuple[Category, ...] = ("entity", "concept", "project", "reference", "theme")
Confidence = Literal["high", "medium", "low"]
INDEX_SLUG = "index"
"""The slug that no page may have."""
OWN_WIKI_NAMES = ("", "wiki")
"""Names in a link that mean the wiki of the page itself."""
MAX_SLUG_CHARS = 80
_SLUG = lazy_pattern(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LINK = lazy_pattern(r"\[\[([^\[\]|\n]{1,200})(?:\|([^\[\]\n]{0,200}))?\]\]")
_OWN_KEYS = (
    "name",
    "description",
    "type",
    "category",
    "slug",
    "created",
    "updated",
    "sources",
    "related",
    "confidence",
    "contradicts",
    "supersedes",
    "grounding",
    "redirect_to",
)


class PageSource(NamedTuple):
    """A source of a page, as its frontmatter lists it."""

    ref: SourceRef
    """A document of the memory, or any other name, and the lines."""
    summary: str = ""
    """Its content in one line."""


class SupersededClaim(NamedTuple):
    """A claim that is no longer true."""

    source: str
    """The document that supersedes it."""
    fact: str = ""
    """The claim as it was written."""
    on: str = ""
    """ISO date from which it is no longer true."""
    by: str = ""
    """The claim that replaces it; empty when unknown."""


class WikiLink(NamedTuple):
    """A link to another page in a page's text."""

    slug: str
    target: str
    """The wiki it names, such as `wiki` or `private`; empty for the page's own."""
    text: str
    """The displayed text."""
    line: int
    """The line, from 1, in the text that was searched."""


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A parsed page."""

    slug: str
    name: str
    description: str
    category: Category
    sources: tuple[PageSource, ...]
    body: str
    created: str = ""
    """An ISO date."""
    updated: str = ""
    related: tuple[str, ...] = ()
    confidence: str = ""
    contradicts: tuple[str, ...] = ()
    supersedes: tuple[SupersededClaim, ...] = ()
    grounding: Mapping[str, object] = field(default_factory=dict)
    redirect_to: str = ""
    """The slug of the page that replaces this one; empty for a page of its own."""
    extra: Mapping[str, object] = field(default_factory=dict)
    """Other frontmatter values; they are preserved."""
    body_line: int = field(default=1, compare=False)
    """The line of the file, from 1, where the body begins."""

    @property
    def is_stub(self) -> bool:
        """Return whether it has at most one source document."""
        return len({source.ref.document for source in self.sources}) <= 1

    @property
    def links(self) -> tuple[WikiLink, ...]:
        """The links in its text."""
        return find_links(self.body)


@dataclass(frozen=True, slots=True)
class InvalidPage:
    """A file of the wiki that is not a valid page."""

    slug: str
    reason: str
    line: int = 1
    """The line of the error, from 1."""


def is_slug(text: str) -> bool:
    """Return whether a page may have this slug: lower-case letters and digits, single hyphens, no device name."""
    return (
        len(text) <= MAX_SLUG_CHARS and text != INDEX_SLUG and _SLUG.fullmatch(text) is not None and not is_device(text)
    )


def make_slug(words: str) -> str:
    """Return the slug for a name, `Token Refresh (v2)` → `token-refresh-v2`; empty when it has no usable characters."""
    import unicodedata

    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    slug = "-".join(re.findall(r"[a-z0-9]+", plain))[:MAX_SLUG_CHARS].strip("-")
    return slug if is_slug(slug) else ""


def parse_wiki_page(text: str, slug: str) -> WikiPage | InvalidPage:
    """Parse the file `<slug>.md`."""
    values, body = frontmatter.split_frontmatter(text)
    if not values:
        return InvalidPage(slug, "it has no frontmatter")
    if not frontmatter.is_lossless(text):
        return InvalidPage(slug, "its frontmatter is no YAML")
    category = _text(values.get("category"))
    if category not in CATEGORIES:
        reason = f"its category is {category}" if category else "it has no category"
        return InvalidPage(slug, f"{reason}; one of {', '.join(CATEGORIES)}", _line(text, "category"))
    return WikiPage(
        slug=_text(values.get("slug")) or slug,
        name=_text(values.get("name")) or slug,
        description=_text(values.get("description")),
        category=category,
        sources=tuple(_parse_sources(values.get("sources"))),
        body=body,
        created=_day(values.get("created")),
        updated=_day(values.get("updated")),
        related=_texts(values.get("related")),
        confidence=_text(values.get("confidence")),
        contradicts=_texts(values.get("contradicts")),
        supersedes=tuple(_parse_superseded(values.get("supersedes"))),
        grounding=_grounding_mapping(values.get("grounding")),
        redirect_to=_text(values.get("redirect_to") or values.get("redirectTo")),
        extra={key: value for key, value in values.items() if key not in (*_OWN_KEYS, "redirectTo")},
        body_line=text.count("\n", 0, len(text) - len(body)) + 1,
    )


def render_wiki_page(page: WikiPage) -> str:
    """Render the page as a file."""
    return frontmatter.join_frontmatter(_values(page), page.body)


def rewrite_page(held: str, page: WikiPage) -> str:
    """Rewrite a page's file: change only the frontmatter values that differ, and keep everything else in place."""
    was, body = frontmatter.split_frontmatter(held)
    values = {key: value for key, value in _values(page).items() if value or key in was}
    if parse_wiki_page(held, page.slug) == page:
        return held
    changed = {key: value for key, value in values.items() if key not in was or was[key] != value}
    changed |= {key: values[key] for key in ("created", "updated") if key in values and _is_unquoted(held, key)}
    gone = [key for key in was if key not in values]
    made = frontmatter_edit.with_values(held[: len(held) - len(body)] + page.body, changed, gone)
    return made if made is not None and parse_wiki_page(made, page.slug) == page else render_wiki_page(page)


def _values(page: WikiPage) -> dict[str, object]:
    """Return the page's frontmatter."""
    values: dict[str, object] = {
        "name": page.name,
        "description": page.description,
        "type": "wiki",
        "category": page.category,
        "slug": page.slug,
        "created": page.created,
        "updated": page.updated,
        "sources": _render_sources(page.sources),
    }
    optional: dict[str, object] = {
        "related": list(page.related),
        "confidence": page.confidence,
        "contradicts": list(page.contradicts),
        "supersedes": [_render_superseded(one) for one in page.supersedes],
        "grounding": dict(page.grounding),
        "redirect_to": page.redirect_to,
    }
    values |= {key: value for key, value in optional.items() if value}
    return {**values, **page.extra}


def _is_unquoted(held: str, key: str) -> bool:
    """Return whether a day is unquoted in the file; other readers parse that as a time rather than text."""
    return frontmatter_edit.raw_line(held, key).partition(":")[2].strip()[:1].isdigit()


def with_source(page: WikiPage, source: PageSource) -> WikiPage:
    """Return the page with the source added, unless its place is listed already."""
    if source.ref in {one.ref for one in page.sources}:
        return page
    return replace(page, sources=(*page.sources, source))


def find_links(text: str) -> tuple[WikiLink, ...]:
    """Return the links in a text, except those in code."""
    lines = split_lines(text)
    found: list[WikiLink] = []
    for number, (line, kind) in enumerate(zip(lines, line_kinds(lines), strict=True), 1):
        if kind != "code":
            found += (link._replace(line=number) for _, _, link in find_line_links(line))
    return tuple(found)


def find_line_links(line: str) -> Iterator[tuple[int, int, WikiLink]]:
    """Yield the links in a line that is not code, each with its start and end."""
    for match in _LINK.finditer(_without_code(line)):
        target, slug = _split_target(match[1])
        yield match.start(), match.end(), WikiLink(slug, target, (match[2] or slug).strip() or slug, 1)


def retarget_links(text: str, old: str, new: str) -> str:
    """Redirect links to one page of the own wiki to another; their displayed text stays the same."""

    def one(match: re.Match[str], line: str) -> str:
        # Inline code is blanked in the match, so take the text from the line.
        link, name, label = (line[slice(*match.span(part))] for part in range(3))
        target, slug = _split_target(name)
        if slug != old or target not in OWN_WIKI_NAMES:
            return link
        lead = f"{target}:" if target else ""
        shown = f"|{label}" if match[2] is not None else f"|{name}" if not target else ""
        return f"[[{lead}{new}{shown}]]"

    def mended(line: str) -> str:
        parts: list[str] = []
        end = 0
        for match in _LINK.finditer(_without_code(line)):
            parts += (line[end : match.start()], one(match, line))
            end = match.end()
        return "".join((*parts, line[end:]))

    lines = split_lines(text)
    return "".join(
        line if kind == "code" else mended(line) for line, kind in zip(lines, line_kinds(lines), strict=True)
    )


def _split_target(words: str) -> tuple[str, str]:
    target, colon, slug = words.strip().rpartition(":")
    return (target.strip(), slug.strip()) if colon else ("", words.strip())


def _without_code(line: str) -> str:
    """Blank inline code: text between two equally long runs of backticks. Linear in the length of the line."""
    if "`" not in line:
        return line
    runs = [match.span() for match in re.finditer("`+", line)]
    alike: dict[int, list[int]] = {}
    for place, (start, stop) in enumerate(runs):
        alike.setdefault(stop - start, []).append(place)
    parts: list[str] = []
    end = place = 0
    while place < len(runs):
        start, stop = runs[place]
        same = alike[stop - start]
        closing = bisect_right(same, place)
        if closing < len(same):
            place = same[closing]
            parts += (line[end:start], " " * (runs[place][1] - start))
            end = runs[place][1]
        place += 1
    return "".join((*parts, line[end:]))


def _parse_sources(value: object) -> Iterator[PageSource]:
    for one in value if isinstance(value, list) else [value] if isinstance(value, str) and value else []:
        if isinstance(one, str) and one.strip():
            yield PageSource(SourceRef(one.strip()))
        elif isinstance(one, dict) and (uri := _text(one.get("uri") or one.get("source"))):
            first, lines = _integer(one.get("from")), _integer(one.get("lines"))
            ref = SourceRef(uri, first, first + lines - 1) if first >= 1 and lines >= 1 else SourceRef(uri)
            yield PageSource(ref, _text(one.get("summary")))


def _render_sources(sources: tuple[PageSource, ...]) -> list[object]:
    """Return plain names, unless a source has lines or a summary."""
    if not any(source.ref.lines or source.summary for source in sources):
        return [source.ref.document for source in sources]
    return [_render_source(source) for source in sources]


def _render_source(source: PageSource) -> dict[str, object]:
    told: dict[str, object] = {"uri": source.ref.document}
    if source.ref.lines:
        told |= {"from": source.ref.first, "lines": source.ref.last - source.ref.first + 1}
    return told | ({"summary": source.summary} if source.summary else {})


def _parse_superseded(value: object) -> Iterator[SupersededClaim]:
    for one in value if isinstance(value, list) else []:
        if isinstance(one, str) and one.strip():
            yield SupersededClaim(one.strip())
        elif isinstance(one, dict) and (source := _text(one.get("source") or one.get("uri"))):
            day = _day(one.get("supersededOn") or one.get("superseded_on"))
            yield SupersededClaim(source, _text(one.get("fact")), day, _text(one.get("by")))


def _render_superseded(one: SupersededClaim) -> dict[str, object]:
    told = {"source": one.source, "fact": one.fact, "supersededOn": one.on, "by": one.by}
    return {key: value for key, value in told.items() if value}


def _grounding_mapping(value: object) -> dict[str, object]:
    """Return the grounding with keys as in the published design."""
    names = {"verified_on": "verifiedOn"}
    return {names.get(str(key), str(key)): one for key, one in value.items()} if isinstance(value, dict) else {}


def _integer(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _text(value: object) -> str:
    return str(value).strip() if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _day(value: object) -> str:
    """Return an ISO date; of a time, its day."""
    text = _text(value)
    return text[:10] if re.match(r"\d{4}-\d{2}-\d{2}", text) else ""


def _texts(value: object) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    return tuple(dict.fromkeys(filter(None, map(_text, listed))))


def _line(text: str, key: str) -> int:
    """Return the frontmatter line with the key, from 1; the first when there is none."""
    for number, line in enumerate(text.split("\n")[:200], 1):
        if line.startswith(f"{key}:"):
            return number
    return 1
