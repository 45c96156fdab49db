"""The messages of the protocol: JSON-RPC 2.0, one object a line, in two eras.

Up to 2025-11-25 a client begins with a handshake; from 2026-07-28 on each request names its version and stands alone.
Specification: https://modelcontextprotocol.io/specification/2026-07-28 and /2025-11-25.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from recall_tui.text.json_text import to_json

MODERN_VERSION = "2026-07-28"
HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
MAX_LINE_BYTES = 4 << 20

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
"""Of the handshake era; later it is `INVALID_PARAMS`."""
UNSUPPORTED_VERSION = -32022

_META_PREFIX = "io.modelcontextprotocol/"
_MAX_ID_DIGITS = 4300
"""Python refuses to print longer integers."""

MessageId = int | str
JsonObject = dict[str, Any]


class ProtocolError(Exception):
    """A request that cannot be served, with the code that the client gets."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data


class ProtocolMessage(NamedTuple):
    """A request, a notification or the answer to a request of ours."""

    id: MessageId | None
    """None for a notification."""
    method: str
    """Empty for an answer."""
    params: Mapping[str, Any]
    version: str = ""
    """The protocol's version that a request of the modern era names; empty in the handshake era."""
    capabilities: Mapping[str, Any] = {}
    """What the client can do, as a request of the modern era says."""
    result: Any = None
    """The result of an answer; None for an error."""

    @property
    def is_modern(self) -> bool:
        """Return True if it belongs to the era without a handshake."""
        return bool(self.version)

    @property
    def is_answer(self) -> bool:
        """Return True for the answer to a request of ours."""
        return not self.method


def parse_message(line: bytes) -> ProtocolMessage:
    """Parse a line; ProtocolError when it is no message."""
    try:
        value = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise ProtocolError(PARSE_ERROR, "the line is no JSON") from error
    if not isinstance(value, dict) or value.get("jsonrpc") != "2.0":
        raise ProtocolError(INVALID_REQUEST, "the line is no JSON-RPC 2.0 object")
    method = value.get("method", "")
    is_answer = method == "" and ("result" in value or "error" in value)
    if not isinstance(method, str) or not (method or is_answer):
        raise ProtocolError(INVALID_REQUEST, "method: a name is missing")
    given = value.get("params", {})
    params = given if isinstance(given, dict) else {}
    if "id" in value and message_id(value) is None:
        raise ProtocolError(INVALID_REQUEST, "id: it must be a text or a whole number")
    meta = params.get("_meta")
    meta = meta if isinstance(meta, dict) else {}
    version = meta.get(f"{_META_PREFIX}protocolVersion")
    capabilities = meta.get(f"{_META_PREFIX}clientCapabilities")
    return ProtocolMessage(
        message_id(value),
        method,
        params,
        version if isinstance(version, str) else "",
        capabilities if isinstance(capabilities, dict) else {},
        value.get("result"),
    )


def message_id(value: object) -> MessageId | None:
    """Return the id of a message's object; None when it has none that can be answered."""
    found = value.get("id") if isinstance(value, dict) else None
    if isinstance(found, bool) or not isinstance(found, int | str):
        return None
    return None if isinstance(found, int) and found.bit_length() > 3 * _MAX_ID_DIGITS else found


def id_in_line(line: bytes) -> MessageId | None:
    """Return the id in a line that is no valid message; None when it has none."""
    try:
        return message_id(json.loads(line))
    except (ValueError, RecursionError):
        return None


def has_capabilities(message: ProtocolMessage) -> bool:
    """Return True if a request of the modern era says what its client can do, as it must."""
    meta = message.params.get("_meta")
    return isinstance(meta, dict) and isinstance(meta.get(f"{_META_PREFIX}clientCapabilities"), dict)


def client_name(info: object) -> str:
    """Return the name in a client's description of itself; empty when it has none."""
    name = info.get("name") if isinstance(info, dict) else None
    return name if isinstance(name, str) else ""


def named_client(message: ProtocolMessage) -> str:
    """Return the name of the client that a request of the modern era says; empty when it does not."""
    meta = message.params.get("_meta")
    return client_name(meta.get(f"{_META_PREFIX}clientInfo")) if isinstance(meta, dict) else ""


def result_message(request: ProtocolMessage, result: Mapping[str, Any], server: Mapping[str, str]) -> JsonObject:
    """Return the answer to a request; one of the modern era says whose it is, and that it is complete."""
    body = dict(result)
    if request.is_modern:
        body.setdefault("resultType", "complete")
        body["_meta"] = {**body.get("_meta", {}), f"{_META_PREFIX}serverInfo": dict(server)}
    return {"jsonrpc": "2.0", "id": request.id, "result": body}


def error_message(id_: MessageId | None, error: ProtocolError) -> JsonObject:
    """Return the answer that a request cannot be served."""
    body: JsonObject = {"code": error.code, "message": str(error)}
    if error.data is not None:
        body["data"] = error.data
    return {"jsonrpc": "2.0", "id": id_, "error": body}


def encode_message(message: Mapping[str, Any]) -> bytes:
    """Return a message as its line."""
    return to_json(message).encode("utf-8", "replace") + b"\n"
