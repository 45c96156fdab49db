"""Pages by what they are called: their titles in lists, and their places in search beside texts that say more."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript, write_files

DAYS = ("2026-02-07", "2026-02-08", "2026-02-10")


def test_notes_are_listed_with_their_titles(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    notes = {
        "reference_hall.md": "---\nname: Turbine hall\ndescription: d\ntype: reference\n---\n\nIn the north.\n",
        "owner.md": "# Owner of the [b]hall[/b]\n\nDana.\n",
        "plain.md": "Only text.\n",
        "dreams/insights/2026-02-03-fuses.md": "---\ntheme: Fuses blow on Mondays\n---\n\nThey do.\n",
    }
    write_files(bench.layout.base, notes)
    said = recall(f"--root={bench.store.root}", "list")
    for name, title in {"reference_hall": "Turbine hall", "2026-02-03-fuses": "Fuses blow on Mondays"}.items():
        assert any(name in line and title in line for line in said.out.splitlines())
    rows = {
        one["name"]: one["title"] for one in recall(f"--root={bench.store.root}", "--json", "list").json["documents"]
    }
    assert rows["owner"] == "Owner of the [b]hall[/b]" and rows["plain"] == ""
    assert recall(f"--root={bench.store.root}", "sync").code == 0
    found = recall(f"--root={bench.store.root}", "--json", "search", "north").json["hits"]
    assert found[0]["title"] == "Turbine hall"


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_topics_and_pages_of_the_wiki_are_listed_with_their_titles(
    recall: Recall, environment: Environment, layout: str
) -> None:
    bench = bench_at(environment, layout)
    bench.layout.topics.mkdir(parents=True, exist_ok=True)
    bench.layout.wiki.mkdir(parents=True, exist_ok=True)
    (bench.layout.topics / "pumps.md").write_text("# Pumps and valves\n\nx\n")
    (bench.layout.wiki / "crane.md").write_text("---\nname: The big crane\ntype: wiki\n---\n\nx\n")
    rows = {
        one["name"].removesuffix(".md"): one["title"]
        for one in recall(f"--root={bench.store.root}", "--json", "list").json["documents"]
    }
    assert rows["pumps"] == "Pumps and valves" and rows["crane"] == "The big crane"


@pytest.mark.parametrize(
    ("place", "name"), [("base", "project_hall.md"), ("base", "hall.md"), ("wiki", "hall.md"), ("topics", "hall.md")]
)
def test_a_short_page_with_one_word_stands_below_days_that_hold_all(
    recall: Recall, environment: Environment, place: str, name: str
) -> None:
    bench = bench_at(environment, "hierarchical")
    for day in DAYS:
        (bench.layout.days / f"{day}.md").write_text(f"# {day}\n\n- The turbine hall was inspected by the crew.\n")
    folder = getattr(bench.layout, place)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("---\nname: Hall\ndescription: d\ntype: project\n---\n\nHall.\n")
    root = f"--root={bench.store.root}"
    hits = recall(root, "--json", "search", "turbine hall inspected").json["hits"]
    assert [hit["kind"] for hit in hits[:3]] == ["daily"] * 3
    assert hits[3]["document"].endswith(name) and hits[3]["why"]["parts"]["coverage"] < 0.5
    assert recall(root, "--json", "search", "hall").json["hits"][0]["document"].endswith(name)


def test_a_page_whose_name_holds_the_question_is_not_put_below(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    for day in DAYS:
        (bench.layout.days / f"{day}.md").write_text(f"# {day}\n\n- The turbine hall was inspected by the crew.\n")
    bench.layout.wiki.mkdir(parents=True, exist_ok=True)
    page = "---\nname: Turbine hall\ndescription: Who goes there, and when\ntype: wiki\n---\n\nThe crew, each month.\n"
    (bench.layout.wiki / "turbine-hall.md").write_text(page)
    hits = recall(f"--root={bench.store.root}", "--json", "search", "turbine hall inspected").json["hits"]
    page_hit = next(hit for hit in hits if hit["kind"] == "wiki")
    assert "coverage" not in page_hit["why"]["parts"]


@pytest.mark.parametrize("layout", ["entity", "user"])
def test_each_archive_of_another_program_is_called_in_search_as_in_the_list(
    recall: Recall, environment: Environment, layout: str
) -> None:
    bench = bench_at(environment, layout)
    folder = bench.layout.archives[0]
    folder.folder.mkdir(parents=True, exist_ok=True)
    for number, said in ((7, "We planted kiwi trees"), (8, "Frost killed the saplings")):
        head = (
            f'log: {number}\ndate: "2026-02-1{number}T10:00:00Z"\nsession_id: "dup1"\nmessage_count: 4\nduration: "5m"'
        )
        turns = f"### User\n\nKeep the orchard log\n\n---\n\n### Assistant\n\n{said} in row {number}.\n"
        text = (
            f"---\n{head}\nsource: session\n---\n\n## Summary\n\n{said}\n\n# Conversation 00{number}\n\n---\n\n{turns}"
        )
        (folder.folder / f"{folder.prefix}-{number:03d}.md").write_text(text)
    root = f"--root={bench.store.root}"
    assert recall(root, "sync").code == 0
    listed = {one["number"]: one["title"] for one in recall(root, "--json", "list").json["documents"]}
    for number, word in ((7, "kiwi"), (8, "saplings")):
        hit = recall(root, "--json", "search", word).json["hits"][0]
        assert hit["title"] == listed[number] and hit["document"].endswith(f"{number:03d}.md")


def test_the_summary_and_the_transcript_of_a_session_are_one_hit(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "project")
    root = f"--root={bench.store.root}"
    turns = [("user", "Choose a cache"), ("assistant", "Decision: use Redis for the cache because it has TTLs.")]
    session = transcript(environment, 1, turns, cwd=str(bench.store.root))
    assert recall(root, "summarize", session.stem, "--yes").code == 0
    assert recall(root, "sync").code == 0
    page = bench.store.root / "_memory/conversations" / f"{session.stem}.md"
    hits = recall(root, "--json", "search", "Redis cache").json["hits"]
    assert [hit["session_id"] for hit in hits if hit["kind"] in ("summary", "transcript")] == [session.stem]
    title = hits[0]["title"]
    page.write_text(page.read_text().replace("## Tracking", "The quokka rule stays.\n\n## Tracking"))
    assert recall(root, "sync").code == 0
    found = recall(root, "--json", "search", "quokka rule").json["hits"]
    assert [(hit["kind"], hit["session_id"]) for hit in found][:1] == [("summary", session.stem)]
    session.unlink()
    assert recall(root, "sync").code == 0
    hits = recall(root, "--json", "search", "Redis cache").json["hits"]
    assert [hit["title"] for hit in hits if hit["session_id"]] == [title]
