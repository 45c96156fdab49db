"""Sentences: whole ones, whatever dots stand in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.markup import prose_lines, prose_text, strip_markers
from recall_tui.text.sentences import split_sentences


@pytest.mark.parametrize(
    "sentence",
    [
        "We decided to use JWT tokens in auth.rs instead of sessions.",
        "Every .py file runs on 3.11 and v1.2 now.",
        "See https://example.org/a.b?c=d.e for more.",
        "Use a cache, e.g. Redis, i.e. something quick.",
        "Wait... it works.",
        "It takes 1.5 seconds of src/app.main.ts time.",
        "Run `make a. Then b` first.",
        "Ask Dr. Jones vs. Mr. Smith about No. 5.",
        "It was (sort of) done",
    ],
)
def test_dots_inside_a_sentence_do_not_end_it(sentence: str) -> None:
    assert split_sentences(sentence) == [sentence]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two! Three? four", ["One.", "Two!", "Three?", "four"]),
        ('He said "stop." Then left.', ['He said "stop."', "Then left."]),
        ("We use a, b, etc. Then we stop.", ["We use a, b, etc.", "Then we stop."]),
        ("Hm... Next one.", ["Hm...", "Next one."]),
        ("first line\nsecond line", ["first line", "second line"]),
        ("- one\n- [ ] two\n3. three\n> four\n## Five", ["one", "two", "three", "four", "Five"]),
        ("**Decision:** use *this*", ["Decision: use this"]),
        ("今日は。元気ですか？はい", ["今日は。", "元気ですか？", "はい"]),
        ("Öl İst ß. Ünlü söz.", ["Öl İst ß.", "Ünlü söz."]),
        ("| a | b |\n|---|---|\n---\ntext", ["text"]),
        ("", []),
    ],
)
def test_texts_are_cut_into_sentences(text: str, parts: list[str]) -> None:
    assert split_sentences(text) == parts


def test_a_wrapped_line_goes_on_in_the_next() -> None:
    text = "This line is long enough to have been wrapped by the one who\nwrote it, as one sees here."
    assert split_sentences(text) == [text.replace("\n", " ")]


@pytest.mark.parametrize(
    "text",
    [
        "before\n```python\nwe decided to hide. this\n```\nafter",
        "before\n~~~~\n~~~\nhidden.\n~~~~\nafter",
        "before\n- ```\n  hidden\n  ```\nafter",
        "before\n````\n```\nhidden\n```\n````\nafter",
    ],
)
def test_fenced_code_holds_no_sentences(text: str) -> None:
    assert split_sentences(text) == ["before", "after"]


def test_a_fence_that_is_never_closed_hides_the_rest() -> None:
    assert split_sentences("before\n```\nhidden") == ["before"]
    assert split_sentences("call ```now``` please") == ["call ```now``` please"]
    assert split_sentences("```now``` please") == ["```now``` please"]


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from(".!?…。`~*-> \n\"')"))))
def test_no_text_breaks_the_splitter(text: str) -> None:
    for sentence in split_sentences(text):
        assert sentence.strip() == sentence != ""
        assert "\n" not in sentence


@pytest.mark.long
@given(st.lists(st.from_regex(r"\A[A-Z][a-zäöü漢]{1,8}( [a-zäöü漢]{1,8}){0,5}[!?]\Z"), max_size=6))
def test_sentences_put_together_come_apart_again(parts: list[str]) -> None:
    assert split_sentences(" ".join(parts)) == parts


@pytest.mark.long
@pytest.mark.parametrize(
    ("piece", "count"), [("a", 10_000_000), (".", 2_000_000), ("a.", 500_000), ("`x ", 300_000), ("*a ", 300_000)]
)
def test_hostile_texts_are_read_in_one_pass(piece: str, count: int) -> None:
    assert len(split_sentences(piece * count)) == 1


def test_marks_are_taken_off_but_not_words() -> None:
    assert strip_markers("  > - [x] **done** ") == "**done**"
    assert strip_markers("#hashtag") == "#hashtag"
    assert strip_markers("-5 degrees") == "-5 degrees"
    assert prose_text("**Bold** and *slanted* [link](http://x) `code` 2*3*4 __init__") == (
        "Bold and slanted link code 2*3*4 __init__"
    )
    assert list(prose_lines("a\n```\nb\n```\nc")) == ["a", "", "c"]
