"""Dreams that once were wrong: each memory is invented, and shows one fault."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.dreaming import dream
from recall_tui.features.dreaming.proposals import MAX_NEW_PAGES
from recall_tui.features.dreaming.signals import find_signals
from recall_tui.storage import trust
from recall_tui.storage.documents.wiki_page import WikiPage, parse_wiki_page
from recall_tui.storage.memory_context import Store
from recall_tui.storage.state.proposals import Proposal
from tests.features.dreaming.dream_samples import asked, day, dreamt

FAULTS = Path(__file__).resolve().parents[2] / "fixtures" / "faults"
CASES: list[dict[str, Any]] = tomllib.loads((FAULTS / "dreams.toml").read_text())["case"]


def superseded(proposal: Proposal) -> dict[str, str]:
    """The claims that a proposed page notes as over, with what took their place."""
    page = parse_wiki_page(proposal.changes[0].text or "", proposal.subject)
    assert isinstance(page, WikiPage)
    return {one.fact: one.by for one in page.supersedes}


@pytest.mark.parametrize("case", CASES, ids=[case["fault"] for case in CASES])
def test_a_fault_is_mended(store: Store, case: dict[str, Any]) -> None:
    for name, lines in case["days"].items():
        (store.layout.days / f"{name}.md").write_text("\n\n".join(lines) + "\n")
    made = dreamt(store).proposed
    pages = {one.subject for one in made if one.kind == "wiki"}
    if "count" in case:
        assert len(pages) == case["count"]
    else:
        assert pages == set(case.get("pages", ())) and not pages & set(case.get("lacks", ()))
    bodies = [(one.changes[0].text or "").rpartition("---")[2] for one in made]
    assert "absent" not in case or not any(case["absent"] in body for body in bodies)
    assert "has" not in case or any(case["has"] in body for body in bodies)
    gone = {fact: by for one in made if one.kind == "supersession" for fact, by in superseded(one).items()}
    assert gone == case.get("gone", {})
    assert all(one.is_safe != bool(case.get("unsafe")) for one in made if one.kind == "supersession")


def test_a_dream_begins_few_pages_those_that_say_most_first(store: Store) -> None:
    names = ("Alder", "Birch", "Cedar", "Douglas", "Elder", "Fir", "Gingko")
    said = ("has a gate of 12 tons in the north", "must close at wind 9", "is run by the harbour office of Bergen")
    for number in range(3):
        day(store, number, "\n\n".join(f"{name} {said[number]} {place}." for place, name in enumerate(names)) + "\n")
    day(store, 3, "Gingko stays closed until May, because the gate of 12 tons fell into the basin.\n")
    result = dreamt(store)
    assert len(result.proposed) == MAX_NEW_PAGES == 5
    assert "gingko" in {one.subject for one in result.proposed}
    assert any("more pages wait" in note for note in result.notes)


def test_a_dream_without_a_page_says_why(store: Store) -> None:
    for number in range(3):
        day(store, number, f"Lunch with Ivo Brandt, part {number}.\n")
    (note,) = dreamt(store).notes
    assert "1 names have no page" in note and "Ivo Brandt" in note


def test_periods_that_are_asked_about_are_a_signal(store: Store) -> None:
    store.layout.config.write_text("[dream]\nenabled = true\n")
    trust.confirm(store)
    path = day(store, 2, "The gate of the north dock is open again.\n")
    assert not [one for one in find_signals(store) if "asked about" in one.description]
    for words in ("what happened on 2026-02-03", "gate 2026-02-03", "who was there in spring 2024"):
        asked(store, words, path)
    (one,) = [one for one in find_signals(store) if "asked about" in one.description]
    assert (one.kind, one.subject, one.documents) == ("temporal_cluster", "2026-02-03", (path,))


def test_the_status_shows_each_signal_that_waits(store: Store) -> None:
    day(store, 0, "The gate timeout is 30 seconds.\n")
    day(store, 9, "The gate timeout is 45 seconds.\n")
    found = dream.gather_signals(store)
    assert found and dream.dream_status(store).signals == found


def test_digests_of_sessions_are_read_where_no_day_is_logged(store: Store) -> None:
    archives = store.layout.archives[0].folder
    archives.mkdir(parents=True, exist_ok=True)
    points = (
        "`tide-feed` skips the first row, because every gauge sends a header",
        "`tide-feed` now closes its socket as soon as a gauge is offline, so that the pool has room for the others",
        "`tide-feed` keeps one file for each gauge, so that two gauges never block each other",
    )
    for number, point in enumerate(points, 1):
        moment = f"2026-02-{number:02d}T10:00:00Z"
        head = f'---\nlog: {number}\ndate: "{moment}"\nsession_id: "s{number}"\n---\n\n## Summary\n\nWork.\n\n'
        text = f"{head}**Decisions**:\n- {point}\n\n# Conversation 00{number}\n\n### User\n\nhello `tide-feed`\n"
        (archives / f"conversation-{number:03d}.md").write_text(text)
    (one,) = dreamt(store).proposed
    assert one.subject == "tide-feed" and len(one.evidence) == 3
    assert all(f"conversation-00{number}.md:12" in one.evidence[number - 1] for number in (1, 2, 3))


def write_archive(store: Store, number: int, *decisions: str) -> None:
    """An archive with a digest that has these decisions."""
    archives = store.layout.archives[0].folder
    archives.mkdir(parents=True, exist_ok=True)
    moment = f"2026-02-{number:02d}T10:00:00Z"
    head = f'---\nlog: {number}\ndate: "{moment}"\nsession_id: "s{number}"\n---\n\n## Summary\n\nWork.\n\n'
    rows = "".join(f"- {one}\n" for one in decisions)
    path = archives / f"conversation-{number:03d}.md"
    path.write_text(f"{head}**Decisions**:\n{rows}\n# Conversation {number:03d}\n\n### User\n\nhello\n")


def test_a_part_that_only_names_of_code_have_gets_its_page(store: Store) -> None:
    write_archive(store, 1, "`tidegauge.lock` now stays until the upload is over, so that two uploads never mix")
    write_archive(store, 2, "Fixed the merge of `updateTidegaugeOptions()` so that a new site keeps the old settings")
    write_archive(store, 3, 'Added a "--dry" option to "harbour tidegauge send" that shows what it would send')
    (one,) = dreamt(store).proposed
    assert one.subject == "tidegauge" and len(one.evidence) == 3


def test_a_common_word_in_names_of_code_is_no_subject(store: Store) -> None:
    write_archive(store, 1, "`post_send.lock` now stays until the upload is over, so that two uploads never mix")
    write_archive(store, 2, "Fixed the merge of `updatePostOptions()` so that a new site keeps the old settings")
    write_archive(store, 3, 'Added a "--dry" option to "harbour post" for uploads that are only shown')
    assert dreamt(store).proposed == ()


def test_a_page_has_nothing_of_what_a_later_session_removed(store: Store) -> None:
    write_archive(store, 1, "`tide-feed` keeps its rows in `RowCache`, so that a gauge may be offline")
    write_archive(store, 2, "`tide-feed` skips the first row, because every gauge sends a header")
    write_archive(store, 3, "`tide-feed` now closes its socket as soon as a gauge is offline, so that others have room")
    write_archive(store, 4, "`tide-feed` no longer waits for a second row: removed `RowCache` type and its timer")
    (one,) = dreamt(store).proposed
    assert "keeps its rows" not in (one.changes[0].text or "") and "skips the first row" in (one.changes[0].text or "")
