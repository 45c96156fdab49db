"""The made-up history: as much as was asked for, in the form of the agent's own transcripts, the same again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from recall_tui.domain import Conversation
from recall_tui.transcripts.registry import read_transcript
from tests.qa.bench import corpus
from tests.qa.bench.corpus import Language

MESSAGES, SOURCES = 600, 6


@pytest.fixture(scope="module")
def language() -> Language:
    return corpus.made_up_language(1)


def _write(folder: Path, language: Language, seed: int = 1) -> dict[str, bytes]:
    told: list[int] = []
    size = corpus.write(folder, MESSAGES, SOURCES, seed, language, told.append)
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.jsonl")}
    assert told == list(range(1, SOURCES + 1))
    assert size == sum(map(len, files.values()))
    return files


def test_the_same_seed_makes_the_same_history_and_another_one_another(tmp_path: Path, language: Language) -> None:
    first = _write(tmp_path / "a", language)
    assert first == _write(tmp_path / "b", language)
    assert first.keys().isdisjoint(_write(tmp_path / "c", language, seed=2))


def test_there_are_as_many_messages_and_transcripts_as_were_asked_for(tmp_path: Path, language: Language) -> None:
    files = _write(tmp_path, language)
    assert len(files) == SOURCES
    assert sum(data.count(b"\n") for data in files.values()) == MESSAGES
    assert 900 < sum(map(len, files.values())) / MESSAGES < 1_500


def test_the_agents_own_reader_takes_every_kind_of_message_from_it(tmp_path: Path, language: Language) -> None:
    _write(tmp_path, language)
    kinds: Counter[str] = Counter()
    for path in tmp_path.rglob("*.jsonl"):
        conversation = read_transcript(path)
        assert isinstance(conversation, Conversation)
        assert conversation.head.fault_count == 0
        assert conversation.head.session_id == path.stem
        kinds.update(message.kind for message in conversation.messages())
    assert set(kinds) == {"prompt", "thought", "reply", "tool_call", "tool_result"}
    assert kinds.total() == MESSAGES


def test_a_transcript_grows_at_its_end(tmp_path: Path, language: Language) -> None:
    files = _write(tmp_path, language)
    name = sorted(files)[0]
    corpus.grow(tmp_path / name, 8, 1, language)
    grown = (tmp_path / name).read_bytes()
    assert grown.startswith(files[name])
    assert grown.count(b"\n") == files[name].count(b"\n") + 8


def test_few_words_make_up_most_of_the_text(language: Language) -> None:
    assert language.weights[99] / language.weights[-1] > 0.35
    assert language.weights[999] / language.weights[-1] < 0.8


@pytest.mark.long
def test_the_words_of_real_transcripts_are_taken_when_there_are_some(test_data: Path) -> None:
    real = corpus.language(1, {"RECALL_TEST_DATA": str(test_data)})
    assert real != corpus.language(1, {})
    assert b"\x1b[" not in "".join((*real.words, *real.sentences)).encode("utf-8")
