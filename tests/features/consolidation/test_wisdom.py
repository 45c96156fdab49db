"""Wisdom: what was learned and what was said again, each with the day it is from."""

from __future__ import annotations

from datetime import date

from recall_tui.domain import Create
from recall_tui.environment import Environment
from recall_tui.features.consolidation.wisdom import plan_wisdom
from recall_tui.storage.documents.wisdom_file import parse_wisdom
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.memory_context import Store
from tests.days import write_days
from tests.features.consolidation.wisdom_samples import compact, lesson
from tests.makers import bench_at, transcript


def distill(store: Store) -> int:
    journal = Journal(store.state, store.now)
    return 0 if journal.commit(lambda: plan_wisdom(store), by="person") is None else 1


def test_lessons_become_entries_with_where_they_are_from_and_twice_changes_nothing(store: Store) -> None:
    days = write_days(store, date(2026, 1, 5), 28)
    lesson(days, 3, "Lesson: never run migrations on a Friday, the root cause was a lock on table users.")
    compact(store)
    assert distill(store) == 1
    (entry, *_) = [one for one in parse_wisdom(store.layout.wisdom.read_text()).entries if "migrations" in one.claim]
    assert entry.claim.startswith("Lesson: never run migrations on a Friday")
    assert entry.source.startswith("memory/2026-01-08.md:") and entry.id
    assert distill(store) == 0


def test_what_a_person_wrote_stays_and_is_not_said_twice(store: Store) -> None:
    days = write_days(store, date(2026, 1, 5), 28)
    lesson(days, 3, "Lesson: never run migrations on a Friday in any year.")
    store.layout.wisdom.write_text(
        "# Wisdom\n\nMine.\n\n**Migrations** Lesson: never run migrations on a Friday in any year.\n\n"
        "## Knowledge Map\n\n- [[jwt]]\n"
    )
    compact(store)
    distill(store)
    found = parse_wisdom(store.layout.wisdom.read_text())
    assert found.entries[0].id == "migrations" and not found.entries[0].source
    assert sum("migrations" in entry.claim for entry in found.entries) == 1
    assert found.others == "Mine." and found.knowledge_map == "## Knowledge Map\n\n- [[jwt]]"


def test_there_are_never_more_entries_than_the_setting_allows(store: Store) -> None:
    days = write_days(store, date(2026, 1, 5), 40)
    words = ("alpha", "bravo", "charlie", "delta", "echo", "foxtrot", "golf", "hotel", "india", "juliet")
    for number, word in enumerate(words):
        lesson(days, 4 * number, f"Lesson: never restart the {word} service before its {word} queue is empty.")
    store.layout.config.parent.mkdir(exist_ok=True)
    store.layout.config.write_text("[wisdom]\nmax_entries = 4\n")
    compact(store)
    distill(store)
    assert len(parse_wisdom(store.layout.wisdom.read_text()).entries) == 4


def test_a_greeting_that_is_said_again_and_again_is_no_wisdom(store: Store) -> None:
    said = ("Hey Melanie, good to see you!", "The staging queue drains before the nightly export.")
    pages = {
        f"memory/weekly/2026-W0{week}.md": "# Week\n\n## Context\n\n"
        + "".join(f"- {text} (memory/2026-01-{7 * week:02d}.md:{line})\n" for line, text in enumerate(said, 3))
        for week in range(1, 5)
    }
    (edit,) = plan_wisdom(store, pages).edits
    assert isinstance(edit, Create)
    assert [entry.claim for entry in parse_wisdom(edit.text).entries] == [said[1]]


def test_without_weeks_nothing_is_written(store: Store) -> None:
    assert distill(store) == 0
    assert not store.layout.wisdom.exists()


def test_a_lesson_of_a_session_is_an_entry_with_its_fix_and_its_line_in_a_log_is_none(environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    said = (
        "The root cause: `parse_row` returned None for orders without an address, because the file has a trailing"
        " comma, so the importer dropped them without a word."
    )
    wish = "Don't fix anything, just check whether the root cause is in the importer, since orders vanish every night"
    done = "Orders without an address are kept now, with an empty one, and the importer counts them in its report."
    talk = [("user", wish), ("assistant", said), ("user", "Then fix it."), ("assistant", done)]
    bench.capture(transcript(environment, 1, talk))
    compact(bench.store)
    distill(bench.store)
    entries = parse_wisdom(bench.layout.wisdom.read_text()).entries
    assert [entry.claim for entry in entries] == [f"{said} {done}"]
    assert entries[0].source == "memory/2026-03-06.md:7; memory/2026-03-06.md:9"
    assert distill(bench.store) == 0


def test_a_rule_of_this_season_is_no_wisdom(store: Store) -> None:
    days = write_days(store, date(2026, 1, 5), 28)
    lesson(days, 3, "Decision: never sell passes of the valley at counters this season, on the web only.")
    lesson(days, 4, "Decision: from this season on we never sell paper tickets at the huts, on the web only.")
    compact(store)
    distill(store)
    claims = [one.claim for one in parse_wisdom(store.layout.wisdom.read_text()).entries]
    assert any("paper tickets" in claim for claim in claims)
    assert not any("passes of the valley" in claim for claim in claims)
