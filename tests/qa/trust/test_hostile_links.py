"""What a cloned memory links to is not read, written or given to anyone; nor does anyone hang on it."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.qa.trust.hostile_links import PLACES, READERS, WRITERS, attacked, hooked, run
from tests.qa.trust.hostile_memory import planted, put

SECONDS = 100
"""After which somebody waits for a pipe."""

OFTEN = ("memory", "pages", "whole")
"""That are tried with every change; the others take too long for that."""
FILES = ("topic", "page", "day", "archive", "memory", "window", "rows", "settings")
THINGS = ("pipe", "device", "socket", "dangling", "ring", "folder")


@pytest.fixture(autouse=True)
def patience() -> Iterator[None]:
    """Whoever waits for what never comes is called back."""
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)


@pytest.mark.long
@pytest.mark.parametrize(
    "kind", [kind if kind in OFTEN else pytest.param(kind, marks=pytest.mark.soak) for kind in PLACES]
)
def test_nothing_comes_out_of_it_and_nothing_goes_in(environment: Environment, tmp_path: Path, kind: str) -> None:
    assert attacked(environment, tmp_path, kind) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "thing"),
    [
        pytest.param(
            kind, thing, marks=() if (kind, thing) in (("topic", "ring"), ("window", "pipe")) else pytest.mark.soak
        )
        for kind in FILES
        for thing in THINGS
    ],
)
def test_what_is_no_file_keeps_nobody_waiting(environment: Environment, tmp_path: Path, kind: str, thing: str) -> None:
    bench = planted(environment, "the lock in the cache")
    path = bench.layout.root / PLACES[kind]
    path.unlink(missing_ok=True)
    if thing == "pipe":
        os.mkfifo(path)
    elif thing == "socket":
        folder = os.open(path.parent, os.O_RDONLY)
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)
    elif thing == "folder":
        path.mkdir()
    else:
        path.symlink_to({"device": "/dev/zero", "dangling": "nowhere.md", "ring": path.name}[thing])
    for words in (*READERS[::3], *WRITERS[::3]):
        run(bench, tmp_path, words)
    assert list(hooked(bench, tmp_path))


def test_a_hard_link_to_a_file_elsewhere_is_not_written_through(environment: Environment, tmp_path: Path) -> None:
    bench = planted(environment, "the lock in the cache")
    mine = put(tmp_path / "mine.md", "# Mine\n")
    path = bench.layout.root / PLACES["topic"]
    path.unlink()
    path.hardlink_to(mine)
    assert run(bench, tmp_path, ("remember", "a fact", "--topic", "topic")).code == 0
    assert mine.read_text() == "# Mine\n" and "a fact" in path.read_text()
