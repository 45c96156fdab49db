"""Vectors by a server: rows in their order, calls within limits and in the ledger, and an error for all else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ModelError
from recall_tui.llm.embedders.dialect import EMBEDDINGS_PATH, TEXT_LIMITS
from recall_tui.llm.embedders.served import ServedEmbedder
from recall_tui.llm.model import Usage
from recall_tui.llm.providers.endpoints import Endpoint, resolve_endpoint
from recall_tui.llm.providers.http_client import MAX_ATTEMPTS
from recall_tui.llm.usage_ledger import LEDGER_FILE, UsageLedger
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from tests.conftest import NOON
from tests.servers import Answer, Server, Write, serving

KEY = "not-a-known-shape-but-a-secret"
Make = Callable[..., ServedEmbedder]


def vectors(*rows: Any, **usage: object) -> Answer:
    """An answer with these rows, the last one first: servers may answer in any order."""
    data = [{"object": "embedding", "index": place, "embedding": row} for place, row in enumerate(rows)]
    return Answer({"data": data[::-1], "usage": {"prompt_tokens": 7, "total_tokens": 7, **usage}})


@pytest.fixture
def server() -> Iterator[Server]:
    with serving(vectors([3.0, 4.0], [0.0, 2.0])) as one:
        yield one


@pytest.fixture
def make(server: Server, environment: Environment, now: Callable[[], datetime]) -> Make:
    """An embedder at the server that loses no time, with settings such as `TOKENS_PER_DAY`."""

    async def at_once(_: float) -> None:
        """No pause."""

    def made(store: Store | None = None, **settings: str) -> ServedEmbedder:
        env = {**environment.env, **{f"RECALL_EMBEDDINGS_{name}": value for name, value in settings.items()}}
        root = environment.cwd / "agent"
        root.mkdir(exist_ok=True)
        store = store or Memory(make_layout(root, "entity"), Environment(environment.home, environment.cwd, env), now)
        where = resolve_endpoint("openai", server.base, KEY, {}, table="embeddings", path=EMBEDDINGS_PATH)
        assert isinstance(where, Endpoint)
        return ServedEmbedder(store, where, "m", pause=at_once, chance=lambda: 1.0)

    return made


def ledger(embedder: ServedEmbedder) -> UsageLedger:
    return UsageLedger(embedder._store.state)


def refused(embedder: ServedEmbedder, *texts: str) -> ModelError:
    with pytest.raises(ModelError) as error:
        embedder.embed(texts or ("red", "blue"))
    return error.value


def test_texts_are_sent_in_one_call_and_each_row_comes_to_its_text(server: Server, make: Make) -> None:
    embedder = make()
    rows = embedder.embed(["red", "blue"])
    assert rows.dtype == np.float32 and np.allclose(rows, [[0.6, 0.8], [0.0, 1.0]]) and embedder.dimensions == 2
    (asked,) = server.asked
    assert asked.path == "/v1/embeddings" and asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body == {"model": "m", "input": ["red", "blue"], "encoding_format": "float"}
    assert embedder.name == f"127.0.0.1:{server.port}/m"


def test_each_call_is_a_row_of_its_own_purpose_with_what_the_server_counted(server: Server, make: Make) -> None:
    server.answers(vectors([3, 4], cost=0.5), Answer(b"no", 400))
    embedder = make()
    embedder.embed(["red"])
    refused(embedder)
    failed, answered = ledger(embedder).calls()
    assert (answered.purpose, answered.model, answered.at) == ("embedding", embedder.name, NOON)
    assert (answered.usage, answered.outcome) == (Usage(7, 0, 0.5), "answered")
    assert failed.outcome == "failed" and "answered 400" in failed.why and failed.usage.is_estimated


def test_a_server_that_counts_nothing_is_counted_by_characters(server: Server, make: Make) -> None:
    server.answers(Answer({"data": [{"embedding": [1]}]}))
    embedder = make()
    embedder.embed(["x" * 40])
    assert ledger(embedder).calls()[0].usage == Usage(10, 0, None, True)


def test_many_texts_go_in_batches(server: Server, make: Make) -> None:
    server.answers(vectors([1, 0], [0, 1]), vectors([1, 0], [0, 1]), vectors([-1, 0]))
    rows = make(BATCH="2").embed(list("abcde"))
    assert rows.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1], [-1, 0]]
    assert [one.body["input"] for one in server.asked] == [["a", "b"], ["c", "d"], ["e"]]


def test_no_texts_are_no_question_once_the_width_is_known(server: Server, make: Make) -> None:
    assert make(DIMENSIONS="2").embed([]).shape == (0, 2) and server.asked == []


def test_the_width_is_asked_for_when_a_setting_says_it_and_seen_when_none_does(server: Server, make: Make) -> None:
    embedder = make(DIMENSIONS="2")
    assert embedder.dimensions == 2 and server.asked == [] and embedder.name.endswith("/m/2")
    embedder.embed(["red", "blue"])
    assert server.asked[0].body["dimensions"] == 2
    server.answers(vectors([1, 2, 3]))
    assert make().dimensions == 3


def test_secrets_never_leave_and_a_text_of_nothing_is_sent_as_something(server: Server, make: Make) -> None:
    secret = "sk-ant-api03-" + "Zx8Qw3" * 12
    make().embed([f"the key is {secret}", " \n"])
    first, second = server.asked[0].body["input"]
    assert "Zx8Qw3" not in first and "redacted" in first and second.strip()


def test_a_server_that_finds_texts_too_long_gets_their_beginnings(server: Server, make: Make) -> None:
    long = Answer({"error": {"message": "maximum context length is 512 tokens"}}, 400)
    server.answers(long, long, vectors([1, 0], [0, 1]))
    make().embed(["word " * 4_000, "short"])
    assert [len(one.body["input"][0]) for one in server.asked] == list(TEXT_LIMITS.values())
    assert {one.body["input"][1] for one in server.asked} == {"short"}
    server.answers(long)
    assert "maximum context length" in str(refused(make()))


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_server_is_asked_again_and_the_call_is_one_row(server: Server, make: Make, status: int) -> None:
    server.answers(Answer(b"busy", status), vectors([1, 0], [0, 1]))
    embedder = make()
    assert embedder.embed(["a", "b"]).shape == (2, 2)
    assert len(server.asked) == 2 and [one.outcome for one in ledger(embedder).calls()] == ["answered"]


@pytest.mark.parametrize("status", [429, 500])
def test_a_server_that_is_always_busy_is_given_up(server: Server, make: Make, status: int) -> None:
    server.answers(Answer({"error": {"message": "overloaded"}}, status))
    embedder = make()
    assert f"answered {status} 4 times: overloaded" in str(refused(embedder)) and len(server.asked) == MAX_ATTEMPTS
    (call,) = ledger(embedder).calls()
    assert (call.outcome, call.usage.tokens) == ("failed", 0)


def test_an_answer_that_breaks_off_is_an_error(server: Server, make: Make) -> None:
    server.answers(Answer(b'{"data": [', length=1_000))
    assert "breaks off" in str(refused(make())) and len(server.asked) == 1


@pytest.mark.long
def test_an_answer_in_drops_is_given_up_in_time(server: Server, make: Make) -> None:
    def drip(write: Write) -> None:
        while not server.over.wait(0.05):
            write(b" ")

    server.answers(Answer(b'{"data": [', length=10_000_000, then=drip))
    start = time.monotonic()
    error = refused(make(TIMEOUT_SECONDS="1"))
    assert "did not answer within 1 seconds" in str(error) and "embeddings.timeout_seconds" in error.hint
    assert time.monotonic() - start < 30, "the answer would have taken days"


def test_a_redirect_is_not_followed(server: Server, make: Make) -> None:
    with serving(vectors([1, 0], [0, 1])) as elsewhere:
        server.answers(Answer(b"", 307, {"Location": f"{elsewhere.base}/v1/embeddings"}))
        error = refused(make())
        assert "redirects" in str(error) and "embeddings.api_base" in error.hint and elsewhere.asked == []


WRONG: dict[str, tuple[Answer, str]] = {
    "too few": (vectors([1, 0]), "1 vectors came for 2 texts"),
    "too many": (vectors([1, 0], [1, 0], [1, 0]), "3 vectors came for 2 texts"),
    "none": (Answer({"data": None}), "0 vectors"),
    "no table": (Answer({"data": [[1, 0], [0, 1]]}), "0 vectors"),
    "one twice": (Answer({"data": [{"index": 0, "embedding": [1]}] * 2}), "which text each is of"),
    "not a number": (Answer(b'{"data": [{"embedding": [NaN, 1]}, {"embedding": [1, 0]}]}'), "not finite numbers"),
    "endless": (Answer(b'{"data": [{"embedding": [1e999, 1]}, {"embedding": [1, 0]}]}'), "not finite numbers"),
    "beyond": (Answer(b'{"data": [{"embedding": [1e300, 1]}, {"embedding": [1, 0]}]}'), "not finite numbers"),
    "nothing": (vectors([0, 0], [1, 0]), "no direction"),
    "empty": (vectors([], []), "came for 2 texts"),
    "ragged": (vectors([1, 0], [1, 0, 0]), "rows of numbers of one width"),
    "words": (vectors("AAAA", "BBBB"), "rows of numbers of one width"),
    "null": (vectors(None, [1, 0]), "rows of numbers of one width"),
    "an error": (Answer({"error": {"message": "no such model"}}), "no such model"),
    "a page": (Answer(b"<html>sign in</html>"), "no JSON object"),
}


@pytest.mark.long
@pytest.mark.parametrize("wrong", WRONG)
def test_an_answer_that_cannot_be_used_is_one_error_and_one_row(server: Server, make: Make, wrong: str) -> None:
    answer, why = WRONG[wrong]
    server.answers(answer)
    embedder = make()
    error = refused(embedder)
    assert why in str(error) and str(error).isprintable()
    (call,) = ledger(embedder).calls()
    assert call.outcome in ("failed", "unusable") and call.why and len(server.asked) == 1


def test_rows_of_another_width_than_before_are_refused(server: Server, make: Make) -> None:
    server.answers(vectors([1, 0], [0, 1]), vectors([1, 0, 0], [0, 1, 0]))
    embedder = make()
    embedder.embed(["a", "b"])
    assert "they have 3 dimensions, not 2" in str(refused(embedder))
    assert "they have 3 dimensions, not 9" in str(refused(make(DIMENSIONS="9")))


def test_the_tokens_of_a_day_end_and_the_next_day_goes_on(server: Server, make: Make, environment: Environment) -> None:
    embedder = make(TOKENS_PER_DAY="10")
    embedder.embed(["a", "b"])
    error = refused(embedder, "x" * 40, "y")
    assert "embeddings.tokens_per_day is 10" in str(error) and "config set" in error.hint and len(server.asked) == 1
    store = embedder._store
    tomorrow = Memory(store.layout, store.environment, lambda: NOON + timedelta(days=1))
    assert make(tomorrow).embed(["a", "b"]).shape == (2, 2)
    assert "embeddings.tokens_per_day is 0" in str(refused(make(TOKENS_PER_DAY="0")))


def test_without_a_ledger_nothing_is_sent(server: Server, make: Make) -> None:
    embedder = make()
    state = embedder._store.state
    state.mkdir(parents=True)
    (state / LEDGER_FILE).write_bytes(b"not a database, whatever its length is" * 100)
    assert "the ledger cannot be written" in str(refused(embedder)) and server.asked == []


def test_the_key_is_in_no_error_and_no_row(server: Server, make: Make) -> None:
    server.answers(Answer({"error": {"message": f"bad key {KEY}"}}, 401))
    embedder = make()
    error = refused(embedder)
    assert error.hint == "is the key right?"
    shown = (str(error), repr(embedder), json.dumps(ledger(embedder).calls(), default=str))
    assert not any(KEY in one for one in shown)
