"""Pages lose what was drawn from a session that is forgotten, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.consolidation import compact as compacting
from recall_tui.features.consolidation.timeline import period_statuses
from recall_tui.features.curation import review
from recall_tui.features.erasure.derived_pages import remove_blocks, removed_lines
from recall_tui.features.erasure.forget import forget
from recall_tui.storage import trust
from recall_tui.storage.documents import wiki_folder, wisdom_file
from recall_tui.storage.documents.period_page import iso_week, parse_period_page
from recall_tui.storage.state import proposals
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.features.erasure.erasure_samples import ONE, WORD
from tests.makers import bench_at, session_id_of, transcript
from tests.traces import traces

LAYOUTS = ("entity", "user", "hierarchical")


def compacted(environment: Environment, layout: str) -> Workbench:
    """A memory whose weeks, month and wisdom were drawn from the days of eight sessions; the first is to go."""
    bench = bench_at(environment, layout)
    for number in range(1, 9):
        word = WORD if number == 1 else f"word{number:02d}"
        said = [
            ("user", f"Plan the {word} party with Alice Miller"),
            ("assistant", f"We decided that the {word} is in the park, for the root cause was rain. Always book it."),
        ]
        bench.capture(transcript(environment, number, said, start=NOON + timedelta(days=number - 4)))
    later = bench.store._replace(now=lambda: NOON + timedelta(days=60))
    made = Workbench(later, bench.why)
    for _ in range(2):
        made.apply(compacting.compact)
    made.sync()
    return made


@pytest.mark.long
@pytest.mark.parametrize("layout", LAYOUTS)
def test_weeks_months_and_wisdom_lose_the_lines_that_were_drawn_from_it(environment: Environment, layout: str) -> None:
    bench = compacted(environment, layout)
    place = bench.layout
    week = place.weekly / "2026-W10.md"
    pages = [week, place.monthly / "2026-03.md", place.wisdom]
    held = [path for path in pages if path.exists() and WORD in path.read_text()]
    assert week in held and place.wisdom in held
    seen = bench.preview(forget, [ONE])
    assert {bench.store.relative(path) for path in held} <= set(map(str, seen.facts["changed"]))  # type: ignore[call-overload]
    bench.eraser.forget(ONE, seen=seen)
    assert traces(bench, WORD) == []
    assert "word02" in week.read_text() and "word02" in place.wisdom.read_text()


@pytest.mark.long
def test_a_page_that_lost_lines_is_nobodys_edit_and_is_made_anew(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    week = bench.layout.weekly / "2026-W10.md"
    bench.eraser.forget(ONE)
    page = parse_period_page(week.read_text(), iso_week(NOON.date()))
    assert page.made_from and not page.is_edited
    assert period_statuses(bench.store)["2026-W10"] == "behind"
    bench.apply(compacting.compact)
    assert period_statuses(bench.store) == {} and WORD not in week.read_text()


@pytest.mark.long
def test_a_page_that_somebody_edited_stays_edited_and_keeps_their_words(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    week = bench.layout.weekly / "2026-W10.md"
    week.write_text(week.read_text() + "\n- Mine: the park was lovely.\n")
    bench.eraser.forget(ONE)
    text = week.read_text()
    assert "- Mine: the park was lovely." in text and WORD not in text
    assert parse_period_page(text, iso_week(NOON.date())).is_edited


@pytest.mark.long
def test_wisdom_that_a_model_made_stays_sealed(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    path = bench.layout.wisdom
    told = wisdom_file.parse_wisdom(path.read_text())
    path.write_text(wisdom_file.render_wisdom(replace(told, made_from="00ff", made_by="some-model"), NOON.date()))
    assert wisdom_file.parse_wisdom(path.read_text()).is_sealed
    bench.eraser.forget(ONE)
    left = wisdom_file.parse_wisdom(path.read_text())
    assert left.is_sealed and 0 < len(left.entries) < len(told.entries)


def page(name: str, body: str, *sources: str, description: str = "x") -> str:
    """A page of the wiki."""
    listed = ", ".join(f'"{one}"' for one in sources)
    head = f'name: "{name}"\ndescription: "{description}"\ntype: "wiki"\ncategory: "concept"\nsources: [{listed}]\n'
    return f"---\n{head}---\n\n{body}\n"


def test_the_wiki_loses_what_cites_it_and_pages_that_were_of_it_alone(environment: Environment) -> None:
    bench = bench_at(environment)
    for number in (1, 2):
        bench.capture(transcript(environment, number, [("user", f"The {WORD if number == 1 else 'oak'} of the park")]))
    log = bench.store.relative(bench.layout.days / "2026-03-06.md")
    rows = (bench.layout.root / log).read_text().split("\n")
    mine = next(number for number, row in enumerate(rows, 1) if WORD in row)
    other = next(number for number, row in enumerate(rows, 1) if "oak" in row)
    wiki = bench.layout.wiki
    wiki.mkdir(exist_ok=True)
    (wiki / "only.md").write_text(page("Only", f"## What\n\nThe {WORD}. ({log}:{mine})", f"{log}:{mine}"))
    both = f"## Trees\n\n- The {WORD} grows. ({log}:{mine})\n  It is tall.\n- The oak grows. ({log}:{other})\n"
    both += f"\n## More\n\nSee the {WORD} (conversation-001).\n\n## Mine\n\nI like the park.\n"
    (wiki / "trees.md").write_text(
        page("Trees", both, f"{log}:{mine}", f"{log}:{other}", description=f"The {WORD} grows")
    )
    (wiki / "index.md").write_text(wiki_folder.render_index(wiki_folder.read_folder(wiki).own, NOON.date()))
    bench.sync()
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []
    assert not (wiki / "only.md").exists() and "[[only]]" not in (wiki / "index.md").read_text()
    text = (wiki / "trees.md").read_text()
    assert "The oak grows." in text and "I like the park." in text and f"{log}:{other}" in text
    assert "It is tall." not in text and "## More" not in text and "## Mine" in text
    assert f'{log}:{mine}"' not in text


def test_a_page_that_a_link_brings_in_from_elsewhere_is_no_obstacle(environment: Environment, tmp_path: Path) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", f"The {WORD} of the park")]))
    theirs = tmp_path / "theirs.md"
    theirs.write_text(page("Theirs", f"Of {session_id_of(1)} and conversation-001."))
    before = theirs.read_bytes()
    wiki = bench.layout.wiki
    wiki.mkdir(exist_ok=True)
    (wiki / "mine.md").write_text(page("Mine", "## Trees\n\nSee conversation-001.\n\n## Own\n\nI like the park."))
    (wiki / "index.md").write_text(wiki_folder.render_index(wiki_folder.read_folder(wiki).own, NOON.date()))
    (wiki / "theirs.md").symlink_to(theirs)
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []
    assert theirs.read_bytes() == before and (wiki / "theirs.md").is_symlink()
    assert "conversation-001" not in (wiki / "mine.md").read_text()
    assert "Theirs" not in (wiki / "index.md").read_text() and "[[mine]]" in (wiki / "index.md").read_text()


def test_a_page_that_cites_a_whole_log_is_named_and_left(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", "The elm of the park")]))
    log = bench.store.relative(bench.layout.days / "2026-03-06.md")
    path = bench.layout.wiki / "parks.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(page("Parks", f"They are green. ({log})", log))
    before = path.read_text()
    seen = bench.preview(forget, [ONE])
    assert [note for note in seen.notes if "memory/wiki/parks.md draws on" in note]
    bench.eraser.forget(ONE)
    assert path.read_text() == before


@pytest.mark.long
def test_what_was_accepted_from_a_proposal_goes_from_the_journal_too(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    week = bench.layout.weekly / "2026-W10.md"
    week.unlink()
    for one in compacting.preview_compaction(bench.store, "weekly").behind:
        compacting.propose_page(bench.store, one)
    waiting = [one.id for one in proposals.list_open(bench.store)]
    assert waiting
    bench.apply(review.accept, waiting)
    assert WORD in week.read_text()
    bench.eraser.forget(ONE)
    assert traces(bench, WORD) == []


@pytest.mark.long
def test_the_diary_of_dreams_loses_what_it_calls_by_name(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    entry = next(one for one in wisdom_file.parse_wisdom(bench.layout.wisdom.read_text()).entries if WORD in one.claim)
    log = bench.store.relative(bench.layout.days / "2026-03-03.md")
    told = ["- 9 days without a log", f"- {entry.id}: nobody asks for it", f"- It rained. ({log}:7)"]
    told.append(f"- {log}: found 3 times by 2 questions")
    bench.layout.dreams.write_text("# Dream Diary\n\n## 2026-03-20\n\n### Worth a look\n\n" + "\n".join(told) + "\n")
    seen = bench.preview(forget, [ONE])
    assert not [note for note in seen.notes if "DREAMS.md draws" in note]
    bench.eraser.forget(ONE)
    left = [line for line in bench.layout.dreams.read_text().split("\n") if line.startswith("-")]
    assert left == [told[0], told[3]] and traces(bench, WORD) == []


@pytest.mark.long
def test_questions_that_it_answered_are_not_remembered(environment: Environment) -> None:
    bench = compacted(environment, "entity")
    config = bench.layout.config
    config.write_text(config.read_text() + "\n[dream]\nenabled = true\n")
    trust.confirm(bench.store)
    from recall_tui.storage.state import search_log

    for words in (WORD, "word02"):
        search_log.log_search(bench.store, bench.search(words, limit=1))
    asked = {one.query for one in search_log.read_searches(bench.store, NOON)}
    assert asked == {WORD, "word02"}
    bench.eraser.forget(ONE)
    assert {one.query for one in search_log.read_searches(bench.store, NOON)} == {"word02"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("# A\n\n## B\n\n- x GONE\n\n## C\n\ny\n", "# A\n\n## C\n\ny\n"),
        ("- x GONE\n  - under it\n- y\n", "- y\n"),
        ("One GONE\nand more.\n\nTwo.\n", "Two.\n"),
        ("## Empty\n\n## B\n\n- GONE\n- z\n", "## Empty\n\n## B\n\n- z\n"),
        ("nothing\n\n\n\nhere\n", "nothing\n\n\n\nhere\n"),
        ("---\na: GONE\n---\n\nx\n", "---\na: GONE\n---\n\nx\n"),
    ],
)
def test_items_and_paragraphs_go_whole_and_headings_with_all_that_they_had(text: str, left: str) -> None:
    assert remove_blocks(text, lambda line: "GONE" in line).strip() == left.strip()


def test_the_lines_that_a_text_lost_are_told_by_number() -> None:
    assert removed_lines("a\n\nb\nc\n", "a\nc\n") == {3}
    assert removed_lines("a\nb\na\n", "a\na\n") == {2}
    assert removed_lines("a\n", "a\n") == frozenset()
