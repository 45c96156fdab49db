"""What a command loads, looked up in a process of its own, and who may import whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.loading import FRONT_ENDS, HEAVY, loaded
from tests.architecture.trees import CHECKOUT


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    modules = loaded(tmp_path, "--help")
    assert not modules & HEAVY
    assert not {name for name in modules if name.startswith("recall_tui.cli.commands.")}


def test_consume_loads_nothing_heavy(tmp_path: Path, memory: Path) -> None:
    assert not loaded(tmp_path, "consume", str(memory)) & HEAVY


def test_emptying_the_window_loads_no_front_end(tmp_path: Path, memory: Path) -> None:
    assert not loaded(tmp_path, "consume", str(memory), "--clear") & FRONT_ENDS


@pytest.mark.long
@pytest.mark.parametrize("words", [("search", "JWT"), ("search", "--ranked", "JWT", "--json"), ("sync",), ("status",)])
def test_search_loads_no_front_end(tmp_path: Path, memory: Path, words: tuple[str, ...]) -> None:
    assert not loaded(tmp_path, "--root", str(memory), *words) & FRONT_ENDS


@pytest.mark.parametrize("event", ["SessionStart", "Stop", "PostCompact", "UserPromptSubmit"])
def test_hooks_that_an_agent_waits_for_load_nothing_heavy(tmp_path: Path, memory: Path, event: str) -> None:
    told = {"hook_event_name": event, "session_id": "abc", "source": "startup", "prompt": "yes"}
    modules = loaded(tmp_path, "--root", str(memory), "hook", stdin=json.dumps(told))
    assert "recall_tui.features.hooks.dispatch" in modules and not modules & HEAVY


def test_a_hook_by_the_short_way_does_not_even_load_click(tmp_path: Path, memory: Path) -> None:
    code = """if True:
        import os, sys
        from recall_tui.__main__ import main
        end = os._exit
        def told(code):
            # The process that watches the hook ends, too.
            if "recall_tui.cli.hook_process" in sys.modules:
                os.write(1, b"click" if "click" in sys.modules else b"none")
            end(code)
        os._exit = told
        sys.argv = ["recall-tui", "hook", "--root", os.environ["ROOT"]]
        main()
    """
    env = {**os.environ, "HOME": str(tmp_path), "RECALL_STATE": str(tmp_path / "state"), "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=env | {"ROOT": str(memory)}, input=b"[]", capture_output=True
    )
    assert (done.returncode, done.stdout) == (0, b"none")


@pytest.mark.parametrize("words", [("JWT",), ("--json", "JWT", "--limit", "3")])
def test_a_search_with_common_options_does_not_even_load_click(
    tmp_path: Path, memory: Path, words: tuple[str, ...]
) -> None:
    assert "click" not in loaded(tmp_path, "search", "--root", str(memory), *words)


def test_every_layer_imports_only_those_below_it() -> None:
    linter = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([linter, "--no-cache"], cwd=CHECKOUT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
