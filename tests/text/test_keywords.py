"""Topics: telling words, never tools, noise or chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.text.classify.keywords import find_topics, path_stem, topic_terms
from recall_tui.text.classify.stopwords import STOP_WORDS

PARSER = "Fix the parser crash in the parser module when parsing dates"


def test_files_count_double_and_ties_stand_in_the_order_of_the_alphabet() -> None:
    assert find_topics([PARSER], ["/repo/src/date_parser.py"] * 2) == (
        "date_parser",
        "parser",
        "crash",
        "dates",
        "module",
    )


def test_repeated_words_come_first() -> None:
    assert find_topics(["deploy deploy staging staging cluster"], []) == ("deploy", "staging", "cluster")


def test_words_that_are_rare_in_the_archive_win() -> None:
    weights = {"parser": 0.1, "dates": 9.0}
    assert find_topics([PARSER], [], lambda term: weights.get(term, 1.0), limit=2) == ("dates", "crash")


def test_only_the_first_prompts_count() -> None:
    assert find_topics(["alpha"] * 5 + ["omega"], []) == ("alpha",)


def test_tools_shell_lines_and_code_are_no_topics() -> None:
    text = "use Bash, Read and Edit\n$ pytest tests/test_walrus.py\n```\nwalrus\n```\nto tame the ferret"
    assert find_topics([text], []) == ("ferret", "tame")


@pytest.mark.parametrize(
    "noise",
    [
        "https://ferret.example/x", "www.ferret.org", "me@ferret.org", "12345", "3.14", "deadbeef12",
        "123e4567-e89b-12d3-a456-426614174000", "0xcafe01", "don't we'll it's", "toolu_01234567890123", "ab",
        "漢字" * 10, "x" * 200,
    ],
)  # fmt: skip
def test_noise_is_no_topic(noise: str) -> None:
    assert find_topics([noise], []) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("the user's crash", ["crash"]),
        ("Größe ÜBER naïve", ["größe", "über", "naïve"]),
        ("修正 parser", ["修正", "parser"]),
        ("हिन्दी पाठ", ["हिन्दी", "पाठ"]),
        ("look at @src/date_parser.py:12 and auth.rs, Node.js", ["date_parser", "auth", "node"]),
        ("client/server createTestApp snake_case", ["client", "server", "createtestapp", "snake_case"]),
    ],
)  # fmt: skip
def test_words_of_every_script_are_terms(text: str, found: list[str]) -> None:
    assert list(topic_terms(text)) == found


@pytest.mark.parametrize(
    ("path", "stem"),
    [
        ("/repo/src/date_parser.py", "date_parser"),
        ("C:\\work\\Auth.Service.ts", "auth"),
        ("auth/index.ts", "auth"),
        ("src/index.ts", ""),
        (".gitignore", "gitignore"),
        ("tests/test_dates.py", "dates"),
        ("pkg/walker_test.go", "walker"),
        ("", ""),
        ("///", ""),
    ],
)
def test_the_stem_of_a_path_is_its_telling_part(path: str, stem: str) -> None:
    assert path_stem(path) == stem


@pytest.mark.parametrize("word", sorted(STOP_WORDS))
def test_every_stop_word_can_match(word: str) -> None:
    assert len(word) >= 3 and word == word.lower()
    assert list(topic_terms(f"ferret {word} otter")) == ["ferret", "otter"]


@given(st.lists(st.text(), max_size=6), st.lists(st.text(), max_size=6))
def test_topics_are_the_same_each_time_and_never_more_than_asked_for(prompts: list[str], files: list[str]) -> None:
    found = find_topics(prompts, files)
    assert found == find_topics(prompts, files)
    assert len(found) <= 5 and len(set(found)) == len(found)
    assert all(term and term not in STOP_WORDS and not term.isdigit() and "\n" not in term for term in found)


def test_a_mark_in_the_place_of_a_secret_is_no_topic() -> None:
    said = ["Deploy the shop with [redacted:github-token], then password=[redacted:password]"] * 3
    paths = ["/home/u/cache/[redacted:openai-key]", "/home/u/cache/[redacted:api-key].json"]
    assert find_topics(said, paths, limit=20) == ("deploy", "password", "shop", "cache", "json")
