from __future__ import annotations

import uuid

from hypothesis import given
from hypothesis import strategies as st

from recall_tui.domain import Conversation
from recall_tui.transcripts.claude.main_chain import RecordChain, record_key
from recall_tui.transcripts.claude.records import TranscriptRecord
from tests.transcripts.conftest import Opened
from tests.transcripts.writing import Log, call, result, text, uuid_of


def off_chain(conversation: Conversation) -> list[str]:
    return [message.text for message in conversation.messages() if message.is_off_chain]


def test_a_rewound_branch_is_marked_and_not_counted(opened: Opened) -> None:
    log = Log()
    log.user("one")
    fork = log.agent(text("first answer"))
    log.user("a wrong turn")
    log.agent(text("wrong answer"), call("t1", "Bash", command="rm x"))
    log.user([result("t1", "gone")])
    log.user("the right turn", parent=fork)
    log.agent(text("right answer"))
    conversation = opened(log)
    assert off_chain(conversation) == ["a wrong turn", "wrong answer", "Bash rm x", "gone"]
    assert (conversation.head.prompts, conversation.head.replies) == (2, 2)


def test_going_back_to_the_start_leaves_everything_behind(opened: Opened) -> None:
    log = Log()
    log.user("a wrong start")
    log.agent(text("wrong answer"))
    log.user("the right start", parent=None)
    log.agent(text("right answer"))
    assert off_chain(opened(log)) == ["a wrong start", "wrong answer"]


def test_a_rewind_inside_a_rewound_branch_is_off_too(opened: Opened) -> None:
    log = Log()
    log.user("one")
    fork = log.agent(text("answer"))
    inner = log.user("wrong")
    log.user("wronger", parent=inner)
    log.user("wrongest", parent=inner)
    log.user("right", parent=fork)
    assert off_chain(opened(log)) == ["wrong", "wronger", "wrongest"]


def test_the_branch_that_goes_on_last_is_the_chain(opened: Opened) -> None:
    log = Log()
    log.user("one")
    fork = log.agent(text("answer"))
    first = log.user("first branch")
    log.user("second branch", parent=fork)
    log.agent(text("back on the first"), parent=first)
    assert off_chain(opened(log)) == ["second branch"]


def test_tools_called_in_parallel_are_on_the_chain(opened: Opened) -> None:
    log = Log()
    log.user("go")
    one = log.agent(call("t1", "Read", file_path="/1"), id="m")
    two = log.agent(call("t2", "Read", file_path="/2"), id="m")
    three = log.agent(call("t3", "Read", file_path="/3"), id="m")
    log.user([result("t1", "1")], parent=one)
    log.user([result("t2", "2")], parent=two)
    log.user([result("t3", "3")], parent=three)
    log.agent(text("Done."))
    log.user("thanks")
    assert off_chain(opened(log)) == []


def test_words_typed_beside_the_result_of_a_parallel_tool_are_on_the_chain(opened: Opened) -> None:
    log = Log()
    log.user("go")
    one = log.agent(call("t1", "Read", file_path="/1"), id="m")
    two = log.agent(call("t2", "Read", file_path="/2"), id="m")
    log.user([result("t1", "1"), text("mind the tests")], parent=one)
    log.user([result("t2", "2")], parent=two)
    log.agent(text("Done."))
    assert off_chain(opened(log)) == []


def test_progress_system_records_and_interruptions_leave_nothing_behind(opened: Opened) -> None:
    log = Log()
    log.user("go")
    last = log.agent(call("t1", "Bash", command="make"))
    log.record("progress", data={})
    log.user("[Request interrupted by user]", parent=last)
    log.user([result("t1", "ok")], parent=last)
    log.record("system", subtype="turn_duration")
    log.user("next")
    assert off_chain(opened(log)) == []


def test_a_record_whose_parent_is_missing_follows_the_one_before(opened: Opened) -> None:
    log = Log()
    log.user("one", parent=uuid_of(900))
    log.agent(text("two"), parent=uuid_of(901))
    log.user("three", parent=uuid_of(902))
    log.agent(text("four"))
    assert off_chain(opened(log)) == []


def test_a_log_that_keeps_no_parents_has_no_branches(opened: Opened) -> None:
    log = Log()
    for number in range(3):
        log.user(f"prompt {number}", parent=None)
        log.agent(text("answer"), parent=None)
    conversation = opened(log)
    assert off_chain(conversation) == []
    assert conversation.head.prompts == 3


def test_records_without_uuid_are_on_the_chain(opened: Opened) -> None:
    log = Log()
    log.plain(type="user", sessionId=log.session, message={"content": "one"})
    log.plain(type="assistant", sessionId=log.session, message={"content": [text("two")]})
    log.plain(type="user", sessionId=log.session, message={"content": "one"})
    conversation = opened(log)
    assert off_chain(conversation) == []
    assert (conversation.head.prompts, conversation.head.replies) == (2, 1)


def test_a_compaction_inside_a_rewound_branch_is_off(opened: Opened) -> None:
    log = Log()
    log.user("one")
    fork = log.agent(text("answer"))
    last = log.user("wrong")
    log.record("system", subtype="compact_boundary", parent=None, logicalParentUuid=last)
    log.user("This session is being continued", isCompactSummary=True)
    log.user("right", parent=fork)
    assert off_chain(opened(log)) == ["wrong", "This session is being continued"]


def test_keys_are_sixteen_bytes_and_tell_uuids_apart() -> None:
    names = [str(uuid.UUID(int=5)), "msg_001", "", " " * 36, "x" * 36, "-" * 36]
    keys = {record_key(name) for name in names}
    assert len(keys) == len(names)
    assert {len(key) for key in keys} == {16}


PLACES = st.integers(min_value=-3, max_value=40)


@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "system"]), PLACES, PLACES, st.booleans()), max_size=40)
)
def test_any_tangle_of_parents_has_a_chain_with_its_last_message_on_it(
    tangle: list[tuple[str, int, int, bool]],
) -> None:
    chain, last = RecordChain(), 0
    for line, (kind, parent, logical, is_prompt) in enumerate(tangle, 1):
        record = TranscriptRecord(
            type=kind,
            parent_uuid=None if parent < 0 else uuid_of(parent),
            logical_parent_uuid=None if logical < 0 else uuid_of(logical),
        )
        assert chain.add(uuid_of(line), record, line, is_prompt=is_prompt and kind == "user")
        last = line if kind != "system" else last
    left = chain.left_behind()
    assert last not in left
    assert left <= set(range(1, len(tangle) + 1))
