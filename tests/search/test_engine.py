"""A question in words gets its answer, and every hit says why."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.domain import SearchResult
from recall_tui.errors import BrokenFileError, UsageError
from recall_tui.index.ingest.refresh import rebuild, refresh
from recall_tui.index.opener import Index
from recall_tui.search.engine import search
from recall_tui.search.query import Filters
from recall_tui.storage.memory_context import Store

Archive = Callable[..., Path]


@pytest.fixture
def ask(index: Index, store: Store, archive: Archive) -> Callable[..., SearchResult]:
    """Asks a memory of a few archives and curated files."""
    archive(
        1,
        "how should authentication work for the api",
        "We chose jwt middleware over server sessions.",
        project="/home/u/api",
        branch="feature/auth",
        date="2026-03-01T10:00:00Z",
    )
    archive(
        2,
        "the redis cache evicts too early",
        "The eviction policy was volatile-lru, changed to allkeys-lru.",
        project="/home/u/cache",
        date="2026-02-01T10:00:00Z",
        source="checkpoint",
    )
    archive(
        3,
        "rename createTestApp everywhere",
        "I renamed it.\n\n> **Bash** `pytest tests/test_app.py`\n\n"
        "<details><summary>Result</summary>\n\n```\nplatypus failure in jwt\n```\n\n</details>",
    )
    archive(4, "日本語のテストを書く", "Déjà vu: the café résumé parser.")
    store.layout.memory_file.write_text("# Memory\n\n## Deploys\n\nStaging deploys on Fridays.\n")
    refresh(index, store)

    def run(text: str, **more: object) -> SearchResult:
        return search(index, store, text, **more)  # type: ignore[arg-type]

    return run


Ask = Callable[..., SearchResult]


def _documents(answer: SearchResult) -> list[str]:
    return [Path(hit.document).stem.removeprefix("conversation-") for hit in answer.hits]


def test_a_question_in_words_finds_its_evidence(ask: Ask) -> None:
    answer = ask("why did we ever pick jwt over sessions for the api?")
    hit = answer.hits[0]
    assert _documents(answer)[0] == "001"
    assert answer.rung == "any-word"
    assert (hit.kind, hit.result_type, hit.session_id) == ("conversation", "raw", "session-1")
    assert hit.project == "/home/u/api" and hit.date is not None
    assert "jwt" in hit.why["words"]  # type: ignore[operator]
    assert "jwt middleware" in hit.snippet and "\n" not in hit.snippet
    assert answer.searched["sources"] == 5 and answer.searched["failed"] == 0


def test_a_hit_points_at_a_passage_with_words_of_the_question(
    ask: Ask, index: Index, store: Store, archive: Archive
) -> None:
    filler = "It sleeps in a burrow through the winter, and nobody has seen it since the first snow fell. " * 12
    archive(5, f"The marmot is gone. {filler}", "Yes.", f"And the marmot next door? {filler}", "No.")
    refresh(index, store)
    (hit,) = ask("marmot").hits
    first, last = hit.lines
    assert "marmot" in "".join((store.root / hit.document).read_text().splitlines(True)[first - 1 : last])


def test_every_hit_says_on_which_rung_it_stands(ask: Ask) -> None:
    first, *others = ask("jwt middleware").hits
    assert first.why["rung"] == "exact"
    assert [hit.why["rung"] for hit in others] == ["any-word"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "rung"),
    [
        ("jwt middleware", "exact"),
        ("middleware jwt", "all-words"),
        ("jwt walrus", "any-word"),
        ("authentcation", "spelling"),
        ("jwt midleware", "spelling"),
    ],
)
def test_the_answer_says_which_rung_gave_it(ask: Ask, text: str, rung: str) -> None:
    answer = ask(text)
    assert (answer.rung, _documents(answer)[0]) == (rung, "001")


def test_a_corrected_word_is_named(ask: Ask) -> None:
    answer = ask("authentcation")
    assert answer.notes == ("authentcation → authentication",)
    assert answer.hits[0].why["corrected"] == {"authentcation": "authentication"}


def test_a_word_that_is_nowhere_is_named_beside_what_the_others_find(ask: Ask) -> None:
    answer = ask("cache zlorbixium")
    assert answer.hits and answer.notes == ("not found: zlorbixium",)
    assert ask("zlorbixium").notes == ()


def test_a_word_that_is_there_is_never_corrected(ask: Ask) -> None:
    assert ask("cache").notes == ()


@pytest.mark.long
@pytest.mark.parametrize(
    "text",
    ["日本語", "テスト", "deja", "CAFÉ", "cafe\u0301", "resume", "chosen choose evicted", "create test app"],
)
def test_accents_case_stems_scripts_and_identifiers_are_no_obstacle(ask: Ask, text: str) -> None:
    assert ask(text).hits


def test_the_pieces_of_an_identifier_find_it(ask: Ask) -> None:
    assert _documents(ask("create test app"))[0] == "003"
    assert _documents(ask("createTestApp"))[0] == "003"


def test_prose_stands_above_what_tools_answered(ask: Ask) -> None:
    found = _documents(ask("jwt"))
    assert found.index("001") < found.index("003")
    assert _documents(ask("platypus")) == ["003"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("kind:memory staging", ["MEMORY"]),
        ("project:api", ["001"]),
        ("project:/home/u/api", ["001"]),
        ("branch:feature/auth", ["001"]),
        ("session:session-2", ["002"]),
        ("source:checkpoint", ["002"]),
        ("tool:bash", ["003"]),
        ("file:test_app.py", ["003"]),
        ("until:2026-02", ["002"]),
        ("kind:conversation since:2026-03-01 cache", []),
        ("kind:tool jwt", ["003"]),
        ("jwt -middleware", ["003"]),
        ('"eviction policy" jwt', ["002"]),
    ],
)
def test_filters_phrases_and_exclusions_narrow_the_answer(ask: Ask, text: str, found: list[str]) -> None:
    assert _documents(ask(text)) == found


def test_filters_of_options_and_text_work_together(ask: Ask) -> None:
    assert _documents(ask("jwt", filters=Filters(tool="bash"))) == ["003"]


def test_a_phrase_that_is_nowhere_does_not_silence_the_answer(ask: Ask) -> None:
    assert _documents(ask('"middleware of jwt" sessions'))[0] == "001"


def test_scores_fall_from_at_most_one_and_the_limit_holds(ask: Ask) -> None:
    answer = ask("the jwt cache parser deploys")
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)
    limited = ask("the jwt cache parser deploys", limit=2)
    assert len(limited.hits) == 2 and limited.total == answer.total


def test_one_hit_for_each_session_unless_passages_are_asked_for(index: Index, store: Store, archive: Archive) -> None:
    archive(1, *["needle " + "hay " * 400] * 3)
    refresh(index, store)
    assert len(search(index, store, "needle").hits) == 1
    assert len(search(index, store, "needle", passages=True).hits) > 1


def test_an_id_leads_back_to_its_passage(ask: Ask, index: Index, store: Store) -> None:
    from recall_tui.index.opener import memory_key

    hit = ask("jwt middleware", passages=True).hits[0]
    reader = index.reader()
    assert reader is not None
    found = reader.by_id(memory_key(store), hit.id)
    assert found is not None and found.lines == hit.lines
    path = store.root / hit.document
    assert "\n".join(path.read_text().split("\n")[hit.lines[0] - 1 : hit.lines[1]]) == found.body


def test_a_title_is_found_when_no_word_is(index: Index, store: Store) -> None:
    topic = store.root / "memory" / "k8s.md"
    topic.write_text("---\ntitle: K8s\n---\n\nplain words\n")
    refresh(index, store)
    answer = search(index, store, "k8ss")
    assert (answer.rung, len(answer.hits)) == ("title", 1)


def test_without_an_index_the_answer_is_empty(index: Index, store: Store) -> None:
    answer = search(index, store, "jwt")
    assert (answer.hits, answer.rung, answer.searched["sources"]) == ((), "nothing", 0)


def test_blank_text_is_a_usage_error(index: Index, store: Store) -> None:
    with pytest.raises(UsageError):
        search(index, store, "  ")


def test_a_damaged_index_is_an_error_with_the_next_step(ask: Ask, index: Index, store: Store) -> None:
    for path in index.passages_path.rglob("*.store"):
        path.write_bytes(b"garbage")
    with pytest.raises(BrokenFileError) as raised:
        search(Index(index.folder), store, "jwt")
    assert "sync" in raised.value.hint
    refresh(index, store)
    assert search(index, store, "jwt").hits


def test_ten_thousand_words_are_answered_with_a_note(ask: Ask) -> None:
    answer = ask(" ".join(["jwt", *(f"word{number}" for number in range(10_000))]))
    assert answer.hits and any("first" in note for note in answer.notes)


@pytest.mark.long
def test_an_index_grown_bit_by_bit_answers_like_one_made_anew(index: Index, store: Store, archive: Archive) -> None:
    for turn in range(6):
        for number in range(1, 8):
            archive(number, f"alpha {'beta ' * (number % 3)}turn {turn}", f"gamma {'alpha ' * number}")
        refresh(index, store)
    questions = ["alpha", "beta gamma", "turn 5", "alpha beta -gamma", "gama"]
    grown = [search(index, store, text) for text in questions]
    rebuild(index, store)
    anew = [search(index, store, text) for text in questions]
    assert [answer.hits for answer in grown] == [answer.hits for answer in anew]
    assert [answer.rung for answer in grown] == [answer.rung for answer in anew]
