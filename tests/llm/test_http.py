"""Models over HTTP, in both dialects, against a real server that is busy, broken, slow or sends elsewhere."""

from __future__ import annotations

import json
import logging
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

from recall_tui.environment import Environment
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Completion, Failure, Usage
from recall_tui.llm.providers.dialects import Anthropic, ChatRequest, OpenAi
from recall_tui.llm.providers.endpoints import Endpoint, resolve_endpoint
from recall_tui.llm.providers.http_client import MAX_ANSWER_BYTES, MAX_ATTEMPTS
from recall_tui.llm.providers.http_model import HttpModel
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.servers import Answer, Server, anthropic, openai, serving

KEY = "not-a-known-shape-but-a-secret"
SCHEMA = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


class Words(msgspec.Struct):
    """An answer of one text."""

    text: str


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(openai("hello")) as one:
        yield one


class Pauses:
    """Notes how long a model would have waited, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def model(
    server: Server, provider: str = "openai", seconds: float = 30, pauses: Pauses | None = None, chance: float = 1.0
) -> HttpModel:
    """A model of the server that loses no time."""
    where = resolve_endpoint(provider, server.base, KEY, {})
    assert isinstance(where, Endpoint)
    dialect = Anthropic() if provider == "anthropic" else OpenAi(is_openai=False)
    return HttpModel(f"{provider}/x", dialect, where, "x", seconds, pause=pauses or Pauses(), chance=lambda: chance)


def spoken(provider: str, text: str) -> Answer:
    """An answer of the provider's dialect."""
    return openai(text) if provider == "openai" else anthropic({"type": "text", "text": text})


BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])


def store_at(server: Server, environment: Environment, now: Callable[[], datetime], **settings: str) -> Store:
    """A memory whose model is at the server."""
    root = environment.cwd / "agent"
    root.mkdir(exist_ok=True)
    llm = {"PROVIDER": "openai", "MODEL": "x", "API_BASE": server.base, "API_KEY": KEY, **settings}
    env = {**environment.env, **{f"RECALL_LLM_{name}": value for name, value in llm.items()}}
    return Memory(make_layout(root, "entity"), Environment(environment.home, environment.cwd, env), now)


def test_openais_dialect_is_spoken(server: Server) -> None:
    said = model(server).complete("the question", "be brief", SCHEMA, 99)
    assert said == Completion("hello", Usage(11, 5), "gpt-x")
    (asked,) = server.asked
    assert asked.path == "/v1/chat/completions" and asked.headers["Authorization"] == f"Bearer {KEY}"
    messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "the question"}]
    assert asked.body["messages"] == messages and asked.body["max_tokens"] == 99 and asked.body["model"] == "x"
    assert asked.body["response_format"]["json_schema"] == {"name": "answer", "strict": True, "schema": SCHEMA}


def test_anthropics_dialect_is_spoken_with_the_form_as_a_tool(server: Server) -> None:
    thought = {"type": "text", "text": "Here it is:"}
    server.answers(anthropic(thought, {"type": "tool_use", "name": "answer", "input": {"text": "hellö"}}))
    said = model(server, "anthropic").complete("the question", "be brief", SCHEMA, 99)
    assert said == Completion('{"text": "hellö"}', Usage(15, 5), "claude-x")
    (asked,) = server.asked
    assert asked.path == "/v1/messages" and asked.headers["x-api-key"] == KEY
    assert asked.headers["anthropic-version"] and "Authorization" not in asked.headers
    assert asked.body["system"] == "be brief" and asked.body["max_tokens"] == 99
    assert asked.body["messages"] == [{"role": "user", "content": "the question"}]
    assert asked.body["tools"][0]["input_schema"] == SCHEMA
    assert asked.body["tool_choice"] == {"type": "tool", "name": "answer"}


def test_plain_text_is_asked_for_without_a_form(server: Server) -> None:
    assert isinstance(model(server).complete("x"), Completion)
    server.answers(anthropic({"type": "text", "text": "hel"}, {"type": "text", "text": "lo"}))
    said = model(server, "anthropic").complete("x")
    assert isinstance(said, Completion) and said.text == "hello"
    assert not {"response_format", "tools", "system"} & {*server.asked[0].body, *server.asked[1].body}


@BOTH
@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_a_busy_server_is_asked_again_after_growing_pauses(server: Server, status: int, provider: str) -> None:
    server.answers(Answer(b"busy", status), Answer(b"busy", status), spoken(provider, "hello"))
    pauses = Pauses()
    assert isinstance(model(server, provider, pauses=pauses).complete("x"), Completion)
    assert len(server.asked) == 3 and pauses.seconds == [0.5, 1.0]


def test_a_part_of_each_pause_is_left_to_chance(server: Server) -> None:
    server.answers(Answer(b"busy", 500), openai("hello"))
    pauses = Pauses()
    one = model(server, pauses=pauses, chance=0.0)
    assert isinstance(one.complete("x"), Completion) and pauses.seconds == [0.25]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "7"}, 7.0),
        ({"Retry-After": "Fri, 06 Mar 2026 12:00:09 GMT", "Date": "Fri, 06 Mar 2026 12:00:00 GMT"}, 9.0),
        ({"Retry-After": "soon"}, 0.5),
        ({"Retry-After": "nan"}, 0.5),
        ({"Retry-After": "-5"}, 0.5),
    ],
)
def test_a_server_that_says_when_is_asked_again_then(server: Server, headers: dict[str, str], seconds: float) -> None:
    server.answers(Answer(b"busy", 429, headers), openai("hello"))
    pauses = Pauses()
    assert isinstance(model(server, pauses=pauses).complete("x"), Completion)
    assert pauses.seconds == [seconds]


def test_a_server_that_wants_more_time_than_there_is_is_not_waited_for(server: Server) -> None:
    server.answers(Answer({"error": {"message": "Rate limit reached"}}, 429, {"Retry-After": "3600"}))
    pauses = Pauses()
    said = model(server, pauses=pauses).complete("x")
    assert isinstance(said, Failure) and pauses.seconds == [] and len(server.asked) == 1
    assert said.reason.endswith("answered 429 once, and asks to wait 3600 seconds: Rate limit reached")


@BOTH
def test_a_server_that_is_always_broken_is_given_up(server: Server, provider: str) -> None:
    server.answers(Answer({"type": "error", "error": {"message": "overloaded", "type": "x"}}, 500))
    said = model(server, provider).complete("x")
    assert isinstance(said, Failure) and len(server.asked) == MAX_ATTEMPTS
    assert said.reason == f"127.0.0.1:{server.port} answered 500 4 times: overloaded" and said.usage == Usage(0, 0)


def test_a_quota_that_is_used_up_is_not_asked_for_again(server: Server) -> None:
    server.answers(Answer({"error": {"message": "no money", "code": "insufficient_quota"}}, 429))
    said = model(server).complete("x")
    assert isinstance(said, Failure) and said.reason.endswith("429: no money") and len(server.asked) == 1


def test_a_server_that_is_not_there_is_tried_again(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    pauses = Pauses()
    where = Endpoint(f"http://127.0.0.1:{port}/v1/chat/completions", KEY)
    said = HttpModel("openai/x", OpenAi(False), where, "x", 30, pause=pauses).complete("x")
    assert isinstance(said, Failure) and said.usage == Usage(0, 0)
    assert "cannot be reached" in said.reason and len(pauses.seconds) == MAX_ATTEMPTS - 1


def test_a_server_that_hangs_up_without_a_word_is_tried_again_and_may_have_been_paid() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def hang_up() -> None:
            for _ in range(MAX_ATTEMPTS):
                listening.accept()[0].close()

        thread = threading.Thread(target=hang_up)
        thread.start()
        where = Endpoint(f"http://127.0.0.1:{listening.getsockname()[1]}/v1/chat/completions", KEY)
        said = HttpModel("openai/x", OpenAi(False), where, "x", 30, pause=Pauses()).complete("x")
        thread.join()
    assert isinstance(said, Failure) and "tried 4 times" in said.reason and said.usage is None


@BOTH
def test_an_answer_that_breaks_off_is_a_failure_and_is_not_paid_for_twice(server: Server, provider: str) -> None:
    server.answers(Answer(b'{"choices": [', length=1_000))
    said = model(server, provider).complete("x")
    assert said == Failure(f"the answer of 127.0.0.1:{server.port} breaks off") and len(server.asked) == 1


@pytest.mark.long
@pytest.mark.parametrize("body", [b"", b"<html>sign in</html>", b"[1, 2]", b"\xff\xfe", b'{"choices": []}', b"{}"])
@BOTH
def test_an_answer_of_no_known_form_is_a_failure(server: Server, body: bytes, provider: str) -> None:
    server.answers(Answer(body))
    said = model(server, provider).complete("x", schema=SCHEMA)
    assert isinstance(said, Failure) and said.reason.isprintable()


@pytest.mark.long
@BOTH
@pytest.mark.parametrize("wrong", [{"usage": "many"}, {"usage": {"prompt_tokens": -1}}, {"usage": None}, {"model": 3}])
def test_a_count_that_cannot_be_is_estimated(server: Server, provider: str, wrong: dict[str, Any]) -> None:
    good = openai("hello") if provider == "openai" else anthropic({"type": "text", "text": "hello"})
    assert isinstance(good.body, dict)
    server.answers(Answer({**good.body, **wrong}))
    said = model(server, provider).complete("question")
    assert isinstance(said, Completion) and said.usage.is_estimated == ("usage" in wrong)


def test_a_cost_that_the_server_names_is_taken(server: Server) -> None:
    server.answers(openai("hello", cost=0.125))
    said = model(server).complete("x")
    assert isinstance(said, Completion) and said.usage.cost == 0.125


def test_a_model_that_refuses_or_is_cut_says_so(server: Server) -> None:
    refusing: dict[str, Any] = {"message": {"content": None, "refusal": "I will not"}}
    server.answers(Answer({"choices": [refusing]}), Answer({"choices": [{"message": {}, "finish_reason": "length"}]}))
    one = model(server)
    assert one.complete("x") == Failure("the model refuses: I will not")
    assert one.complete("x") == Failure("the model answered nothing within 1000 tokens")
    server.answers(anthropic(stop_reason="refusal"))
    said = model(server, "anthropic").complete("x")
    assert said == Failure("the model refuses", usage=Usage(15, 5))


def refusal(message: str, status: int = 400) -> Answer:
    return Answer({"error": {"message": message}}, status)


def test_a_form_that_the_server_does_not_know_is_left_out_step_by_step(server: Server) -> None:
    server.answers(refusal("json_schema is not supported"), refusal("response_format is unknown", 422), openai("hello"))
    assert isinstance(model(server).complete("x", schema=SCHEMA), Completion)
    forms = [one.body.get("response_format", {}).get("type") for one in server.asked]
    assert forms == ["json_schema", "json_object", None]


def test_a_refusal_without_words_is_tried_once_without_the_form(server: Server) -> None:
    server.answers(Answer(b"", 400), openai("hello"))
    assert isinstance(model(server).complete("x", schema=SCHEMA), Completion)
    assert len(server.asked) == 2 and "response_format" not in server.asked[1].body


def test_the_limit_of_the_answer_is_named_as_the_server_wants_it(server: Server) -> None:
    said = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead."
    server.answers(refusal(said), openai("hello"))
    assert isinstance(model(server).complete("x", max_tokens=7), Completion)
    assert server.asked[0].body["max_tokens"] == 7
    assert server.asked[1].body["max_completion_tokens"] == 7 and "max_tokens" not in server.asked[1].body
    assert OpenAi(is_openai=True).body(_question(), frozenset())["max_completion_tokens"] == 9


def test_a_tool_that_the_server_does_not_know_is_left_out(server: Server) -> None:
    server.answers(
        refusal("tool_choice forces tool use, which is not allowed"), anthropic({"type": "text", "text": "x"})
    )
    assert isinstance(model(server, "anthropic").complete("x", schema=SCHEMA), Completion)
    assert "tools" in server.asked[0].body and "tools" not in server.asked[1].body


@BOTH
def test_a_server_that_refuses_everything_is_asked_a_few_times_at_most(server: Server, provider: str) -> None:
    server.answers(refusal("max_tokens max_completion_tokens response_format json_schema tool"))
    said = model(server, provider).complete("x", schema=SCHEMA)
    assert isinstance(said, Failure) and "answered 400: max_tokens" in said.reason
    assert len(server.asked) <= 5


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed(server: Server, status: int) -> None:
    with serving(openai("stolen")) as other:
        server.answers(Answer(b"", status, {"Location": f"{other.base}/v1/chat/completions"}))
        said = model(server).complete("x")
        assert isinstance(said, Failure) and "redirects" in said.reason
        assert other.asked == []


def test_the_proxy_and_the_passwords_of_this_process_are_not_used(
    server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login me password secret\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert isinstance(model(server).complete("x"), Completion)
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"


def drip(server: Server) -> Callable[[Callable[[bytes], None]], None]:
    """Sends a space now and then, until the test is over."""

    def then(write: Callable[[bytes], None]) -> None:
        while not server.over.wait(0.05):
            write(b" ")

    return then


def silence(server: Server) -> Callable[[Callable[[bytes], None]], None]:
    """Sends nothing more, until the test is over."""

    def then(_: Callable[[bytes], None]) -> None:
        server.over.wait()

    return then


@pytest.mark.long
@pytest.mark.parametrize("then", [drip, silence])
def test_a_server_that_never_ends_its_answer_is_given_up_in_time(
    server: Server, then: Callable[[Server], Callable[[Callable[[bytes], None]], None]]
) -> None:
    server.answers(Answer(b"{", length=10**6, then=then(server)))
    said = model(server, seconds=1).complete("x")
    assert isinstance(said, Failure) and said.reason == f"127.0.0.1:{server.port} did not answer within 1 seconds"


@BOTH
def test_a_slow_answer_is_waited_for(server: Server, provider: str) -> None:
    body = json.dumps(spoken(provider, "hello").body).encode()

    def slowly(write: Callable[[bytes], None]) -> None:
        for byte in body[:20]:
            server.over.wait(0.02)
            write(bytes([byte]))
        write(body[20:])

    server.answers(Answer(b"", length=len(body), then=slowly))
    said = model(server, provider).complete("x")
    assert isinstance(said, Completion) and said.text == "hello"


@pytest.mark.parametrize("then", [drip, silence])
def test_a_call_is_left_when_it_is_cancelled(
    server: Server, then: Callable[[Server], Callable[[Callable[[bytes], None]], None]]
) -> None:
    server.answers(Answer(b"{", length=10**6, then=then(server)))
    said = model(server, seconds=3_600).complete("x", is_cancelled=lambda: bool(server.asked))
    assert said == Failure("cancelled")
    assert not [one for one in threading.enumerate() if one.name == "model" and not _ends(one)]


def _ends(thread: threading.Thread) -> bool:
    thread.join(60)
    return not thread.is_alive()


def test_a_call_is_left_between_two_attempts(server: Server) -> None:
    server.answers(Answer(b"busy", 429, {"Retry-After": "600"}))
    where = Endpoint(f"{server.base}/v1/chat/completions", KEY)
    one = HttpModel("openai/x", OpenAi(False), where, "x", 3_600)
    assert one.complete("x", is_cancelled=lambda: bool(server.asked)) == Failure("cancelled")


def test_a_server_that_sends_too_much_is_hung_up_on(server: Server) -> None:
    def much(write: Callable[[bytes], None]) -> None:
        for _ in range(100):
            write(b" " * 100_000)

    server.answers(Answer(b"{", length=10**9, then=much))
    said = model(server).complete("x")
    assert said == Failure(f"127.0.0.1:{server.port} sent more than {MAX_ANSWER_BYTES // 1024 // 1024} MB")


def test_what_cannot_be_sent_as_it_is_is_sent_all_the_same(server: Server) -> None:
    assert isinstance(model(server).complete("a\0b\ud800\U0001f600"), Completion)
    assert server.asked[0].body["messages"][0]["content"] == "a\0b?\U0001f600"


@BOTH
def test_an_answer_of_another_form_is_mended_through_the_one_way(
    server: Server, provider: str, environment: Environment, now: Callable[[], datetime]
) -> None:
    server.answers(spoken(provider, '{"words": "x"}'), spoken(provider, '{"text": "x"}'))
    calls = ModelClient(store_at(server, environment, now, PROVIDER=provider))
    assert calls.answer("summary", LLMRequest("say it"), Words) == Words("x")
    assert [call.outcome for call in calls.ledger.calls()] == ["answered", "unusable"]
    assert [call.usage.tokens for call in calls.ledger.calls()] == ([16] * 2 if provider == "openai" else [20] * 2)
    assert "text" in server.asked[1].body["messages"][0]["content"]


def test_what_a_call_cost_is_reckoned_when_the_provider_does_not_say(
    server: Server, environment: Environment, now: Callable[[], datetime]
) -> None:
    server.answers(openai('{"text": "x"}', prompt_tokens=1_000, completion_tokens=500))
    calls = ModelClient(store_at(server, environment, now, PRICE_ASKED="2", PRICE_ANSWERED="10"))
    assert calls.answer("summary", LLMRequest("x"), Words) == Words("x")
    server.answers(openai('{"text": "x"}', cost=0.5))
    assert calls.answer("summary", LLMRequest("x"), Words) == Words("x")
    assert [call.usage.cost for call in calls.ledger.calls()] == [0.5, pytest.approx(0.007)]


def test_the_key_is_in_no_reason_no_log_no_representation_and_no_file(
    server: Server, environment: Environment, now: Callable[[], datetime], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.answers(Answer({"error": {"message": f"wrong key: {KEY}"}}, 401))
    store = store_at(server, environment, now)
    calls = ModelClient(store)
    said = calls.answer("summary", LLMRequest("x"), Words)
    assert server.asked[0].headers["Authorization"] == f"Bearer {KEY}"
    assert isinstance(said, Failure) and "401: wrong key: [redacted:key]" in said.reason and said.hint
    files = [path.read_bytes() for path in store.state.rglob("*") if path.is_file()]
    where = resolve_endpoint("openai", server.base, KEY, {})
    shown = [repr(said), caplog.text, repr(where), repr(model(server)), repr(vars(model(server)))]
    assert files and not any(KEY.encode() in one for one in files) and not any(KEY in one for one in shown)


def test_without_httpx_it_is_said_what_to_install(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    said = model(server).complete("x")
    assert said == Failure("httpx is not installed", "pip install 'recall-tui[llm]'", Usage(0, 0))


def _question() -> ChatRequest:

    return ChatRequest("x", "y", "", None, 9)
