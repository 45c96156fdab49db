from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from recall_tui.transcripts.claude.records import (
    ContentBlock,
    TranscriptRecord,
    decode_content,
    decode_value,
    parse_record,
)


def record_of(line: str | bytes) -> TranscriptRecord:
    record, problem = parse_record(line.encode() if isinstance(line, str) else line)
    assert record is not None, problem
    return record


def blocks(record: TranscriptRecord) -> list[Any]:
    assert record.message and isinstance(record.message.content, list)
    return record.message.content


def test_missing_and_null_fields_are_no_fault() -> None:
    assert parse_record(b'{"type":"user","uuid":null,"cwd":null,"message":null}')[1] == ""
    assert record_of("{}").parent_uuid is msgspec.UNSET
    assert record_of('{"parentUuid":null}').parent_uuid is None


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"[1]", "not an object"),
        (b"42", "not an object"),
        (b'"words"', "not an object"),
        (b"not json", "not JSON"),
        (b'{"type":"user"', "not JSON"),
        (b"\x00\x00\x00", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_a_line_that_is_no_record_has_a_reason(line: bytes, problem: str) -> None:
    assert parse_record(line) == (None, problem)


@pytest.mark.parametrize(
    ("field", "value"),
    [("cwd", 3), ("timestamp", 1_700_000_000), ("isSidechain", "no"), ("message", "words"), ("attachment", [1])],
)
def test_a_field_of_the_wrong_type_costs_itself_alone(field: str, value: object) -> None:
    record, problem = parse_record(json.dumps({"type": "user", "uuid": "u", field: value}).encode())
    assert record is not None
    assert (record.type, record.uuid) == ("user", "u")
    assert problem == f"wrong type of {field}"


def test_a_block_of_the_wrong_type_leaves_the_others() -> None:
    content = [7, None, "words", {"type": "text", "text": "kept"}, {"type": "text", "text": 9}]
    record, problem = parse_record(json.dumps({"type": "user", "message": {"content": content}}).encode())
    assert record is not None
    assert [item if isinstance(item, str) else item.text for item in blocks(record)] == ["words", "kept", None]
    assert problem == "wrong type of a block, a block, text"


def test_lone_surrogates_become_replacement_characters_without_a_fault() -> None:
    line = b'{"type":"user","uuid":"u","message":{"content":[{"type":"text","text":"a\\ud83dz \\ud83d\\ude00"}]}}'
    record, problem = parse_record(line)
    assert record is not None
    assert problem == ""
    assert blocks(record)[0].text == "a\ufffdz 😀"


def test_lone_surrogates_inside_arguments_are_replaced_too() -> None:
    record = record_of(b'{"message":{"content":[{"type":"tool_use","input":{"k\\udc00":"a\\ud83d"}}]}}')
    assert decode_value(blocks(record)[0].input) == {"k\ufffd": "a\ufffd"}


def test_bytes_that_are_not_utf8_are_replaced() -> None:
    assert record_of(b'{"type":"user","cwd":"/tmp/\xff"}').cwd == "/tmp/\ufffd"


def test_a_byte_order_mark_and_a_carriage_return_do_no_harm() -> None:
    assert record_of(b'\xef\xbb\xbf{"type":"user"}\r').type == "user"


def test_numbers_that_json_does_not_have_become_null() -> None:
    record = record_of(b'{"cwd":1,"message":{"content":[{"type":"tool_use","input":{"a":NaN,"b":1e999,"c":2}}]}}')
    assert decode_value(blocks(record)[0].input) == {"a": None, "b": None, "c": 2}


def test_an_undecoded_part_that_does_not_fit_is_left_out_of_content() -> None:
    assert decode_content(msgspec.Raw(b"12")) is None
    content = decode_content(msgspec.Raw(b'["a", 4, {"type":"text","text":"b"}]'))
    assert isinstance(content, list)
    assert [item.text if isinstance(item, ContentBlock) else item for item in content] == ["a", "b"]
