"""A hit is shown at its passage: in archives, curated files and transcripts, and when a file changed or is deleted."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.domain import Hit
from recall_tui.environment import Environment
from recall_tui.tui.document_pointer import find_snippet_line, read_document, row_citation
from recall_tui.tui.memory_view_model import DisplayError
from recall_tui.tui.messages import DocumentLoaded
from recall_tui.tui.screens.reader.reading_view import cite_lines
from recall_tui.tui.screens.reader.screen import ReaderScreen
from recall_tui.tui.text import word_pattern
from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, sub_agent, transcript
from tests.tui.piloting import AppMaker, settled

LATER = NOON + timedelta(hours=1)
LONG = "\n\n".join(f"Paragraph {number} speaks of ordinary things." for number in range(1, 200))
ARCHIVED = "Why does the login crash? · api · claude · 6 Mar · 4m"
TALK = [
    ("user", "Why does the login crash?"),
    ("assistant", f"{LONG}\n\nThe zeppelin validator fails.\n\n{LONG}"),
    ("Edit", "/home/u/api/src/login.py"),
    ("user", "Mend it please"),
    ("assistant", "Done: the guard is in place."),
]


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory with nothing in it but what a test puts there."""
    return bench_at(environment)


def hit_for(bench: Workbench, question: str) -> Hit:
    """The passage that holds the last word of the question itself."""
    bench.sync()
    word = question.split()[-1]
    return next(hit for hit in bench.search(question, passages=True, sync=False).hits if word in hit.snippet.lower())


def opened(bench: Workbench, hit: Hit) -> DocumentLoaded:
    return read_document(bench, 1, hit)


def words_of(read: DocumentLoaded) -> str:
    """The lines of the passage."""
    assert isinstance(read.document, RenderedDocument) and read.passage is not None
    return "\n".join(read.document.source[read.passage[0] - 1 : read.passage[1]])


def line_at(read: DocumentLoaded) -> str:
    assert isinstance(read.document, RenderedDocument)
    return read.document.source[read.at - 1]


def test_a_message_of_a_transcript_is_marked_whole_and_seen_where_the_words_are(bench: Workbench) -> None:
    transcript(bench.store.environment, 1, TALK)
    read = opened(bench, hit_for(bench, "zeppelin validator"))
    assert words_of(read).startswith("---\n\n### Assistant")
    assert "Paragraph 1 " in words_of(read) and "Paragraph 199 " in words_of(read)
    assert "Mend it please" not in words_of(read)
    assert line_at(read) == "The zeppelin validator fails."


def test_a_sub_agents_message_is_found_in_its_own_lines(bench: Workbench) -> None:
    path = transcript(bench.store.environment, 1, TALK)
    sub_agent(path, [("user", "Look for dirigibles"), ("assistant", "No dirigible anywhere.")], start=LATER)
    read = opened(bench, hit_for(bench, "dirigible anywhere"))
    assert "No dirigible anywhere." in words_of(read)
    assert "crash" not in words_of(read) and "zeppelin" not in words_of(read)


def test_a_section_of_a_curated_file_is_marked(bench: Workbench) -> None:
    bench.layout.memory_file.write_text(f"# Memory\n\n## Deploys\n\n{LONG}\n\n## Zeppelins\n\nThey land on Fridays.\n")
    read = opened(bench, hit_for(bench, "zeppelins land"))
    assert words_of(read) == "## Zeppelins\n\nThey land on Fridays."


def test_a_turn_of_an_archive_is_marked(bench: Workbench) -> None:
    path = transcript(bench.store.environment, 1, TALK)
    bench.capture(path)
    path.unlink()
    read = opened(bench, hit_for(bench, "guard done"))
    assert read.title == ARCHIVED
    assert "Done: the guard is in place." in words_of(read) and "zeppelin" not in words_of(read)


def test_a_file_that_changed_since_is_shown_where_the_words_are_now(bench: Workbench) -> None:
    file = bench.layout.memory_file
    file.write_text("# Memory\n\n## Zeppelins\n\nThe zeppelins of the company land on Fridays at noon.\n")
    hit = hit_for(bench, "zeppelins land")
    file.write_text("# Memory\n\n" + "Something new.\n" * 40 + "\n## Zeppelins\n\n" + hit.snippet + "\n")
    read = opened(bench, hit)
    assert "land on Fridays" in line_at(read) and read.passage is not None and read.passage[0] == read.at


def test_a_transcript_that_is_gone_is_read_in_its_archive(bench: Workbench) -> None:
    path = transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "zeppelin validator")
    bench.capture(path)
    path.unlink()
    read = opened(bench, hit)
    assert read.title == ARCHIVED and not read.note
    assert line_at(read) == "The zeppelin validator fails."


def test_a_transcript_that_is_gone_and_was_never_archived_shows_the_whole_passage(bench: Workbench) -> None:
    path = transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "zeppelin validator")
    path.unlink()
    read = opened(bench, hit)
    assert isinstance(read.document, RenderedDocument)
    assert "The zeppelin validator fails." in "\n".join(read.document.source)
    assert len(read.document) > 300, "all of it, not the snippet alone"
    assert (read.passage, read.note) == (None, "from the index · its file is deleted")


def test_a_message_of_another_copy_of_the_session_is_not_shown_at_a_wrong_place(bench: Workbench) -> None:
    transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "zeppelin validator")
    elsewhere = hit._replace(date=NOON + timedelta(days=3))
    read = opened(bench, elsewhere)
    assert (read.passage, read.note) == (None, "from the index · not in this file")


def test_what_is_nowhere_any_more_is_said(bench: Workbench) -> None:
    read = opened(bench, Hit("0.0", "gone.md", "topic", "raw", "Gone", 1.0, "", (3, 9)))
    assert isinstance(read.document, DisplayError)


def test_copying_a_passage_whose_file_is_gone_takes_what_was_indexed(bench: Workbench) -> None:
    path = transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "guard in place")
    path.unlink()
    assert row_citation(bench, hit) == f"Done: the guard is in place.\n— {path}:5"


def test_a_passage_is_cited_on_one_line_whatever_its_file_is_called(bench: Workbench) -> None:
    path = bench.layout.topics / "x\x1b]2;title\x07\nrm \u202ez.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("# Locks\n\nThe words.\n", encoding="utf-8")
    name = bench.store.relative(path.with_name("x rm z.md"))
    hit = Hit("0.0", bench.store.relative(path), "topic", "raw", "Locks", 1.0, "", (3, 3))
    assert row_citation(bench, hit) == f"The words.\n— {name}:3"
    assert cite_lines(bench, bench.document(str(path)), (3, 3)) == f"The words.\n— {name}:3"


@pytest.mark.parametrize(
    ("snippet", "line"),
    [
        ("…two three four five six", 1),
        ("four five six **seven eight**", 2),
        ("one two three four five six seven eight nine ten", 0),
        ("nothing of the kind stands here at all", None),
        ("ten", 4),
        ("", None),
    ],
)
def test_the_line_of_a_snippet_is_found_through_marks_and_breaks(snippet: str, line: int | None) -> None:
    assert find_snippet_line(["one", "> two *three*", "four five", "- six `seven eight`", "nine ten"], snippet) == line


def marked(view: DocumentView) -> list[str]:
    """The rows on the screen that the bar marks."""
    rows = [view.render_line(y).text for y in range(view.scrollable_content_region.height)]
    return [row for row in rows if row.startswith("▎")]


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_enter_opens_a_long_message_where_its_words_are(
    app_on: AppMaker, bench: Workbench, size: tuple[int, int]
) -> None:
    transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "zeppelin validator")
    app = app_on(bench)
    async with app.run_test(size=size) as pilot:
        app.push_screen(ReaderScreen(bench, hit, word_pattern(["zeppelin"])))
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen)
        rows = marked(app.screen.page)
        assert any("The zeppelin validator fails." in row for row in rows)
        assert len(rows) == app.screen.page.scrollable_content_region.height, "the message goes on above and below"
        assert "lines " in str(app.screen.page.border_subtitle)


async def test_a_short_passage_is_shown_from_its_first_line(app_on: AppMaker, bench: Workbench) -> None:
    transcript(bench.store.environment, 1, TALK)
    hit = hit_for(bench, "mend it please")
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        app.push_screen(ReaderScreen(bench, hit, None))
        await settled(pilot)
        assert isinstance(app.screen, ReaderScreen)
        rows = [row[2:].strip() for row in marked(app.screen.page)]
        assert rows[-1] == "" and rows[-2] == "Mend it please"
        assert [row for row in rows if row.startswith("User ")] and len(rows) < 10


async def test_a_passage_is_scrolled_to_as_soon_as_there_is_room(
    app_on: AppMaker, bench: Workbench, tmp_path: Path
) -> None:
    view = DocumentView(id="late")
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        view.display = False
        await app.screen.mount(view)
        view.show(RenderedDocument(LONG), (301, 303), None, 303)
        view.display = True
        await pilot.pause()
        assert view.scroll_offset.y > 0
        assert any("Paragraph 152" in row for row in marked(view))


async def test_without_room_no_row_of_the_document_before_is_taken_for_one_of_the_new(
    app_on: AppMaker, bench: Workbench
) -> None:
    view = DocumentView(id="narrow")
    app = app_on(bench)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        await app.screen.mount(view)
        view.show(RenderedDocument(LONG))
        await pilot.pause()
        view.styles.width = 0
        await pilot.pause()
        view.show(RenderedDocument("one\ntwo\n"))
        assert [view.render_line(y).text.strip() for y in range(20)] == [""] * 20
        view.styles.width = 40
        await pilot.pause()
        assert [view.render_line(y).text.strip() for y in range(2)] == ["one", "two"]
