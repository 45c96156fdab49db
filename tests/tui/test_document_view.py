"""A document stays where it is scrolled to, whatever is found out about its rows meanwhile."""

from __future__ import annotations

from textual.app import App, ComposeResult

from recall_tui.tui.widgets.document_view import DocumentView
from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from tests.tui.piloting import settled

WRAPPED = "\n\n".join(f"Paragraph {number} has remarkably-long-words which-are-wrapped-as-they-come. " * 4
                      for number in range(300))  # fmt: skip
"""The rows of its lines are more than their lengths tell."""


class Alone(App[None]):
    """A document and nothing else, scrolled as the app does it."""

    def __init__(self) -> None:
        super().__init__()
        self.animation_level = "none"

    def compose(self) -> ComposeResult:
        """The document."""
        yield DocumentView()


async def test_keys_lead_through_a_document_whose_rows_are_found_out_on_the_way() -> None:
    async with Alone().run_test(size=(60, 20)) as pilot:
        view = pilot.app.query_one(DocumentView)
        view.show(RenderedDocument(WRAPPED))
        await settled(pilot)
        view.focus()
        before = view.map.total
        for key in ("end", "home", "end", "pageup", "pageup", "G"):
            await pilot.press(key)
            await settled(pilot)
        assert view.map.total > before
        assert view.line > 280


def test_what_is_written_as_an_entity_steers_no_terminal() -> None:
    document = RenderedDocument("a&#x202e;b&NewLine;c&Tab;d **&#x2066;e** &amp; `&#x202e;`")
    (row,) = document.rows(0, 80)
    assert row.plain == "ab c    d e & &#x202e;"


def test_a_line_of_dashes_in_a_table_is_drawn_as_a_rule_when_it_is_one_and_at_once_when_it_is_not() -> None:
    rule, no_rule = "| :-- | --: |", f"|{'-' * 3_900}x"
    document = RenderedDocument(f"| a | b |\n{rule}\n{no_rule}")
    drawn = ["".join(row.plain for row in document.rows(at, 4_000)) for at in (1, 2)]
    assert drawn[0].startswith("──") and set(drawn[0]) == {"─", "┼"}
    assert drawn[1].startswith(f"{no_rule[1:]} │")
