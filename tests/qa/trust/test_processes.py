"""No program is started that a repository names, nobody is reached, and what we start is our own, word for word."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from recall_tui.domain.hook import MEMORY_OPTION
from recall_tui.environment import Environment
from tests.makers import transcript
from tests.processes import CHECKOUT
from tests.qa.trust import hostile_repositories, process_life
from tests.qa.trust.hostile_repositories import MAKERS, Traps
from tests.repositories import with_git

OFTEN = ("every configuration", "promisor server", "bare within")
"""That are tried with every change, each with a few commands."""
WHOLE = ("every configuration", "bare within", "promisor program", "submodule")
"""In which all is done that can be; together they hold what the others do."""
TALK = [("user", "Which parser is it?"), ("assistant", "We decided on option 1, because it is faster.")]
OURS = [sys.executable, "-P", "-m", "recall_tui"]


@contextmanager
def server() -> Iterator[tuple[int, list[str]]]:
    """A port of this machine, and who came to it."""
    came: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                came.append("somebody came")
                connection.close()

        threading.Thread(target=serve, daemon=True).start()
        yield listening.getsockname()[1], came
        listening.shutdown(socket.SHUT_RDWR)


def lived(environment: Environment, around: Path, kind: str, extent: str) -> list[str]:
    """Live in a repository of the kind; what was started, reached or sprung and is not ours."""
    with server() as (port, came):
        traps = Traps(around / "traps", port).laid()
        top = hostile_repositories.made(around / "work" / "clone", traps, kind)
        transcript(environment, 1, TALK, cwd=str(top))
        site = around / "site"
        site.mkdir()
        trace = around / "trace"
        trace.touch()
        (site / "sitecustomize.py").write_text(
            f"import sys\nsys.path.append({str(CHECKOUT)!r})\n"
            f"from tests.qa.trust.process_trace import watch\nwatch({str(trace)!r})\n"
        )
        env = {
            **environment.env,
            "PATH": os.pathsep.join((os.environ["PATH"], ".", "", str(top))),
            "PYTHONPATH": f"{site}{os.pathsep}{CHECKOUT}",
            "RECALL_PROCESS_LIFE": str(around),
            "TERM": "xterm-256color",
        }
        line = [sys.executable, "-P", "-m", "tests.qa.trust.process_life", str(top), extent]
        done = subprocess.run(line, env=env, cwd=around, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4_000:]
    told = [json.loads(row) for row in trace.read_text().splitlines()]
    assert any("catch-up" in one["words"] for one in told), "what works behind a hook is seen"
    found = [f"{one['event']}: {' '.join(one['words'])}" for one in told if not _is_ours(one, top)]
    found += [f"sprung: {row}" for row in traps.sprung.read_text().splitlines()] if traps.sprung.exists() else []
    return sorted({*found, *came})


def _is_ours(one: dict[str, Any], top: Path) -> bool:
    """Whether it is of ours: a copy, what works behind a hook or a watch, or a hook or server of ours that is tried."""
    if one["event"] == "os.fork":
        return True  # a program that the copy became would be told by itself
    words = one["words"]
    bound = ["--root", str(top)]
    behind = [*OURS, *bound, "--layout", "project", "catch-up"]
    watched = [[*OURS, *bound, "watch", "--compact", "--dream"]]
    watched += [[*OURS, *bound, "--layout", "project", one, "--json"] for one in ("compact", "dream")]
    tried = ["/bin/sh", "-c", f"exec {' '.join([*OURS, 'hook', *bound])}"]
    served = [*OURS, *bound, "mcp"]
    return words in (behind, *watched, served, tried, [*tried[:2], f"{tried[2]} {MEMORY_OPTION}"])


@pytest.mark.long
@with_git
@pytest.mark.parametrize("kind", [one if one in OFTEN else pytest.param(one, marks=pytest.mark.long) for one in MAKERS])
def test_a_few_commands_and_hooks_start_nothing_of_the_repositorys(
    environment: Environment, tmp_path: Path, kind: str
) -> None:
    assert lived(environment, tmp_path, kind, "few") == []


@with_git
@pytest.mark.long
@pytest.mark.parametrize("kind", WHOLE)
def test_all_commands_hooks_and_the_app_start_nothing_of_the_repositorys(
    environment: Environment, tmp_path: Path, kind: str
) -> None:
    assert lived(environment, tmp_path, kind, "all") == []


def test_every_command_is_called() -> None:
    assert process_life.every_command_is_called()


@pytest.mark.parametrize(
    "code",
    [
        "import subprocess; subprocess.run(['true'])",
        "import os; os.system('true')",
        "import os; os.posix_spawn('/bin/true', ['true'], {})",
        "import os; os.fork() or os.execv('/bin/true', ['true'])",
        "import os; os.execv('/bin/true', ['true'])",
        "import socket; socket.getaddrinfo('example.invalid', 80)",
        "import socket; socket.socket().connect_ex(('127.0.0.1', 9))",
        "import webbrowser; webbrowser.get('/bin/true %s').open('https://example.invalid')",
    ],
)
def test_the_trace_sees_each_way_out(tmp_path: Path, code: str) -> None:
    before = f"from tests.qa.trust.process_trace import watch; watch({str(tmp_path / 'trace')!r})\n"
    env = {"PATH": str(tmp_path), "PYTHONPATH": str(CHECKOUT)}
    subprocess.run([sys.executable, "-P", "-c", before + code], env=env, capture_output=True)
    assert (tmp_path / "trace").read_text().count("\n") >= 1
