"""Proposals: what waits for a person, and what becomes of it."""

from __future__ import annotations

import pytest

from recall_tui.domain import Create, Replace
from recall_tui.errors import ConflictError, NotFoundError
from recall_tui.storage import proposals
from recall_tui.storage.atomic import digest
from recall_tui.storage.proposals import Change, Proposal
from recall_tui.storage.store import Store
from tests.memories import store  # noqa: F401

MASTER = Proposal("master", "master", "Synthesise", "2 new summaries", (Change("memory/master.md", "# New\n"),))


def test_a_proposal_waits_and_is_found_by_the_beginning_of_its_id(store: Store) -> None:  # noqa: F811
    made = proposals.put(store, MASTER)
    assert made is not None and made.made_at == store.now()
    assert proposals.waiting(store) == (made,)
    assert proposals.find(store, made.id[:4]) == made
    with pytest.raises(NotFoundError):
        proposals.find(store, "ffffffff0")
    assert (store.state / proposals.FOLDER / f"{made.id}.json").stat().st_mode & 0o777 == 0o600


def test_a_newer_proposal_of_the_same_subject_takes_the_place_of_the_older(store: Store) -> None:  # noqa: F811
    proposals.put(store, MASTER)
    newer = proposals.put(store, Proposal("master", "master", "Again", "3", (Change("memory/master.md", "# Newer\n"),)))
    other = proposals.put(store, Proposal("wiki", "auth", "Auth", "2", (Change("memory/wiki/auth.md", "# Auth\n"),)))
    assert set(proposals.waiting(store)) == {newer, other}


def test_what_was_dismissed_is_not_put_forward_again(store: Store) -> None:  # noqa: F811
    made = proposals.put(store, MASTER)
    assert made is not None
    proposals.settle(store, made, "dismissed")
    assert proposals.waiting(store) == ()
    assert proposals.put(store, MASTER) is None
    proposals.settle(store, made, "open")
    assert proposals.waiting(store) == (made,)


def test_accepting_makes_or_replaces_the_document_and_what_is_there_already_needs_nothing(store: Store) -> None:  # noqa: F811
    path = store.root / "memory/master.md"
    assert proposals.plan(store, MASTER).edits == (Create(path, "# New\n"),)
    path.write_text("# Old\n")
    seen = Proposal("master", "master", "t", "w", (Change("memory/master.md", "# New\n", digest("# Old\n")),))
    assert proposals.plan(store, seen).edits == (Replace(path, digest("# Old\n"), "# New\n"),)
    path.write_text("# New\n")
    assert proposals.plan(store, seen).edits == ()
    assert not proposals.is_stale(store, seen)


def test_a_document_that_changed_since_is_never_overwritten(store: Store) -> None:  # noqa: F811
    (store.root / "memory/master.md").write_text("# Somebody's own\n")
    assert proposals.is_stale(store, MASTER)
    with pytest.raises(ConflictError):
        proposals.plan(store, MASTER)


def test_nothing_outside_of_the_memory_is_written(store: Store) -> None:  # noqa: F811
    for path in ("../elsewhere.md", "/tmp/elsewhere.md"):
        with pytest.raises(ConflictError):
            proposals.plan(store, Proposal("wiki", "x", "t", "w", (Change(path, "x"),)))


def test_single_documents_can_be_picked(store: Store) -> None:  # noqa: F811
    two = Proposal("wiki", "x", "t", "w", (Change("memory/a.md", "a\n"), Change("memory/b.md", "b\n")))
    assert [edit.path.name for edit in proposals.plan(store, two, frozenset({"memory/b.md"})).edits] == ["b.md"]


def test_a_file_that_cannot_be_read_is_passed_over(store: Store) -> None:  # noqa: F811
    made = proposals.put(store, MASTER)
    folder = store.state / proposals.FOLDER
    for name, text in (("00000000.json", "{"), ("11111111.json", '{"kind": 3}'), ("22222222.json", "[]")):
        (folder / name).write_text(text)
    assert proposals.every(store) == (made,)
