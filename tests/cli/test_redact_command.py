"""`redact` from the command line: it says where secrets are and never what they are."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at, records, session_id_of, tree, write_transcript
from tests.processes import Machine, killing

Recall = Callable[..., Any]
KEY = "sk-ant-api03-" + "Qx7Lm2Vd9RtYb4Wn8Kc1"


@pytest.fixture
def memory(environment: Environment) -> None:
    """A memory with a key in MEMORY.md, in a topic, and in what an earlier change holds."""
    bench = bench_at(environment)
    bench.layout.memory_file.write_text(f"# Memory\n\n- the key is {KEY}\n")
    (bench.layout.topics / "keys.md").write_text(f"# Keys\n\nold: {KEY}\n")


def test_check_lists_places_and_kinds_and_changes_nothing(
    recall: Recall, environment: Environment, memory: None
) -> None:
    before = tree(environment.cwd)
    said = recall("redact", "--check")
    assert said.code == 1 and tree(environment.cwd) == before
    assert said.out.splitlines() == ["memory/MEMORY.md:3  anthropic-key", "memory/keys.md:3  anthropic-key"]
    document = recall("redact", "--check", "--json").json
    assert document["count"] == 2
    assert document["secrets"][0] == {"in": "memory", "path": "memory/MEMORY.md", "line": 3, "kind": "anthropic-key"}


def test_it_shows_a_diff_without_the_secret_and_asks(recall: Recall, environment: Environment, memory: None) -> None:
    before = tree(environment.cwd)
    said = recall("redact", stdin="no\n")
    assert said.code == 1 and tree(environment.cwd) == before
    assert "-- the key is ••••••••" in said.out and "+- the key is [redacted:anthropic-key]" in said.out
    assert KEY not in said.out + said.err
    said = recall("redact", "--dry-run")
    assert said.code == 0 and tree(environment.cwd) == before and KEY not in said.out + said.err
    said = recall("redact", stdin="yes\n")
    assert said.code == 0 and "Redacted 2 secrets" in said.out and KEY not in said.out + said.err
    assert recall("redact", "--check").code == 0


def test_what_earlier_changes_hold_goes_too(recall: Recall, environment: Environment, memory: None) -> None:
    recall("remember", "we deploy on Fridays")
    assert "change 2" in recall("redact", "--check").out
    recall("redact", "--yes")
    assert not [name for name, data in tree(environment.state).items() if KEY.encode() in data]
    assert recall("undo").code == 3
    number = next(row["id"] for row in recall("undo", "--list", "--json").json["changes"] if "Friday" in row["title"])
    assert recall("undo", number).code == 0
    text = (environment.cwd / "memory" / "MEMORY.md").read_text()
    assert "Fridays" not in text and "the key is [redacted:anthropic-key]" in text


def test_nothing_to_redact_is_said(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for words in (("redact",), ("redact", "--check")):
        said = recall(*words)
        assert (said.code, said.out) == (0, "no secret is stored\n")
    assert recall("redact", "--json").json["count"] == 0


def test_json_asks_nobody(recall: Recall, environment: Environment, memory: None) -> None:
    assert recall("redact", "--json").code == 2
    said = recall("redact", "--json", "--yes")
    assert said.code == 0 and said.json["count"] == 2 and said.json["left"] == [] and KEY not in said.out


IMPORTS = """
from recall_tui.storage.files import sqlite
from recall_tui.storage.journal import commits as journal, record as journal_record, scrub as journal_scrub
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "call"),
    [
        ("journal_record.FileChange.apply", 2),
        ("journal.Journal.scrub", 1),
        ("journal_scrub.scrub_record", 2),
        ("sqlite.vacuum", 1),
    ],
)
def test_one_that_is_killed_is_finished_by_the_next(
    recall: Recall, environment: Environment, memory: None, target: str, call: int
) -> None:
    recall("sync")
    recall("remember", "we deploy on Fridays")
    machine = Machine(environment._replace(env={**environment.env, "HOME": str(environment.home)}), environment.cwd)
    assert machine.run("redact", "--yes", before=killing(IMPORTS, target, call, "before")).code == -signal.SIGKILL
    assert machine.run("redact", "--yes").code == 0
    assert machine.run("redact", "--check").code == 0
    for folder in (environment.cwd, environment.state):
        assert not [name for name, data in tree(folder).items() if KEY.encode() in data]
    assert machine.run("doctor").code == 0


def test_what_is_told_to_a_program_or_in_a_sentence_is_masked_in_an_archive(
    recall: Recall, environment: Environment
) -> None:
    told = {
        "kT8vLq2xW": "127.0.0.1:6379> AUTH kT8vLq2xW\nOK",
        "pQ7mZr4yN": 'expect "assword:"\nsend "pQ7mZr4yN\\r"',
        "dW5nBc8jH": "snmpwalk -v2c -c dW5nBc8jH 10.0.0.1",
        "4821": "The PIN is 4821, please remember it.",
    }
    root = bench_at(environment).layout.root
    talk = [turn for text in told.values() for turn in (("user", text), ("assistant", f"It says: {text}"))]
    path = environment.claude / "projects" / "-p" / f"{session_id_of(1)}.jsonl"
    write_transcript(path, records(session_id_of(1), talk, cwd=str(root)))
    assert recall("--root", root, "archive", path).code == 0
    files = [one.read_text() for one in root.rglob("*.md")]
    assert any("snmpwalk" in text for text in files)
    assert not [secret for secret in told if any(secret in text for text in files)]
