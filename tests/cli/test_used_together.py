"""Items of the published designs in use together: decisions in turn, names cut short, what says the same twice."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.documents.master_file import EVOLUTION
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall, Stand
from tests.makers import bench_at, session_id_of, transcript, write_files

AT = ("--at", "2026-11-27")


def archived(recall: Recall, environment: Environment, layout: str, *talks: tuple[str, str]) -> str:
    """A memory of the layout with a session a day: its `--root`."""
    bench = bench_at(environment, layout)
    root = f"--root={bench.store.root}"
    for number, (asked, said) in enumerate(talks, 1):
        day = bench.store.now() - timedelta(days=3 * (len(talks) - number))
        path = transcript(environment, number, [("user", asked), ("assistant", said)], start=day)
        assert recall(root, "archive", path).code == 0
    return root


@pytest.mark.parametrize(
    "changes",
    [
        ("switched from SQLite to MySQL because of locks.", "switched from MySQL to PostgreSQL because of JSONB."),
        ("migrated from SQLite to MySQL since it locks.", "moved from MySQL to PostgreSQL since it has JSONB."),
        ("use MySQL instead of SQLite because of locks.", "use PostgreSQL instead of MySQL because of JSONB."),
    ],
)
def test_decisions_that_were_replaced_in_turn_are_one_path(
    recall: Recall, environment: Environment, changes: tuple[str, str]
) -> None:
    root = archived(
        recall,
        environment,
        "project",
        ("Choose a database for the shop", "Decision: use SQLite because it is simple."),
        ("The shop database locks", f"Decision: {changes[0]}"),
        ("MySQL is slow for JSON", f"Decision: {changes[1]}"),
    )
    assert recall(root, "synthesize", "--full", "--yes").code == 0
    master = (Path(root.partition("=")[2]) / "_memory" / "master.md").read_text()
    assert "- SQLite → tried MySQL → settled on PostgreSQL" in master.partition(f"## {EVOLUTION}")[2]
    assert "Decision: use SQLite" not in master


@pytest.mark.parametrize("layout", [name for name in LAYOUT_NAMES if name != "user"])
def test_the_start_of_several_ids_names_none_of_them(recall: Recall, environment: Environment, layout: str) -> None:
    talks = [("Choose a cache", "Decision: use Redis because it has TTLs."), ("Choose a queue", "Use RabbitMQ for it.")]
    root = archived(recall, environment, layout, *talks)
    start = session_id_of(1)[:8]
    for command in (("show", start), ("forget", start, "--dry-run"), ("export", start)):
        said = recall(root, *command)
        assert said.code == 1 and f"{start} is the start of several sessions" in said.err, command
    assert recall(root, "show", session_id_of(1)).code == 0


def test_a_summary_has_no_number_nought(recall: Recall, environment: Environment) -> None:
    root = archived(recall, environment, "project", ("Choose a cache", "Decision: use Redis because it has TTLs."))
    page = "# T\n\n## Context\n\nAbout birch.\n\n## Tracking Points\n\n- Decision: use birch because it is white.\n"
    assert recall(root, "summarize", session_id_of(7), "--text", "-", "--yes", stdin=page).code == 0
    for command in (("show", "0"), ("forget", "000", "--dry-run"), ("summarize", "0", "--dry-run")):
        assert recall(root, *command).code == 1, command


def test_lines_of_a_transcript_are_shown_by_its_name(recall: Recall, environment: Environment) -> None:
    root = archived(recall, environment, "claude-project", ("Which puma?", "The puma stays in the puma module."))
    name = f"{session_id_of(1)}.jsonl"
    whole = next((environment.claude / "projects").rglob(name))
    assert "The puma stays" in recall(root, "show", f"{name}:2").out
    assert recall(root, "show", f"{name}:2").out == recall(root, "show", f"{whole}:2").out
    assert recall(root, "show", f"{name}:9").code == 1


@pytest.mark.parametrize("layout", LAYOUT_NAMES)
def test_every_layout_reports_its_sessions(recall: Recall, environment: Environment, layout: str) -> None:
    root = archived(recall, environment, layout, ("Choose a cache", "Decision: use Redis because it has TTLs."))
    said = recall(root, "report", "--since", "2w")
    assert said.code == 0 and "use Redis because it has TTLs" in said.out.partition("Settled:")[2]
    assert recall(root, "report", "--since", "2w", "--project", "elsewhere").code == 1
    assert recall(root, "report", "--since", "2026-01-01", "--until", "2026-01-31").code == 1


@pytest.mark.parametrize("layout", ["hierarchical", "entity"])
def test_of_days_that_say_the_same_the_newest_goes_first(recall: Recall, environment: Environment, layout: str) -> None:
    bench = bench_at(environment, layout)
    days = ["2026-03-02", "2026-08-14", "2026-11-20"]
    write_files(bench.layout.days, {f"{day}.md": f"## {day}\n\n- The turbine hall was inspected.\n" for day in days})
    hits = recall(f"--root={bench.store.root}", "search", "turbine hall inspected", "--json").json["hits"]
    assert [str(hit["date"])[:10] for hit in hits] == days[::-1]


def test_an_order_is_no_answer(recall: Recall, environment: Environment) -> None:
    root = archived(
        recall,
        environment,
        "entity",
        ("What is the emu budget?", "The emu budget is 400 EUR because of the fence."),
        ("Change the emu budget", "Decision: the emu budget is 650 EUR instead of 400 EUR because the fence broke."),
    )
    found = recall(root, "recall", "what is the emu budget now", "--json").json["extracts"]
    texts = [str(one["text"]) for one in found]
    assert "650 EUR" in texts[0] and not any(text.strip() == "Change the emu budget" for text in texts)


def test_a_project_whose_name_claude_cuts_keeps_its_memory(environment: Environment, stand: Stand) -> None:
    project = environment.home / ("d" * 120) / ("e" * 110)
    write_files(project, {".git/HEAD": "ref: refs/heads/main\n"})
    assert stand(project, "init", "--layout", "claude-project", "--no-install").code == 0
    root = next((environment.claude / "projects").iterdir())
    (root.parent / f"{root.name}-1a2b3c").mkdir()
    assert f"memory      {root}\n" in stand(project, "status").out


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Ada\n\nA careful\narchivist.\n\nMore.\n", "identity Ada — A careful archivist."),
        ("Prose without a name.\n", "identity Agent (IDENTITY.md says no name)"),
        ("", "identity Agent (IDENTITY.md says no name)"),
    ],
)
def test_the_identity_is_told_in_one_line(recall: Recall, environment: Environment, text: str, said: str) -> None:
    bench = bench_at(environment, "hierarchical")
    root = f"--root={bench.store.root}"
    assert "identity Agent (no IDENTITY.md)" in recall(root, "wiki", "status").out
    bench.layout.identity.write_text(text)
    assert said in recall(root, "wiki", "status").out.split("\n")


def test_a_query_that_begins_with_an_exclusion_is_explained(recall: Recall, environment: Environment) -> None:
    root = archived(recall, environment, "entity", ("Which cat?", "The lynx, and not the other one."))
    said = recall(root, "search", "-bobcat lynx")
    assert said.code == 2 and "put -- before a query that begins with -" in said.err
    assert recall(root, "search", "--", "-bobcat lynx").code == 0


def test_a_file_in_the_place_of_a_folder_is_said(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "entity")
    root, folder = f"--root={bench.store.root}", bench.layout.archives[0].folder
    folder.rmdir()
    folder.write_text("x")
    assert "memory/conversations is not a folder: move it away" in recall(root, "status").out
    path = transcript(environment, 1, [("user", "Which cat?"), ("assistant", "The lynx it is.")])
    said = recall(root, "archive", path)
    assert said.code != 0 and "already exists" in said.err
