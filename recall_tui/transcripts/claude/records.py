"""The records of Claude Code's transcripts, as far as they are read here.

Every field may be missing or null; a field of the wrong type costs itself and never its record. Imported only by what
reads transcripts, so msgspec is imported at the top.
"""

from __future__ import annotations

import json
import math
import re
from typing import Any

import msgspec

_SURROGATE = re.compile("[\ud800-\udfff]")
_NULL = msgspec.Raw(b"null")
_MAX_COUNT = 1 << 53
"""A number as large as this counts nothing."""


class ContentBlock(msgspec.Struct, gc=False):
    """One block of a message's content."""

    type: str | None = None
    text: str | None = None
    thinking: str | None = None
    id: str | None = None
    name: str | None = None
    input: msgspec.Raw = _NULL
    """The arguments of a tool, decoded when they are asked for."""
    tool_use_id: str | None = None
    content: msgspec.Raw = _NULL
    """What a tool answered, decoded when it is asked for."""
    is_error: bool | None = None
    title: str | None = None


class MessageBody(msgspec.Struct, gc=False):
    """The `message` of a user or assistant record."""

    id: str | None = None
    model: str | None = None
    content: str | list[ContentBlock | str] | None = None
    usage: msgspec.Raw = _NULL
    """The tokens of the request, decoded when they are asked for."""


class Attachment(msgspec.Struct, gc=False):
    """What a record of type `attachment` carries."""

    type: str | None = None
    prompt: msgspec.Raw = _NULL


class ForkOrigin(msgspec.Struct, rename="camel", gc=False):
    """What a record of a fork was copied from."""

    session_id: str | None = None


class TranscriptRecord(msgspec.Struct, rename="camel", gc=False):
    """One line of a transcript."""

    type: str | None = None
    subtype: str | None = None
    uuid: str | None = None
    parent_uuid: str | msgspec.UnsetType | None = msgspec.UNSET
    logical_parent_uuid: str | None = None
    session_id: str | None = None
    timestamp: str | None = None
    cwd: str | None = None
    git_branch: str | None = None
    version: str | None = None
    is_sidechain: bool | None = None
    is_meta: bool | None = None
    is_compact_summary: bool | None = None
    is_api_error_message: bool | None = None
    message: MessageBody | None = None
    attachment: Attachment | None = None
    forked_from: ForkOrigin | None = None
    summary: str | None = None
    leaf_uuid: str | None = None
    custom_title: str | None = None
    ai_title: str | None = None
    agent_name: str | None = None
    pr_number: int | str | None = None
    pr_url: str | None = None
    pr_repository: str | None = None


_DECODER = msgspec.json.Decoder(TranscriptRecord)
_CONTENT_DECODER: msgspec.json.Decoder[str | list[ContentBlock | str] | None] = msgspec.json.Decoder(
    str | list[ContentBlock | str] | None
)
_ANY_DECODER = msgspec.json.Decoder()
_DECODE_ERRORS = (msgspec.DecodeError, ValueError, RecursionError)


def parse_record(line: bytes) -> tuple[TranscriptRecord | None, str]:
    """The record on a line, if any, and what is wrong with the line, if anything; both when only a field is wrong."""
    try:
        return _DECODER.decode(line), ""
    except _DECODE_ERRORS:
        return _parse_leniently(line)


def parse_object(line: bytes) -> tuple[dict[str, Any] | None, str]:
    """The object on a line of whatever agent, if any, and what is wrong with the line, if anything."""
    try:
        value = _ANY_DECODER.decode(line)
    except _DECODE_ERRORS:
        try:
            value = _load_any(line)
        except RecursionError:
            return None, "nested too deeply"
        except ValueError:
            return None, "not JSON"
    return (value, "") if isinstance(value, dict) else (None, "not an object")


def first_text(record: object, *names: str) -> str:
    """The text of the first of these fields that holds one; empty when none does or the record is no object."""
    if not isinstance(record, dict):
        return ""
    return next((value for name in names if isinstance(value := record.get(name), str) and value), "")


def sum_counts(record: object, *names: str) -> int:
    """The sum of these fields, as far as they hold a count; 0 when the record is no object."""
    if not isinstance(record, dict):
        return 0
    return sum(value for name in names if type(value := record.get(name)) is int and 0 < value < _MAX_COUNT)


def decode_value(raw: msgspec.Raw) -> Any:
    """The plain JSON value of an undecoded part; None when it cannot be decoded."""
    try:
        return _ANY_DECODER.decode(raw)
    except _DECODE_ERRORS:
        try:
            return _load_any(bytes(raw))
        except _DECODE_ERRORS:
            return None


def decode_content(raw: msgspec.Raw) -> str | list[ContentBlock | str] | None:
    """An undecoded part as the content of a message; what does not fit is left out."""
    try:
        return _CONTENT_DECODER.decode(raw)
    except _DECODE_ERRORS:
        return _CONTENT_DECODER.decode(json.dumps(_fitting_content(decode_value(raw), [])))


def _parse_leniently(line: bytes) -> tuple[TranscriptRecord | None, str]:
    try:
        value = _load_any(line)
        if not isinstance(value, dict):
            return None, "not an object"
        problems: list[str] = []
        record = _DECODER.decode(json.dumps(_fitting_record(value, problems)))
    except RecursionError:
        return None, "nested too deeply"
    except (msgspec.DecodeError, ValueError):
        return None, "not JSON"
    return record, f"wrong type of {', '.join(problems)}" if problems else ""


def _load_any(text: bytes) -> Any:
    plain = text.decode("utf-8-sig", "replace")
    return _encodable(json.loads(plain, parse_constant=lambda _: None))


def _encodable(value: Any) -> Any:
    """The value with lone surrogates replaced by U+FFFD and infinite numbers by null, fit to be encoded again."""
    if isinstance(value, str):
        return _SURROGATE.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_encodable(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _fitting_record(value: dict[str, Any], problems: list[str]) -> dict[str, Any]:
    found = _fitting_fields(value, TranscriptRecord, problems, "message", "attachment")
    for name, struct in (("message", MessageBody), ("attachment", Attachment)):
        part = value.get(name)
        if isinstance(part, dict):
            found[name] = _fitting_fields(part, struct, problems, "content")
            if struct is MessageBody:
                found[name]["content"] = _fitting_content(part.get("content"), problems)
        elif part is not None:
            problems.append(name)
    return found


def _fitting_content(value: Any, problems: list[str]) -> Any:
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list):
        problems.append("content")
        return None
    found: list[Any] = []
    for item in value:
        if isinstance(item, dict):
            found.append(_fitting_fields(item, ContentBlock, problems))
        elif isinstance(item, str):
            found.append(item)
        else:
            problems.append("a block")
    return found


def _fitting_fields(
    value: dict[str, Any], struct: type[msgspec.Struct], problems: list[str], *apart: str
) -> dict[str, Any]:
    """The fields of the struct that are present and of the right type, those named in `apart` left out."""
    found: dict[str, Any] = {}
    for field in msgspec.structs.fields(struct):
        name = field.encode_name
        if name not in value or name in apart:
            continue
        if field.type is msgspec.Raw or _is_of_type(value[name], field.type):
            found[name] = value[name]
        else:
            problems.append(name)
    return found


def _is_of_type(value: Any, wanted: Any) -> bool:
    try:
        msgspec.convert(value, wanted)
    except msgspec.ValidationError:
        return False
    return True
