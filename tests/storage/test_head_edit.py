"""A key at the head of a file is changed in place, and nothing else of the head with it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.markdown import frontmatter
from recall_tui.storage.markdown.frontmatter_edit import others_lines, raw_line, with_values

HEAD = """---
# who wrote it
name: JWT auth   # the short one
sources:
  - memory/2026-03-01.md
# what follows is Sam's
reviewer: Sam
tags:
- auth
- api

created: 2026-03-01
---
Body: stays.
"""


def test_only_the_key_changes_and_the_rest_keeps_order_and_comments() -> None:
    made = with_values(HEAD, {"sources": ["a.md", "b.md"]})
    assert made == HEAD.replace("sources:\n  - memory/2026-03-01.md\n", 'sources: ["a.md", "b.md"]\n')


def test_a_new_key_goes_to_the_end_and_an_old_one_away() -> None:
    made = with_values(HEAD, {"salience": {"a": 0.4, "b": 0.6}}, without=["tags"])
    wanted = HEAD.replace("tags:\n- auth\n- api\n", "")
    assert made == wanted.replace("created: 2026-03-01\n", 'created: 2026-03-01\nsalience: {"a": 0.4, "b": 0.6}\n')


def test_line_ends_stay_as_they_are() -> None:
    made = with_values("---\r\ntype: weekly\r\n---\r\nBody\r\n", {"period": "2026-W10"})
    assert made == '---\r\ntype: weekly\r\nperiod: "2026-W10"\r\n---\r\nBody\r\n'


@pytest.mark.parametrize("text", ["", "no head\n", "---\nnever: closed\n"])
def test_what_has_no_head_is_left(text: str) -> None:
    assert with_values(text, {"a": 1}) is None


TORN = """---
<<<<<<< HEAD
count: 4
=======
count: 5
>>>>>>> other
name: [torn
	tab and no colon
count of mine: 3
---
x
"""


def test_a_head_that_is_no_yaml_is_changed_line_by_line() -> None:
    made = with_values(TORN, {"count": 6, "a": "b"}, without=["name"])
    assert made == TORN.replace("count: 5", "count: 6").replace("name: [torn\n", "").replace("3\n", '3\na: "b"\n')
    assert others_lines(TORN.removesuffix("x\n")) == "".join(
        TORN.splitlines(keepends=True)[i] for i in (1, 3, 5, 6, 7, 8)
    )


@pytest.mark.parametrize("mine", ["count: 4\n  and more\n", "count: 4\ncount: many\n", "count: many\ncount: 4\n"])
def test_what_somebody_wrote_beside_a_value_stays(mine: str) -> None:
    made = with_values(f"---\n{mine}---\nx\n", {"count": 6})
    assert made is not None and frontmatter.split_frontmatter(made)[0]["count"] == 6
    kept = mine if mine.startswith("count: 4") else "count: many\n"
    assert made == f"---\n{kept}count: 6\n---\nx\n"


def test_a_line_is_shown_as_it_is_written() -> None:
    assert raw_line(HEAD, "created") == "created: 2026-03-01" and raw_line(HEAD, "gone") == ""


_words = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=20)
_values = st.one_of(_words, st.integers(-9, 9), st.booleans(), st.lists(_words, max_size=3))
_keys = st.sampled_from(["name", "tags", "a b", "sources", "x-y"])


@pytest.mark.long
@given(st.dictionaries(_keys, _values, min_size=1), st.dictionaries(_keys, _values), st.sets(_keys))
def test_what_is_changed_reads_back_and_all_else_as_before(
    before: dict[str, object], changed: dict[str, object], gone: set[str]
) -> None:
    text = frontmatter.join_frontmatter(before, "Body\n")
    made = with_values(text, changed, gone)
    wanted = {key: value for key, value in before.items() if key not in gone} | changed
    if made is not None and wanted:
        values, body = frontmatter.split_frontmatter(made)
        assert (values, body) == (wanted, "Body\n")
