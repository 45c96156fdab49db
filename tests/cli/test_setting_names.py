"""`config set` refuses a theme, a provider, a command or a key that does not exist, and names the nearest ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at

Recall = Callable[..., Any]


@pytest.mark.parametrize(
    ("key", "value", "hint"),
    [
        ("theme", "recall-dak", "recall-dark"),
        ("theme", "xyz", "nord"),
        ("provider", "cluade", "claude"),
        ("llm.provider", "olama", "ollama"),
        ("llm.provider", "cluade/opus", "claude"),
        ("llm.summary", "opus-5", "known: claude, codex"),
        ("llm.dream", "anthropc/x", "anthropic"),
        ("embeddings.provider", "opnai", "openai"),
        ("keys.serch", "g", "search"),
        ("keys.search", "ctrl+nokey", "such as f2"),
        ("thme", "nord", "theme"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(
    recall: Recall, environment: Environment, key: str, value: str, hint: str
) -> None:
    bench = bench_at(environment)
    before = bench.layout.config.read_bytes() if bench.layout.config.exists() else b""
    for more in ((), ("--dry-run",)):
        said = recall("config", "set", key, value, *more)
        assert said.code == 2 and hint in said.err
    assert (bench.layout.config.read_bytes() if bench.layout.config.exists() else b"") == before


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("theme", "nord"),
        ("theme", "recall-light"),
        ("llm.provider", "claude"),
        ("llm.provider", "claude-code/opus"),
        ("llm.provider", "off"),
        ("llm.summary", "ollama/llama3:8b"),
        ("embeddings.provider", "none"),
        ("keys.search", "ctrl+s,f2"),
        ("keys.undo", ""),
    ],
)
def test_a_known_name_is_set(recall: Recall, environment: Environment, key: str, value: str) -> None:
    bench_at(environment)
    assert recall("config", "set", key, value).code == 0


def test_what_may_be_a_secret_is_not_repeated(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("config", "set", "keys.openai", "sk-very-secret")
    assert said.code == 2 and "sk-very-secret" not in said.err + said.out
