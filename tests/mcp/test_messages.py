from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.mcp import messages, tools
from recall_tui.mcp.messages import HANDSHAKE_VERSIONS, MODERN_VERSION, JsonObject, ProtocolError
from recall_tui.mcp.server import INSTRUCTIONS, McpServer
from recall_tui.mcp.tools import Arguments, text_result

PREFIX = "io.modelcontextprotocol/"
MODERN: JsonObject = {f"{PREFIX}protocolVersion": MODERN_VERSION, f"{PREFIX}clientCapabilities": {}}


class FakeLibrary:
    """Tools and resources that need no memory."""

    def tools(self) -> list[JsonObject]:
        return list(tools.TOOLS)

    def call(self, name: str, arguments: Mapping[str, Any], caller: object, params: Mapping[str, Any]) -> JsonObject:
        if name not in ("search", "read"):
            raise ProtocolError(messages.INVALID_PARAMS, f"name: there is no tool {name}")
        return text_result(Arguments(name, arguments).required("query" if name == "search" else "ref"))

    def resources(self) -> list[JsonObject]:
        return [{"uri": "recall://memory", "name": "Curated memory"}]

    def templates(self) -> list[JsonObject]:
        return []

    def read(self, uri: str) -> list[JsonObject] | None:
        return [{"uri": uri, "text": "words"}] if uri == "recall://memory" else None

    def prompts(self) -> list[JsonObject]:
        return []

    def prompt(self, name: str, arguments: Mapping[str, Any]) -> JsonObject:
        raise ProtocolError(messages.INVALID_PARAMS, f"name: there is no prompt {name}")


class NoCaller:
    is_modern = True
    can_ask = False

    def ask(self, message: str, schema: JsonObject) -> JsonObject | None:
        raise AssertionError("nobody is to be asked")


def make_server() -> McpServer:
    return McpServer(FakeLibrary(), lambda request, capabilities: NoCaller())


def ask(method: str, params: JsonObject | None = None, *, server: McpServer | None = None, **more: Any) -> JsonObject:
    line = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params or {}} | more)
    answer = (server or make_server()).answer(line.encode())
    assert answer is not None
    assert answer["id"] == 7
    return answer


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_handshake_gets_the_version_that_it_asks_for(version: str) -> None:
    result = ask("initialize", {"protocolVersion": version, "capabilities": {}})["result"]
    assert result["protocolVersion"] == version
    assert result["serverInfo"]["name"] == "recall"
    assert result["capabilities"] == {"tools": {}, "prompts": {}, "resources": {}}


def test_a_handshake_for_an_unknown_version_gets_the_newest() -> None:
    assert ask("initialize", {"protocolVersion": "1999-01-01"})["result"]["protocolVersion"] == HANDSHAKE_VERSIONS[0]


def test_a_client_without_a_handshake_discovers_the_server() -> None:
    result = ask("server/discover", {"_meta": MODERN})["result"]
    assert result["supportedVersions"] == [MODERN_VERSION]
    assert result["resultType"] == "complete"
    assert (result["ttlMs"], result["cacheScope"]) == (3_600_000, "private")
    assert result["_meta"][f"{PREFIX}serverInfo"]["title"] == "recall-tui"


@pytest.mark.parametrize("method", ["tools/list", "resources/list", "resources/templates/list", "prompts/list"])
def test_lists_are_plain_in_one_era_and_cached_in_the_other(method: str) -> None:
    plain, modern = ask(method)["result"], ask(method, {"_meta": MODERN})["result"]
    assert len(plain) == 1
    assert plain.items() <= modern.items()
    assert modern["ttlMs"] == 3_600_000


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("server/discover", {}, messages.METHOD_NOT_FOUND),
        ("ping", {"_meta": MODERN}, messages.METHOD_NOT_FOUND),
        ("resources/subscribe", {}, messages.METHOD_NOT_FOUND),
        ("logging/setLevel", {"_meta": MODERN}, messages.METHOD_NOT_FOUND),
        ("tools/list", {"_meta": {f"{PREFIX}protocolVersion": MODERN_VERSION}}, messages.INVALID_PARAMS),
        ("tools/list", {"_meta": MODERN | {f"{PREFIX}protocolVersion": "2031-01-01"}}, messages.UNSUPPORTED_VERSION),
        ("tools/call", {"name": "no-such-tool"}, messages.INVALID_PARAMS),
        ("tools/call", {"name": "search", "arguments": {}}, messages.INVALID_PARAMS),
        ("tools/call", {"name": "search", "arguments": {"query": ["a"]}}, messages.INVALID_PARAMS),
        ("tools/call", {"name": "search", "arguments": []}, messages.INVALID_PARAMS),
        ("prompts/get", {"name": "no-such-prompt"}, messages.INVALID_PARAMS),
        ("resources/read", {"uri": "recall://nothing"}, messages.RESOURCE_NOT_FOUND),
        ("resources/read", {"uri": "recall://nothing", "_meta": MODERN}, messages.INVALID_PARAMS),
    ],
)
def test_what_cannot_be_served_has_its_code(method: str, params: JsonObject, code: int) -> None:
    assert ask(method, params)["error"]["code"] == code


def test_the_versions_that_are_served_are_told_to_whom_asks_for_another() -> None:
    error = ask("tools/list", {"_meta": MODERN | {f"{PREFIX}protocolVersion": "2031-01-01"}})["error"]
    assert error["data"] == {"supported": [MODERN_VERSION], "requested": "2031-01-01"}


def test_a_ping_is_answered_and_a_notification_is_not() -> None:
    assert ask("ping")["result"] == {}
    assert make_server().answer(b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{}}') is None


def test_a_resource_is_fresh_for_no_time() -> None:
    assert ask("resources/read", {"uri": "recall://memory"})["result"]["contents"][0]["text"] == "words"
    assert ask("resources/read", {"uri": "recall://memory", "_meta": MODERN})["result"]["ttlMs"] == 0


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"no json", messages.PARSE_ERROR),
        (b"\xff\xfe", messages.PARSE_ERROR),
        (b"[" * 100_000, messages.PARSE_ERROR),
        (b"[]", messages.INVALID_REQUEST),
        (b'{"id": 1, "method": "ping"}', messages.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": 1, "method": 4}', messages.INVALID_REQUEST),
        (b'{"jsonrpc": "2.0", "id": true, "method": "ping"}', messages.INVALID_REQUEST),
    ],
)
def test_a_line_that_is_no_message_gets_an_error(line: bytes, code: int) -> None:
    answer = make_server().answer(line)
    assert answer is not None
    assert answer["error"]["code"] == code


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
_METHODS = st.sampled_from(["initialize", "tools/call", "tools/list", "resources/read", "prompts/get", "ping", "x"])


@given(st.binary() | st.builds(lambda v: json.dumps(v).encode("utf-8", "surrogatepass"), _JSON))
def test_no_line_ends_the_server(line: bytes) -> None:
    answer = make_server().answer(line)
    assert answer is None or json.loads(messages.encode_message(answer))["jsonrpc"] == "2.0"


@given(_METHODS, _JSON, _JSON)
def test_no_parameters_end_the_server(method: str, params: object, id_: object) -> None:
    line = json.dumps({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})
    answer = make_server().answer(line.encode("utf-8", "surrogatepass"))
    if answer is not None:
        assert b"\n" not in messages.encode_message(answer)[:-1]


def test_the_tools_cost_a_session_little() -> None:
    characters = len(json.dumps(list(tools.TOOLS), separators=(",", ":")))
    print(f"{characters:,} characters of tools/list")
    assert characters < 3_600
    assert len(INSTRUCTIONS) <= 420
    assert [one["name"] for one in tools.TOOLS] == ["search", "read", "recall", "remember"]
    assert not any("outputSchema" in one for one in tools.TOOLS)


def test_arguments_are_taken_by_other_names_and_as_text() -> None:
    given_ = Arguments("search", {"q": " redis\0 ", "max_results": "50", "from": "2w", "kind": None})
    assert given_.required("query") == "redis"
    assert given_.number("limit", 6, 1, 20) == 20
    assert given_.text("since") == "2w"
    assert given_.text("kind") == ""
    assert Arguments("read", {"session_id": 14}).required("ref") == "14"


def test_an_argument_of_another_type_is_named() -> None:
    with pytest.raises(ProtocolError, match="limit"):
        Arguments("search", {"query": "a", "limit": "many"}).number("limit", 6, 1, 20)
