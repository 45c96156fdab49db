"""Finding a document by what a person calls it, a transcript shown as its archive would be among them."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from recall_tui.environment import Environment
from recall_tui.errors import BrokenFileError, NotFoundError, RecallError
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, sub_agent, transcript
from tests.session_recall import Recalled

LATER = NOON + timedelta(hours=1)
TALK = [("user", "Why does the login crash?"), ("assistant", "The validator fails."), ("user", "Mend it please")]


def test_an_archive_is_found_by_number_name_and_session(environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    found = {bench.document(name).path for name in ("1", "001", "conversation-001", session_id_of(1)[:8])}
    assert found == {bench.archive.get(1).path}
    assert bench.document("memory").path == bench.layout.memory_file


def test_a_transcript_is_shown_as_its_archive_would_be_and_its_lines_are_found_in_it(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    document = bench.document(path)
    assert document.kind == "transcript" and "### User" in document.text
    lines = document.text.split("\n")
    for line, (_, words) in enumerate(TALK, 1):
        first, last = document.lines_in_text((line, line))
        assert words in "\n".join(lines[first - 1 : last]), line


def test_a_transcript_that_grew_is_read_again(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    first = bench.document(path)
    assert bench.document(path) is first
    transcript(environment, 1, [*TALK, ("assistant", "It is mended.")])
    assert "It is mended." in bench.document(path).text


def test_a_message_is_found_by_its_time_among_those_of_sub_agents(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    sub_agent(path, [("user", "Look there"), ("assistant", "Seen.")], start=LATER)
    document = bench.document(path)
    lines = document.text.split("\n")

    def words(line: int, at: datetime | None = None) -> str:
        found = document.lines_in_text((line, line), at)
        assert found is not None
        return "\n".join(lines[found[0] - 1 : found[1]])

    assert "Seen." in words(2, LATER + timedelta(minutes=1)) and "Look there" not in words(
        2, LATER + timedelta(minutes=1)
    )
    assert "The validator fails." in words(2, NOON + timedelta(minutes=1))
    assert "The validator fails." in words(2)
    assert "The validator fails." in words(7, NOON + timedelta(minutes=1)), "the time says more than the line"
    assert document.lines_in_text((2, 2), LATER - timedelta(seconds=1)) is None


def test_a_file_outside_is_no_document(environment: Environment) -> None:
    bench = bench_at(environment)
    outside = environment.home / "secret.jsonl"
    outside.write_text("{}\n")
    for name in (str(outside), "../../etc/passwd", "nothing", ""):
        with pytest.raises(NotFoundError):
            bench.document(name)


def test_a_session_that_is_not_archived_is_found_by_its_id_or_the_start_of_it(environment: Environment) -> None:
    bench = bench_at(environment)
    path = transcript(environment, 1, TALK)
    with Recalled(environment.session_index) as made:
        made.session(session_id_of(1)).row(session_id_of(1), "user", "as the database has it")
    for name in (session_id_of(1), session_id_of(1)[:8]):
        assert bench.document(name).path == path
    path.unlink()
    document = bench.document(session_id_of(1)[:8])
    assert "as the database has it" in document.text and document.kind == "transcript"


def test_a_session_of_the_older_database_is_shown_as_its_archive_would_be(environment: Environment) -> None:
    bench = bench_at(environment)
    secret = "ghp_" + "a1B2c3D4e5" * 4
    id = session_id_of(7)
    with Recalled(environment.session_index) as made:
        made.session(id, f"Use {secret}").row(id, "user", f"take {secret}").row(id, "assistant", "a zebra")
    bench.sync()
    hit = next(one for one in bench.search("zebra", passages=True).hits if "zebra" in one.snippet)
    for name in (hit.document, id, id[:23]):
        document = bench.document(name)
        assert str(document.path) == f"{environment.session_index}/{id}" and secret[:12] not in document.text
        assert secret[:12] not in document.title and "### User" in document.text
    lines = document.text.split("\n")
    first, last = document.lines_in_text(hit.lines)
    assert "a zebra" in "\n".join(lines[first - 1 : last])


def test_what_may_be_several_sessions_or_is_too_short_is_none(environment: Environment) -> None:
    bench = bench_at(environment)
    with Recalled(environment.session_index) as made:
        for number in (1, 2):
            made.session(session_id_of(number)).row(session_id_of(number), "user", "words")
        made.session("2024-one").row("2024-one", "user", "words").session("empty-one")
    with pytest.raises(RecallError, match="several sessions"):
        bench.document(session_id_of(1)[:8])
    with pytest.raises(BrokenFileError, match="no message"):
        bench.document(f"{environment.session_index}/empty-one")
    assert "words" in bench.document("2024").text
    for name in ("202", "other", "empty-one", f"{environment.session_index}/nothing", f"{environment.session_index}/"):
        with pytest.raises(RecallError):
            bench.document(name)


def test_a_broken_older_database_is_named_when_a_session_is_not_found(environment: Environment) -> None:
    bench = bench_at(environment)
    environment.session_index.parent.mkdir(parents=True, exist_ok=True)
    environment.session_index.write_bytes(b"no database")
    with pytest.raises(NotFoundError) as caught:
        bench.document(session_id_of(1))
    assert str(environment.session_index) in caught.value.hint
    with pytest.raises(BrokenFileError, match="no SQLite database"):
        bench.document(f"{environment.session_index}/{session_id_of(1)}")


def test_pages_of_days_weeks_months_and_the_wiki_are_called_by_their_names(environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    layout = bench.layout
    pages = {
        "2026-03-06": layout.days / "2026-03-06.md",
        "2026-W10": layout.weekly / "2026-W10.md",
        "2026-03": layout.monthly / "2026-03.md",
        "jwt-auth": layout.wiki / "jwt-auth.md",
    }
    for path in pages.values():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{path.stem}\n")
    for name, path in pages.items():
        assert bench.document(name).path == path
    assert bench.document("2026-w10").path == pages["2026-W10"]
    for name in ("2026-03-07", "2026-W11", "2026-04", "jwt", "../jwt-auth", "2026-W99", "2026-13"):
        with pytest.raises(NotFoundError):
            bench.document(name)
