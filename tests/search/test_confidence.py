"""How much of a question a hit holds, in its passage and in all of its session."""

from __future__ import annotations

import pytest

from recall_tui.environment import Environment
from recall_tui.index.opener import open_index
from recall_tui.search.engine import search
from recall_tui.search.ranking.confidence import COMPARED_CANDIDATES, MatchStats, estimate_confidence, match_stats
from recall_tui.workbench import Workbench
from tests.makers import bench_at, session_id_of, transcript


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A memory of two sessions."""
    made = bench_at(environment)
    turns = [
        ("user", "the parser drops zebras"),
        ("assistant", "Fixed in `parseZebras`."),
        ("assistant", "giraffes too"),
    ]
    transcript(environment, 1, turns)
    transcript(environment, 2, [("user", "the parser is slow"), ("assistant", "It caches now.")])
    made.sync()
    return made


def best(bench: Workbench, question: str, *names: str) -> tuple[str, MatchStats]:
    """The session of the best hit, and what it holds."""
    hits = search(bench.index, bench.store, question, corrects=False).hits[:1]
    return hits[0].session_id, match_stats(bench.index, bench.store, question, hits, names)[0]


def test_a_session_holds_what_its_passages_hold_together(bench: Workbench) -> None:
    session, both = best(bench, "zebras giraffes")

    assert session == session_id_of(1)
    assert both.whole == 1.0
    assert 0.0 < both.passage < 1.0


def test_a_word_that_is_nowhere_counts_the_most(bench: Workbench) -> None:
    _, known = best(bench, "parser zebras")
    _, unknown = best(bench, "parser quokkas")

    assert known.whole == 1.0
    assert unknown.whole < 0.5
    assert unknown.weight < known.weight


def test_a_name_is_held_where_its_words_stand_side_by_side(bench: Workbench) -> None:
    _, one = best(bench, "parser zebras", "parseZebras", "drops zebras", "zebras parser", "quokka.py")

    assert one.names == ("parseZebras", "drops zebras")
    assert one.focus == 1.0


def test_a_name_that_many_sessions_hold_has_no_focus(bench: Workbench) -> None:
    _, one = best(bench, "the parser drops zebras", "the parser")

    assert one.names == ("the parser",)
    assert one.focus == 0.5


def test_the_better_the_rest_the_less_sure_is_the_best() -> None:
    one = MatchStats(passage=0.6, whole=1.0, weight=2.0, pairs=0.2, names=(), focus=0.0)
    apart, near, crowded = (0.9, 0.3), (0.9, 0.88), (0.9, *[0.8] * COMPARED_CANDIDATES)

    assert estimate_confidence(one, apart) > 0.5 > estimate_confidence(one, crowded)
    assert estimate_confidence(one, apart) > estimate_confidence(one, near) > estimate_confidence(one, crowded)
    assert estimate_confidence(one, near, 1.0) > estimate_confidence(one, near)
    assert estimate_confidence(one._replace(focus=1.0), near) > estimate_confidence(one, near)
    assert estimate_confidence(one._replace(passage=0.1, whole=0.2), near) < estimate_confidence(one, near)


def test_without_an_index_nothing_is_held(environment: Environment) -> None:
    bench = bench_at(environment)

    assert match_stats(open_index(environment), bench.store, "zebras", ()) == []


def test_a_misspelt_word_stays_unknown_when_nothing_is_corrected(bench: Workbench) -> None:
    assert search(bench.index, bench.store, "zebrras").hits
    answer = search(bench.index, bench.store, "zebrras", corrects=False)

    assert not answer.hits and not answer.notes
