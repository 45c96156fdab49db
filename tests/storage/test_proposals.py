"""Proposals: what waits for a person, and what becomes of it."""

from __future__ import annotations

import json

import pytest

from recall_tui.domain import Create, Plan, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import Decision, DocumentChange, Proposal
from tests.memories import store  # noqa: F401

MASTER = Proposal("master", "master", "Synthesise", "2 new summaries", (DocumentChange("memory/master.md", "# New\n"),))


def decide(store: Store, proposal: Proposal, fate: Decision, *taken: str) -> None:  # noqa: F811
    """Write down what became of a proposal, as a person's change."""
    edit = proposals.decision_edit(store, proposal, fate, taken)
    Journal(store.state, store.now).commit(lambda: Plan("Decided", (edit,)))


def test_a_proposal_waits_and_is_found_by_the_beginning_of_its_id(store: Store) -> None:  # noqa: F811
    made = proposals.save(store, MASTER)
    assert made is not None and made.made_at == store.now()
    assert proposals.list_open(store) == (made,)
    assert proposals.match_id((made,), made.id[:4], "open") == made
    with pytest.raises(NotFoundError):
        proposals.match_id((made,), "ffffffff0", "open")
    assert (store.state / proposals.PROPOSALS_FOLDER / f"{made.id}.json").stat().st_mode & 0o777 == 0o600


def test_a_newer_proposal_of_the_same_subject_takes_the_place_of_the_older(store: Store) -> None:  # noqa: F811
    proposals.save(store, MASTER)
    newer = proposals.save(
        store, Proposal("master", "master", "Again", "3", (DocumentChange("memory/master.md", "# Newer\n"),))
    )
    other = proposals.save(
        store, Proposal("wiki", "auth", "Auth", "2", (DocumentChange("memory/wiki/auth.md", "# Auth\n"),))
    )
    assert set(proposals.list_open(store)) == {newer, other}


def test_what_was_dismissed_is_not_put_forward_again(store: Store) -> None:  # noqa: F811
    made = proposals.save(store, MASTER)
    assert made is not None
    decide(store, made, "dismissed")
    assert proposals.list_open(store) == ()
    assert proposals.save(store, MASTER) is None
    assert [one.fate for one in proposals.list_all(store)] == ["dismissed"]
    decide(store, made, "open")
    assert proposals.list_open(store) == (made,)


def test_accepting_makes_or_replaces_the_document_and_what_is_there_already_needs_nothing(store: Store) -> None:  # noqa: F811
    path = store.root / "memory/master.md"
    assert proposals.plan_accept(store, MASTER).edits == (Create(path, "# New\n"),)
    path.write_text("# Old\n")
    seen = Proposal(
        "master", "master", "t", "w", (DocumentChange("memory/master.md", "# New\n", content_digest("# Old\n")),)
    )
    assert proposals.plan_accept(store, seen).edits == (Replace(path, content_digest("# Old\n"), "# New\n"),)
    path.write_text("# New\n")
    assert proposals.plan_accept(store, seen).edits == ()
    assert not proposals.is_stale(store, seen)


def test_a_document_that_changed_since_is_never_overwritten(store: Store) -> None:  # noqa: F811
    (store.root / "memory/master.md").write_text("# Somebody's own\n")
    assert proposals.is_stale(store, MASTER)
    with pytest.raises(ConflictError):
        proposals.plan_accept(store, MASTER)


def test_nothing_outside_of_the_memory_is_written(store: Store) -> None:  # noqa: F811
    for path in ("../elsewhere.md", "/tmp/elsewhere.md"):
        with pytest.raises(ConflictError):
            proposals.plan_accept(store, Proposal("wiki", "x", "t", "w", (DocumentChange(path, "x"),)))


def test_single_documents_can_be_picked(store: Store) -> None:  # noqa: F811
    two = Proposal("wiki", "x", "t", "w", (DocumentChange("memory/a.md", "a\n"), DocumentChange("memory/b.md", "b\n")))
    assert [edit.path.name for edit in proposals.plan_accept(store, two, frozenset({"memory/b.md"})).edits] == ["b.md"]


def test_a_file_that_cannot_be_read_is_passed_over(store: Store) -> None:  # noqa: F811
    made = proposals.save(store, MASTER)
    folder = store.state / proposals.PROPOSALS_FOLDER
    for name, text in (("00000000.json", "{"), ("11111111.json", '{"kind": 3}'), ("22222222.json", "[]")):
        (folder / name).write_text(text)
    sound = json.loads((folder / f"{made.id}.json").read_text())
    for number, wrong in enumerate(
        ({"title": 3}, {"evidence": [1]}, {"changes": [{"path": 3, "text": None}]}, {"x": 1})
    ):
        id = f"3333333{number}"
        (folder / f"{id}.json").write_text(json.dumps({**sound, "id": id, **wrong}))
    assert proposals.list_all(store) == (made,)


def test_a_decision_that_is_taken_back_leaves_nothing(store: Store) -> None:  # noqa: F811
    made = proposals.save(store, MASTER)
    assert made is not None
    before = sorted(path.name for path in (store.state / proposals.PROPOSALS_FOLDER).iterdir())
    decide(store, made, "dismissed")
    assert proposals.list_open(store) == ()
    Journal(store.state, store.now).undo()
    assert proposals.list_open(store) == (made,)
    assert sorted(path.name for path in (store.state / proposals.PROPOSALS_FOLDER).iterdir()) == before


def test_what_was_taken_of_a_proposal_is_neither_planned_again_nor_stale(store: Store) -> None:  # noqa: F811
    two = Proposal("wiki", "x", "t", "w", (DocumentChange("memory/a.md", "a\n"), DocumentChange("memory/b.md", "b\n")))
    made = proposals.save(store, two)
    assert made is not None
    decide(store, made, "open", "memory/a.md")
    (store.root / "memory/a.md").write_text("mine\n")
    (left,) = proposals.list_open(store)
    assert left.taken == ("memory/a.md",) and [one.path for one in left.left] == ["memory/b.md"]
    assert not proposals.is_stale(store, left)
    assert [proposals.document_state(store, left, one) for one in left.changes] == ["taken", "create"]
    edits = proposals.plan_accept(store, left).edits
    assert [edit.path.name for edit in edits] == ["b.md", f"{made.id}.fate.json"]


def test_an_older_one_of_which_something_was_taken_is_kept_but_waits_no_more(store: Store) -> None:  # noqa: F811
    first = proposals.save(
        store, Proposal("wiki", "x", "t", "w", (DocumentChange("a.md", "a\n"), DocumentChange("b.md", "b\n")))
    )
    assert first is not None
    decide(store, first, "open", "a.md")
    newer = proposals.save(store, Proposal("wiki", "x", "t", "w", (DocumentChange("b.md", "bb\n"),)))
    assert {one.id for one in proposals.list_all(store)} >= {first.id}
    decide(store, first, "open")
    assert len(proposals.list_all(store)) == 2 and len(proposals.list_open(store)) == 1
    assert newer in proposals.list_all(store)


@pytest.mark.parametrize("text", ["{", "[]", '{"fate": 3, "taken": 4}', '{"fate": "open", "taken": ["x", 5]}', ""])
def test_a_decision_that_cannot_be_read_is_none(store: Store, text: str) -> None:  # noqa: F811
    made = proposals.save(store, MASTER)
    assert made is not None
    (store.state / proposals.PROPOSALS_FOLDER / f"{made.id}.fate.json").write_text(text)
    assert proposals.list_open(store) == (made,)


def test_what_is_shown_is_what_would_be_beside_what_is_there_now(store: Store) -> None:  # noqa: F811
    path = store.root / "memory/master.md"
    path.write_text("# Somebody's own\n")
    assert proposals.preview_plan(store, MASTER).edits == (
        Replace(path, content_digest("# Somebody's own\n"), "# New\n"),
    )
    assert proposals.preview_plan(store, Proposal("wiki", "x", "t", "w", (DocumentChange("../x.md", "x"),))).edits == ()


def test_what_was_accepted_and_is_gone_waits_again(store: Store) -> None:  # noqa: F811
    path = store.root / "memory/master.md"
    made = proposals.save(store, MASTER)
    assert made is not None
    Journal(store.state, store.now).commit(lambda: proposals.plan_accept(store, made))
    assert path.is_file() and proposals.save(store, MASTER) is None
    path.unlink()
    assert proposals.save(store, MASTER) == made and proposals.list_open(store) == (made,)
    decide(store, made, "dismissed")
    assert proposals.save(store, MASTER) is None, "what a person did not want does not come back"
