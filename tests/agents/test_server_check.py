"""The server is started as an agent would, and what is wrong with it is told."""

from __future__ import annotations

import sys

import pytest

from recall_tui.agents.server_check import check_server
from recall_tui.environment import Environment
from tests.makers import bench_at

OWN = (sys.executable, "-P", "-m", "recall_tui")


def test_a_server_that_runs_tells_what_its_tools_take(environment: Environment) -> None:
    bench = bench_at(environment)
    found = check_server((*OWN, "--root", str(bench.layout.root), "mcp"), environment)
    assert found.trouble == "" and 500 < found.tokens < 1_000


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import time; time.sleep(60)", "did not answer within 0.3 s"),
        ("1 / 0", "without its tools (ZeroDivisionError: division by zero)"),
        ("print('hello')", "without its tools"),
        ('print(\'{"id": 2, "result": []}\')', "without its tools"),
        ("print('[' * 100000)", "without its tools"),
    ],
)
def test_what_is_wrong_with_it_is_said(environment: Environment, code: str, said: str) -> None:
    patience = 0.3 if "sleep" in code else 10
    assert said in check_server((sys.executable, "-c", code), environment, patience).trouble


def test_a_program_that_is_gone_is_named(environment: Environment) -> None:
    assert "cannot be started: No such file or directory: /opt/gone" in check_server(["/opt/gone"], environment).trouble
