"""Review: what accepting, dismissing and taking back make of proposals and documents."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ConflictError, NotFoundError, UsageError
from recall_tui.features.curation import review
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.state import proposals
from recall_tui.storage.state.proposals import DocumentChange, Proposal
from recall_tui.workbench import Workbench
from tests.makers import bench_at, tree

OLD, NEW = "# Master\n\n- old\n", "# Master\n\n- new\n"
MASTER = Proposal(
    "master", "master", "Synthesise", "2 new", (DocumentChange("memory/master.md", NEW, content_digest(OLD)),)
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


def ids(bench: Workbench) -> list[str]:
    return [one.proposal.id for one in review.open_proposals(bench.store)]


def test_what_is_accepted_is_in_the_document_and_waits_again_once_it_is_taken_back(bench: Workbench) -> None:
    id, path = put(bench, MASTER), bench.store.root / "memory/master.md"
    before = tree(bench.store.root)
    entry = bench.apply(review.accept, [id[:5]])
    assert entry is not None and entry.title == "Accepted: Synthesise"
    assert path.read_text() == NEW and ids(bench) == []
    assert [one.fate for one in review.closed_proposals(bench.store)] == ["accepted"]
    bench.undo()
    assert tree(bench.store.root) == before and ids(bench) == [id]
    bench.redo()
    assert path.read_text() == NEW and ids(bench) == []


def test_a_later_edit_of_the_document_does_not_bring_the_proposal_back(bench: Workbench) -> None:
    id = put(bench, MASTER)
    bench.apply(review.accept, [id])
    (bench.store.root / "memory/master.md").write_text("# Mine\n")
    assert ids(bench) == []
    assert proposals.save(bench.store, MASTER) is None


def test_what_is_dismissed_is_taken_back_by_undo_and_by_restore(bench: Workbench) -> None:
    id, before = put(bench, MASTER), tree(bench.store.root)
    entry = bench.apply(review.dismiss, [id])
    assert entry is not None and entry.title == "Dismissed: Synthesise" and ids(bench) == []
    bench.undo()
    assert ids(bench) == [id]
    bench.redo()
    bench.apply(review.restore, [id])
    assert ids(bench) == [id]
    assert tree(bench.store.root) == before, "a decision changes no document"
    with pytest.raises(NotFoundError):
        bench.preview(review.restore, [id])


def test_single_documents_are_accepted_and_the_others_wait_on(bench: Workbench) -> None:
    id, folder = put(bench, PAGES), bench.store.root / "memory/wiki"
    entry = bench.apply(review.accept, [id], {"memory/wiki/jwt.md"})
    assert entry is not None and entry.title == "Accepted: Pages on auth (1 of 2 documents)"
    assert (folder / "jwt.md").is_file() and not (folder / "auth.md").exists()
    (waits,) = review.open_proposals(bench.store)
    assert [one.state for one in waits.documents] == ["create", "taken"] and waits.left == ("memory/wiki/auth.md",)
    bench.apply(review.accept, [id])
    assert ids(bench) == [] and (folder / "auth.md").is_file()
    bench.undo()
    bench.undo()
    (waits,) = review.open_proposals(bench.store)
    assert [one.state for one in waits.documents] == ["create", "create"] and not (folder / "jwt.md").exists()


def test_a_document_that_changed_since_is_refused_with_what_to_do(bench: Workbench) -> None:
    id, path = put(bench, MASTER), bench.store.root / "memory/master.md"
    path.write_text("# Mine\n")
    assert review.open_proposals(bench.store)[0].stale == ("memory/master.md",)
    with pytest.raises(ConflictError) as error:
        bench.apply(review.accept, [id])
    assert error.value.hint == "propose it again with recall-tui synthesize"
    assert path.read_text() == "# Mine\n" and ids(bench) == [id]


def test_the_other_documents_of_a_stale_one_can_be_picked(bench: Workbench) -> None:
    id = put(bench, PAGES)
    (bench.store.root / "memory/wiki").mkdir()
    (bench.store.root / "memory/wiki/auth.md").write_text("# Mine\n")
    with pytest.raises(ConflictError):
        bench.apply(review.accept, [id])
    bench.apply(review.accept, [id], ["memory/wiki/jwt.md"])
    assert (bench.store.root / "memory/wiki/jwt.md").read_text() == "# JWT\n"


def test_all_safe_ones_are_one_change_and_what_cannot_be_made_is_said(bench: Workbench) -> None:
    first = put(bench, PAGES)
    again = Proposal(
        "wiki", "jwt", "Other page", "w", (DocumentChange("memory/wiki/jwt.md", "# Other\n"),), is_safe=True
    )
    late = Proposal("wisdom", "w", "Late", "w", (DocumentChange("memory/master.md", "x\n"),), is_safe=True)
    third = Proposal("wiki", "db", "Page on data", "w", (DocumentChange("memory/wiki/db.md", "# Db\n"),), is_safe=True)
    others = {put(bench, one) for one in (again, late, third)}
    put(bench, MASTER)
    plan = bench.preview(review.accept_safe)
    accepted = plan.facts["proposals"]
    assert isinstance(accepted, list) and len(accepted) == 2
    assert any("Late: memory/master.md changed since" in note for note in plan.notes)
    assert any("another one changes memory/wiki/jwt.md" in note for note in plan.notes)
    before = tree(bench.store.root)
    bench.apply(review.accept_safe)
    assert set(ids(bench)).isdisjoint(accepted) and (bench.store.root / "memory/wiki/db.md").is_file()
    bench.undo()
    assert tree(bench.store.root) == before and set(ids(bench)) >= {first, *others}


def test_no_safe_one_changes_nothing(bench: Workbench) -> None:
    put(bench, MASTER)
    plan = bench.preview(review.accept_safe)
    assert plan.edits == () and plan.title.startswith("No proposal is")


def test_two_on_the_same_document_are_not_accepted_together(bench: Workbench) -> None:
    other = Proposal(
        "supersession", "x", "Other", "w", (DocumentChange("memory/master.md", "x\n", content_digest(OLD)),)
    )
    both = [put(bench, MASTER), put(bench, other)]
    with pytest.raises(ConflictError, match=r"two of them change memory/master\.md"):
        bench.apply(review.accept, both)
    assert (bench.store.root / "memory/master.md").read_text() == OLD


def test_documents_are_picked_of_one_proposal_that_is_about_them(bench: Workbench) -> None:
    ids_ = [put(bench, MASTER), put(bench, PAGES)]
    with pytest.raises(UsageError):
        bench.preview(review.accept, ids_, ["memory/master.md"])
    with pytest.raises(NotFoundError):
        bench.preview(review.accept, ids_[:1], ["memory/other.md"])


def test_what_is_there_already_is_accepted_without_a_change_of_documents(bench: Workbench) -> None:
    id = put(bench, MASTER)
    (bench.store.root / "memory/master.md").write_text(NEW)
    before = tree(bench.store.root)
    plan = bench.preview(review.accept, [id])
    assert review.document_plan(bench.store, plan).edits == ()
    bench.apply(review.accept, [id])
    assert tree(bench.store.root) == before and ids(bench) == []


def test_dismissing_is_no_change_of_the_memory_that_would_write_down_its_layout(bench: Workbench) -> None:
    bench.layout.config.unlink(missing_ok=True)
    id = put(bench, MASTER)
    bench.apply(review.dismiss, [id])
    assert not bench.layout.config.exists()
    bench.undo()
    bench.apply(review.accept, [id])
    assert bench.layout.config.is_file()


def test_evidence_leads_to_documents_and_what_leads_nowhere_stays_as_words(bench: Workbench) -> None:
    told = ("memory/master.md:1-3", "memory/gone.md", "what everybody knows", "memory/master.md:1-3")
    one = Proposal("master", "m", "t", "w", (), evidence=told)
    found = review.proposal_evidence(bench.store, one)
    assert [(cited.words, cited.reference, cited.lines, cited.is_there) for cited in found] == [
        ("memory/master.md:1-3", "memory/master.md", (1, 3), True),
        ("memory/gone.md", "memory/gone.md", None, False),
        ("what everybody knows", "", None, True),
    ]


def test_a_document_that_cannot_be_read_hides_no_other_proposal(bench: Workbench) -> None:
    both = {put(bench, MASTER), put(bench, PAGES)}
    path = bench.store.root / "memory/master.md"
    path.unlink()
    path.mkdir()
    assert set(ids(bench)) == both
    (stuck,) = (one for one in review.open_proposals(bench.store) if one.proposal.kind == "master")
    assert stuck.why_not == "memory/master.md cannot be read: look after it, or dismiss the proposal"
    assert proposals.preview_plan(bench.store, stuck.proposal).edits == ()
    with pytest.raises(ConflictError):
        bench.apply(review.accept, [stuck.proposal.id])


@pytest.mark.parametrize("path", ["../outside.md", "/outside.md", "memory/../../outside.md", "memory/\0.md"])
def test_nothing_outside_of_the_memory_is_accepted(bench: Workbench, path: str) -> None:
    id = put(bench, Proposal("wiki", "x", "Out", "w", (DocumentChange(path, "x\n"),), is_safe=True))
    (waits,) = review.open_proposals(bench.store)
    assert waits.left == () and waits.why_not == f"{path} is outside of the memory: dismiss the proposal"
    with pytest.raises(ConflictError):
        bench.apply(review.accept, [id])
    assert bench.preview(review.accept_safe).edits == ()
    bench.apply(review.dismiss, [id])
    assert ids(bench) == []
