from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Conversation, ConversationHead, Message
from recall_tui.transcripts.merge import merge
from recall_tui.transcripts.registry import read_transcript
from tests.transcripts.writing import SESSION, START, Log, text, uuid_of


@pytest.fixture
def stored(tmp_path: Path) -> Callable[[Log, str], Conversation]:
    def store(log: Log, project: str) -> Conversation:
        found = read_transcript(log.write(tmp_path / project / f"{SESSION}.jsonl"))
        assert isinstance(found, Conversation)
        return found

    return store


Stored = Callable[[Log, str], Conversation]


def turns(count: int) -> Log:
    log = Log()
    for number in range(count):
        log.user(f"prompt {number}")
        log.agent(text(f"reply {number}"))
    return log


def words(conversation: Conversation) -> list[str]:
    return [message.text for message in conversation.messages()]


def test_one_conversation_is_itself(stored: Stored) -> None:
    one = stored(turns(2), "p")
    assert merge([one]) is one


def test_a_shorter_copy_adds_nothing(stored: Stored) -> None:
    long, short = stored(turns(5), "p"), stored(turns(2), "q")
    both = merge([short, long])
    assert words(both) == words(long)
    assert (both.head.prompts, both.head.replies) == (5, 5)
    assert both.head.source == long.head.source
    assert both.head.content_hash == merge([long, short]).head.content_hash != long.head.content_hash


def test_a_session_that_moved_is_put_together_in_time_order(stored: Stored) -> None:
    early, late = turns(4), turns(4)
    early.lines = early.lines[:6]
    late.lines = late.lines[4:]
    late.plain(type="custom-title", customTitle="Moved")
    both = merge([stored(late, "q"), stored(early, "p")])
    assert words(both) == words(stored(turns(4), "r"))
    head = both.head
    assert (head.prompts, head.replies, head.title) == (4, 4, "Moved")
    assert (head.started_at, head.ended_at) == (START, START + timedelta(minutes=7))
    assert (head.first_uuid, head.last_uuid) == (uuid_of(1), uuid_of(8))
    assert list(both.messages()) == list(both.messages())


def test_records_without_uuid_are_told_apart_by_time_and_words(stored: Stored) -> None:
    long, short = turns(3), turns(1)
    for log, notes in ((long, ["both", "both", "of one"]), (short, ["both", "of the other"])):
        for note in notes:
            log.plain(type="user", sessionId=SESSION, message={"content": note}, timestamp="2026-03-06T20:00:00Z")
    said = words(merge([stored(short, "q"), stored(long, "p")]))
    assert sorted(said[-4:]) == ["both", "both", "of one", "of the other"] and len(said) == 10


def test_records_that_share_a_uuid_and_disagree_are_both_there(stored: Stored) -> None:
    one, other = turns(2), turns(2)
    other.lines[1] = other.lines[1].replace("reply 0", "another reply")
    said = words(merge([stored(one, "p"), stored(other, "q")]))
    assert sorted(said) == ["another reply", "prompt 0", "prompt 1", "reply 0", "reply 1"]
    one.lines += other.lines[1:2] * 2
    assert words(stored(one, "r")) == ["prompt 0", "reply 0", "prompt 1", "reply 1", "another reply"]


def test_sub_agents_come_after_the_main_conversation(stored: Stored) -> None:
    one, other = turns(1), turns(3)
    one.user("side", isSidechain=True, own=uuid_of(500))
    both = merge([stored(one, "p"), stored(other, "q")])
    assert words(both)[-1] == "side"
    assert both.head.prompts == 3


def test_conversations_of_different_sessions_are_refused(stored: Stored) -> None:
    other = Log(session="other")
    other.user("x")
    with pytest.raises(ValueError, match="one session"):
        merge([stored(turns(1), "p"), stored(other, "q")])
    with pytest.raises(ValueError, match="one session"):
        merge([])


NUMBERS = st.lists(st.integers(min_value=1, max_value=30), unique=True, max_size=20).map(sorted)


@given(st.lists(NUMBERS, min_size=1, max_size=4))
def test_every_record_is_there_once_and_in_order(parts: list[list[int]]) -> None:
    conversations = []
    for numbers in parts:
        messages = [
            Message("prompt", str(number), at=START + timedelta(seconds=number), uuid=uuid_of(number))
            for number in numbers
        ]
        head = ConversationHead(SESSION, "claude", Path("a"), prompts=len(messages))
        conversations.append(Conversation(head, messages.__iter__))
    both = merge(conversations)
    expected = sorted({number for numbers in parts for number in numbers})
    assert [int(message.text) for message in both.messages()] == expected
    assert both.head.prompts == len(expected)
