"""Older notes become pages, once, and no original is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import Create
from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.transfer import importer as importing
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki.import_notes import migrate_insights, migrate_typed_memories
from recall_tui.features.wiki.page_changes import NewPage
from recall_tui.storage.documents.wiki_page import PageSource
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from recall_tui.workbench import Workbench
from tests.features.erasure.erasure_samples import KEY
from tests.makers import bench_at, tree
from tests.traces import traces

TYPED = {
    "user_sam.md": "---\nname: Sam\ndescription: who reviews\ntype: user\nmood: fine\n---\nReviews in the evening.\n",
    "feedback_short_names.md": "---\nname: Short names\ndescription:\ntype: feedback\n---\n"
    "Names are short. Said on 2026-03-01 and 2026-02-27.\n\n**Why:** screens are narrow.\n",
    "project_api.md": "Just a text about the API, without a head.\n",
    "reference_links.md": "---\ntype: reference\nname: Links\ndescription: where things are\n---\nhttps://x\n",
}


def write(store: Store, folder: str, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = store.layout.base / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


@pytest.fixture
def journal(store: Store) -> Journal:
    return Journal(store.state, store.now)


def test_typed_memories_become_pages_and_go_to_the_archive(store: Store, journal: Journal) -> None:
    write(store, "", TYPED)
    store.layout.memory_file.write_text("# Memory\n")
    (store.layout.base / "debugging.md").write_text("# A topic\n")
    before = tree(store.layout.base)
    journal.commit(lambda: migrate_typed_memories(store), by="person")
    pages = page_changes.open_wiki(store).pages
    assert {slug: page.category for slug, page in pages.items()} == {
        "sam": "entity",
        "short-names": "concept",
        "api": "project",
        "links": "reference",
    }
    assert pages["sam"].extra == {"mood": "fine"} and pages["sam"].body == "\nReviews in the evening.\n"
    assert pages["short-names"].sources == (
        PageSource(SourceRef("memory/days/2026-02-27.md")),
        PageSource(SourceRef("memory/days/2026-03-01.md")),
    )
    assert pages["short-names"].description == "Names are short."
    assert pages["sam"].sources == (PageSource(SourceRef("migration:2026-03-06:user_sam.md")),)
    archive = store.layout.base / ".archive" / "typed-memories"
    assert {path.name: path.read_text() for path in archive.iterdir()} == TYPED
    assert not any((store.layout.base / name).exists() for name in TYPED)
    assert (store.layout.base / "debugging.md").exists()
    assert migrate_typed_memories(store).edits == ()
    journal.undo()
    assert tree(store.layout.base) == before


def test_a_secret_goes_neither_into_the_page_nor_into_the_archive(store: Store, journal: Journal) -> None:
    write(store, "", {"user_sam.md": "---\ntype: user\n---\nThe key is AKIAIOSFODNN7EXAMPLE now.\n"})
    journal.commit(lambda: migrate_typed_memories(store), by="person")
    assert not [name for name, data in tree(store.layout.base).items() if b"AKIA" in data]


def test_a_name_that_is_taken_gets_its_category(store: Store, journal: Journal) -> None:
    journal.commit(
        lambda: page_changes.stub(store, NewPage("sam", "project", PageSource(SourceRef("a.md")), lede="Another.")),
        by="person",
    )
    write(store, "", {"user_sam.md": TYPED["user_sam.md"]})
    journal.commit(lambda: migrate_typed_memories(store), by="person")
    assert set(page_changes.open_wiki(store).pages) == {"sam", "sam-entity"}


def test_what_was_migrated_before_is_not_migrated_again(store: Store) -> None:
    write(store, "", {"user_sam.md": TYPED["user_sam.md"]})
    write(store, ".archive/typed-memories", {"user_sam.md": "older\n"})
    plan = migrate_typed_memories(store)
    assert plan.edits == () and plan.notes == ("user_sam.md was migrated before; it is left unchanged",)


def test_what_has_no_name_that_a_page_may_have_is_left(store: Store) -> None:
    write(store, "", {"user_東京.md": "---\nname: 東京\n---\nx\n"})
    plan = migrate_typed_memories(store)
    assert plan.edits == () and "東京" in plan.notes[0]


def test_a_head_that_says_no_words_gives_no_name_and_no_description(store: Store) -> None:
    write(store, "", {"feedback_tabs.md": "---\nname: [broken\ndescription: [a, b]\n---\nUse tabs.\n"})
    (page,) = [one for one in migrate_typed_memories(store).edits if one.path.name == "tabs.md"]
    assert isinstance(page, Create) and 'name: "tabs"' in page.text
    assert 'description: "Use tabs."' in page.text


def test_insights_become_theme_pages_and_stay(store: Store, journal: Journal) -> None:
    insight = (
        "---\ntype: insight\ndate: 2026-03-02\ntheme: Tests before fixes\nsources: [memory/2026-03-01.md]\n"
        "confidence: medium\n---\nBugs come back without a test.\n"
    )
    write(store, "dreams/insights", {"2026-03-02-tests.md": insight, "2026-03-03-small-steps.md": "Small steps win.\n"})
    journal.commit(lambda: migrate_insights(store), by="person")
    pages = page_changes.open_wiki(store).pages
    assert {slug: page.category for slug, page in pages.items()} == dict.fromkeys(
        ("tests-before-fixes", "small-steps"), "theme"
    )
    assert pages["tests-before-fixes"].sources == (PageSource(SourceRef("memory/2026-03-01.md")),)
    assert (pages["tests-before-fixes"].created, pages["tests-before-fixes"].confidence) == ("2026-03-02", "medium")
    assert pages["small-steps"].sources == (PageSource(SourceRef("memory/dreams/insights/2026-03-03-small-steps.md")),)
    assert (store.layout.base / "dreams" / "insights" / "2026-03-02-tests.md").read_text() == insight
    assert migrate_insights(store).edits == ()


def migrated_bench(environment: Environment) -> Workbench:
    """A memory with a note that became a page; the note was put away by hand, with a secret in it."""
    bench = bench_at(environment)
    write(bench.store, "", {"user_sam.md": TYPED["user_sam.md"], "project_api.md": "Just a text about the API.\n"})
    bench.apply(migrate_typed_memories)
    note = bench.layout.base / ".archive" / "typed-memories" / "user_sam.md"
    note.write_text(note.read_text() + f"\nThe key is {KEY} now.\n")
    return bench


def test_a_secret_in_a_note_that_was_put_away_is_found_and_taken_out(environment: Environment) -> None:
    bench = migrated_bench(environment)
    assert [one.place for one in bench.eraser.secrets()] == ["memory/.archive/typed-memories/user_sam.md"]
    bench.eraser.redact()
    assert list(bench.eraser.secrets()) == [] and traces(bench, KEY) == []


def test_a_note_that_was_put_away_goes_out_and_in_with_the_memory(environment: Environment, tmp_path: Path) -> None:
    bench = migrated_bench(environment)
    done = bench.export(None, tmp_path / "all.json")
    assert done.left_out == () and KEY not in done.path.read_text()
    other = bench_at(environment, root=tmp_path / "new")
    other.apply(importing.import_bundle, importing.load_import(done.path))
    notes = other.layout.base / ".archive" / "typed-memories"
    assert {path.name for path in notes.iterdir()} == {"user_sam.md", "project_api.md"}


def test_a_note_that_was_put_away_is_forgotten_by_its_name(environment: Environment) -> None:
    bench = migrated_bench(environment)
    bench.eraser.forget("user_sam.md")
    assert traces(bench, KEY) == []
    assert [path.name for path in (bench.layout.base / ".archive" / "typed-memories").iterdir()] == ["project_api.md"]
