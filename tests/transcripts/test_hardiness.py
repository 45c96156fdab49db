"""Whatever the bytes and however many, a transcript is read or skipped, within bounds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recall_tui.domain import Conversation, SkippedResult
from recall_tui.transcripts.claude.reader import ClaudeReader
from recall_tui.transcripts.registry import own_reader, read_transcript
from tests.qa.trust.mutating import mutated
from tests.transcripts.agent_samples import DATA, main_sessions, sample_file
from tests.transcripts.log_samples import LOGS, PLACES, lines
from tests.transcripts.writing import Log, call, result, text

CHECKOUT = Path(__file__).resolve().parents[2]
MEGABYTE = 2**20
MUTATIONS = int(os.environ.get("RECALL_FUZZ_LOGS", "200"))
"""Spoiled logs of each agent."""

WORDS = st.text(max_size=20) | st.sampled_from(["user", "assistant", "system", "attachment", "text", "tool_use", "u1"])
JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=8,
)
BLOCKS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["text", "thinking", "tool_use", "tool_result", "image", "document"]) | JSON,
        **dict.fromkeys(["text", "thinking", "id", "name", "input", "tool_use_id", "content", "is_error"], JSON),
    },
)
MESSAGES = st.fixed_dictionaries(
    {}, optional={"id": JSON, "model": JSON, "content": st.lists(BLOCKS | JSON, max_size=3) | JSON}
)
RECORDS = st.fixed_dictionaries(
    {},
    optional={
        "type": st.sampled_from(["user", "assistant", "system", "attachment", "summary", "pr-link"]) | JSON,
        "uuid": st.sampled_from(["u1", "u2", "u3"]) | JSON,
        "parentUuid": st.sampled_from(["u1", "u2", "u3"]) | JSON,
        "message": MESSAGES | JSON,
        "attachment": st.fixed_dictionaries({"type": st.just("queued_command"), "prompt": JSON}) | JSON,
        **dict.fromkeys(["logicalParentUuid", "sessionId", "timestamp", "cwd", "gitBranch", "version"], JSON),
        **dict.fromkeys(["isSidechain", "isMeta", "isCompactSummary"], st.booleans() | JSON),
        **dict.fromkeys(["summary", "leafUuid", "customTitle", "prNumber", "prUrl"], JSON),
    },
)


def check_reading(content: bytes) -> None:
    """Read the bytes by both ways and look at everything that comes out."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "a.jsonl")
        path.write_bytes(content)
        for found in (read_transcript(path), ClaudeReader().read(path)):
            look_at(found)


def look_at(found: Conversation | SkippedResult) -> None:
    """Look at everything that came out of a reading."""
    if isinstance(found, SkippedResult):
        assert found.reason
        return
    messages = list(found.messages())
    json.dumps([message.text for message in messages], ensure_ascii=False).encode("utf-8")
    main = [message for message in messages if not message.is_sidechain and not message.is_off_chain]
    assert found.head.prompts == sum(message.kind == "prompt" for message in main)
    assert found.head.replies <= sum(message.kind == "reply" for message in main)


@pytest.mark.long
@settings(max_examples=200)
@given(st.lists(RECORDS | JSON, max_size=8))
def test_no_record_whatever_its_shape_stops_the_reading(records: list[Any]) -> None:
    check_reading("".join(json.dumps(record) + "\n" for record in records).encode())


@given(st.lists(st.binary(max_size=80), max_size=6).map(b"\n".join))
def test_no_bytes_stop_the_reading(content: bytes) -> None:
    check_reading(content)


@pytest.mark.parametrize("agent", LOGS)
def test_no_spoiled_log_stops_the_reading(agent: str, tmp_path: Path) -> None:
    seeds = [lines(LOGS[agent])]
    if DATA:
        seeds += [sample_file(one).read_text(encoding="utf-8") for one in main_sessions(agent)]
    for number in range(MUTATIONS):
        text = mutated(seeds, Random(number))
        path = tmp_path / PLACES[agent]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        look_at(own_reader(agent).read(path))


@pytest.mark.long
@given(st.integers(min_value=0, max_value=2000))
def test_a_transcript_cut_anywhere_is_read_up_to_the_cut(length: int) -> None:
    log = Log()
    log.user("fix it \ud83d")
    log.agent(text("Looking."), call("t1", "Bash", command="make"))
    log.user([result("t1", "ok")])
    check_reading("".join(line + "\n" for line in log.lines).encode()[:length])


MEASURE = """
import sys
from pathlib import Path
from recall_tui.transcripts.registry import own_reader, read_transcript
from tests.qa.trust.mutating import mutated
from tests.transcripts.agent_samples import DATA, main_sessions, sample_file
from tests.transcripts.log_samples import LOGS, PLACES, lines

def peak():
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) // 1024

small, big = read_transcript(Path(sys.argv[1])), None
list(small.messages())
before = peak()
big = read_transcript(Path(sys.argv[2]))
count = sum(1 for _ in big.messages())
print(peak() - before, peak(), count)
"""


def memory_needed(tmp_path: Path, megabytes: int) -> tuple[int, int, int]:
    """Megabytes that reading a file of that size adds, the whole process' peak, and the messages that came out."""
    if not Path("/proc/self/status").exists():
        pytest.skip("only Linux tells a process' own peak of memory")
    small = Log()
    small.user("hello")
    little, large = small.write(tmp_path / "small.jsonl"), tmp_path / "large.jsonl"
    number = 0
    with large.open("w", encoding="utf-8") as file:
        while file.tell() < megabytes * MEGABYTE:
            log = Log(first=number)
            for _ in range(300):
                log.user("why does this fail? " * 10)
                log.agent(call(f"t{number}", "Write", file_path="/a.py", content="x = 1\n" * 100))
                log.user([result(f"t{number}", "a line of output\n" * 150)])
                log.agent(text("Because. " * 50))
            number += len(log.lines)
            file.writelines(line + "\n" for line in log.lines)
    command = [sys.executable, "-c", MEASURE, str(little), str(large)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, check=True)
    added, peak, count = map(int, done.stdout.split())
    return added, peak, count


@pytest.mark.long
def test_fifty_megabytes_are_read_in_little_memory(tmp_path: Path) -> None:
    added, _, count = memory_needed(tmp_path, 50)
    assert count > 20_000
    assert added < 25


@pytest.mark.soak
def test_five_hundred_megabytes_are_read_within_two_hundred(tmp_path: Path) -> None:
    _, peak, count = memory_needed(tmp_path, 500)
    assert count > 200_000
    assert peak < 200


def test_a_home_of_many_sessions_and_sub_agents_beside_them_is_read(tmp_path: Path) -> None:
    for number in range(40):
        log = Log(session=f"session-{number:04}", first=number * 10)
        log.user("hello")
        log.write(tmp_path / f"session-{number:04}.jsonl")
        log.user("from the agent", isSidechain=True)
        log.lines.pop(0)
        log.write(tmp_path / f"agent-{number:04}.jsonl")
    for number in range(40):
        found = read_transcript(tmp_path / f"session-{number:04}.jsonl")
        assert isinstance(found, Conversation)
        assert [file.name for file in found.head.side_files] == [f"agent-{number:04}.jsonl"]
