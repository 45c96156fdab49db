"""Statements: what a page says, with the lines where it stands."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.documents import day_logs
from recall_tui.storage.documents.statements import Statement, page_statements
from tests.conftest import NOON

PAGE = """---
type: daily
---
## 2026-03-06

Moved the limit to 250 requests. It was 100 before,
which was too low.

- **Decided** to keep Redis
  for sessions.
- short
1. Deploys go out on Fridays now.

```
code says nothing at all here
```
<!-- hidden words say nothing -->

| a table | says nothing |

### Later

A lone line that ends without a stop
"""


def test_each_thing_that_is_said_comes_with_its_lines_and_heading() -> None:
    assert page_statements(PAGE) == (
        Statement("Moved the limit to 250 requests.", (6, 7), "2026-03-06"),
        Statement("It was 100 before, which was too low.", (6, 7), "2026-03-06"),
        Statement("Decided to keep Redis for sessions.", (9, 10), "2026-03-06"),
        Statement("Deploys go out on Fridays now.", (12, 12), "2026-03-06"),
        Statement("A lone line that ends without a stop", (23, 23), "Later"),
    )


def test_a_line_of_a_day_says_its_words_alone() -> None:
    line = day_logs.render_line(NOON, "Fix the token race", "All tests pass", "conversation-003", "c56daa29-1")
    assert "conversation-003" in line
    (said,) = page_statements(f"## 2026-03-06\n\n{line}\n")
    assert said.text == "Fix the token race — All tests pass" and said.lines == (3, 3)


def test_what_came_of_a_session_is_a_statement_without_the_dash_before_it() -> None:
    line = day_logs.render_line(
        NOON, "Where does the token race come from?", "All tests pass now", "conversation-003", "c5"
    )
    said = [one.text for one in page_statements(f"## 2026-03-06\n\n{line}\n")]
    assert said == ["Where does the token race come from?", "All tests pass now"]


def test_the_few_words_that_a_cut_line_ends_with_say_nothing() -> None:
    title = "The parser drops the last record of a transcript. It is the one without an end of line, which nobody sees."
    line = day_logs.render_line(NOON, f"{title} {title}", "Mended", "conversation-003", "c56daa29-1")
    assert "… — Mended" in line
    said = [one.text for one in page_statements(f"## 2026-03-06\n\n{line}\n")]
    assert said[0] == "The parser drops the last record of a transcript." and not any("…" in one for one in said)


@given(st.text(alphabet="ab #-*1.\n`<>!|\t", max_size=200))
def test_lines_are_inside_the_page_whatever_it_holds(text: str) -> None:
    count = text.count("\n") + 1
    assert all(1 <= one.lines[0] <= one.lines[1] <= count for one in page_statements(text))


def test_a_statement_may_say_that_it_is_from_several_places() -> None:
    (one,) = page_statements("- Redis keeps the sessions (memory/2026-03-06.md:4-6; memory/2026-03-07.md:9)\n")
    assert one.text == "Redis keeps the sessions" and one.cited == ("memory/2026-03-06.md", 4, 6)
    assert one.also == (("memory/2026-03-07.md", 9, 9),)


def test_a_long_gap_in_a_line_is_looked_through_once() -> None:
    paste = f"- The api listens on port 8080{' ' * 100_000}since March.\n"
    said = page_statements(f"{paste}- The web app listens on port 9090 since March.\n")
    assert [one.text for one in said] == ["The web app listens on port 9090 since March."]
