"""`wiki` and its commands from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript, tree, write_files
from tests.models import FakeModel

Recall = Callable[..., Any]
STUB = ("wiki", "stub", "jwt", "--category", "concept", "--lede", "Tokens last 15 minutes.", "--name", "JWT")


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory with documents that a page may be from."""
    made = bench_at(environment)
    write_files(made.store.root, {f"memory/{name}.md": "# Notes\n\nTokens rotate.\n" for name in "ab"})
    write_files(made.store.root, {"memory/days/2026-03-05.md": "# 2026-03-05\n\n" + "- Tokens rotate.\n" * 5})
    return made


def test_a_page_is_begun_listed_and_shown(recall: Recall, bench: Workbench) -> None:
    said = recall("wiki", "list")
    assert said.out == "" and "wiki stub" in said.err
    assert (
        recall(*STUB, "--why", "mobile", "--source", "memory/days/2026-03-05.md:4-6").out
        == "Started the page jwt (concept)\n"
    )
    assert recall("wiki", "list").out == "[private] jwt [concept] (stub) — Tokens last 15 minutes.\n"
    assert recall("wiki").out == recall("wiki", "list").out
    shown = recall("wiki", "show", "jwt").out
    assert shown.startswith("# JWT [concept] (1 source)\nSlug: jwt\n")
    assert "Source: memory/days/2026-03-05.md:4-6\n" in shown
    assert shown.endswith("\n\nTokens last 15 minutes.\n\n**Why:** mobile\n")
    row = recall("wiki", "list", "--json").json["pages"][0]
    assert (row["target"], row["slug"], row["category"], row["sources"]) == ("private", "jwt", "concept", 1)
    assert recall("wiki", "show", "jwt", "--json").json["sources"][0]["start"] == 4


def test_the_source_of_a_page_is_the_log_of_today_when_none_is_named(recall: Recall, bench: Workbench) -> None:
    recall(*STUB)
    assert recall("wiki", "show", "jwt", "--json").json["sources"][0]["uri"] == "memory/days/2026-03-06.md"


def test_the_list_is_narrowed(recall: Recall, bench: Workbench) -> None:
    recall(*STUB)
    recall("wiki", "stub", "sam", "--category", "entity", "--lede", "Reviews.")
    recall("wiki", "append", "sam", "--source", "b.md", "--body", "In the evening.")
    slugs = [
        [row["slug"] for row in recall("wiki", "list", *words, "--json").json["pages"]]
        for words in ((), ("--stubs",), ("--category", "entity"), ("--category", "theme"))
    ]
    assert slugs == [["jwt", "sam"], ["jwt"], ["sam"], []]


def test_a_part_that_the_category_has_not_is_a_usage_error(recall: Recall, bench: Workbench) -> None:
    said = recall("wiki", "stub", "sam", "--category", "entity", "--why", "because")
    assert said.code == 2 and "no part 'Why'" in said.err
    assert recall("wiki", "stub", "Not A Slug", "--category", "entity").code == 2
    assert recall("wiki", "stub", "x", "--category", "theme").code == 2


def test_a_fragment_and_a_superseded_claim_are_added(recall: Recall, bench: Workbench) -> None:
    recall(*STUB)
    said = recall("wiki", "append", "jwt", "--source", "memory/a.md:2", "--body", "They rotate.")
    assert said.out == "Added to jwt (2 sources now)\n"
    words = ("--source", "b.md", "--fact", "Tokens last 15 minutes.", "--by", "An hour.", "--on", "2026-03-02")
    assert recall("wiki", "supersede", "jwt", *words).code == 0
    shown = recall("wiki", "show", "jwt").out
    assert "Superseded 2026-03-02: Tokens last 15 minutes. → An hour. (memory/b.md)\n" in shown
    assert recall("wiki", "supersede", "jwt", *words).err == "jwt: that is known to be superseded already\n"


def test_a_dry_run_shows_the_change_and_makes_none(recall: Recall, bench: Workbench) -> None:
    recall(*STUB)
    before = tree(bench.layout.base)
    for words in (
        ("stub", "x", "--category", "entity"),
        ("append", "jwt", "--source", "a.md", "--body", "More."),
        ("supersede", "jwt", "--source", "a.md"),
        ("rename", "jwt", "tokens"),
        ("knowledge-map",),
    ):
        said = recall("wiki", *words, "--dry-run")
        assert said.code == 0 and "+++ " in said.out and "not done" in said.err, words
    assert tree(bench.layout.base) == before


def test_what_changes_many_files_is_shown_and_asked_about(recall: Recall, bench: Workbench) -> None:
    recall(*STUB)
    recall("wiki", "stub", "api", "--category", "project", "--lede", "Uses [[jwt]].")
    before = tree(bench.layout.base)
    said = recall("wiki", "rename", "jwt", "tokens", stdin="n\n")
    assert said.code == 1 and "+Uses [[tokens|jwt]]." in said.out and tree(bench.layout.base) == before
    assert recall("wiki", "rename", "jwt", "tokens", "--json").code == 2
    assert recall("wiki", "rename", "jwt", "tokens", "--yes").out == "Renamed jwt to tokens\n"
    assert "Slug: tokens (from jwt)" in recall("wiki", "show", "jwt").out
    assert recall("wiki", "merge", "api", "tokens", stdin="y\n").code == 0
    assert "## Merged from api" in recall("wiki", "show", "api").out
    recall("undo"), recall("undo")
    assert tree(bench.layout.base) == before


def test_a_rebuild_draws_from_the_sources(recall: Recall, bench: Workbench) -> None:
    bench.layout.days.mkdir(exist_ok=True)
    (bench.layout.days / "2026-03-05.md").write_text("- JWT tokens are signed with EdDSA.\n")
    recall(*STUB, "--source", "memory/days/2026-03-05.md")
    assert recall("wiki", "rebuild", "jwt", "--yes").out == "Rebuilt jwt\n"
    assert "- JWT tokens are signed with EdDSA. (memory/days/2026-03-05.md:1)" in recall("wiki", "show", "jwt").out
    assert recall("wiki", "rebuild", "jwt").err == "jwt is in order already\n"
    assert "0 pages (1 skipped, 0 failed)" in recall("wiki", "rebuild", "--all").err
    assert recall("wiki", "rebuild").code == 2 and recall("wiki", "rebuild", "jwt", "--all").code == 2
    assert recall("wiki", "rebuild", "nobody").code == 1


def test_lint_says_what_is_wrong_and_exits_1(recall: Recall, bench: Workbench) -> None:
    assert (recall("wiki", "lint").out, recall("wiki", "lint").code) == ("No issues found.\n", 0)
    recall("wiki", "stub", "lone", "--category", "concept", "--source", "memory/MEMORY.md", "--lede", "Tokens.")
    said = recall("wiki", "lint")
    assert (said.code, said.out) == (0, "orphan (1)\n  [private] lone:1 no other page links to it\n")
    recall("wiki", "stub", "jwt", "--category", "concept", "--lede", "See [[nowhere]].")
    (bench.layout.wiki / "broken.md").write_text("---\nname: x\n---\nText.\n")
    said = recall("wiki", "lint")
    assert said.code == 1 and "broken-link (1)\n" in said.out and "malformed (1)\n  [private] broken:1" in said.out
    found = recall("wiki", "lint", "--json")
    assert found.code == 1 and {row["rule"] for row in found.json["findings"]} == {"broken-link", "malformed", "orphan"}


def test_a_malformed_page_is_said_and_shown_as_it_is(recall: Recall, bench: Workbench) -> None:
    bench.layout.wiki.mkdir()
    (bench.layout.wiki / "broken.md").write_text("---\nname: x\n---\nText.\n")
    said = recall("wiki", "list")
    assert said.code == 0 and "broken is not a wiki page: it has no category" in said.err
    said = recall("wiki", "show", "broken")
    assert said.out == "---\nname: x\n---\nText.\n" and "no category" in said.err
    said = recall("wiki", "show", "nobody")
    assert said.code == 1 and "no page nobody" in said.err


def test_a_shared_wiki_is_another_folder_with_a_role(
    recall: Recall, bench: Workbench, environment: Environment
) -> None:
    assert recall("config", "set", "wiki.shared", "team = ~/team, docs (reader) = ../docs").code == 0
    assert recall("wiki", "targets").out == (
        f"private (owner) — {bench.layout.wiki}\nteam (member) — {environment.home / 'team'}\n"
        f"docs (reader) — {bench.store.root / '../docs'}\n"
    )
    said = recall("wiki", "stub", "jwt", "--category", "entity", "--lede", "Ours.", "--shared", "team")
    assert said.code == 0 and (environment.home / "team" / "jwt.md").is_file()
    none = recall("wiki", "list")
    assert none.out == "" and none.code == recall("list", "wiki").code == 1, "an empty list is nothing found"
    assert recall("wiki", "list", "--shared", "team").out == recall("wiki", "list", "--all").out
    said = recall("wiki", "stub", "jwt", "--category", "entity", "--shared", "docs")
    assert said.code == 2 and "only read" in said.err
    assert recall("wiki", "list", "--shared", "nobody").code == 1
    said = recall("wiki", "append", "jwt", "--source", "a.md", "--body", "See [[private:jwt]].", "--shared", "team")
    assert said.code == 2 and "cannot read" in said.err
    (environment.home / "team" / "jwt.md").write_text(
        "---\ncategory: entity\ndescription: x\nsources: [a]\n---\n[[private:x]] [[docs:y]] [[else:z]]\n"
    )
    rows = recall("wiki", "lint", "--shared", "team", "--json").json["findings"]
    assert {row["rule"] for row in rows} == {"private-link", "broken-link", "unknown-target", "orphan"}
    assert recall("wiki", "lint").code == 0 and recall("wiki", "lint", "--include-shared").code == 1
    assert "team (member): 1 pages, 1 stubs; 1 entity" in recall("wiki", "status").out


@pytest.mark.long
@pytest.mark.parametrize("shared", ["team", "team-root"])
@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_the_pages_of_a_shared_wiki_are_searched(
    recall: Recall, environment: Environment, name: str, shared: str
) -> None:
    made = bench_at(environment, name)
    root = f"--root={made.store.root}"
    team = bench_at(environment, "entity", environment.home / "team-root").layout.wiki
    folder = team if shared == "team-root" else environment.home / shared
    folder.mkdir(parents=True, exist_ok=True)
    page = folder / "heron.md"
    page.write_text(
        "---\ncategory: entity\ndescription: x\nsources: []\n---\n\n# Heron\n\nThe heron queue is drained.\n"
    )
    assert recall(root, "search", "heron queue drained").code == 1, "it is not shared yet"
    assert recall(root, "config", "set", "wiki.shared", f"team (reader) = ~/{shared}").code == 0
    (hit,) = recall(root, "search", "heron queue drained", "--json").json["hits"]
    assert hit["kind"] == "wiki" and hit["document"].endswith("heron.md")
    assert "heron queue is drained" in recall(root, "show", hit["document"]).out
    assert "heron queue is drained" in recall(root, "search", "--lines", "queue is drained").out
    outside = environment.home / "secret.md"
    outside.write_text("# Zebra\n\nThe zebra vault.\n")
    (folder / "zebra.md").symlink_to(outside)
    assert recall(root, "search", "zebra vault").code == 1
    assert recall(root, "show", str(folder / "zebra.md")).code == 1


@pytest.mark.parametrize("value", ["private = x", "a = x, a = y", "A B = x", "team", "team (owner) = x", "wiki = x"])
def test_a_shared_wiki_that_cannot_be_is_refused(recall: Recall, bench: Workbench, value: str) -> None:
    assert recall("config", "set", "wiki.shared", value).code == 2


def test_the_status_says_whose_memory_it_is(recall: Recall, bench: Workbench) -> None:
    assert recall("wiki", "status").out.startswith("identity Agent (no IDENTITY.md)\nprivate (owner): 0 pages")
    bench.layout.identity.write_text("# Ada\n\nA careful engineer.\n")
    assert recall("wiki", "status", "--json").json["identity"] == {
        "name": "Ada",
        "role": "A careful engineer.",
        "is_fallback": False,
    }
    assert recall("wiki", "status").out.startswith("identity Ada — A careful engineer.\n")


def test_the_map_and_the_migrations_are_changes(recall: Recall, bench: Workbench) -> None:
    (bench.layout.base / "user_sam.md").write_text("---\nname: Sam\ntype: user\n---\nReviews.\n")
    insights = bench.layout.base / "dreams" / "insights"
    insights.mkdir(parents=True)
    (insights / "2026-03-01-tests.md").write_text("Tests first.\n")
    before = tree(bench.layout.base)
    assert recall("wiki", "migrate-typed-memories", stdin="n\n").code == 1 and tree(bench.layout.base) == before
    assert recall("wiki", "migrate-typed-memories", "--yes").out == "Migrated 1 typed memory\n"
    assert recall("wiki", "migrate-insights", "--yes").out == "Migrated 1 insight\n"
    assert recall("wiki", "knowledge-map").out == "Mapped 2 pages in WISDOM.md\n"
    assert "- [[sam]] — Reviews. (stub)" in bench.layout.wisdom.read_text()
    assert recall("wiki", "knowledge-map").err == "the knowledge map is up to date\n"
    for _ in range(3):
        recall("undo")
    assert tree(bench.layout.base) == before


@pytest.mark.long
def test_a_model_tells_a_page_and_one_that_fails_leaves_it_to_the_sources(
    recall: Recall, bench: Workbench, environment: Environment, tmp_path: Path
) -> None:
    bench.layout.days.mkdir(exist_ok=True)
    for number in (4, 5):
        (bench.layout.days / f"2026-03-0{number}.md").write_text(f"- JWT tokens were signed with key {number}.\n")
    recall(*STUB, "--source", "memory/days/2026-03-05.md")
    recall("wiki", "append", "jwt", "--source", "memory/days/2026-03-04.md", "--body", "Keys change.")
    claims = [{"text": "Key 5 signed the JWT tokens.", "lines": [2]}, {"text": "Mondays are for 9 naps.", "lines": [2]}]
    model = FakeModel(tmp_path / "model", {"sections": [{"heading": "Keys", "claims": claims}]}, "no json")
    environment.env.update(model.env)  # type: ignore[attr-defined]
    said = recall("wiki", "rebuild", "jwt", "--dry-run")
    assert "+- Key 5 signed the JWT tokens. (memory/days/2026-03-05.md:1)" in said.out and "Mondays" not in said.out
    assert "1 of the model's claims are in no line" in said.err
    said = recall("wiki", "rebuild", "--all", "--yes")
    assert "jwt: without a model: " in said.err and said.out == "Rebuilt 1 page (0 skipped, 0 failed)\n"
    assert "JWT tokens were signed with key 5." in recall("wiki", "show", "jwt").out
    model.answers({"sections": [{"heading": "Keys", "claims": claims}], "stale": ["Keys change."]})
    recall("wiki", "rebuild", "jwt", "--yes")
    shown = recall("wiki", "show", "jwt").out
    assert "In no source: Tokens last 15 minutes.\n" in shown and "May be stale: Keys change.\n" in shown
    asked = len(model.asked)
    assert recall("wiki", "rebuild", "jwt", "--agent", "off", "--dry-run").code == 0 and len(model.asked) == asked


@pytest.mark.parametrize("source", ["nosuch.md:3", "nosuch", "2026-03-04", "2026-03-05:99", "../../etc/passwd", "99"])
@pytest.mark.parametrize("command", ["stub", "append", "supersede"])
def test_a_source_that_is_not_there_is_an_error(recall: Recall, bench: Workbench, source: str, command: str) -> None:
    recall(*STUB)
    before = tree(bench.layout.base)
    words = {
        "stub": ("stub", "x", "--category", "entity", "--source", source),
        "append": ("append", "jwt", "--source", source, "--body", "More."),
        "supersede": ("supersede", "jwt", "--source", source),
    }
    said = recall("wiki", *words[command])
    assert said.code == 1 and said.out == "" and said.err
    assert tree(bench.layout.base) == before


def test_a_source_is_named_as_read_takes_it_and_stored_by_its_path(
    recall: Recall, bench: Workbench, environment: Environment
) -> None:
    path = transcript(environment, 1, [("user", "Why do tokens rotate?"), ("assistant", "Tokens rotate for safety.")])
    recall("archive", str(path))
    unarchived = transcript(environment, 2, [("user", "How long?"), ("assistant", "An hour.")])
    write_files(bench.layout.weekly, {"2026-W10.md": "# Week\n\nTokens rotate.\n"})
    archive = "memory/conversations/conversation-001.md"
    wanted = {
        "2026-03-05:4": {"uri": "memory/days/2026-03-05.md", "start": 4},
        "memory/days/2026-03-05.md:4-5": {"uri": "memory/days/2026-03-05.md", "start": 4},
        "2026-W10": {"uri": "memory/weekly/2026-W10.md", "start": 0},
        "a.md:3": {"uri": "memory/a.md", "start": 3},
        "1:5": {"uri": archive, "start": 5},
        "conversation-001": {"uri": archive, "start": 0},
        session_id_of(1): {"uri": archive, "start": 0},
        f"{unarchived.stem}:1-2": {"uri": session_id_of(2), "start": 1},
        "memory": {"uri": "memory/MEMORY.md", "start": 0},
    }
    for place, (source, row) in enumerate(wanted.items()):
        said = recall("wiki", "stub", f"p{place}", "--category", "entity", "--source", source)
        assert said.code == 0, (source, said.err)
        (found,) = recall("wiki", "show", f"p{place}", "--json").json["sources"]
        assert {key: found[key] for key in row} == row, source
        assert recall("wiki", "rebuild", f"p{place}", "--yes").code == 0, source
    assert recall("wiki", "lint").code == 0
    (bench.store.root / archive).unlink()
    (bench.layout.days / "2026-03-05.md").write_text("# 2026-03-05\n")
    rows = recall("wiki", "lint", "--json").json["findings"]
    missing = {(row["slug"], row["what"]) for row in rows if row["rule"] == "missing-source"}
    assert ("p5", f"its source {archive} is not there") in missing
    assert ("p0", "its source memory/days/2026-03-05.md has no lines 4 any more") in missing


def test_lint_names_the_line_of_a_claim_whose_source_says_something_else_now(recall: Recall, bench: Workbench) -> None:
    recall(*STUB, "--source", "a.md")
    recall("wiki", "append", "jwt", "--source", "b.md", "--body", "- Tokens rotate. (memory/b.md:3)")
    assert recall("wiki", "lint").code == 0
    (bench.store.root / "memory/b.md").write_text("# Notes\n\nSessions are on the server now.\n")
    said = recall("wiki", "lint")
    page = (bench.layout.wiki / "jwt.md").read_text().splitlines()
    line = page.index("- Tokens rotate. (memory/b.md:3)") + 1
    assert said.code == 1 and f"jwt:{line} memory/b.md:3 says something else now" in said.out


def test_a_migrated_note_is_a_source_that_can_be_read(recall: Recall, bench: Workbench) -> None:
    note = "---\nname: Sam\ndescription: reviews\ntype: user\n---\n\nSam reviews the tokens in the evening.\n"
    write_files(bench.layout.base, {"user_sam.md": note})
    assert recall("wiki", "migrate-typed-memories", "--yes").code == 0
    assert recall("wiki", "rebuild", "sam", "--yes").code == 0 and recall("wiki", "lint").code == 0
