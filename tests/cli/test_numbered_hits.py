"""Hits are numbered, and `@3` opens the third hit of the last search."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.state.last_search import LAST_SEARCH_FILE
from tests.makers import bench_at, session_id_of, transcript
from tests.terminal import CHECKOUT, read_to_end

Recall = Callable[..., Any]
TALKS = [
    [
        ("user", "Why did we pick JWT over sessions?"),
        ("assistant", "Because the API is stateless. JWT needs no table."),
    ],
    [("user", "Fix the token refresh race"), ("assistant", "A lock guards the refresh of the JWT now.")],
]


def filled(environment: Environment) -> Any:
    bench = bench_at(environment)
    for number, talk in enumerate(TALKS, 1):
        bench.capture(transcript(environment, number, talk))
    bench.layout.memory_file.write_text("# Memory\n\n## Auth\n\n- JWT keys rotate weekly\n")
    return bench


@pytest.mark.parametrize("words", [("search", "JWT"), ("recall", "JWT")])
def test_each_number_opens_its_hit(recall: Recall, environment: Environment, words: tuple[str, ...]) -> None:
    filled(environment)
    said = recall(*words)
    titles = re.findall(r"^ +@(\d+) ", said.out, re.MULTILINE)
    assert titles[:3] == ["1", "2", "3"] and titles == list(map(str, range(1, len(titles) + 1)))
    shown = [recall("show", f"@{number}").out for number in titles]
    for text in ("Because the API is stateless", "A lock guards the refresh", "JWT keys rotate weekly"):
        assert any(text in one for one in shown), (said.out, shown)
    assert recall("read", "@2").out == shown[1]
    assert recall("export", "@2").code == 0


def test_a_hit_of_a_conversation_says_how_to_print_all_of_it(recall: Recall, environment: Environment) -> None:
    filled(environment)
    recall("search", "stateless", "kind:reply")
    said = recall("show", "@1")
    assert "Because the API is stateless" in said.out
    (whole,) = re.findall(r"all of it: recall-tui show (\S+)", said.err)
    assert "Because the API is stateless" in recall("show", whole).out


def test_an_archive_opened_at_a_hit_near_its_head_shows_no_metadata(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, [("user", "Rotate the keys"), ("assistant", "They rotate weekly now.")]))
    recall("search", "rotate", "kind:conversation")
    said = recall("show", "@1")
    assert "all of it: recall-tui show" in said.err, "a part of the archive is shown"
    assert "rotate weekly" in said.out and "session_id:" not in said.out and "content_hash" not in said.out


def test_a_bare_number_is_still_an_archive(recall: Recall, environment: Environment) -> None:
    filled(environment)
    recall("search", "rotate")
    assert "Why did we pick JWT" in recall("show", "1").out


def test_a_number_without_a_hit_says_what_there_is(recall: Recall, environment: Environment) -> None:
    filled(environment)
    none = recall("show", "@1")
    assert none.code == 1 and "recall-tui search WORDS" in none.err
    recall("search", "JWT", "--limit", "2")
    far = recall("show", "@3")
    assert far.code == 1 and "@1 to @2" in far.err
    assert recall("show", "@0").code == 1


def test_a_search_for_a_program_numbers_nothing(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    recall("search", "JWT", "--json")
    recall("recall", "JWT", "--json")
    assert not (bench.store.state / LAST_SEARCH_FILE).exists()


def test_forgetting_a_session_forgets_the_hits(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    recall("search", "stateless")
    state = bench.store.state / LAST_SEARCH_FILE
    assert "stateless" not in state.read_text()
    assert recall("forget", session_id_of(1), "--yes").code == 0
    assert not state.exists()
    assert recall("show", "@1").code == 1


@pytest.mark.parametrize(
    "damage", ["", "{", '{"hits": 1}', '{"hits": [[1]]}', '{"hits": [["a", [1], "", ""]]}', '{"hits": [null]}']
)
def test_damaged_hits_are_none(recall: Recall, environment: Environment, damage: str) -> None:
    bench = filled(environment)
    (bench.store.state / LAST_SEARCH_FILE).write_text(damage)
    assert recall("show", "@1").code == 1


def test_a_stored_place_outside_the_memory_is_not_opened(recall: Recall, environment: Environment) -> None:
    bench = filled(environment)
    secret = environment.home / "secret.md"
    secret.write_text("not of the memory\n")
    hits = {"hits": [[str(secret), [1, 1], "", ""]]}
    (bench.store.state / LAST_SEARCH_FILE).write_text(json.dumps(hits))
    said = recall("show", "@1")
    assert said.code == 1 and "not of the memory" not in said.out


@pytest.mark.parametrize("columns", [40, 80])
def test_a_terminal_breaks_no_word_and_highlights_those_of_the_query(environment: Environment, columns: int) -> None:
    bench = bench_at(environment)
    words = " ".join(f"preliminaries{number} considerations" for number in range(8))
    bench.capture(transcript(environment, 1, [("user", "x?"), ("assistant", f"{words} rewinding {words}")]))
    out = _on_terminal(environment, columns, "search", "rewind")
    assert "\x1b[33m\x1b[1mrewinding\x1b[0m" in out
    plain = re.sub(r"\x1b\[[0-9;]*m", "", out).split("\r\n")
    snippet = [line.strip() for line in plain if "considerations" in line]
    assert len(snippet) > 1 and all(len(line) <= columns for line in plain if "/" not in line)
    whole = {*words.split(), "rewinding"}
    assert {word.strip("…") for line in snippet for word in line.split()} - {""} <= whole


def test_an_excerpt_begins_with_words_not_with_the_mark_of_a_heading_or_an_item(
    recall: Recall, environment: Environment
) -> None:
    bench = filled(environment)
    reply = "### Step 3: quokka callers\n\nFirst, unify them.\n" + "Then more of it. " * 40 + "\n\n- numbat files\n"
    transcript(environment, 4, [("user", "go on"), ("assistant", reply + "and so on. " * 20)])
    bench.layout.memory_file.write_text("# Memory\n\n## Wombats\n\n- the wombat keys rotate weekly\n")
    begins = {"wombat keys": "the wombat", "quokka": "Step 3: quokka callers First", "numbat": "…"}
    for asked, start in begins.items():
        found = recall("search", asked, "--json").json["hits"][0]["snippet"]
        assert found.startswith(start) and not re.match(r"…?(#+|-) ", found), found
    assert "     the wombat keys rotate weekly" in recall("search", "wombat keys").out.split("\n")


def _on_terminal(environment: Environment, columns: int, *words: str) -> str:
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    env = {**os.environ, "HOME": str(environment.home), "RECALL_STATE": str(environment.state), "TERM": "xterm"}
    line = [sys.executable, "-P", "-m", "recall_tui", *words, "--root", str(environment.cwd)]
    process = subprocess.Popen(line, stdout=slave, stderr=subprocess.DEVNULL, env={**env, "PYTHONPATH": str(CHECKOUT)})
    os.close(slave)
    out = read_to_end(master)
    assert process.wait() == 0
    return out
