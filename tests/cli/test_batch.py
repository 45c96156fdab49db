"""`search --batch` as a process: whatever bytes a line is made of, it is answered by one document on one line."""

from __future__ import annotations

import json
import random

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, transcript
from tests.processes import Machine

BATCH = ("search", "--ranked", "--no-sync", "--json", "--batch", "-")
NASTY = (
    b"jwt", b"\xff\xfe\x80", b"jwt \xff", b"caf\xe9", b"\xed\xa0\x80 half a character", b"\xc0\x80",
    b"\xf4\x90\x80\x80",
    b"nul \x00 in it", b"\x1b[2J\x1b]0;x\x07", b"line\x0bbreaks\x0c\x1c\x1d\x1e\xc2\x85\xe2\x80\xa8\xe2\x80\xa9jwt",
    b"carriage\rreturn", b'half "open', b'"', b'""""', b"-", b"--batch", b"(((", b"AND OR NOT", b"day 99999999999",
    b"kind:nonsense since:soon", "日本語のテスト".encode(), b"\xef\xbb\xbfjwt", b'{"query": "jwt"}',
    b"e" + b"\xcc\x81" * 500, b"w " * 5_000, b"x" * 100_000,
)  # fmt: skip
SHORT = [line for line in NASTY if len(line) < 100]


@pytest.fixture
def machine(environment: Environment) -> Machine:
    bench = bench_at(environment)
    transcript(
        environment, 1, [("user", "why jwt?"), ("assistant", "because the api is stateless, \x1b[2J café \u2028")]
    )
    bench.sync()
    return Machine(environment, bench.layout.root)


def _lines(seed: int, count: int) -> list[bytes]:
    """Nasty lines, and lines of random bytes."""
    chance = random.Random(seed)
    noise = (chance.randbytes(chance.randrange(1, 60)).replace(b"\n", b" ") for _ in range(count))
    mixed = (b" ".join(chance.choices(SHORT, k=3)) for _ in range(count))
    return [*NASTY, *noise, *mixed]


@pytest.mark.long
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_every_line_is_answered_by_one_document(machine: Machine, end: bytes) -> None:
    lines = _lines(1, 150)
    said = machine.run(*BATCH, stdin=end.join(lines))
    assert (said.code, said.err) == (0, "")
    answered = said.out.removesuffix(b"\n").split(b"\n")
    assert [json.loads(row)["query"] for row in answered] == [
        line.decode("utf-8", "replace").rstrip("\r") for line in lines
    ]
    assert all(b"\x1b" not in row and b"\x00" not in row for row in answered)
    assert len(said.out.decode().splitlines()) == len(answered)
    rows = [json.loads(row) for row in answered]
    assert all(("rung" in row) != ("error" in row) and isinstance(row["hits"], list) for row in rows)
    assert sum(bool(row["hits"]) for row in rows) > len(lines) // 4


def test_blank_lines_are_answered_with_an_error_and_the_others_all_the_same(machine: Machine) -> None:
    said = machine.run(*BATCH, stdin=b"\njwt\n \t\n\xe3\x80\x80\njwt\n\r\n")
    rows = [json.loads(row) for row in said.out.splitlines()]
    assert [bool(row.get("error")) for row in rows] == [True, False, True, True, False, True]
    assert [bool(row["hits"]) for row in rows] == [False, True, False, False, True, False]
    assert said.code == 1


def test_nothing_asked_is_nothing_answered(machine: Machine) -> None:
    assert machine.run(*BATCH).out == b""


def test_a_terminal_that_knows_no_letters_but_ascii_gets_documents_too(machine: Machine) -> None:
    before = "import sys; sys.stdout.reconfigure(encoding='ascii')"
    said = machine.run(*BATCH, stdin="日本語 jwt\ncafé\n".encode(), before=before)
    assert [json.loads(row)["query"] for row in said.out.splitlines()] == ["??? jwt", "caf?"]
