"""A claim that is superseded: page, list of pages, map, trajectory and search agree at once, in every layout."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.makers import bench_at

Recall = Callable[..., Any]
OLD, MIDDLE, NEW = (f"The gateway listens on port {port}." for port in (8080, 9090, 7070))


def _log(bench: Workbench, day: str, text: str) -> str:
    path = bench.store.layout.days / f"{day}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"## {day}\n\n{text}\n")
    return path.relative_to(bench.store.root).as_posix()


def _begin(recall: Recall, bench: Workbench, lede: str = OLD) -> list[str]:
    days = [
        _log(bench, f"2026-03-0{day}", text)
        for day, text in ((2, OLD), (4, MIDDLE), (5, f"{NEW} It is written in Go."))
    ]
    words = ("--name", "Gateway", "--category", "entity", "--lede", lede, "--source", days[0])
    assert recall("wiki", "stub", "gateway", *words).code == 0
    return days


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_everything_says_what_holds_at_once(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    run = lambda *words: recall(root, *words)  # noqa: E731
    days = _begin(run, bench)
    run("wiki", "knowledge-map")
    assert run("wiki", "supersede", "gateway", "--source", days[1], "--fact", OLD, "--by", MIDDLE).code == 0
    assert run("wiki", "supersede", "gateway", "--source", days[2], "--fact", MIDDLE, "--by", NEW).code == 0

    page = run("wiki", "show", "gateway", "--json").json
    assert page["body"].strip() == NEW and page["description"] == NEW
    assert [one["on"] for one in page["supersedes"]] == ["2026-03-04", "2026-03-05"]
    wiki = bench.store.layout.wiki
    for text in ((wiki / "index.md").read_text(), bench.store.layout.wisdom.read_text()):
        assert f"[[gateway]] — {NEW}" in text and "8080" not in text
    trajectory = (wiki / "gateway-trajectory.md").read_text()
    assert (
        f"## Now\n\n- {NEW}\n\n## Before" in trajectory and f"until 2026-03-04: ~~{OLD}~~ Then: {MIDDLE}" in trajectory
    )
    hits = run("search", "which port does the gateway listen on", "--kind", "wiki", "--json").json["hits"]
    (own,) = (hit for hit in hits if hit["document"].endswith("/gateway.md"))
    assert NEW in own["snippet"] and "8080" not in own["snippet"]

    run("undo")
    assert run("wiki", "show", "gateway", "--json").json["body"].strip() == MIDDLE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"{OLD} It is written in Go.", f"{MIDDLE} It is written in Go."),
        (f"Above.\n\n- **{OLD}**\n- It is written in Go.", f"Above.\n\n- **{MIDDLE}**\n- It is written in Go."),
        (f"Above all.\n\n- {OLD} (memory/days/2026-03-02.md:3)", f"Above all.\n\n- {MIDDLE}"),
        (f"It is written in Go.\n\n{OLD}\n\n{MIDDLE}", f"It is written in Go.\n\n{MIDDLE}"),
        ("It is written\nin Go.", f"It is written\nin Go.\n\n{MIDDLE}"),
    ],
)
def test_only_the_claim_gives_way(recall: Recall, environment: Environment, before: str, after: str) -> None:
    days = _begin(recall, bench_at(environment), before)
    recall("wiki", "supersede", "gateway", "--source", days[1], "--fact", OLD, "--by", MIDDLE)
    assert recall("wiki", "show", "gateway", "--json").json["body"].strip() == after


def test_a_claim_that_nothing_replaces_leaves_the_text_or_is_struck_out(
    recall: Recall, environment: Environment
) -> None:
    bench = bench_at(environment)
    days = _begin(recall, bench)
    recall("wiki", "supersede", "gateway", "--source", days[2], "--fact", OLD)
    assert recall("wiki", "show", "gateway", "--json").json["body"].strip() == f"~~{OLD}~~ until 2026-03-05 ({days[2]})"
    recall("wiki", "append", "gateway", "--source", days[2], "--body", "It is written in Go.")
    recall("wiki", "supersede", "gateway", "--source", days[2], "--fact", "It is written in Go.")
    assert "Go" not in recall("wiki", "show", "gateway", "--json").json["body"]


def test_a_merged_page_brings_no_claim_back_that_holds_no_longer(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    days = _begin(recall, bench)
    words = ("--name", "Edge", "--category", "entity", "--lede", "The edge is in Rust.", "--source", days[0])
    recall("wiki", "stub", "edge", *words)
    recall("wiki", "supersede", "gateway", "--source", days[1], "--fact", OLD, "--by", MIDDLE)
    recall("wiki", "merge", "edge", "gateway", "--yes")
    body = recall("wiki", "show", "gateway", "--json").json["body"]
    assert "The edge is in Rust." in body and MIDDLE in body and OLD not in body


def test_a_day_that_is_named_goes_before_that_of_the_evidence(recall: Recall, environment: Environment) -> None:
    days = _begin(recall, bench_at(environment))
    words = ("wiki", "supersede", "gateway", "--source", days[1], "--fact", OLD)
    recall(*words, "--by", MIDDLE, "--on", "2026-03-03")
    assert recall("wiki", "show", "gateway", "--json").json["supersedes"][0]["on"] == "2026-03-03"


def test_a_claim_in_other_words_than_the_pages_is_said(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    days = _begin(recall, bench)
    words = ("wiki", "supersede", "gateway", "--source", days[1], "--by", MIDDLE)
    assert "does not say that in these words" in recall(*words, "--fact", "It used to listen on 8080.").err
    assert "does not say that" not in recall(*words, "--fact", OLD).err
