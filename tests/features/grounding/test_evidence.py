"""Claims of a model: held by the lines they cite, said in those lines' own words, or left out."""

from __future__ import annotations

import pytest

from recall_tui.features.grounding.evidence import NumberedLine, clean_claim, select_lines
from recall_tui.features.grounding.extractive_summary import SourceLine
from recall_tui.features.grounding.harness import check_claim, is_still_supported
from recall_tui.features.grounding.verify import is_supported
from recall_tui.storage.memory_context import Store
from tests.memories import store  # noqa: F401

LIMIT = NumberedLine(
    SourceLine("The rate limit of the api is 250 requests, says Anna Berg.", "memory/a.md", (3, 3)), "2026-03-01"
)
PLAN = NumberedLine(SourceLine("We do not raise the limit before the audit.", "memory/a.md", (5, 5)), "2026-03-01")


def test_a_claim_is_kept_with_the_line_that_holds_it() -> None:
    ((line,), rejection) = check_claim("Anna Berg says the api's rate limit is 250 requests.", [PLAN, LIMIT])
    assert rejection is None
    assert line == SourceLine("Anna Berg says the api's rate limit is 250 requests.", "memory/a.md", (3, 3))


@pytest.mark.parametrize(
    "claim",
    [
        "The rate limit of the api is 300 requests.",
        "The rate limit of the api is 250 requests, says Zoe Klein.",
        "The rate limit of the api is not 250 requests.",
        "The rate limit of the api is 250 requests, in `src/limits.py`.",
    ],
)
def test_what_the_line_has_not_is_said_in_its_own_words(claim: str) -> None:
    lines, rejection = check_claim(claim, [LIMIT])
    assert lines == (LIMIT.line,) and rejection is not None and rejection.reasons


@pytest.mark.parametrize("claim", ["Nobody likes Mondays in this team.", "", "x", "We raise every salary tomorrow."])
def test_what_has_nothing_to_do_with_its_lines_is_left_out(claim: str) -> None:
    lines, rejection = check_claim(claim, [LIMIT])
    assert lines == () and rejection is not None


def test_what_two_lines_near_each_other_say_together_cites_both() -> None:
    ((line,), _) = check_claim(
        "The rate limit of 250 requests: we do not raise the limit before the audit.", [LIMIT, PLAN]
    )
    assert line.citation == "memory/a.md:3-5"


def test_numbers_that_no_line_has_are_passed_over() -> None:
    assert select_lines([LIMIT, PLAN], [0, -1, 2, 2, 99]) == (PLAN,)
    assert check_claim("The rate limit of the api is 250 requests.", select_lines([LIMIT], [7])).lines == ()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("# The [[api]] is [[gone-page|slow]] now", "The [[api]] is slow now"),
        ("See [the door](javascript:x) <b onload=x>here</b> <!-- hidden", "See the door here hidden"),
        ("one\ntwo\n\n## three \x1b[31mred", "one two ## three red"),
        ("The limit is 250 (memory/x.md:3)", "The limit is 250"),
        ("It is so [1, 3]", "It is so"),
        ("The key is AKIAIOSFODNN7EXAMPLE here", "The key is"),
    ],
)
def test_words_of_a_model_hold_no_links_tags_or_secrets_of_its_own(said: str, kept: str) -> None:
    words = " ".join(clean_claim(said, ["api"]).split())
    assert words.startswith(kept) and ("AKIA" in said or words == kept)


def test_a_claim_is_as_long_as_a_line_may_be() -> None:
    assert len(clean_claim("word " * 1_000_000)) <= 600


def test_a_source_that_denies_does_not_hold_what_it_denies() -> None:
    assert not is_supported("We use Redis for sessions.", "We don't use Redis for sessions.")
    assert is_supported("We use Redis for sessions.", "We use Redis for sessions.")


def test_the_lines_are_opened_as_they_are_now(store: Store) -> None:  # noqa: F811
    (store.root / "memory/a.md").write_text("x\n\nThe rate limit is 250 requests.\n")
    line = SourceLine("The rate limit is 250 requests.", "memory/a.md", (3, 3))
    assert is_still_supported(store, line)
    for other in (
        line._replace(lines=(1, 1)),
        line._replace(lines=(3, 9)),
        line._replace(lines=(0, 0)),
        line._replace(path="memory/b.md"),
        line._replace(path="../../etc/passwd"),
        line._replace(path="a\0b"),
    ):
        assert not is_still_supported(store, other), other


def test_whole_sentences_of_the_lines_are_borne_out_whatever_else_these_say(store: Store) -> None:  # noqa: F811
    rows = "Replace the belt motor → Done (not finished, tests pass)\n- The motor stopped when it rained.\n"
    (store.root / "memory/a.md").write_text(f"{rows}- We decided not to use belts of rubber.\n")
    line = SourceLine("Replace the belt motor: The motor stopped when it rained.", "memory/a.md", (1, 2))
    assert is_still_supported(store, line)
    assert not is_still_supported(store, line._replace(text="use belts of rubber.", lines=(3, 3)))
    assert not is_still_supported(store, line._replace(text="We decided to use belts of rubber.", lines=(3, 3)))
