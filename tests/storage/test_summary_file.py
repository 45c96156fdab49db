"""A session's summary is a person's text with our facts below it, and an edited one is told from ours."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recall_tui.domain import ArchiveEntry, SessionDigest, Tags
from recall_tui.storage.archives.summary_file import (
    file_name,
    is_ours_unedited,
    parse_context,
    parse_points,
    read_head,
    render_summary,
)
from recall_tui.text.cut import one_line

AT = datetime(2026, 3, 6, 10, 30, tzinfo=UTC)
HOSTILE = st.sampled_from(["-->", "<!-- recall: {} -->", "a\n## Context\nb", "# x", "---", "İß🦀", "\udcff", '"', ""])
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=15) | HOSTILE


def test_a_summary_has_the_published_shape() -> None:
    entry = ArchiveEntry(3, Path("_memory/conversations/abc.md"), "abc", AT, 12, "25m", "session", title="Parser work")
    text = render_summary(
        entry,
        SessionDigest(
            "Moved it.",
            tags=Tags(decisions=("Use Redis",), actions=("Test it",), files=("a.py",)),
            points=(("Discovery", "It was slow"),),
        ),
    )
    above, _, facts = text.partition("\n<!-- recall: ")
    assert above == (
        "# Parser work\n\n## Context\n\nMoved it.\n\n## Tracking Points\n\n"
        "- Decision: Use Redis\n- Next step: Test it\n- Discovery: It was slow\n\n"
        "## Related Files/Artifacts\n\n- a.py\n"
    )
    assert facts.endswith(" -->\n")
    assert facts.count("\n") == 1
    assert parse_context(text) == "Moved it."
    assert parse_points(text) == (("Decision", "Use Redis"), ("Next step", "Test it"), ("Discovery", "It was slow"))


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(WORDS, WORDS, WORDS, st.lists(WORDS, max_size=2).map(tuple), st.integers(1, 999))
def test_a_summary_reads_back(
    tmp_path: Path, title: str, session: str, summary: str, decisions: tuple[str, ...], number: int
) -> None:
    path = tmp_path / file_name(session)
    entry = ArchiveEntry(
        number, path, session, AT, 12, "25m", "session", ("ci",), title, cwd=summary, content_hash="c0ffee"
    )
    text = render_summary(entry, SessionDigest(summary, tags=Tags(decisions=decisions)))
    assert is_ours_unedited(text)
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    again = read_head(path)
    assert again is not None
    assert again.title == (one_line(title) or one_line(f"Session {session}"))
    assert (again.session_id, again.number, again.date) == (session, number, AT)
    assert (again.cwd, again.content_hash, again.topics) == (summary, "c0ffee", ("ci",))
    assert parse_context(text) == (one_line(summary) or again.title)


def test_an_edited_or_foreign_summary_is_not_ours(tmp_path: Path) -> None:
    path = tmp_path / "abc.md"
    text = render_summary(ArchiveEntry(1, path, "abc", AT, title="Parser"), SessionDigest("Moved it."))
    assert is_ours_unedited(text.replace("\n", "\r\n"))
    assert is_ours_unedited(text + "\n")
    for edited in (text.replace("Moved", "Took"), text + "More.\n", text.replace('"hash"', '"hush"'), "# Mine\n", ""):
        assert not is_ours_unedited(edited)
    path.write_text(text.replace("# Parser", "# My parser"))
    again = read_head(path)
    assert again is not None
    assert (again.title, again.session_id, again.number) == ("My parser", "abc", 1)


def test_a_summary_that_somebody_wrote_is_read_by_its_name_and_title(tmp_path: Path) -> None:
    path = tmp_path / "0f3c.md"
    path.write_text(
        "# Parser work\n\n## Context\n\nWords.\n\n## Tracking Points\n\n- **Decision:** Use it: now\n- **Blocker**: x\n"
    )
    assert read_head(path) == ArchiveEntry(0, path, "0f3c", title="Parser work")
    assert parse_points(path.read_text()) == (("Decision", "Use it: now"), ("Blocker", "x"))
    path.write_text("")
    assert read_head(path) is None
    assert read_head(tmp_path / "absent.md") is None


@pytest.mark.parametrize(
    "session", ["../../etc/passwd", "..", ".", "", "a/b", "/abs", ".hidden", "a\0b", "x" * 300, "a b", "\ud83d"]
)
def test_no_session_id_leaves_the_folder(tmp_path: Path, session: str) -> None:
    name = file_name(session)
    assert (tmp_path / name).resolve().parent == tmp_path.resolve()
    assert not name.startswith(".")
    assert len(name.encode()) < 200
    assert name != file_name(session + "x")


def test_an_ordinary_session_id_is_the_name() -> None:
    assert file_name("0f3c2a11-aaaa-4bbb-8ccc-0123456789ab") == "0f3c2a11-aaaa-4bbb-8ccc-0123456789ab.md"
