"""Items of the published designs as they are met on the third day: after edits, beside others, in other words."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.cli.conftest import Recall
from tests.makers import bench_at, transcript, write_files

AT = ("--at", "2026-11-27")
CRANE = ("2025-03-01", "2025-11-20", "2026-02-14", "2026-08-14", "2026-09-20", "2026-10-20", "2026-11-10")


def day_logs(environment: Environment, days: dict[str, str], layout: str = "hierarchical") -> tuple[Path, str]:
    """A memory with these logs: its folder and its `--root`."""
    bench = bench_at(environment, layout)
    write_files(bench.layout.days, {f"{day}.md": f"## {day}\n\n- {text}\n" for day, text in days.items()})
    return bench.store.root, f"--root={bench.store.root}"


@pytest.mark.parametrize("layout", [name for name in LAYOUT_NAMES if name not in ("project", "claude-project")])
@pytest.mark.parametrize(
    ("asked", "days"),
    [
        ("before 2026", CRANE[:2]),
        ("until March 2026", CRANE[:3]),
        ("after August 2026", CRANE[4:]),
        ("since October", CRANE[5:]),
        ("since 2026-09-01", CRANE[4:]),
        ("between 2026-08-10 and 2026-09-30", CRANE[3:5]),
        ("August to October 2026", CRANE[3:6]),
        ("August 10 - September 30", CRANE[3:5]),
    ],
)
def test_the_words_that_end_a_range_are_not_looked_for(
    recall: Recall, environment: Environment, layout: str, asked: str, days: tuple[str, ...]
) -> None:
    logs = {day: f"The crane was looked at by crew {place}." for place, day in enumerate(CRANE)}
    _, root = day_logs(environment, logs, layout)
    hits = recall(root, "search", f"crane {asked}", *AT, "--recency-depth", "0", "--json").json["hits"]
    assert sorted(str(hit["date"])[:10] for hit in hits[: len(days)]) == list(days)
    assert all(hit["score"] < hits[0]["score"] for hit in hits[len(days) :])
    alone = recall(root, "search", f"what happened {asked}", *AT, "--recency-depth", "0", "--json").json["hits"]
    assert sorted(str(hit["date"])[:10] for hit in alone) == list(days)


def test_a_change_is_named_by_its_new_value_and_not_by_its_reason(recall: Recall, environment: Environment) -> None:
    before = "PaymentGateway uses Stripe.\n- Search limit is 50 rows.\n- Mailer uses Postfix."
    after = (
        "PaymentGateway moved from Stripe to Adyen because fees fell to 1.2 %.\n"
        "- Search limit changed from 50 to 80 rows after 2 complaints.\n"
        "- Mailer switched from Postfix to SES to save $20."
    )
    root, named = day_logs(environment, {"2026-11-02": before, "2026-11-05": after})
    said = recall(named, "dream").out
    for change in ("from Stripe to Adyen on", "from 50 to 80 rows on", "from Postfix to SES on"):
        assert f"changed {change} 2026-11-05" in said
    assert "from Stripe to Adyen on" in (root / "DREAMS.md").read_text()


def test_redirects_in_a_circle_are_said(recall: Recall, environment: Environment) -> None:
    root, named = day_logs(environment, {"2026-11-02": "Something."})
    head = "---\nname: {0}\ndescription: d\ntype: wiki\ncategory: entity\nslug: {0}\ncreated: 2026-11-01\n"
    head += "updated: 2026-11-01\nsources: [memory/2026-11-02.md]\nredirect_to: {1}\n---\n"
    write_files(
        root, {f"memory/wiki/{one}.md": head.format(one, to) for one, to in (("a", "b"), ("b", "a"), ("c", "a"))}
    )
    found = recall(named, "wiki", "lint")
    assert found.code == 1 and "a:1 it redirects to b, and that back to it" in found.out
    assert "c:1" in found.out
    assert "a is a redirect that leads back to itself" in recall(named, "wiki", "show", "a").err


def test_a_paragraph_below_the_knowledge_map_stays_a_paragraph(recall: Recall, environment: Environment) -> None:
    root, named = day_logs(environment, {"2026-11-02": "Ada runs ops."})
    assert (
        recall(named, "wiki", "stub", "ada", "--category", "entity", "--lede", "Ada.", "--source", "2026-11-02").code
        == 0
    )
    (root / "WISDOM.md").write_text("# Wisdom\n\n## Knowledge Map\n\nread this first\n\n## After\n\nmine\n")
    assert recall(named, "wiki", "knowledge-map").code == 0
    text = (root / "WISDOM.md").read_text()
    assert "(stub)\n\nread this first\n\n## After\n\nmine\n" in text
    recall(named, "wiki", "knowledge-map")
    assert (root / "WISDOM.md").read_text() == text


def test_a_preview_of_compact_shows_what_is_proposed_of_an_edited_week(
    recall: Recall, environment: Environment
) -> None:
    days = {f"2026-02-0{day}": f"Decided to use plan {day}." for day in (2, 3, 4)}
    root, named = day_logs(environment, days)
    assert recall(named, "compact", "weekly", "--yes").code == 0
    page = root / "memory/weekly/2026-W06.md"
    page.write_text(f"{page.read_text()}\nmine\n")
    write_files(root, {"memory/2026-02-05.md": "## 2026-02-05\n\n- Agreed on a freeze until 2026-10-01.\n"})
    shown = recall(named, "compact", "weekly", "--dry-run")
    assert "+- Agreed on a freeze until 2026-10-01." in shown.out
    assert "stays" in recall(named, "compact", "weekly", "--dry-run", "--yes").err
    assert "Rewrite week 2026-W06" in recall(named, "compact", "weekly").out
    assert page.read_text().endswith("mine\n")


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_window_that_is_missing_is_no_health(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    path = transcript(environment, 1, [("user", "Move the log"), ("assistant", "Moved it.")], cwd=str(environment.cwd))
    recall(root, "archive", path)
    bench.layout.window.unlink(missing_ok=True)
    said = recall(root, "status", "--json").json
    missing = [reason for reason in said["reasons"] if "EPHEMERAL.md is missing" in reason]
    # A clone of a shared memory has none.
    assert bool(missing) == (name != "project")
    if missing:
        assert recall(root, "doctor", "--fix").code in (0, 1)
        assert not [one for one in recall(root, "status", "--json").json["reasons"] if "missing" in one]


def test_an_archive_of_another_program_is_called_by_what_it_says(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    said = "# Conversation {0}\n\n---\n\n### User\n\n{1}\n\n---\n\n### Assistant\n\nDone.\n"
    head = '---\nlog: {0}\ndate: 2026-06-0{0}T10:00:00Z\nsession_id: "s{0}"\ntopics: []\n---\n\n'
    write_files(
        bench.store.root / "memory/conversations",
        {
            "conversation-001.md": head.format(1) + said.format(1, "Where does the heron nest?"),
            "conversation-002.md": head.format(2)
            + "## Summary\n\nThe okapi fence is up.\n\n"
            + said.format(2, "Go on"),
        },
    )
    assert recall("doctor", "--fix").code in (0, 1)
    for words in (("list", "conversation"), ("dashboard",)):
        shown = recall(*words).out
        assert "Where does the heron nest?" in shown and "The okapi fence is up." in shown, words


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_subject_of_a_checkpoint_is_found(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    root = f"--root={bench.store.root}"
    path = transcript(environment, 1, [("user", "Tidy the loader"), ("assistant", "Tidied.")], cwd=str(environment.cwd))
    made = recall(root, "checkpoint", path, "--context", "wolverine migration")
    if name in ("project", "claude-project"):
        return
    assert made.code == 0
    hits = recall(root, "search", "wolverine", "--json").json["hits"]
    assert hits and hits[0]["title"] == "Tidy the loader"


def test_rows_stand_in_the_order_of_their_numbers(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "user")
    root = f"--root={bench.store.root}"
    log = '---\nlog: {0}\ndate: "2026-02-0{0}T08:00:00Z"\ntrigger: precompact\n---\n\n# Archive Log 00{0}\n\nLog {0}.\n'
    write_files(bench.store.root / "memories", {f"archive-log-00{one}.md": log.format(one) for one in (1, 2, 3, 5)})
    rows = "# Archive Index\n\n| 001 | 2026-02-01 | precompact |\n| 002 | 2026-02-02 | precompact |\n"
    bench.layout.rows.write_text(rows)
    bench.layout.window.write_text("Worked on the walrus importer.\n")
    path = transcript(environment, 1, [("user", "Move the log"), ("assistant", "Moved it.")], cwd=str(environment.cwd))
    assert recall(root, "archive", path).code == 0
    found = [line[2:5] for line in bench.layout.rows.read_text().splitlines() if line[2:5].isdecimal()]
    assert found == ["001", "002", "003", "005", "006", "007"]


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_remarks_of_a_new_memory_are_not_found(recall: Recall, environment: Environment, name: str) -> None:
    root = f"--root={bench_at(environment, name).store.root}"
    recall(root, "init", "--no-install")
    assert recall(root, "search", "decisions preferences", "--kind", "memory").code == 1
    assert recall(root, "remember", "Preferences: tabs, never spaces").code == 0
    assert recall(root, "search", "preferences", "--kind", "memory", "--json").json["hits"][0]["snippet"]


def test_a_memory_that_the_environment_names_is_made_where_its_parent_is(
    recall: Recall, environment: Environment
) -> None:
    folder = environment.cwd / "no" / "such" / "memory"
    variables = cast("dict[str, str]", environment.env)
    variables["RECALL_ECHO_HOME"] = str(folder)
    said = recall("init", "--no-install")
    assert said.code == 1 and "does not exist" in said.err and not folder.parent.exists()
    variables["RECALL_ECHO_HOME"] = str(environment.cwd / "mine")
    assert recall("init", "--no-install").code == 0
    assert (environment.cwd / "mine/memory/MEMORY.md").is_file()
