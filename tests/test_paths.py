"""Paths: what everything else is called by and told apart with."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from recall_tui.environment import Environment, expand_home, sha256
from recall_tui.errors import RecallError
from recall_tui.workbench import Workbench
from tests.makers import bench_at
from tests.processes import Machine

NOBODY = "~nobody-of-that-name/x"


def test_a_digest_is_what_the_standard_says_and_looks_for_no_module_again() -> None:
    assert sha256(b"abc") == hashlib.sha256(b"abc").hexdigest()
    asked: list[object] = []
    is_over = False

    def hear(event: str, given: tuple[object, ...]) -> None:
        if not is_over and event == "import":
            asked.append(given[0])

    sys.addaudithook(hear)
    assert sha256(b"abcd") == hashlib.sha256(b"abcd").hexdigest()
    is_over = True
    assert asked == []


def test_a_home_is_written_out_ones_own_and_that_of_another_user(tmp_path: Path) -> None:
    assert expand_home("~/api/src", tmp_path) == tmp_path / "api" / "src"
    assert expand_home("~", tmp_path) == tmp_path
    assert expand_home("~root/x", tmp_path) == Path("~root/x").expanduser() != Path("~root/x")
    for text in ("", "api", "/api/~root", "a~"):
        assert expand_home(text, tmp_path) == Path(text)


@pytest.mark.parametrize("text", [NOBODY, Path(NOBODY), "~a\0b"])
def test_the_home_of_nobody_is_an_error_with_the_text_its_source_and_a_next_step(text: str, tmp_path: Path) -> None:
    with pytest.raises(RecallError) as told:
        expand_home(text, tmp_path, "RECALL_STATE")
    assert told.value.message.startswith(f"RECALL_STATE: {text}: there is no user ") and "in full" in told.value.hint


@pytest.mark.long
@pytest.mark.parametrize("variable", ["RECALL_STATE", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME"])
def test_a_variable_that_names_the_home_of_nobody_is_named_itself(environment: Environment, variable: str) -> None:
    bench_at(environment)
    said = Machine(environment._replace(env={**environment.env, variable: NOBODY}), environment.cwd).run("sync")
    assert said.code == 1 and f"{variable}: {NOBODY}: there is no user nobody-of-that-name" in said.err
    assert "--verbose" not in said.err


def test_the_memory_of_a_variable_is_asked_for_only_when_none_is_named(environment: Environment) -> None:
    bench = bench_at(environment)
    wrong = environment._replace(env={**environment.env, "RECALL_ECHO_HOME": NOBODY})
    assert Workbench.open(bench.layout.root, environment=wrong).layout.root == bench.layout.root
    with pytest.raises(RecallError, match=f"RECALL_ECHO_HOME: {NOBODY}"):
        Workbench.open(environment=wrong)
    with pytest.raises(RecallError, match=f"^{NOBODY}: there is no user"):
        Workbench.open(NOBODY, environment=environment)


def test_a_setting_that_names_the_home_of_nobody_stops_nothing(environment: Environment) -> None:
    store = bench_at(environment).store
    assert store.named("~/x") == environment.home / "x" and store.named("~root") == Path("~root").expanduser()
    assert store.named(NOBODY) == store.root / NOBODY
