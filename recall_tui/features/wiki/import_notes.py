"""Older notes as wiki pages: typed memories of `user_…`, `feedback_…` and the like, and insights of dreams.

No original is lost: typed memories go to the archive as they are, but for secrets, and insights stay where they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from recall_tui.domain import Create, Delete, Plan
from recall_tui.domain.documents import SourceRef
from recall_tui.features.wiki.page_changes import open_wiki, plan_pages
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Category, PageSource, WikiPage, make_slug
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.files.symlinks import list_documents
from recall_tui.storage.inventory import MIGRATED_FOLDER
from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.memory_context import Store
from recall_tui.text.cut import one_line, shorten
from recall_tui.text.markup import strip_markers
from recall_tui.text.secrets.redact import redact
from recall_tui.text.sentences import split_sentences

CATEGORY_OF: Mapping[str, Category] = {
    "user": "entity",
    "feedback": "concept",
    "project": "project",
    "reference": "reference",
}
INSIGHTS = Path("dreams") / "insights"
_TYPED_NAME = re.compile(rf"({'|'.join(CATEGORY_OF)})_(.+)")
_DAY = re.compile(r"(?<![\d-])\d{4}-\d{2}-\d{2}(?![\d-])")
_LEADING_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})-?")
_MAX_DESCRIPTION_CHARS = 160


@dataclass(slots=True)
class ImportedPages:
    """Pages on their way into the wiki."""

    wiki: Wiki
    pages: dict[str, WikiPage] = field(default_factory=dict)
    moves: list[Create | Delete] = field(default_factory=list)
    """What becomes of the originals."""
    notes: list[str] = field(default_factory=list)


def migrate_typed_memories(store: Store) -> Plan:
    """The plan that makes a page of every typed memory, and moves the original to the archive."""
    taken = ImportedPages(open_wiki(store))
    import_typed_memories(store, taken)
    return _build_plan(store, taken, "typed memor", "y", "ies")


def migrate_insights(store: Store) -> Plan:
    """The plan that makes a theme page of every insight of which there is none; the insights stay."""
    taken = ImportedPages(open_wiki(store))
    import_insights(store, taken)
    return _build_plan(store, taken, "insight", "", "s")


def _build_plan(store: Store, taken: ImportedPages, word: str, one: str, many: str) -> Plan:
    if not taken.pages:
        return Plan(f"there is no {word}{one} to migrate", notes=tuple(taken.notes), facts={"migrated": []})
    title = f"Migrated {_label_count(len(taken.pages), word, one, many)}"
    plan = plan_pages(store, taken.wiki, title, taken.pages, taken.notes)
    return replace(plan, edits=(*plan.edits, *taken.moves), facts={**plan.facts, "migrated": [*taken.pages]})


def import_typed_memories(store: Store, taken: ImportedPages) -> None:
    """Make a page of every typed memory of which none was made before."""
    for path, text, kind in _find_typed_memories(store):
        archived = store.layout.base / MIGRATED_FOLDER / path.name
        page = _typed_page(store, path, text, kind)
        if archived.exists():
            taken.notes.append(f"{path.name} was migrated before; it is left unchanged")
        elif page is None:
            taken.notes.append(f"{path.name}: it contains no usable page name; it is left unchanged")
        elif (slug := _free_slug(taken.wiki, taken.pages, page)) is None:
            taken.notes.append(f"{path.name}: the wiki has {page.slug} and {page.slug}-{page.category} already")
        else:
            taken.pages[slug] = replace(page, slug=slug)
            taken.moves += (Create(archived, redact(text)), Delete(path, content_digest(text)))


def import_insights(store: Store, taken: ImportedPages) -> None:
    """Make a page of every insight of which there is none."""
    for path in sorted(list_documents(store.layout, store.layout.base / INSIGHTS)):
        page = _theme_page(store, path)
        if page is None:
            taken.notes.append(f"{path.name}: it contains no usable page name; it is left unchanged")
        elif taken.wiki.holds(page.slug) or page.slug in taken.pages:
            taken.notes.append(f"{path.name}: the wiki has {page.slug} already")
        else:
            taken.pages[page.slug] = page


def _find_typed_memories(store: Store) -> Iterator[tuple[Path, str, str]]:
    """The files beside the days that say of themselves which type they are, at their head or by their name."""
    fixed = store.layout.fixed_files()
    for path in sorted(list_documents(store.layout, store.layout.base)):
        if path in fixed:
            continue
        text = read_text(path)
        said = str(frontmatter.split_frontmatter(text)[0].get("type", ""))
        named = _TYPED_NAME.fullmatch(path.stem)
        kind = said if said in CATEGORY_OF else named[1] if named and not said else ""
        if kind:
            yield path, text, kind


def _typed_page(store: Store, path: Path, text: str, kind: str) -> WikiPage | None:
    values, body = frontmatter.split_frontmatter(text)
    named = _TYPED_NAME.fullmatch(path.stem)
    name = _head_value(values, "name") or (named[2] if named else path.stem).replace("_", " ")
    slug = make_slug(named[2] if named else path.stem) or make_slug(name)
    if not slug:
        return None
    days = sorted(set(filter(_is_day, _DAY.findall(body))))
    found = tuple(PageSource(SourceRef(f"{_days_prefix(store)}{day}.md")) for day in days)
    today = store.now().date().isoformat()
    extra = {key: value for key, value in values.items() if key not in ("name", "description", "type")}
    return WikiPage(
        slug=slug,
        name=redact(name),
        description=_page_description(values, body, name),
        category=CATEGORY_OF[kind],
        sources=found or (PageSource(SourceRef(f"migration:{today}:{path.name}")),),
        body="\n" + redact(body.strip("\n")) + "\n",
        created=days[0] if days else today,
        updated=today,
        confidence="low" if len(found) < 2 else "medium",
        extra=extra,
    )


def _theme_page(store: Store, path: Path) -> WikiPage | None:
    values, body = frontmatter.split_frontmatter(read_text(path))
    day = _LEADING_DAY.match(path.stem)
    theme = one_line(str(values.get("theme") or ""))
    slug = make_slug(theme) or make_slug(path.stem[day.end() :] if day else path.stem)
    if not slug:
        return None
    name = theme or slug.replace("-", " ")
    listed = values.get("sources")
    uris = [str(one).strip() for one in listed if isinstance(one, str)] if isinstance(listed, list) else []
    documents = dict.fromkeys(filter(None, uris)) or (store.relative(path),)
    today = store.now().date().isoformat()
    said = str(values.get("date") or (day[1] if day else ""))[:10]
    confidence = str(values.get("confidence") or "")
    return WikiPage(
        slug=slug,
        name=redact(name),
        description=_page_description(values, body, name),
        category="theme",
        sources=tuple(PageSource(SourceRef(one)) for one in documents),
        body="\n" + redact(body.strip("\n")) + "\n",
        created=said if _is_day(said) else today,
        updated=today,
        confidence=confidence if confidence in ("high", "medium", "low") else "low",
    )


def _free_slug(wiki: Wiki, changed: Mapping[str, WikiPage], page: WikiPage) -> str | None:
    """A slug for the page that no other has; its own, else with its category."""
    for slug in (page.slug, f"{page.slug}-{page.category}"):
        if slug not in changed and not wiki.holds(slug):
            return slug
    return None


def _page_description(values: Mapping[str, object], body: str, name: str) -> str:
    """What the head says, else the first sentence of the text."""
    given = _head_value(values, "description")
    lines = [strip_markers(line).strip() for line in body.split("\n") if not line.startswith("#")]
    words = one_line(" ".join(filter(None, lines)))
    return shorten(redact(given or next(iter(split_sentences(words)), "") or name), _MAX_DESCRIPTION_CHARS)


def _days_prefix(store: Store) -> str:
    return f"{store.relative(store.layout.days)}/"


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _label_count(count: int, word: str, one: str, many: str) -> str:
    return f"{count} {word}{one if count == 1 else many}"


def _head_value(values: Mapping[str, object], key: str) -> str:
    """What the head says on one line; empty when it says a list or a table, as a lone bracket makes of words."""
    value = values.get(key)
    return "" if value is None or isinstance(value, list | dict) else one_line(str(value))
