"""What is said of an answer, in words and figures."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Hit, SearchResult
from recall_tui.tui.messages import SearchFiltered
from recall_tui.tui.widgets.search_status import no_hits_text, reason_lines, status_line

SEARCHED = {"passages": 4372, "sources": 67, "failed": 0}


def hit(why: dict[str, object], kind: str = "conversation", score: float = 1.0) -> Hit:
    return Hit("i", "d.md", kind, "raw", "", score, "", (1, 2), why=why)


def lines_of(why: dict[str, object], **more: object) -> list[str]:
    return reason_lines(hit(why, **more)).plain.replace("\N{NO-BREAK SPACE}", " ").split("\n")  # type: ignore[arg-type]


def answer(total: int = 0, rung: str = "nothing", query: str = "jwt", **more: object) -> SearchResult:
    hits = tuple(hit({}) for _ in range(min(total, 1)))
    return SearchResult(query, rung, 1.0, total, hits, **{"searched": SEARCHED, **more})  # type: ignore[arg-type]


def nothing(sifted: SearchFiltered = SearchFiltered(), *, is_indexing: bool = False, **more: object) -> list[str]:
    words = no_hits_text(answer(**more), sifted, is_indexing=is_indexing)  # type: ignore[arg-type]
    return words.plain.replace("\N{NO-BREAK SPACE}", " ").split("\n")


def test_why_names_words_with_their_shares_then_additions_then_measures() -> None:
    why = {
        "words": ["jwt", "sessions"], "shares": {"jwt": 0.5, "sessions": 0.31}, "fields": ["text", "title"],
        "corrected": {"jtw": "jwt"}, "phrase": 0.2, "when": 0.5, "lean": 1.1, "kind_weight": 0.9,
        "parts": {"passage": 0.6, "whole": 0.25},
    }  # fmt: skip
    assert lines_of(why, kind="window", score=0.934) == [
        "words jwt 50% · sessions 31% · 81% of the question · in text, title",
        "jtw → jwt · phrase +0.2 · kind window ×0.9 · time ×0.5 · latest or first ×1.1",
        "passage 0.60 · whole 0.25 · score 0.93",
    ]


def test_a_hit_with_every_word_holds_all_of_the_question() -> None:
    assert lines_of({"words": ["a", "b"], "shares": {"a": 0.6666, "b": 0.3333}})[0] == (
        "words a 67% · b 33% · all of the question"
    )


def test_factors_that_change_nothing_are_left_out() -> None:
    assert lines_of({"words": ["jwt"], "phrase": 0.0, "when": 1.0, "lean": 1.0, "kind_weight": 1.0}) == [
        "words jwt",
        "score 1.00",
    ]


def test_a_hit_without_reasons_shows_its_score() -> None:
    assert lines_of({}) == ["score 1.00"]


@given(st.text(max_size=60))
def test_reasons_of_any_words_stay_in_their_lines(word: str) -> None:
    why = {"words": [word], "shares": {word: 1.0}, "fields": [word], "corrected": {word: word}, "parts": {word: 1.0}}
    assert len(lines_of(why, kind=word)) == 3


@pytest.mark.parametrize(
    ("given", "unused", "said"),
    [
        (answer(23, "any-word"), "", "any word · 23 hits · 8 ms · since: kind: …"),
        (answer(1, "exact", "jwt kind:memory"), "", "exact · 1 hit · 8 ms"),
        (answer(3, "spelling", notes=("jtw → jwt",)), "", "spelling · 3 hits · 8 ms · jtw → jwt"),
        (answer(3, "all-words"), "kind:me", "all words · 3 hits · 8 ms · kind: memory"),
        (
            answer(3, "all-words"),
            "since:foo",
            "all words · 3 hits · 8 ms · since:foo not used yet; such as 2d, 1w, today, 2026-03",
        ),
        (answer(0, "nothing", "x kind:memory"), "", "nothing found · 8 ms"),
    ],
)
def test_the_status_says_rung_hits_time_and_what_is_to_be_known(given: SearchResult, unused: str, said: str) -> None:
    assert status_line(given, 8.2, unused).plain == said


def test_nothing_found_says_what_was_searched_and_what_to_try() -> None:
    assert nothing() == [
        "Nothing found in 4,372 passages of 67 sources.",
        "",
        "Try fewer or different words.",
        "esc shows all sessions again.",
    ]


def test_nothing_found_names_the_filters_in_force_and_what_there_is_without() -> None:
    assert nothing(SearchFiltered(("kind:memory", "since:2d"), 1))[1:] == [
        "Only results for kind:memory since:2d were searched; without filters: 1 hit.",
        "",
        "Remove or widen a filter.",
        "esc shows all sessions again.",
    ]
    assert nothing(SearchFiltered(("kind:memory",), 0))[1] == "Only results for kind:memory were searched."


def test_nothing_found_says_what_could_not_be_read_and_how_words_were_taken() -> None:
    said = nothing(searched={"passages": 1, "sources": 2, "failed": 1}, notes=("kind:foo: no such kind",))
    assert said[:2] == ["Nothing found in 1 passage of 2 sources.", "Kind:foo: no such kind."]
    assert "1 source could not be read: recall-tui doctor says why." in said


def test_nothing_indexed_says_so_and_how_it_will_be() -> None:
    assert nothing(searched={})[0] == "Nothing is indexed yet."
    assert "r brings the index up to date." in nothing(searched={})
    assert any("the search repeats" in line for line in nothing(searched={}, is_indexing=True))


def test_a_claim_that_holds_no_longer_and_the_page_that_led_to_it_are_told() -> None:
    why: dict[str, object] = {"validity": {"until": "2026-03-12", "by": "memory/a.md:14"}, "through": "weekly/2026-W10"}
    assert lines_of(why)[0] == "held until 2026-03-12, then: memory/a.md:14 · through weekly/2026-W10"


def test_what_holds_instead_of_a_claim_does_not_steer_the_terminal() -> None:
    held = {"until": "2026-03-09", "by": "an hour\x1b]0;x\x07\x1b[2J\u202e", "fact": "x"}
    assert "held until 2026-03-09, then: an hour" in lines_of({"validity": held})[0]
    assert not any("\x1b" in line or "\u202e" in line for line in lines_of({"validity": held}))
