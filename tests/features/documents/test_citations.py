"""What a page rests on is read off every form in which pages of the five designs name it."""

from __future__ import annotations

from datetime import date

import pytest

from recall_tui.environment import Environment
from recall_tui.features.documents.citations import MAX_CITATIONS, Citation, citations
from recall_tui.storage.layout import Layout
from tests.makers import bench_at


@pytest.fixture
def layout(environment: Environment) -> Layout:
    """A memory with an archive, a day log, a weekly and a wiki page."""
    layout = bench_at(environment, "hierarchical").layout
    archives = layout.archives[0].folder
    for path in (
        archives / "conversation-014.md",
        layout.days / "2026-03-05.md",
        layout.weekly / "2026-W10.md",
        layout.wiki / "jwt.md",
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Page\n", encoding="utf-8")
    return layout


def of(layout: Layout, text: str) -> list[tuple[str, tuple[int, int] | None, bool]]:
    """Reference, lines and whether it is there, of everything that is cited."""
    return [(one.reference, one.lines, one.is_there) for one in citations(layout, text)]


@pytest.mark.parametrize(
    ("words", "reference", "lines"),
    [
        ("see memory/2026-03-05.md.", "memory/2026-03-05.md", None),
        ("see weekly/2026-W10.md", "memory/weekly/2026-W10.md", None),
        ("(memory/conversations/conversation-014.md:40-58)", "memory/conversations/conversation-014.md", (40, 58)),
        ("`conversation-014.md:7`", "memory/conversations/conversation-014.md", (7, 7)),
        ("as [we said](2026-03-05.md#L3-L9)", "memory/2026-03-05.md", (3, 9)),
        ("in conversation-014.", "conversation-014", None),
        ("in archive-log-003, ", "archive-log-003", None),
        ("about [[jwt]]", "memory/wiki/jwt.md", None),
        ("about [[wiki:jwt|tokens]]", "memory/wiki/jwt.md", None),
        ("[session-ref:5c6a54c2]", "5c6a54c2", None),
    ],
)
def test_every_form_is_found(layout: Layout, words: str, reference: str, lines: tuple[int, int] | None) -> None:
    assert of(layout, f"- {words}\n") == [(reference, lines, True)]


def test_what_the_head_lists_comes_first_with_its_weight(layout: Layout) -> None:
    head = "pointers:\n- memory/2026-03-05.md\n- memory/2026-03-04.md\nsalience:\n  memory/2026-03-05.md: 0.6\n"
    found = citations(layout, f"---\n{head}---\n# Week\n\n- conversation-014, and memory/2026-03-05.md again\n")
    assert [(one.words, one.weight, one.is_there) for one in found] == [
        ("memory/2026-03-05.md", "0.6", True),
        ("memory/2026-03-04.md", "", False),
        ("conversation-014", "", True),
    ]


def test_sources_of_a_wiki_page_are_found(layout: Layout) -> None:
    head = "sources:\n- uri: memory/2026-03-05.md\n  from: 3\n- weekly/2026-W10.md\n"
    assert [one[0] for one in of(layout, f"---\n{head}---\n")] == ["memory/2026-03-05.md", "memory/weekly/2026-W10.md"]


def test_days_are_cited_as_days(layout: Layout) -> None:
    found = citations(layout, "- it broke [day:2026-03-03, 2026-03-04] [day:2026-02-30]\n")
    assert found == (
        Citation("2026-03-03", day=date(2026, 3, 3)),
        Citation("2026-03-04", day=date(2026, 3, 4)),
    )


@pytest.mark.parametrize(
    "words",
    [
        "https://example.org/memory/2026-03-05.md",
        "[a](https://example.org/a.md)",
        "[a](#head)",
        "my-conversation-014",
        "conversation-1",
        "READMEmd",
    ],
)
def test_what_is_no_evidence_is_no_citation(layout: Layout, words: str) -> None:
    assert of(layout, f"- {words}\n") == []


def test_nothing_outside_of_the_memory_is_there(layout: Layout) -> None:
    outside = layout.root.parent / "secret.md"
    outside.write_text("secret\n", encoding="utf-8")
    assert of(layout, "- [a](../../secret.md) [[../../../secret.md]]\n") == [
        ("../../secret.md", None, False),
        ("../../../secret.md", None, False),
    ]


def test_a_page_of_nothing_but_links_ends(layout: Layout) -> None:
    assert len(citations(layout, "".join(f"conversation-{number:05d} " for number in range(10_000)))) == MAX_CITATIONS
