"""Pages are found by what they are called, below the best evidence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from recall_tui.domain import SearchResult
from recall_tui.search.query import SearchOptions
from recall_tui.search.ranking.name_match import match_names
from recall_tui.storage.memory_context import Store
from tests.hierarchy import Write, ask, day, documents, of, store, write

__all__ = ["ask", "store", "write"]

Ask = Callable[..., SearchResult]


def page(write: Write, slug: str, text: str, name: str, description: str, **more: object) -> None:
    """A page of the wiki."""
    more = {"category": "concept", "sources": ["memory/2026-01-01.md"], **more}
    write(f"wiki/{slug}.md", text, name=name, description=description, **more)


def test_a_page_is_found_by_its_name_and_description_alone(write: Write, ask: Ask) -> None:
    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    page(write, "p2", "On Fridays.", "Deploys", "when we ship")
    answer = ask("key rotation")
    assert documents(answer) == ["wiki/p1"]
    assert answer.hits[0].why["rung"] == "catalog"
    parts: Any = answer.hits[0].why["parts"]
    assert parts["catalog"] == 1.0


def test_a_name_stands_below_the_evidence(write: Write, ask: Ask) -> None:
    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    day(write, "2026-03-02", "Key rotation went through.")
    assert documents(ask("signing key rotation")) == ["2026-03-02", "wiki/p1"]
    assert documents(ask("key rotation")) == ["wiki/p1", "2026-03-02"], "it is called exactly so"


def test_a_page_that_became_another_is_not_found_by_its_name(write: Write, ask: Ask) -> None:
    page(write, "p1", "Gone.", "Key rotation", "how signing keys are swapped", redirect_to="p2")
    day(write, "2026-03-02", "Nothing.")
    page(write, "p2", "Other.", "Other", "other")
    assert ask("key rotation").hits == ()


def test_a_name_that_holds_little_of_the_question_says_nothing(write: Write, ask: Ask) -> None:
    page(write, "p1", "Every ninety days.", "Rotation", "of crops")
    assert ask("key rotation signing vault").hits == ()


def test_a_typed_memory_weighs_more_than_another_page(write: Write, ask: Ask, store: Store) -> None:
    (store.root / "memory" / "topics").mkdir()
    write("topics/project_a.md", "Ninety days.", name="Key rotation", description="", type="project")
    write("topics/b.md", "Ninety days.", name="Key rotation", description="")
    answer = ask("key rotation vault", options=SearchOptions(typed_boost=1.3))
    assert documents(answer) == ["topics/project_a", "topics/b"]
    first, second = (hit.score for hit in answer.hits)
    assert first > second
    first, second = (hit.score for hit in ask("key rotation vault", options=SearchOptions(typed_boost=1.0)).hits)
    assert first == second


def test_filters_hold_for_what_is_called_so(write: Write, ask: Ask) -> None:
    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    assert ask("key rotation kind:daily").hits == ()
    assert of(ask("key rotation kind:wiki"), "wiki/p1")


def test_heads_are_read_once_for_a_state_of_the_index(write: Write, ask: Ask, store: Store) -> None:
    from recall_tui.index.opener import open_index
    from recall_tui.search.bound_query import bind, with_weights
    from recall_tui.search.query import parse_query

    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    ask("key rotation")
    index = open_index(store.environment)
    reader = index.reader()
    assert reader is not None
    query = parse_query("key rotation", store.now())
    question, *_ = with_weights(bind(index, reader, store, query, None, index.totals(store)), corrects=True)
    first = match_names(question, 1.2)
    (store.root / "memory" / "wiki" / "p1.md").unlink()
    assert first and match_names(question, 1.2) == first


def test_a_page_that_cannot_be_read_is_none(write: Write, ask: Ask, store: Store) -> None:
    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    (store.root / "memory" / "wiki" / "p2.md").write_bytes(b"---\nname: \xff\xfe key rotation\n")
    (store.root / "memory" / "wiki" / "p3.md").symlink_to("nowhere.md")
    assert "wiki/p1" in documents(ask("key rotation"))


def test_a_page_that_a_filter_keeps_out_is_not_counted(write: Write, ask: Ask) -> None:
    page(write, "p1", "Every ninety days.", "Key rotation", "how signing keys are swapped")
    day(write, "2026-03-02", "Nothing.")
    answer = ask("key rotation kind:daily")
    assert (answer.hits, answer.total) == ((), 0)
    assert ask("key rotation kind:wiki").total == 1
