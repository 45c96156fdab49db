"""Distilling moves what is heavy, loses nothing, and is taken back whole."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Append, Create, LayoutName, Plan, Suggestion
from recall_tui.environment import Environment
from recall_tui.errors import NotFoundError, UsageError
from recall_tui.features.curation.distill import plan_extraction, plan_suggestions, suggestions
from recall_tui.memory import Memory
from recall_tui.resources import read_template
from recall_tui.storage.documents.memory_file import read_memory
from recall_tui.storage.documents.topic_files import list_topics
from recall_tui.storage.journal.commits import Journal
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)


def store_at(root: Path, name: LayoutName = "entity") -> Store:
    environment = Environment(home=root, cwd=root, env={"RECALL_STATE": str(root / "state")})
    store = Memory(make_layout(root / "mind", name), environment, lambda: NOON)
    for folder in store.layout.folders():
        folder.mkdir(parents=True, exist_ok=True)
    return store


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return store_at(tmp_path)


def write(store: Store, text: str) -> bytes:
    data = text.encode("utf-8", "surrogateescape")
    store.layout.memory_file.write_bytes(data)
    return data


def commit(store: Store, numbers: Collection[int] | None = None, target: str | None = None) -> Plan:
    plan = plan_suggestions(store, numbers, target)
    Journal(store.state, store.now).commit(lambda: plan_suggestions(store, numbers, target), seen=plan)
    return plan


def everything(store: Store) -> Counter[str]:
    texts = [
        read_memory(store).text,
        *(path.read_bytes().decode("utf-8", "surrogateescape") for path in list_topics(store.layout)),
    ]
    return Counter(line.strip("\r ") for text in texts for line in text.split("\n") if line.strip())


def section(title: str, lines: int, newline: str = "\n", level: int = 2) -> str:
    body = "".join(f"- {title} fact {number} about thing {number * 7}{newline}" for number in range(lines - 2))
    return f"{'#' * level} {title}{newline}{newline}{body}"


def kinds(store: Store) -> list[tuple[str, str]]:
    return [(suggestion.kind, suggestion.title) for suggestion in suggestions(store)]


def one(store: Store, kind: str) -> Suggestion:
    found = [suggestion for suggestion in suggestions(store) if suggestion.kind == kind]
    assert len(found) == 1, found
    return found[0]


HARD = (
    "# Memory\n\n<!-- Curated facts only. -->\n<!-- Keep under 200 lines. -->\n\nLead-in of the person, ß İ 日本.\n\n"
    + section("Debugging", 56)
    + "```sh\n# a comment, no heading\n## nor this\n```\n\n"
    + section("Memory", 40)
    + "\n## Empty one\n\n<!-- nothing yet -->\n\n"
    + section("Debugging", 60)
    + "~~~\n# also fenced\n~~~\n\n"
    + section("Archive", 45)
    + "\n## Kurz ßİ\n\n- 日本語の事実 🎉\n\n"
    + section("Zoë & İstanbul", 36)
).replace("\n", "\r\n")


def test_a_hard_file_fits_afterwards_and_loses_no_line(store: Store) -> None:
    data = write(store, HARD)
    before = everything(store)
    assert len(read_memory(store).lines) >= 260
    plan = commit(store)
    gone = before - everything(store)
    assert set(gone) == {
        "<!-- Curated facts only. -->",
        "<!-- Keep under 200 lines. -->",
        "## Empty one",
        "<!-- nothing yet -->",
    }
    assert read_memory(store).budget(store.config).level == "ok"
    assert [path.name for path in list_topics(store.layout)] == [
        "archive-2.md",
        "debugging-2.md",
        "debugging.md",
        "memory-2.md",
        "zoe-istanbul.md",
    ]
    assert plan.facts["lines_before"] == len(HARD.split("\n")) - 1
    assert plan.facts["lines_after"] == len(read_memory(store).lines)
    assert Journal(store.state, store.now).undo()
    assert store.layout.memory_file.read_bytes() == data
    assert list_topics(store.layout) == ()


def test_line_ends_of_windows_stay(store: Store) -> None:
    write(store, HARD)
    commit(store)
    for path in (store.layout.memory_file, *list_topics(store.layout)):
        data = path.read_bytes()
        assert data.count(b"\n") == data.count(b"\r\n") > 0


def test_two_sections_of_one_title_keep_their_own_lines(store: Store) -> None:
    write(
        store,
        "# Memory\n\n" + section("Twin", 40).replace("fact", "first") + section("Twin", 33).replace("fact", "second"),
    )
    commit(store)
    first, second = (store.layout.topics / name for name in ("twin.md", "twin-2.md"))
    assert first.read_text().count("first") == 38
    assert "second" not in first.read_text()
    assert second.read_text().count("second") == 31
    memory = read_memory(store).text
    assert memory == (
        "# Memory\n\n## Twin\nSee memory/twin.md for details.\n\n## Twin\nSee memory/twin-2.md for details.\n"
    )


def test_a_second_time_there_is_nothing_left(store: Store) -> None:
    write(store, HARD)
    commit(store)
    plan = plan_suggestions(store)
    assert plan.edits == ()
    assert plan.title == "Nothing to distill"


def test_the_topic_file_holds_exactly_the_lines_of_its_section(store: Store) -> None:
    text = section("Deploys", 35)
    write(store, "# Memory\n\n" + text + "\n## After\n\nwords\n")
    plan = commit(store)
    assert (store.layout.topics / "deploys.md").read_text() == text
    assert plan.title == "Extracted Deploys (36 lines) → deploys.md"
    assert isinstance(plan.edits[0], Create)


def test_suggestions_are_numbered_heaviest_first(store: Store) -> None:
    write(store, "# Memory\n\n" + section("Small", 32) + section("Big", 60) + "## Empty\n\n" + section("Mid", 40))
    found = suggestions(store)
    assert [(s.number, s.kind, s.title) for s in found] == [
        (1, "extract", "Big"),
        (2, "extract", "Mid"),
        (3, "extract", "Small"),
        (4, "empty", "Empty"),
    ]
    assert found[0].lines == (35, 94)
    assert found[0].saves == 57
    assert found[0].target == "big.md"
    assert found[0].reason == "60 lines, over 30"


def test_only_the_numbers_named_are_applied(store: Store) -> None:
    write(store, "# Memory\n\n" + section("One", 40) + section("Two", 50))
    commit(store, {2})
    assert [path.name for path in list_topics(store.layout)] == ["one.md"]
    assert "Two fact 3 " in read_memory(store).text


def test_a_number_that_is_not_offered_is_refused(store: Store) -> None:
    write(store, "# Memory\n\nwords\n")
    with pytest.raises(UsageError, match="no suggestion 3"):
        plan_suggestions(store, {3})


def test_without_a_memory_there_is_nothing_to_suggest_and_nothing_to_apply(store: Store) -> None:
    assert suggestions(store) == ()
    with pytest.raises(NotFoundError, match=r"MEMORY\.md does not exist"):
        plan_suggestions(store)


def test_subsections_go_with_their_section(store: Store) -> None:
    parts = "".join(section(f"Part {letter}", 12, level=3) for letter in "ABCD")
    write(store, "# Memory\n\n## Whole\n\n" + parts + "## Other\n\nwords\n")
    assert kinds(store) == [("extract", "Whole")]
    commit(store)
    assert "### Part C" in (store.layout.topics / "whole.md").read_text()
    assert "### Part" not in read_memory(store).text


def test_the_innermost_long_section_moves_when_the_rest_is_short(store: Store) -> None:
    write(store, "# Memory\n\n## Outer\n\nfew words\n\n" + section("Inner", 40, level=3) + "### Last\n\nwords\n")
    assert kinds(store) == [("extract", "Inner")]
    commit(store)
    assert "### Inner\nSee memory/inner.md for details.\n\n### Last" in read_memory(store).text


def test_a_title_keeps_its_sections_and_only_a_person_moves_its_own_text(store: Store) -> None:
    body = "".join(f"plain fact number {number} of many\n" for number in range(40))
    write(store, "# Memory\n\n" + body + "\n## Short\n\nwords\n")
    assert kinds(store) == [("extract", "Memory")]
    assert not plan_suggestions(store).edits
    commit(store, {1})
    assert read_memory(store).text == "# Memory\nSee memory/memory-2.md for details.\n\n## Short\n\nwords\n"


def test_a_file_without_headings_is_extracted_as_notes_when_a_person_says_so(store: Store) -> None:
    write(store, "---\nname: me\n---\n" + "".join(f"- fact {number} of item {number}\n" for number in range(250)))
    assert not plan_suggestions(store).edits
    commit(store, {1})
    assert read_memory(store).text == "---\nname: me\n---\nSee memory/notes.md for details.\n"
    assert (store.layout.topics / "notes.md").read_text().count("\n") == 250


def test_a_full_file_of_middling_sections_gives_up_the_heaviest_until_it_fits(store: Store) -> None:
    write(store, "# Memory\n\n" + "".join(section(f"Topic {n}", 18 + n) for n in range(10)))
    assert read_memory(store).budget(store.config).is_over
    commit(store)
    assert read_memory(store).budget(store.config).level == "ok"
    assert len(list_topics(store.layout)) == 4
    assert (store.layout.topics / "topic-9.md").exists()
    assert suggestions(store) == ()


def test_many_short_sections_go_together_and_leave_one_pointer(store: Store) -> None:
    write(store, "# Memory\n\n" + "".join(section(f"Topic {n}", 5) for n in range(60)))
    before = everything(store)
    assert kinds(store) == [("extract", "More notes")]
    commit(store)
    assert [path.name for path in list_topics(store.layout)] == ["more-notes.md"]
    assert read_memory(store).budget(store.config).level == "ok"
    assert read_memory(store).text.endswith("## More notes\nSee memory/more-notes.md for details.\n")
    assert not before - everything(store)
    assert suggestions(store) == ()


def test_long_lines_count_by_their_bytes(store: Store) -> None:
    write(store, "# Memory\n\n" + "".join(f"## T{n}\n\n" + f"word{n} " * 800 + "\n\n" for n in range(6)))
    budget = read_memory(store).budget(store.config)
    assert budget.is_over
    assert budget.lines < 60
    commit(store)
    assert read_memory(store).budget(store.config).level == "ok"


def test_an_extraction_may_go_to_an_existing_file(store: Store) -> None:
    (store.layout.topics / "Ops.md").write_bytes(b"# Ops\r\n\r\nold words")
    write(store, "# Memory\n\n" + section("One", 40) + section("Two", 50))
    plan = commit(store, None, "ops")
    assert isinstance(plan.edits[0], Append)
    text = (store.layout.topics / "Ops.md").read_bytes().decode()
    assert text.startswith("# Ops\r\n\r\nold words\r\n\r\n## One\r\n")
    assert text.count("\n") == text.count("\r\n") == 95
    assert read_memory(store).text.count("See memory/Ops.md for details.") == 2


@pytest.mark.parametrize("name", ["MEMORY.md", "ephemeral", "../x.md", "a/b.md", "con", ".hidden", "2026-03-06.md", ""])
def test_an_extraction_never_goes_to_a_fixed_file_or_out_of_the_folder(store: Store, name: str) -> None:
    write(store, "# Memory\n\n" + section("One", 40))
    if not name:
        assert plan_suggestions(store, None, name).edits
        return
    with pytest.raises(UsageError, match="cannot be a topic file"):
        plan_suggestions(store, None, name)


def test_a_section_that_grew_again_goes_to_the_file_it_points_at(store: Store) -> None:
    (store.layout.topics / "notes.md").write_text("## Notes\n\n- old fact\n")
    grown = "".join(f"- new fact {number}\n" for number in range(35))
    write(store, f"# Memory\n\n## Notes\nSee memory/notes.md for details.\n\n{grown}\n## B\n\nwords\n")
    assert one(store, "extract").target == "notes.md"
    commit(store)
    assert (store.layout.topics / "notes.md").read_text() == f"## Notes\n\n- old fact\n\n{grown}"
    assert read_memory(store).text == "# Memory\n\n## Notes\nSee memory/notes.md for details.\n\n## B\n\nwords\n"


def test_a_bundle_that_starts_with_a_pointer_keeps_its_headings(store: Store) -> None:
    (store.layout.topics / "twin.md").write_text("## Twin\n\nold\n")
    pointer = "## Twin\nSee memory/twin.md for details.\n\n"
    write(store, "# Memory\n\n" + pointer * 80)
    before = everything(store)
    commit(store)
    assert not before - everything(store)
    assert (store.layout.topics / "twin.md").read_text() == "## Twin\n\nold\n"
    assert read_memory(store).text.endswith("## More notes\nSee memory/more-notes.md for details.\n")


def test_topics_of_other_layouts_are_named_relative_to_the_root(tmp_path: Path) -> None:
    store = store_at(tmp_path, "project")
    write(store, "# Memory\n\n" + section("One", 40))
    commit(store)
    assert "See _memory/topics/one.md for details." in read_memory(store).text
    assert (store.root / "_memory" / "topics" / "one.md").is_file()


def test_template_comments_go_once_there_are_words(store: Store) -> None:
    write(store, read_template("memory/MEMORY.md"))
    assert suggestions(store) == ()
    write(store, read_template("memory/MEMORY.md") + "\n## Notes\n\n- a fact\n")
    assert one(store, "comment").lines == (3, 5)
    commit(store)
    assert read_memory(store).text == "# Memory\n\n## Notes\n\n- a fact\n"


def test_a_persons_own_comment_stays(store: Store) -> None:
    write(store, "# Memory\n\n<!-- reviewed by Ana -->\n\nwords\n\n<!-- template for later -->\n\n## A\n\nx\n")
    assert suggestions(store) == ()


def test_a_long_comment_or_a_tree_of_headings_is_not_dropped_unasked(store: Store) -> None:
    write(store, "# M\n\nx\n\n## Plan\n\n### One\n\n### Two\n\n## Quiet\n\n<!-- a\nb\nc\nd -->\n\n## Bare\n\n")
    found = {suggestion.title: suggestion.is_safe for suggestion in suggestions(store)}
    assert found == {"Plan": False, "Quiet": False, "Bare": True}
    plan = commit(store)
    assert "## Bare" not in read_memory(store).text
    assert "### One" in read_memory(store).text
    assert plan.notes == ("2 more need your judgement; apply them by number",)


def test_a_near_duplicate_drops_the_later_line_by_number_only(store: Store) -> None:
    write(
        store,
        "# M\n\n- We deploy on Fridays after the review.\n\n## B\n\n* we deploy on fridays, after the review\n- last\n",
    )
    found = one(store, "duplicate")
    assert found.reason == "near duplicate of line 3"
    assert found.lines == (7, 7)
    assert plan_suggestions(store).edits == ()
    commit(store, {found.number})
    assert read_memory(store).text == "# M\n\n- We deploy on Fridays after the review.\n\n## B\n\n- last\n"


def test_headings_code_and_pointers_are_no_duplicates(store: Store) -> None:
    code = "```\nexport TOKEN_OF_THE_DAY=something\n```\n"
    twice = f"## A long title of a section\nSee memory/notes.md for details.\n\n{code}"
    write(store, "# M\n\nx\n\n" + twice + twice)
    assert suggestions(store) == ()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("- keys rotated 2026-01-12", "says 2026-01-12"),
        ("- since 2025-05 we use uv", "says 2025-05, 9 months ago"),
        ("- until 2024-02-29, then 2025-12-01", "says 2025-12-01"),
        ("- from 2026-02-04 on", "says 2026-02-04"),
    ],
)
def test_an_old_date_is_named(store: Store, line: str, reason: str) -> None:
    write(store, f"# M\n\n{line}\n")
    found = one(store, "stale")
    assert found.reason.startswith(reason)
    assert not found.is_safe
    assert found.lines == (3, 3)


@pytest.mark.parametrize(
    "line",
    [
        "- HTTP 202 on port 2024",
        "- fresh 2026-02-05",
        "- all of 2026-02",
        "- was 2024-01-01, checked 2026-03-01",
        "- see memory/2025-01-01.md",
        "- no day 2025-13-40",
        "- planned for 2027-01-01",
        "- ticket ABC-2025-01-0007",
        "202ß 202日本 ２０２４",
    ],
)
def test_what_is_no_old_date_is_left_alone(store: Store, line: str) -> None:
    write(store, f"# M\n\n{line}\n\n```\n2020-01-01 in code\n```\n")
    assert suggestions(store) == ()


def test_a_dropped_line_inside_an_extracted_section_is_gone_from_both(store: Store) -> None:
    write(store, "# M\n\n" + section("Big", 40) + "- said 2024-01-01 long ago\n")
    numbers = {suggestion.number for suggestion in suggestions(store)}
    assert len(numbers) == 2
    commit(store, numbers)
    assert "2024-01-01" not in read_memory(store).text + (store.layout.topics / "big.md").read_text()


def test_bytes_that_are_no_text_survive(store: Store) -> None:
    raw = b"# Memory\n\n## Odd\n\n" + b"".join(b"- \xff\xfe byte %d\n" % number for number in range(40))
    store.layout.memory_file.write_bytes(raw)
    commit(store)
    assert (store.layout.topics / "odd.md").read_bytes() == raw[len(b"# Memory\n\n") :]


def test_an_unclosed_fence_moves_whole(store: Store) -> None:
    write(store, "# M\n\n## Short\n\nwords\n\n## Open\n\n```\n" + "# line\n" * 40)
    assert kinds(store) == [("extract", "Open")]
    commit(store)
    assert (store.layout.topics / "open.md").read_text().count("# line") == 40


def test_each_extraction_may_have_a_file_of_its_own_choice(store: Store) -> None:
    write(store, "# Memory\n\n" + section("One", 40) + section("Two", 50))
    plan = plan_suggestions(store, None, {2: "first"})
    assert plan.facts["files"] == ["memory/first.md", "memory/two.md"]
    with pytest.raises(UsageError, match="cannot be a topic file"):
        plan_suggestions(store, None, {1: "MEMORY.md"})


def test_any_section_moves_when_a_person_says_so(store: Store) -> None:
    rest = "# Memory\n\nlead\n\n"
    write(store, rest + section("Small", 9) + "\n### Inner\n\nmore\n\n## After\n\nwords\n")
    assert suggestions(store) == ()
    line = rest.count("\n") + 4
    plan = plan_extraction(store, line)
    assert plan.title == "Extracted Small (14 lines) → small.md"
    Journal(store.state, store.now).commit(lambda: plan_extraction(store, line), seen=plan)
    assert read_memory(store).text == rest + "## Small\nSee memory/small.md for details.\n\n## After\n\nwords\n"
    assert "### Inner" in (store.layout.topics / "small.md").read_text()


@pytest.mark.parametrize("line", [0, 1, 4, 99])
def test_what_is_too_short_for_a_pointer_stays(store: Store, line: int) -> None:
    write(store, "# Memory\n\n## Short\n\nwords\n")
    with pytest.raises(UsageError, match="nothing worth a topic file"):
        plan_extraction(store, line)


def test_a_duplicate_names_the_line_it_repeats(store: Store) -> None:
    write(store, "# M\n\n- We deploy on Fridays after the review.\n* we deploy on fridays, after the review\n")
    assert one(store, "duplicate").repeats == 3


LINES = st.one_of(
    st.sampled_from(
        ["# One", "## Two", "## Two", "### Three", "#### Four", "```", "~~~", "<!--", "-->", "", "", "---"]
    ),
    st.builds(
        "- fact {} says {}".format, st.integers(0, 10**6), st.sampled_from(["a", "ß", "日本", "2024-01-01", "\u2028"])
    ),
)
BLOCKS = st.tuples(st.lists(LINES, min_size=1, max_size=8), st.integers(1, 12)).map(
    lambda drawn: [line for number in range(drawn[1]) for line in (*drawn[0], f"unique {number} {drawn[0][0]}")]
)


@pytest.mark.long
@settings(max_examples=60, deadline=None)
@given(st.lists(BLOCKS, max_size=10), st.sampled_from(["\n", "\r\n"]), st.booleans())
def test_no_words_are_lost_and_undo_gives_the_same_bytes(blocks: list[list[str]], newline: str, is_ended: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = store_at(Path(folder))
        lines = [line for block in blocks for line in block]
        data = write(store, newline.join(lines) + (newline if is_ended else ""))
        before, percent = everything(store), read_memory(store).budget(store.config).percent
        bare = [s for s in suggestions(store) if s.is_safe and s.kind in ("empty", "comment")]
        removed = Counter(line.strip() for s in bare for line in read_memory(store).lines[s.lines[0] - 1 : s.lines[1]])
        commit(store)
        assert not before - everything(store) - removed
        assert plan_suggestions(store).edits == ()
        if "".join(lines).strip() and percent > 100 and not any(line in ("```", "~~~", "<!--") for line in lines):
            assert read_memory(store).budget(store.config).level != "full"
        Journal(store.state, store.now).undo()
        assert store.layout.memory_file.read_bytes() == data


def test_the_clock_comes_from_the_store(tmp_path: Path, environment: Environment, now: Callable[[], datetime]) -> None:
    late = Memory(make_layout(tmp_path / "m", "entity"), environment, lambda: now().replace(year=2030))
    late.layout.base.mkdir(parents=True)
    write(late, "# M\n\n- planned for 2027-01-01\n")
    assert kinds(late) == [("stale", "planned for 2027-01-01")]
