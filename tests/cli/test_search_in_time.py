"""Questions about a time, and pages by their names, as a person asks for them."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript, write_files

DAYS = ("2026-09-01", "2026-09-02", "2026-09-03", "2026-09-08", "2026-09-09", "2026-09-10", "2026-09-16")


@pytest.fixture(params=[name for name in LAYOUT_NAMES if name not in ("project", "claude-project")])
def root(request: pytest.FixtureRequest, environment: Environment) -> str:
    """A memory with a log of each day, and one session."""
    bench = bench_at(environment, request.param)
    bench.layout.days.mkdir(parents=True, exist_ok=True)
    for day in DAYS:
        log = f"# {day}\n\n- 10:00 Worked on the billing export.\n- 11:00 Deployed staging with the heron release.\n"
        (bench.layout.days / f"{day}.md").write_text(log)
    transcript(
        environment, 1, [("user", "deploy the heron release"), ("assistant", "Deployed.")], cwd=str(bench.store.root)
    )
    return f"--root={bench.store.root}"


def days_found(recall: Recall, root: str, question: str, at: str) -> list[str]:
    hits = recall(root, "search", question, "--at", at, "--json").json["hits"]
    return [hit["date"][:10] for hit in hits if hit["kind"] == "daily"]


@pytest.mark.parametrize(
    ("question", "at", "days"),
    [
        ("what did we do yesterday", "2026-09-10", ["2026-09-09"]),
        ("yesterday", "2026-09-10", ["2026-09-09"]),
        ("what did we work on today", "2026-09-10", ["2026-09-10"]),
        ("what happened in week 36", "2026-09-20", ["2026-09-03", "2026-09-02", "2026-09-01"]),
        ("what happened in calendar week 37 of 2026", "2026-12-20", ["2026-09-10", "2026-09-09", "2026-09-08"]),
        ("what did we do in 2026 week 37", "2026-12-20", ["2026-09-10", "2026-09-09", "2026-09-08"]),
        ("what did we do in the 37th week of 2026", "2026-12-20", ["2026-09-10", "2026-09-09", "2026-09-08"]),
        ("what did we do on Sep 1 and Sep 10", "2026-09-20", ["2026-09-10", "2026-09-01"]),
        (
            "what did we do on 2026-09-01, 2026-09-03 or 2026-09-10",
            "2026-09-20",
            ["2026-09-10", "2026-09-03", "2026-09-01"],
        ),
        ("yesterday and on Sep 1", "2026-09-17", ["2026-09-16", "2026-09-01"]),
        ("second week of September", "2026-09-20", ["2026-09-10", "2026-09-09", "2026-09-08"]),
    ],
)
def test_a_question_about_a_time_alone_finds_its_days(
    recall: Recall, root: str, question: str, at: str, days: list[str]
) -> None:
    assert days_found(recall, root, question, at) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("heron release in week 36 of 2026", ["2026-09-01", "2026-09-02", "2026-09-03"]),
        ("heron release in week 36", ["2026-09-01", "2026-09-02", "2026-09-03"]),
        ("heron release in week thirty-six, W36 2026", ["2026-09-01", "2026-09-02", "2026-09-03"]),
        ("heron release on Sep 1 and Sep 16", ["2026-09-01", "2026-09-16"]),
        ("heron release on 1 September or 16 September 2026", ["2026-09-01", "2026-09-16"]),
    ],
)
def test_days_that_a_question_names_come_before_days_with_its_figures(
    recall: Recall, environment: Environment, question: str, days: list[str]
) -> None:
    bench = bench_at(environment, "hierarchical")
    for day in (*DAYS, "2026-09-25", "2026-10-01", "2026-10-16", "2026-10-20", "2026-10-31"):
        figures = "36 of them. 1 and 16." if day > "2026-09-20" else ""
        (bench.layout.days / f"{day}.md").write_text(f"# {day}\n\n- Deployed the heron release. {figures}\n")
    found = days_found(recall, f"--root={bench.store.root}", question, "2026-11-20")
    assert sorted(found[: len(days)]) == days


def test_a_time_of_which_there_is_nothing_is_said(recall: Recall, root: str) -> None:
    said = recall(root, "search", "heron release in March 2024", "--at", "2026-09-20")
    assert said.code == 0 and "nothing that was found is of March 2024: 2024-03-01 to 2024-03-31" in said.err
    said = recall(root, "search", "what did we do yesterday", "--at", "2026-09-06")
    assert said.code == 1 and "yesterday: 2026-09-05" in said.err
    said = recall(root, "search", "heron release in September", "--at", "2026-09-20")
    assert "nothing that was found" not in said.err


def test_affinity_is_that_of_the_published_design_and_a_setting_makes_it_sharper(recall: Recall, root: str) -> None:
    def factor(day: str) -> float:
        found = recall(root, "search", "heron release on 2026-09-01", "--json").json["hits"]
        return next(float(hit["why"]["when"]) for hit in found if str(hit["date"]).startswith(day))

    assert factor("2026-09-01") == 1.0
    assert factor("2026-09-10") == pytest.approx(0.5 + 0.5 * 2.718281828 ** (-8 / 30), abs=1e-3)
    assert recall(root, "config", "set", "search.sigma_exact_days", "7").code == 0
    assert factor("2026-09-10") == pytest.approx(0.5 + 0.5 * 2.718281828 ** (-8 / 7), abs=1e-3)


@pytest.mark.long
@pytest.mark.parametrize("name", LAYOUT_NAMES)
@pytest.mark.parametrize("kind", ["wiki", "topics"])
def test_a_page_is_found_by_its_exact_name_first(
    recall: Recall, environment: Environment, name: str, kind: str
) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    folder = getattr(bench.layout, kind)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "event-store.md").write_text("# Appends\n\nOnly the ledger writes to it.\n")
    for number in range(12):
        said = f"# Notes {number}\n\nThe event store, the event store: event by event the store grows.\n"
        (bench.layout.topics / f"notes-{number}.md").write_text(said)
    for words in ("event store", "event-store", "the Event Store"):
        hits = recall(root, "search", words, "--json").json["hits"]
        assert hits[0]["document"].endswith("event-store.md") and hits[0]["score"] == 1.0
    asked = recall(root, "search", "which event store grows", "--json").json["hits"]
    assert not asked[0]["document"].endswith("event-store.md")


def test_a_boost_lifts_pages_and_takes_nothing_from_others(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    head = "---\nname: Queue\ncategory: concept\ndescription: ''\nsources: []\n---\n"
    page = f"{head}\n# Queue\n\nThe heron queue is slow.\n"
    bench.layout.wiki.mkdir(parents=True, exist_ok=True)
    (bench.layout.wiki / "queue.md").write_text(page)
    (bench.layout.topics / "heron.md").write_text("# Heron\n\nThe heron queue of the slow release: heron queue.\n")

    def scores(*words: str) -> dict[str, float]:
        hits = recall("search", "slow heron queue", "--json", *words).json["hits"]
        return {hit["document"].rpartition("/")[2]: hit["score"] for hit in hits}

    plain, lifted = scores(), scores("--wiki-boost", "2")
    assert next(iter(plain)) == "heron.md" and next(iter(lifted)) == "queue.md"
    assert lifted["heron.md"] == plain["heron.md"] and lifted["queue.md"] > plain["queue.md"]


def test_a_boost_lifts_a_page_over_the_evidence_that_it_cites(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    (bench.layout.topics / "heron.md").write_text("# Heron\n\nThe heron queue of the slow release: heron queue.\n")
    head = "---\nname: Queue\ncategory: concept\ndescription: ''\nsources: [memory/heron.md]\n---\n"
    bench.layout.wiki.mkdir(parents=True, exist_ok=True)
    (bench.layout.wiki / "queue.md").write_text(f"{head}\n# Queue\n\nThe heron queue is slow (memory/heron.md:3).\n")

    def first(*words: str) -> tuple[str, float]:
        hit = recall("search", "slow heron queue", "--json", *words).json["hits"][0]
        return hit["document"].rpartition("/")[2], hit["score"]

    assert first()[0] == first("--no-wiki-boost")[0] == "heron.md"
    assert first("--wiki-boost", "2") == ("queue.md", 1.0)
    recall("config", "set", "wiki.score_boost", "2")
    assert first()[0] == "heron.md"


@pytest.mark.parametrize(("words", "day"), [("today", "2026-03-06"), ("yesterday", "2026-03-05")])
def test_of_two_days_that_say_the_same_the_one_that_was_named_goes_first(
    recall: Recall, environment: Environment, words: str, day: str
) -> None:
    bench = bench_at(environment, "hierarchical")
    days = ("2026-03-04", "2026-03-05", "2026-03-06", "2026-03-07")
    write_files(
        bench.store.root, {f"memory/{one}.md": f"## {one}\n\nThe harbour crane was repaired.\n" for one in days}
    )
    hits = recall("search", f"harbour crane {words}", "--at", "2026-03-06T12:00", "--json").json["hits"]
    assert hits[0]["document"] == f"memory/{day}.md"


@pytest.mark.parametrize("back", ["3 days ago", "three days ago"])
def test_a_figure_that_counts_days_is_not_looked_for(recall: Recall, root: str, back: str) -> None:
    at = "2026-09-06"
    assert days_found(recall, root, f"heron {back}", at)[0] == "2026-09-03"
    assert days_found(recall, root, f"heron {back}", "2026-09-12")[0] in ("2026-09-09", "2026-09-10")
    assert days_found(recall, root, back, at) == ["2026-09-03"]
    found = recall(root, "search", f"heron {back}", "--at", at, "--json").json["hits"]
    assert all("3" not in hit["why"]["words"] for hit in found)
