"""`review` from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree

Recall = Callable[..., Any]
OLD = "# Master\n\n- old\n"
MASTER = Proposal(
    "master",
    "master",
    "Synthesise 2 new summaries",
    "They tell of the new keys",
    (DocumentChange("memory/master.md", "# Master\n\n- new\n", content_digest(OLD)),),
    evidence=("memory/conversations/conversation-001.md:3-9",),
)
PAGES = Proposal(
    "wiki",
    "auth",
    "Pages on auth",
    "Two sessions",
    (DocumentChange("memory/wiki/auth.md", "# Auth\n"), DocumentChange("memory/wiki/jwt.md", "# JWT\n")),
    is_safe=True,
)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory with a master."""
    bench = bench_at(environment)
    (bench.store.root / "memory/master.md").write_text(OLD)
    return bench


def put(bench: Workbench, proposal: Proposal) -> str:
    made = proposals.save(bench.store, proposal)
    assert made is not None
    return made.id


@pytest.mark.parametrize("words", [["review"], ["review", "list"]])
def test_nothing_that_waits_is_said_with_what_would_make_something_wait(
    words: list[str], recall: Recall, bench: Workbench
) -> None:
    said = recall(*words)
    assert (said.code, said.out) == (0, "") and "recall-tui synthesize" in said.err
    assert recall(*words, "--json").json == {"proposals": []}


def test_what_waits_is_listed_with_its_state(recall: Recall, bench: Workbench) -> None:
    ids = put(bench, MASTER), put(bench, PAGES)
    said = recall("review")
    assert said.code == 0 and all(id in said.out for id in ids)
    assert "Synthesise 2 new summaries" in said.out and "safe" in said.out
    rows = {row["id"]: row for row in recall("review", "list", "--json").json["proposals"]}
    assert not rows[ids[0]]["is_safe"] and rows[ids[1]]["is_safe"] and not rows[ids[0]]["is_stale"]
    assert rows[ids[1]]["documents"][0] == {"path": "memory/wiki/auth.md", "state": "create"}
    (bench.store.root / "memory/master.md").write_text("# Mine\n")
    assert "stale" in recall("review").out
    assert recall("review", "--json").json["proposals"][0]["fate"] == "open"


def test_one_is_shown_with_why_evidence_and_diff(recall: Recall, bench: Workbench) -> None:
    id, before = put(bench, MASTER), tree(bench.store.root)
    said = recall("review", "show", id[:4])
    for words in ("They tell of the new keys", "conversation-001.md:3-9", "+++ b/memory/master.md", "-- old", "+- new"):
        assert words in said.out
    assert recall("review", "show", id, "--json").json["diff"].startswith("--- a/memory/master.md")
    assert tree(bench.store.root) == before


def test_a_dry_run_shows_the_documents_alone_and_changes_nothing(recall: Recall, bench: Workbench) -> None:
    id, before = put(bench, MASTER), tree(bench.store.root)
    said = recall("review", "accept", id, "--dry-run")
    assert "+- new" in said.out and ".fate" not in said.out and "not done" in said.err
    assert recall("review", "dismiss", id, "--dry-run").code == 0
    assert tree(bench.store.root) == before and [one.id for one in proposals.list_open(bench.store)] == [id]


def test_what_is_accepted_is_made_and_undo_brings_both_back(recall: Recall, bench: Workbench) -> None:
    id = put(bench, MASTER)
    assert recall("review", "accept", id[:5]).out == "Accepted: Synthesise 2 new summaries\n"
    assert "- new" in (bench.store.root / "memory/master.md").read_text()
    assert recall("review", "--json").json["proposals"] == []
    assert "accepted" in recall("review", "list", "--all").out
    recall("undo")
    assert (bench.store.root / "memory/master.md").read_text() == OLD
    assert [row["id"] for row in recall("review", "--json").json["proposals"]] == [id]


def test_a_document_of_it_is_accepted_alone(recall: Recall, bench: Workbench) -> None:
    id = put(bench, PAGES)
    assert recall("review", "accept", id, "--only", "memory/wiki/jwt.md").code == 0
    assert sorted(path.name for path in (bench.store.root / "memory/wiki").iterdir()) == ["index.md", "jwt.md"]
    assert recall("review", "accept", id, "--only", "memory/other.md").code == 1


def test_all_safe_ones_are_accepted_as_one_change(recall: Recall, bench: Workbench) -> None:
    master, _ = put(bench, MASTER), put(bench, PAGES)
    said = recall("review", "accept", "--safe", "--json").json
    assert said["change"]["title"] == "Accepted: Pages on auth"
    assert [row["id"] for row in recall("review", "--json").json["proposals"]] == [master]
    again = recall("review", "accept", "--safe")
    assert (again.code, again.out) == (0, "") and "No proposal is safe" in again.err


def test_what_is_dismissed_is_brought_back_by_undo_or_restore(recall: Recall, bench: Workbench) -> None:
    ids = [put(bench, MASTER), put(bench, PAGES)]
    assert recall("review", "dismiss", *ids).out.startswith("Dismissed: 2 proposals")
    assert proposals.save(bench.store, MASTER) is None
    recall("undo")
    assert len(recall("review", "--json").json["proposals"]) == 2
    recall("review", "dismiss", ids[0])
    assert recall("review", "restore", ids[0]).out.startswith("Brought back: Synthesise")
    assert len(recall("review", "--json").json["proposals"]) == 2


def test_a_stale_one_is_refused_as_a_conflict(recall: Recall, bench: Workbench) -> None:
    id = put(bench, MASTER)
    (bench.store.root / "memory/master.md").write_text("# Mine\n")
    said = recall("review", "accept", id)
    assert said.code == 3 and "changed since" in said.err and "recall-tui synthesize" in said.err
    assert "changed since" in recall("review", "show", id).err
    assert (bench.store.root / "memory/master.md").read_text() == "# Mine\n"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["show", "ffffffff"], 1),
        (["accept", "ffffffff"], 1),
        (["dismiss", "ffffffff"], 1),
        (["restore", "ffffffff"], 1),
        (["accept"], 2),
        (["accept", "ffff", "--safe"], 2),
        (["accept", "--safe", "--only", "x.md"], 2),
        (["dismiss"], 2),
        (["what"], 2),
    ],
)
def test_what_is_not_there_or_makes_no_sense_has_its_exit_code(
    words: list[str], code: int, recall: Recall, bench: Workbench
) -> None:
    assert recall("review", *words).code == code


def test_hostile_words_are_printed_without_what_steers_a_terminal(recall: Recall, bench: Workbench) -> None:
    nasty = "[/x] [b \x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07 \u202eabc"
    id = put(
        bench, Proposal(nasty, nasty, nasty, nasty, (DocumentChange("memory/x.md", nasty + "\n"),), evidence=(nasty,))
    )
    for words in (["review"], ["review", "show", id], ["review", "dismiss", id]):
        said = recall(*words)
        assert said.code == 0 and not set("\x1b\x07\u202e") & set(said.out + said.err)
        assert "[/x] [b" in said.out


def _page(bench: Workbench, text: str) -> Any:
    path = bench.store.root / "memory/wiki/auth.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def _propose(bench: Workbench, subject: str, path: Any, text: str) -> str:
    change = DocumentChange(bench.store.relative(path), text, content_digest(path.read_text()))
    return put(bench, Proposal("wiki", subject, f"Change {subject}", "a reason", (change,)))


PAGE = "# Auth\n\nTokens last an hour.\n\n## Keys\n\nKeys rotate weekly.\n\n## Open\n\nNothing.\n"


def test_accepting_one_leaves_the_next_of_the_same_document_to_be_accepted(recall: Recall, bench: Workbench) -> None:
    path = _page(bench, PAGE)
    first = _propose(bench, "tokens", path, PAGE.replace("an hour", "a day"))
    second = _propose(bench, "keys", path, PAGE.replace("weekly", "daily"))
    assert recall("review", "accept", first).code == 0
    path.write_text(path.read_text() + "\n- a person's own line\n")
    assert [row["is_stale"] for row in recall("review", "--json").json["proposals"]] == [False]
    shown = recall("review", "show", second).out
    assert "-Keys rotate weekly." in shown and "a day" not in shown.replace(" Tokens last a day.", "")
    assert "-- a person" not in shown
    assert recall("review", "accept", second).code == 0
    assert path.read_text() == (
        PAGE.replace("an hour", "a day").replace("weekly", "daily") + "\n- a person's own line\n"
    )
    recall("undo")
    assert "rotate weekly" in path.read_text() and "a person's own line" in path.read_text()


def test_two_that_change_the_same_line_differently_are_a_conflict(recall: Recall, bench: Workbench) -> None:
    path = _page(bench, PAGE)
    first = _propose(bench, "tokens", path, PAGE.replace("an hour", "a day"))
    second = _propose(bench, "lifetime", path, PAGE.replace("an hour", "a week"))
    assert recall("review", "accept", first).code == 0
    said = recall("review", "accept", second)
    assert said.code == 3 and "changed since this was proposed" in said.err
    assert path.read_text() == PAGE.replace("an hour", "a day")


def test_one_that_others_made_already_changes_nothing_more(recall: Recall, bench: Workbench) -> None:
    path = _page(bench, PAGE)
    id = _propose(bench, "tokens", path, PAGE.replace("an hour", "a day"))
    path.write_text(PAGE.replace("an hour", "a day").replace("Nothing.", "Who rotates the keys?"))
    assert recall("review", "--json").json["proposals"][0]["documents"][0]["state"] == "same"
    assert recall("review", "accept", id).code == 0
    assert "Who rotates" in path.read_text()


def test_a_document_that_is_gone_is_not_made_again(recall: Recall, bench: Workbench) -> None:
    path = _page(bench, PAGE)
    id = _propose(bench, "tokens", path, PAGE.replace("an hour", "a day"))
    path.unlink()
    assert recall("review", "accept", id).code == 3
    assert not path.exists()


def test_a_proposal_of_an_earlier_version_is_stale_when_its_document_changed(recall: Recall, bench: Workbench) -> None:
    path = _page(bench, PAGE)
    id = _propose(bench, "tokens", path, PAGE.replace("an hour", "a day"))
    file = bench.store.state / proposals.PROPOSALS_FOLDER / f"{id}.json"
    told = json.loads(file.read_text())
    for change in told["changes"]:
        del change["base"]
    file.write_text(json.dumps(told))
    path.write_text(PAGE + "\nMine.\n")
    assert recall("review", "accept", id).code == 3
    path.write_text(PAGE)
    assert recall("review", "accept", id).code == 0
