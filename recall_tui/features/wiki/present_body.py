"""A page's own text once claims of it hold no longer: what took their place stands where they stood.

The claims themselves stay at the page's head and on its trajectory; what else the page says is not touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from recall_tui.domain.documents import parse_source_ref
from recall_tui.storage.documents.statements import Statement, page_statements
from recall_tui.storage.documents.wiki_claims import (
    outdated_claims,
    present_claims,
    present_text,
    with_present_description,
)
from recall_tui.storage.documents.wiki_page import PageSource, SupersededClaim, WikiPage, with_source
from recall_tui.storage.markdown.outline import split_lines
from recall_tui.text.classify.similarity import normalize
from recall_tui.text.cut import one_line
from recall_tui.text.markup import strip_markers
from recall_tui.text.secrets.redact import redact

SOURCES_HEADING = "From its sources"
"""Where a rebuilt page has its cited lines."""
_SOURCES_SECTION = re.compile(rf"^## {SOURCES_HEADING}[ \t]*$", re.MULTILINE)
_CITATION = re.compile(r"[ \t]*\([^()\s]{1,200}\.md:\d[^()\n]{0,400}\)[ \t]*(?=\n?\Z)")


def with_present_claims(page: WikiPage) -> WikiPage:
    """Return the page with a body, a description and sources that agree with what holds now."""
    page = with_present_description(with_evidence(page))
    return replace(page, body=_present_body(page)) if page.supersedes and not page.redirect_to else page


def with_evidence(page: WikiPage) -> WikiPage:
    """Return the page with what its present claims are from among its sources."""
    for one in present_claims(page):
        ref = parse_source_ref(one.source)
        if ref.document and ref.document not in {there.ref.document for there in page.sources}:
            page = with_source(page, PageSource(ref))
    return page


def _present_body(page: WikiPage) -> str:
    gone = outdated_claims(page)
    lines: list[str] = list(split_lines(page.body))
    together: dict[tuple[int, int], list[Statement]] = {}
    # A short claim, such as `Version 2.`, gives way too.
    for said in page_statements(page.body, min_chars=1):
        together.setdefault(said.lines, []).append(said)
    heard = {normalize(said.text) for stretch in together.values() for said in stretch}
    struck: list[SupersededClaim] = []
    for (first, last), stretch in together.items():
        outdated = [said for said in stretch if normalize(said.text) in gone]
        if outdated:
            struck += (gone[normalize(said.text)] for said in outdated)
            raw = _replaced(page, "".join(lines[first - 1 : last]), stretch, outdated, heard)
            lines[first - 1 : last] = [raw, *[""] * (last - first)]
    body = _with_missing("".join(lines), (one for one in present_claims(page) if one.fact))
    if struck and not body.strip():
        return "\n" + "".join(f"{_struck_line(one)}\n" for one in struck)
    return "\n" + re.sub(r"\n{3,}", "\n\n", body.lstrip("\n")) if struck else body


def _replaced(page: WikiPage, raw: str, stretch: list[Statement], outdated: list[Statement], heard: set[str]) -> str:
    """A paragraph or list item with what holds in place of what does not; empty when nothing is left of it.

    `heard` is what the page says so far: none of that is said again.
    """
    for said in outdated:
        now = redact(one_line(present_text(page, said.text)))
        words = re.compile(r"\s+".join(map(re.escape, said.text.split())))
        if not words.search(raw):
            # Emphasis stands between the words: the whole is written anew.
            start = len(raw) - len(raw.lstrip())
            mark = raw[start : raw.find(strip_markers(raw.split("\n", 1)[0])[:1], start)]
            raw = f"{raw[:start]}{mark}{' '.join(one.text for one in stretch)}\n"
        new = "" if normalize(now) in heard else now
        raw = words.sub(lambda _, new=new: new, raw, count=1)  # type: ignore[misc]
        heard.add(normalize(now))
        if len(stretch) == 1 and said.cited:
            sources = [one.source for one in present_claims(page) if normalize(one.by) == normalize(now)]
            place = sources[0] if sources and parse_source_ref(sources[0]).lines else ""
            raw = _CITATION.sub(f" ({place})" if place else "", raw)
    left = _CITATION.sub("", raw)
    return re.sub(r"(?<=\S) {2,}", " ", raw) if any(map(str.isalnum, strip_markers(left.strip()))) else ""


def _with_missing(body: str, present: Iterable[SupersededClaim]) -> str:
    """The body with each claim that took another's place and that nothing on the page says."""
    words = normalize(body)
    missing = [redact(one.by) for one in present if normalize(one.by) not in words]
    if not missing:
        return body
    said = "\n\n".join(missing)
    section = _SOURCES_SECTION.search(body)
    if section is None:
        return f"{body.rstrip()}\n\n{said}\n" if body.strip() else f"\n{said}\n"
    return f"{body[: section.start()].rstrip()}\n\n{said}\n\n{body[section.start() :]}"


def _struck_line(one: SupersededClaim) -> str:
    until = f" until {one.on}" if one.on else ""
    return f"~~{one_line(redact(one.fact)).replace('~', '-')}~~{until} ({one.source})"
