"""The Knowledge Map: the part of WISDOM.md that lists the wiki's pages by what they are about.

Nothing else of WISDOM.md is ever changed, not by a byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from recall_tui.domain import Create, Plan, Replace
from recall_tui.storage.documents.conflicts import expect_settled
from recall_tui.storage.documents.shared_wikis import read_wiki
from recall_tui.storage.documents.wiki_folder import Wiki
from recall_tui.storage.documents.wiki_page import Category
from recall_tui.storage.files.atomic import content_digest, read_text
from recall_tui.storage.markdown.outline import line_ending, parse_sections, split_lines
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import own_lines
from recall_tui.text.cut import one_line

HEADING = "Knowledge Map"
_EMPTY_MESSAGE = "The wiki has no pages."
CATEGORY_TITLES: Mapping[Category, str] = {
    "project": "Active Projects",
    "concept": "Core Concepts",
    "entity": "Entities",
    "reference": "References",
    "theme": "Themes",
}
"""What the pages of each category stand under, in this order."""


def plan_map(store: Store) -> Plan:
    """The plan that brings the map up to date."""
    path = store.layout.wisdom
    wiki = read_wiki(store, store.layout.wiki)
    now = read_text(path)
    new = render_wisdom(store, now, wiki)
    count = len(wiki.own)
    title = f"Mapped {count} page{'' if count == 1 else 's'} in {path.name}"
    if new == now:
        return Plan("the knowledge map is up to date" if count else "the wiki has no pages yet")
    expect_settled(store, path, now)
    edit = Replace(path, content_digest(now), new) if path.exists() else Create(path, new)
    return Plan(title, (edit,), facts={"pages": count})


def has_map(wisdom: str) -> bool:
    """Tell whether a map stands in the text of WISDOM.md."""
    return (
        any(one.level == 2 and one.title == HEADING for one in parse_sections(wisdom)) if HEADING in wisdom else False
    )


def render_wisdom(store: Store, wisdom: str, wiki: Wiki) -> str:
    """The text of WISDOM.md with the map of this wiki, and what a person wrote into the one that stands there."""
    path = store.layout.wisdom
    return with_map(
        wisdom, wiki, lambda text, there: own_lines.merge_user_lines(store.state, path, text, there, _is_map_line)
    )


def _is_map_line(line: str) -> bool:
    """Whether a line may be one of a map that we made."""
    return line.startswith(("## ", "### ", "- [[")) or line == _EMPTY_MESSAGE


def with_map(wisdom: str, wiki: Wiki, kept: Callable[[str, str], str] = lambda text, there: text) -> str:
    """The text of WISDOM.md with the map of this wiki in its place, or at its end; all else is as it was.

    `kept` puts lines of the map that stood there into the one that takes its place.
    """
    lines = split_lines(wisdom)
    newline = line_ending(wisdom)
    there = next((one for one in parse_sections(wisdom) if one.level == 2 and one.title == HEADING), None)
    if there is None and not wiki.own:
        return wisdom
    text = newline.join((f"## {HEADING}", *_render_categories(wiki), ""))
    if there is not None:
        before, after = "".join(lines[: there.start]), "".join(lines[there.end :])
        was = "".join(lines[there.start : there.end])
        text = kept(text, was.rstrip("\r\n") + newline)
        return f"{before}{text}{newline if after else ''}{after}"
    text = kept(text, "")
    if not wisdom:
        return f"# Wisdom{newline}{newline}{text}"
    return f"{wisdom}{_separator(wisdom, newline)}{text}"


def _separator(text: str, newline: str) -> str:
    """What parts the map from what stands above it."""
    return newline * max(0, 2 - (len(text) - len(text.rstrip("\r\n"))) // len(newline))


def _render_categories(wiki: Wiki) -> list[str]:
    lines: list[str] = []
    for category, title in CATEGORY_TITLES.items():
        pages = [page for page in wiki.own if page.category == category]
        if pages:
            lines += ["", f"### {title}", ""]
        for page in pages:
            description = f" — {one_line(page.description)}" if page.description else ""
            lines.append(f"- [[{page.slug}]]{description}{' (stub)' if page.is_stub else ''}")
    return lines or ["", _EMPTY_MESSAGE]
