from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.errors import BrokenFileError, NotFoundError, RecallError
from recall_tui.transcripts.format_detection import detect_format
from recall_tui.transcripts.registry import all_readers, own_readers, read_transcript
from tests.transcripts.writing import Log, text

NARROW = [(f"{agent}/shortest.jsonl", agent) for agent in ("qwen", "droid", "copilot", "pi", "kimi")]
OTHERS = Path(__file__).resolve().parents[1] / "fixtures" / "transcripts" / "other-agents"


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("copilot-traces.jsonl", "GitHub Copilot"),
        ("openclaw.jsonl", "OpenClaw"),
        ("posit.jsonl", "Posit Assistant"),
        ("iflow.jsonl", "iFlow"),
    ],
)
def test_another_agents_transcript_is_skipped_by_name(file: str, name: str) -> None:
    assert read_transcript(OTHERS / file) == SkippedResult(f"a transcript of {name}, which has no reader here")


@pytest.mark.parametrize(
    ("file", "agent"),
    [
        ("codex/shortest.jsonl", "codex"),
        ("gemini/shortest.json", "gemini"),
        ("gemini/shortest.jsonl", "gemini"),
        *NARROW,
    ],
)
def test_the_transcripts_that_are_said_to_be_read_are(file: str, agent: str) -> None:
    found = read_transcript(OTHERS.parent / file)
    assert isinstance(found, Conversation)
    assert found.head.agent == agent
    assert next(found.messages()).text == "add a test"


def test_every_file_of_another_agent_has_a_test() -> None:
    assert len(list(OTHERS.iterdir())) == 5


def test_the_first_line_may_be_longer_than_what_is_looked_at(tmp_path: Path) -> None:
    log = Log()
    log.user("x" * 1_000_000)
    log.agent(text("long"))
    assert isinstance(read_transcript(log.write(tmp_path / "a.jsonl")), Conversation)


def test_bad_first_lines_do_not_hide_the_format(tmp_path: Path) -> None:
    log = Log()
    log.raw("garbage")
    log.raw("[]")
    log.user("hello")
    assert isinstance(read_transcript(log.write(tmp_path / "a.jsonl")), Conversation)


def test_a_missing_file_and_one_that_cannot_be_read_are_errors(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        read_transcript(tmp_path / "gone.jsonl")
    with pytest.raises(BrokenFileError) as caught:
        read_transcript(tmp_path)
    assert caught.value.hint


class Offered:
    """A reader as another package would bring it: it takes files that begin with `#mine`."""

    agent = "mine"

    def claims(self, path: Path, head: bytes) -> bool:
        return head.startswith(b"#mine")

    def read(self, path: Path) -> SkippedResult:
        return SkippedResult("read by another package")


def test_readers_of_other_packages_join_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("mine", f"{__name__}:Offered", "recall_tui.readers")
    monkeypatch.setattr(EntryPoint, "load", lambda self: Offered)
    monkeypatch.setattr(
        "recall_tui.installed_plugins.installed_plugins", lambda group: EntryPoints([point]).select(group=group)
    )
    path = tmp_path / "a.log"
    path.write_bytes(b"#mine\n")
    own = [reader.agent for reader in all_readers()]
    assert own[:3] == ["claude", "codex", "gemini"]
    assert [reader.agent for reader in all_readers(extra=True)] == [*own, "mine"]
    assert read_transcript(path) == SkippedResult("not a transcript that can be recognised")
    assert read_transcript(path, extra=True) == SkippedResult("read by another package")


def test_a_reader_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("torn", "no.such.module:Reader", "recall_tui.readers")
    monkeypatch.setattr(
        "recall_tui.installed_plugins.installed_plugins", lambda group: EntryPoints([point]).select(group=group)
    )
    with pytest.raises(RecallError, match="torn") as caught:
        all_readers(extra=True)
    assert caught.value.hint


def test_the_page_of_agents_tells_whose_sessions_are_read_and_how_one_is_resumed() -> None:
    page = (OTHERS.parents[3] / "docs" / "agents.md").read_text(encoding="utf-8")
    read = _rows(page.partition("## Sessions that are read\n")[2].partition("\n## ")[0])
    able = {row[0]: row[-1] for row in _rows(page.partition("<!-- begin: abilities -->")[2].partition("<!-- end")[0])}
    words = {one.label: (one.program or one.agent, *one.resume_arguments("ID")) for one in own_readers()}
    assert [row[0] for row in read] == list(words)
    resumed = {label: f"`{' '.join(line)}`" for label, line in words.items() if line[1:]}
    assert {label: able[label] for label in resumed} == resumed


def _rows(section: str) -> list[list[str]]:
    """The rows of the section's table, without its head."""
    return [line.strip("| ").split(" | ") for line in section.splitlines() if line.startswith("| ")][2:]


@pytest.mark.long
@given(st.binary(max_size=300))
def test_any_bytes_have_a_format_or_none(head: bytes) -> None:
    assert isinstance(detect_format(Path("a"), head, [reader.marks for reader in own_readers()]), str)
