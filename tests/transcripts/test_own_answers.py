from __future__ import annotations

import json
from pathlib import Path

from recall_tui.domain import Conversation
from recall_tui.text.framing import QuotedBlock, frame_quotes
from recall_tui.transcripts.registry import read_transcript
from recall_tui.transcripts.tool_calls import result_content_text

ANSWER = (
    f'1 of 9 for "cache"\n{frame_quotes([QuotedBlock("The cache is Valkey.", "Cache")])}\nopen one: read(ref="14:1")'
)


def test_what_the_memory_answered_is_no_source(tmp_path: Path) -> None:
    use = {"type": "tool_use", "id": "t1", "name": "mcp__recall__search", "input": {"query": "which cache"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": ANSWER}]}
    records = [
        {
            "type": "user",
            "uuid": "a",
            "sessionId": "s",
            "message": {"role": "user", "content": "Which cache do we use?"},
        },
        {"type": "assistant", "uuid": "b", "parentUuid": "a", "message": {"role": "assistant", "content": [use]}},
        {"type": "user", "uuid": "c", "parentUuid": "b", "message": {"role": "user", "content": [result]}},
    ]
    path = tmp_path / "s.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    found = read_transcript(path)
    assert isinstance(found, Conversation)
    text = "\n".join(message.text for message in found.messages())
    assert "which cache" in text
    assert "Valkey" not in text and "recalled-memory" not in text


def test_the_rest_of_an_answer_stays() -> None:
    assert result_content_text("plain") == "plain"
    assert result_content_text(ANSWER).startswith("1 of 9")
