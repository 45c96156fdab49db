"""Whatever is asked, and whatever the memory holds, a question has an answer."""

from __future__ import annotations

import json
from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import SearchResult
from recall_tui.environment import Environment
from recall_tui.errors import UsageError
from recall_tui.search.line_search import search_lines
from recall_tui.search.query import MAX_PHRASES, MAX_TERM_CHARS, MAX_WORDS, TEXT_FILTERS, parse_query
from recall_tui.search.ranking import snippet
from recall_tui.search.ranking.lexical import MAX_TERMS, query_terms
from recall_tui.search.to_json import result_as_json
from recall_tui.text.json_text import to_json
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import bench_at, transcript

LIMIT = 5
ODD = (
    "\0\x01\x07\x08\x0b\x1b\x1c\x7f\x85\xa0\xad\u0301\u0378\u0489\u200b\u200d\u200e\u202e\u2028\u2066\u3000\ufeff\ufffd"
    "\uffff\U0001f600\U0010ffff\ud800\udc80"
)
SIGNS = "\"-:()*?^~[]{}\\/'`|&!+=<>#@$%,;._"
_WORDS = """
jwt session createTestApp src/auth/login.py 日本語 テストを書く ภาษาไทย café naïve ß İstanbul AND OR NOT NEAR TO *
kind:memory kind:nonsense since:soon until:2026-99 since:9999-12-31 until:0001-01-01 since:999999w project: agent:ß
session:5e tool:"a b" file:../.. branch:\udc80 source:" yesterday today latest first last this between from to and of
week weeks month year quarter Q9 99999 day 99999999999 999999999999 2026-02-30 0000-00-00 31 the in March may 3 days ago
"""
WORDS = tuple(_WORDS.split())
FILTERS = (*TEXT_FILTERS, "kind", "since", "until", "nothing")
SEPARATORS = (" ", " ", " ", "", "\t", "\n", "\u3000", '"', ' "', '" ', " -", ":", "\0")
ANY = st.characters()
"""Every code point, halves of characters among them."""
TEXTS = st.one_of(
    st.text(ANY, max_size=80),
    st.text(st.sampled_from(ODD + SIGNS + "aé日" + " " * 8), max_size=60),
    st.lists(
        st.tuples(st.sampled_from(WORDS) | st.text(ANY, max_size=4), st.sampled_from(SEPARATORS)), max_size=30
    ).map(lambda pieces: "".join(word + between for word, between in pieces)),
    st.builds(
        '{}:"{}" jwt'.format,
        st.sampled_from(FILTERS),
        st.text(ANY, max_size=20),
    ),
    st.builds("{} {} {} jwt".format, *(st.sampled_from(WORDS) | st.integers().map(str) for _ in range(3))),
)
LETTERS = str.maketrans("01", "ab")
LARGE = {
    "ten thousand words": " ".join(f"word{number}" for number in range(10_000)),
    "ten thousand words of letters": " ".join(f"{number:b}".translate(LETTERS) for number in range(10_000)),
    "a word of a million letters": "a" * 1_000_000,
    "a path of a hundred thousand pieces": "/".join(f"piece{number}" for number in range(100_000)),
    "a name of a hundred thousand humps": "createTestApp" * 33_000,
    "a sentence of a million characters without a space": "日本語を書く" * 160_000,
    "a letter with a hundred thousand accents": "e" + "\u0301" * 100_000,
    "five hundred phrases": " ".join(f'"jwt over {number}"' for number in range(500)),
    "five hundred times a phrase that is there": '"again and again" ' * 500,
    "five hundred phrases that are there": " ".join(f'"{"again " * (number % 30 + 1)}"' for number in range(500)),
    "a phrase of a hundred thousand words": f'"{"again " * 100_000}"',
    "a phrase of a million characters without a space": f'"{"日本語" * 330_000}"',
    "five hundred words to leave out": "jwt " + " ".join(f"-without{number}" for number in range(500)),
    "five hundred dashes, deeper and deeper": " ".join(f"{'-' * number}jwt" for number in range(500)),
    "a hundred thousand quotes": '"' * 99_999,
    "a hundred thousand brackets": "(" * 100_000,
    "a filter of a million characters": f"file:{'a.b/' * 250_000} jwt",
    "a thousand filters": "kind:memory,topic project:api since:2d " * 333,
    "a thousand times": "last week before yesterday since 3 days ago until March " * 1_000,
}  # fmt: skip


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """A memory with words of many kinds, from all of the calendar."""
    folder = tmp_path_factory.mktemp("machine")
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    made = bench_at(Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)}))
    transcript(made.store.environment, 1, [
        ("user", "Why did we pick jwt over sessions?"), ("assistant", "Because createTestApp is stateless."),
        ("Read", "src/auth/login.py"), ("assistant", "日本語のテストを書く。ภาษาไทย naïve café ß İstanbul"),
        ("user", "again and " * 700 + "again"), ("assistant", "\0\x1b[2J\u202e odd \ufffd"),
    ])  # fmt: skip
    moments = ("0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z", "2026-03-05T10:00:00Z", "9999-12-31T23:59:59Z", "soon")
    for number, moment in enumerate(moments, 1):
        head = f'---\nlog: {number}\ndate: "{moment}"\nsession_id: session-{number}\n---\n\n'
        path = made.layout.archives[0].folder / f"conversation-{number:03d}.md"
        path.write_text(f"{head}# Conversation {number:03d}\n\n---\n\n### User\n\njwt, said on day {number}\n")
    made.layout.memory_file.write_bytes(b"# Memory\n\n## Auth\n\nJWT keys rotate weekly \xff\xfe\n")
    assert made.sync().failed == 0
    return made


def _sound(answer: SearchResult, text: str) -> None:
    """The answer is one that can be shown and printed."""
    assert answer.query == text
    assert len(answer.hits) <= LIMIT
    assert (answer.rung == "nothing") == (not answer.hits)
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)
    assert len(json.loads(to_json(result_as_json(answer)))["hits"]) == len(answer.hits)


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(text=TEXTS)
def test_every_text_that_is_not_blank_has_an_answer(bench: Workbench, text: str) -> None:
    if not text.strip():
        with pytest.raises(UsageError):
            bench.search(text, sync=False)
        return
    for is_single in (False, True):
        _sound(bench.search(text, sync=False, limit=LIMIT, passages=is_single), text)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(text=TEXTS, context=st.integers(-1, 3))
def test_every_text_that_is_not_blank_can_be_looked_for_in_lines(bench: Workbench, text: str, context: int) -> None:
    if not text.strip():
        with pytest.raises(UsageError):
            search_lines(bench.store, text, context)
        return
    for filters in (None, parse_query(text, NOON).filters):
        answer = search_lines(bench.store, text, context, filters)
        assert answer.searched and not answer.failed
        assert answer.matches == sum(bool(row.spans) for file in answer.files for row in file.rows)


@pytest.mark.long
@pytest.mark.parametrize("name", LARGE)
def test_a_question_however_large_has_an_answer_and_costs_what_a_small_one_may(bench: Workbench, name: str) -> None:
    text = LARGE[name]
    _sound(bench.search(text, sync=False, limit=LIMIT), text)
    search_lines(bench.store, text)
    query = parse_query(text, NOON)
    assert len(query.words) <= MAX_WORDS and len(query.without) <= MAX_WORDS and len(query.phrases) <= MAX_PHRASES
    values = [getattr(query.filters, name) for name in TEXT_FILTERS]
    assert max(map(len, (*query.words, *query.without, *query.phrases, *values)), default=0) <= MAX_TERM_CHARS
    assert len(query_terms(query.words)) <= MAX_TERMS


@pytest.mark.long
@pytest.mark.parametrize("hours", [-12, 0, 14])
@pytest.mark.parametrize(
    "text", ["jwt yesterday", "latest jwt", "when was jwt first said?", "jwt on day 3", "jwt in March"]
)
def test_dates_at_the_ends_of_the_calendar_break_no_question_about_time(
    bench: Workbench, text: str, hours: int
) -> None:
    noon = NOON.astimezone(timezone(timedelta(hours=hours)))
    answer = bench.search(text, sync=False, at=noon)
    assert {hit.date.year for hit in answer.hits if hit.date} >= {1, 1969, 9999}
    there = Workbench(bench.store._replace(now=lambda: noon), bench.why)
    assert there.search(text, sync=False).hits


@pytest.mark.parametrize("text", ["?", "* ( )", '"" -', "\u202e\u0301", "a" * 5_000, "🙂"])
def test_a_text_with_nothing_to_look_for_finds_nothing(bench: Workbench, text: str) -> None:
    assert bench.search(text, sync=False).rung == "nothing"
    assert bench.search(f"kind:memory {text}", sync=False).rung == "filters"


@pytest.mark.parametrize(
    "text",
    ["なぜこのテストを書くことにしたのですか", "那么日本語のテストをどう書けばよいのでしょうか、教えてください" * 3],
)
def test_a_sentence_in_a_script_without_spaces_finds_what_holds_some_of_it(bench: Workbench, text: str) -> None:
    answer = bench.search(text, sync=False)
    assert answer.rung == "any-word" and "日本語" in answer.hits[0].snippet


PLACES = st.lists(st.tuples(st.integers(0, 500), st.sampled_from("abc")), max_size=40).map(sorted)


@given(places=PLACES)
def test_the_densest_stretch_is_the_first_with_the_most_different_words(places: list[tuple[int, str]]) -> None:
    width = snippet.SNIPPET_CHARS * 3 // 4
    counts = [
        len({term for other, term in places[at:] if other < place + width}) for at, (place, _) in enumerate(places)
    ]
    most = max(counts, default=0)
    start = places[counts.index(most)][0] if most else 0
    assert snippet._densest_window("", places) == (start, most)
