"""Which model answers for what."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import msgspec
import pytest

from recall_tui.domain.hook import GUARD_VARIABLE
from recall_tui.environment import Environment
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.model import Failure, Model, Usage
from recall_tui.llm.providers.endpoints import Endpoint, resolve_endpoint
from recall_tui.llm.providers.presets import PRESETS
from recall_tui.llm.selection import PROGRAMS, PROVIDERS, SERVERS, select_model, with_cost
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.trust import confirm
from tests.packages import offer
from tests.processes import CHECKOUT
from tests.servers import openai, serving

Make = Callable[..., Store]


class Words(msgspec.Struct):
    """An answer of one text."""

    text: str


@pytest.fixture
def make(environment: Environment, now: Callable[[], datetime]) -> Make:
    """A memory with these settings of [llm] in its file, and this environment."""

    def made(env: dict[str, str] | None = None, **settings: str) -> Store:
        root = environment.cwd / "agent"
        layout = make_layout(root, "entity")
        layout.config.parent.mkdir(parents=True, exist_ok=True)
        layout.config.write_text("[llm]\n" + "".join(f'{key} = "{value}"\n' for key, value in settings.items()))
        store = Memory(layout, Environment(environment.home, environment.cwd, {**environment.env, **(env or {})}), now)
        confirm(store)
        return store

    return made


def name_of(store: Store, purpose: str = "summary") -> str:
    model = select_model(store, purpose)
    assert not isinstance(model, Failure), model
    assert isinstance(model, Model)
    return model.name


def refused(store: Store, purpose: str = "summary") -> Failure:
    model = select_model(store, purpose)
    assert isinstance(model, Failure) and model.is_refusal
    return model


@pytest.mark.parametrize("provider", ["", "off", "none", "offline", " OFF "])
def test_without_a_provider_nobody_is_asked(make: Make, provider: str) -> None:
    assert refused(make(provider=provider)).reason == "no model is configured"


def test_every_program_has_a_preset_and_every_provider_is_known() -> None:
    assert set(PRESETS) == set(PROGRAMS)
    assert set(PROVIDERS) == {*PROGRAMS, *SERVERS, "command"}


@pytest.mark.parametrize("provider", [*PROGRAMS, *SERVERS])
def test_every_provider_makes_a_model_of_its_name(make: Make, provider: str) -> None:
    store = make({"RECALL_LLM_API_KEY": "k"}, provider=provider, model="small")
    assert name_of(store) == f"{provider}/small"


@pytest.mark.parametrize("provider", ["claude-code", "claudecode", "Claude"])
def test_claude_is_known_by_its_other_names(make: Make, provider: str) -> None:
    assert name_of(make(provider=provider)) == "claude"


def test_each_purpose_may_have_a_model_of_its_own(make: Make) -> None:
    store = make(provider="claude", model="small", summary="ollama/qwen/2.5:7b", synthesis="claude", dream="off")
    assert name_of(store, "summary") == "ollama/qwen/2.5:7b"
    assert name_of(store, "synthesis") == "claude/small"
    refused(store, "dream")
    only = make(synthesis="claude/large")
    assert name_of(only, "synthesis") == "claude/large"
    refused(only, "summary")


def test_the_model_of_one_provider_is_not_asked_of_another(make: Make) -> None:
    assert name_of(make(provider="claude", model="small", summary="codex")) == "codex"
    assert "needs the name of a model" in refused(make(provider="claude", model="small", summary="openai")).reason


def test_the_environment_wins_over_the_file(make: Make) -> None:
    assert name_of(make({"RECALL_LLM_PROVIDER": "codex", "RECALL_LLM_MODEL": "x"}, provider="claude")) == "codex/x"


def test_a_provider_that_nobody_knows_is_refused_with_the_nearest(make: Make) -> None:
    failure = refused(make(provider="cloude"))
    assert failure.reason == "unknown model provider: cloude" and "claude" in failure.hint
    assert "ollama" in refused(make(provider="xyz")).hint


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("", "llm.command is empty"),
        ("mine 'x", "llm.command cannot be read"),
        ("mine {prompt}", "llm.command is given the question on its stdin"),
        ("mine {model}", "llm.command needs the name of a model"),
    ],
)
def test_a_template_that_cannot_work_is_refused(make: Make, command: str, reason: str) -> None:
    assert refused(make(provider="command", command=command)).reason.startswith(reason)


@pytest.mark.parametrize("provider", ["ollama", "openai", "anthropic"])
def test_a_provider_without_a_usual_model_has_to_be_told_one(make: Make, provider: str) -> None:
    assert "llm.model" in refused(make(provider=provider)).hint


def test_a_process_that_a_model_started_has_none(make: Make) -> None:
    assert refused(make({GUARD_VARIABLE: "1"}, provider="claude")).reason == "a model started this process"


KEYS = {"OPENAI_API_KEY": "of-openai", "ANTHROPIC_API_KEY": "of-anthropic"}


def where(provider: str, base: str = "", key: str = "", **env: str) -> Endpoint:
    found = resolve_endpoint(provider, base, key, env)
    assert isinstance(found, Endpoint), found
    return found


@pytest.mark.parametrize(
    ("provider", "base", "url"),
    [
        ("openai", "", "https://api.openai.com/v1/chat/completions"),
        ("anthropic", "", "https://api.anthropic.com/v1/messages"),
        ("ollama", "", "http://localhost:11434/v1/chat/completions"),
        ("openai", "http://localhost:8080", "http://localhost:8080/v1/chat/completions"),
        ("openai", "http://localhost:8080/v1/", "http://localhost:8080/v1/chat/completions"),
        ("openai", "https://x.y/v1beta/openai/", "https://x.y/v1beta/openai/chat/completions"),
        ("openai", "https://x.y/api/v1/chat/completions", "https://x.y/api/v1/chat/completions"),
        ("openai", "https://x.y/deep?version=2#part", "https://x.y/deep/v1/chat/completions?version=2"),
        ("anthropic", "https://api.anthropic.com/v1/messages", "https://api.anthropic.com/v1/messages"),
    ],
)
def test_an_address_may_be_the_host_the_version_or_the_whole(provider: str, base: str, url: str) -> None:
    assert where(provider, base, "k").url == url


def test_the_key_that_was_given_wins_over_the_providers_own_variable() -> None:
    assert where("openai", key="mine", **KEYS).key == "mine"
    assert where("openai", **KEYS).key == "of-openai"
    assert where("anthropic", **KEYS).key == "of-anthropic"


def test_a_key_that_was_only_found_never_goes_out_in_clear() -> None:
    assert where("openai", "http://127.0.0.1:4000", **KEYS).key == "of-openai"
    assert isinstance(resolve_endpoint("openai", "http://models.example", "", KEYS), Failure)
    assert where("openai", "http://models.example", "mine").key == "mine"


@pytest.mark.parametrize("base", ["http://localhost:1", "http://127.0.0.9", "http://[::1]:8080", "http://a.localhost"])
def test_this_machine_may_be_asked_without_a_key(base: str) -> None:
    assert where("openai", base).key == ""


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
def test_without_a_key_no_other_machine_is_asked(provider: str) -> None:
    found = resolve_endpoint(provider, "", "", {})
    assert isinstance(found, Failure) and found.is_refusal and "RECALL_LLM_API_KEY" in found.hint


@pytest.mark.parametrize(
    "base", ["localhost:8080", "ftp://x.y", "https://", "https://me:word@x.y", "http://x:port", "http://[::1", "/etc"]
)
def test_what_is_no_address_is_refused(base: str) -> None:
    found = resolve_endpoint("openai", base, "k", {})
    assert isinstance(found, Failure) and found.is_refusal and "word" not in found.reason


@pytest.mark.parametrize("key", ["a\nb", "schlüssel", "a\0b"])
def test_a_key_that_cannot_be_one_is_refused_and_not_shown(key: str) -> None:
    found = resolve_endpoint("openai", "", key, {})
    assert isinstance(found, Failure) and key not in repr(found)


def test_the_proxy_of_the_environment_is_used_except_for_this_machine() -> None:
    env = {"https_proxy": "http://proxy:1", "no_proxy": "inner.example, .other.example"}
    assert where("openai", "", "k", **env).proxy == "http://proxy:1"
    for base in ("http://localhost:1", "https://inner.example", "https://a.other.example", "http://x.y"):
        assert where("openai", base, "k", **env).proxy is None


def test_the_address_and_the_key_are_those_of_the_provider_they_were_set_for(make: Make) -> None:
    with serving(openai('{"text": "x"}')) as server:
        settings = {"provider": "openai", "model": "m", "api_base": server.base, "api_key": "key-of-openai"}
        store = make({"ANTHROPIC_API_KEY": "own"}, **settings, summary="anthropic/c", synthesis="openai/n")
        assert ModelClient(store).answer("synthesis", LLMRequest("x"), Words) == Words("x")
        (asked,) = server.asked
        assert asked.body["model"] == "n" and asked.headers["Authorization"] == "Bearer key-of-openai"
        other = select_model(store, "summary")
        assert not isinstance(other, Failure)
        where = vars(other)["_exchange"].endpoint
        assert "api.anthropic.com" in where.url and where.key == "own"


def test_a_program_for_one_purpose_and_a_server_for_another_share_the_settings(make: Make) -> None:
    with serving(openai('{"text": "x"}')) as server:
        settings = {"provider": "claude", "api_base": server.base, "synthesis": "openai/n"}
        store = make({"RECALL_LLM_API_KEY": "mine"}, **settings)
        assert ModelClient(store).answer("synthesis", LLMRequest("x"), Words) == Words("x")
        assert server.asked[0].headers["Authorization"] == "Bearer mine"


def test_ollama_is_asked_over_http_where_an_address_is_set(make: Make) -> None:
    with serving(openai('{"text": "x"}')) as server:
        store = make(provider="ollama", model="qwen", api_base=server.base)
        assert ModelClient(store).answer("summary", LLMRequest("x"), Words) == Words("x")
        assert "Authorization" not in server.asked[0].headers


def test_a_price_is_reckoned_by_the_million_unless_the_provider_says(make: Make) -> None:
    config = make({"RECALL_LLM_PRICE_ASKED": "3", "RECALL_LLM_PRICE_ANSWERED": "15"}).config
    assert with_cost(Usage(1_000_000, 100_000), config).cost == pytest.approx(4.5)
    assert with_cost(Usage(1, 1, 0.0), config).cost == 0.0
    assert with_cost(Usage(1, 1), make({"RECALL_LLM_PRICE_ASKED": "3"}).config).cost is None


PACKAGE = """
import recall_tui.llm.model as llm

class Mine:
    def __init__(self, config, model):
        self.name = f"mine/{model}"

    def complete(self, prompt, system="", schema=None, max_tokens=1, *, is_cancelled=llm.never_cancelled):
        if "raise" in prompt:
            raise RuntimeError("key sk-ant-api03-" + "Zx8Qw3" * 12)
        if "none" in prompt:
            return None
        return llm.Completion('{"text": "mine"}', llm.Usage(1, 1))

def broken(config, model):
    raise RuntimeError("not\\x1b[31m today")

def wrong(config, model):
    return 3
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers providers, on the path of this process."""
    offers = {"mine": "Mine", "broken": "broken", "wrong": "wrong", "gone": "gone"}
    offer(tmp_path / "path", monkeypatch, "recall_tui.models", "mine_models", PACKAGE, **offers)


@pytest.mark.usefixtures("package")
def test_another_package_offers_a_provider_by_entry_point(make: Make) -> None:
    calls = ModelClient(make(provider="mine", model="small"))
    assert calls.answer("summary", LLMRequest("x"), Words) == Words("mine")
    assert [call.model for call in calls.ledger.calls()] == ["mine/small"]


@pytest.mark.usefixtures("package")
def test_what_another_packages_model_raises_is_a_failure_and_a_row(make: Make) -> None:
    calls = ModelClient(make(provider="mine"))
    for prompt, reason in (("raise", "mine/: RuntimeError: key [redacted:"), ("none", "mine/ gave back no answer")):
        said = calls.answer("summary", LLMRequest(prompt), Words)
        assert isinstance(said, Failure) and said.reason.startswith(reason) and "Zx8Qw3" not in said.reason
    assert [call.outcome for call in calls.ledger.calls()] == ["failed", "failed"]
    assert not any("Zx8Qw3" in call.why for call in calls.ledger.calls())


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("provider", "why"),
    [("broken", "RuntimeError: not today"), ("wrong", "it is no model"), ("gone", "AttributeError: ")],
)
def test_a_package_that_cannot_be_loaded_is_refused_with_its_name(make: Make, provider: str, why: str) -> None:
    failure = refused(make(provider=provider))
    assert f"the model provider {provider} cannot be loaded: {why}" in failure.reason
    assert f"mine_models:{provider}" in failure.hint
    assert "mine" in refused(make(provider="mind")).hint


def test_looking_for_a_model_loads_nothing_heavy() -> None:
    code = """if True:
        import sys
        import recall_tui.llm.client, recall_tui.llm.selection
        print([name for name in ("httpx", "asyncio", "msgspec", "subprocess", "importlib.metadata", "ssl")
               if name in sys.modules])
    """
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=CHECKOUT, env={"PYTHONPATH": str(CHECKOUT)},
                          capture_output=True, text=True)  # fmt: skip
    assert done.stdout == "[]\n", done.stderr
