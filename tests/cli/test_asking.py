"""What is said when a model is named in the settings and cannot be asked: one line, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.llm.usage_ledger import LEDGER_FILE
from recall_tui.storage.archives.summary_file import file_name
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall
from tests.makers import bench_at, session_id_of, transcript

TALK = [
    ("user", "Why do logins fail at random?"),
    ("assistant", "We decided to allow thirty seconds of reuse, because two tabs refresh the same token."),
]
COMMANDS = (
    ("recall", "why do logins fail"),
    ("summarize", session_id_of(1), "--yes"),
    ("summarize", session_id_of(1), "--dry-run"),
    ("synthesize", "--full", "--dry-run"),
    ("remember", "--session-end", session_id_of(1)),
)


@pytest.fixture
def bench(environment: Environment) -> Workbench:
    """A project with one session and its summary."""
    bench = bench_at(environment, "project")
    transcript(environment, 1, TALK)
    return bench


def came_with_it(bench: Workbench, text: str) -> None:
    bench.layout.config.write_text(f'layout = "project"\n{text}')


@pytest.mark.long
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_settings_that_were_not_confirmed_are_said_once_and_nothing_is_asked(
    bench: Workbench, recall: Recall, tmp_path: Path, words: tuple[str, ...]
) -> None:
    assert recall("summarize", session_id_of(1), "--yes").code == 0
    mark = tmp_path / "mark"
    came_with_it(bench, f'[llm]\nprovider = "command"\ncommand = "touch {mark}"\n')
    said = recall(*words)
    assert said.code == 0 and said.err.count("not confirmed on this machine") == 1
    assert "recall-tui config trust" in said.err
    assert not mark.exists() and not (bench.store.state / LEDGER_FILE).exists()


def test_a_provider_that_there_is_not_is_said_with_those_that_there_are(bench: Workbench, recall: Recall) -> None:
    came_with_it(bench, '[llm]\nprovider = "cluade"\n')
    assert recall("config", "trust", "--yes").code == 0
    said = recall("summarize", session_id_of(1), "--yes")
    assert "without a model: unknown model provider: cluade; did you mean claude?" in said.err
    assert said.code == 0 and (bench.layout.base / "conversations" / file_name(session_id_of(1))).is_file()


def test_nothing_is_said_where_no_model_is_named(bench: Workbench, recall: Recall) -> None:
    came_with_it(bench, '[llm]\nprovider = "off"\n')
    for words in COMMANDS:
        assert "without a model" not in recall(*words).err


def test_the_ledger_says_what_to_do(bench: Workbench, recall: Recall) -> None:
    came_with_it(bench, '[llm]\nprovider = "claude"\n')
    assert "then: recall-tui config trust" in recall("ledger").out
