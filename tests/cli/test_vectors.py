"""Vectors from the outside: made by a sync, told of in the state of the index, and never a reason to give no answer."""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from recall_tui.environment import Environment
from recall_tui.index.opener import open_index
from recall_tui.index.vectors import coverage as vectors
from tests.makers import bench_at, transcript
from tests.offered import with_embedder
from tests.processes import Machine, ended

pytestmark = pytest.mark.long

TALK = [
    ("user", "Where do the tokens live?"),
    ("assistant", "The tokens live in Redis, and expire after an hour."),
    ("user", "Plan the harvest party in the orchard"),
]
ASKED = ("search", "--ranked", "--json", "--no-sync", "harvest party")


@pytest.fixture
def plain(environment: Environment) -> Machine:
    """A memory and a transcript of a person without an embedder."""
    bench = bench_at(environment)
    transcript(environment, 1, TALK)
    return Machine(environment, bench.store.root)


@pytest.fixture
def machine(plain: Machine, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """The same person with an embedder."""
    return replace(plain, environment=with_embedder(plain.environment, monkeypatch))


def with_model(machine: Machine, model: str) -> Machine:
    """The same person with another model."""
    env = {**machine.environment.env, "RECALL_EMBEDDINGS_MODEL": model}
    return replace(machine, environment=machine.environment._replace(env=env))


def test_without_an_embedder_nothing_is_said_of_vectors(plain: Machine) -> None:
    done = plain.run("sync", "--json")
    assert "vectors" not in done.json
    assert "vectors" not in plain.run("index", "status", "--json").json
    assert "vector" not in plain.run("index", "status").out.decode()
    assert "vectors" not in plain.run("status", "--json").json["index"]
    assert not open_index(plain.environment).vectors_path.exists()


def test_a_sync_makes_vectors_and_says_so(machine: Machine) -> None:
    done = machine.run("sync", "--json")
    assert done.code == 0 and done.json["vectors"]["rows"] == 3
    again = machine.run("sync")
    assert again.code == 0 and b"vectors" not in again.out
    status = machine.run("index", "status")
    assert "vectors     3 rows of 3 passages by hashed-words-64" in status.out.decode()
    told = machine.run("index", "status", "--json").json["vectors"]
    assert told["is_whole"] and told["rows"] == 3 and told["embedder"] == "hashed-words-64"


def test_an_index_made_anew_keeps_its_vectors(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    done = machine.run("index", "--json")
    assert done.json["vectors"]["embedded"] == 0 and done.json["vectors"]["missing"] == 0


def test_a_search_is_told_what_lies_near(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    found = machine.run(*ASKED)
    assert found.code == 0 and "words alone" not in found.err
    assert found.json["hits"][0]["why"]["parts"]["embedding"] > 0


def test_before_there_are_vectors_words_answer_and_the_next_step_is_named(machine: Machine) -> None:
    assert with_model(machine, "failing").run("sync").code == 0
    found = machine.run(*ASKED)
    assert found.code == 0 and found.json["hits"]
    assert "there are no vectors yet; run: recall-tui sync" in found.err


def test_a_model_that_is_not_there_names_the_step_that_helps_and_no_other(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    folder = str(machine.environment.home / "no-model")
    env = {**machine.environment.env, "RECALL_EMBEDDINGS_PROVIDER": "local", "RECALL_EMBEDDINGS_PATH": folder}
    gone = replace(machine, environment=machine.environment._replace(env=env))
    assert "recall-tui config set embeddings.path" in gone.run(*ASKED).err
    for words in (("index", "status"), ("status",)):
        told = gone.run(*words)
        (line,) = [line for line in (told.err + told.out.decode()).splitlines() if "searches go by words alone" in line]
        assert "recall-tui config set embeddings.path" in line and "recall-tui sync" not in line


def test_a_failing_model_is_a_note_and_no_error(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    failing = with_model(machine, "failing")
    transcript(machine.environment, 2, TALK[:1])
    done = failing.run("sync")
    assert done.code == 0 and "the model is asleep" in done.err and "wake it" in done.err
    found = failing.run(*ASKED)
    assert found.code == 0 and found.json["hits"]
    assert "words alone: " in found.err and "the model is asleep" in found.err


def test_vectors_of_another_model_are_told_of_and_made_anew(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    other = with_model(machine, "another")
    status = other.run("index", "status")
    assert "of another model (hashed-words-64); run: recall-tui sync" in status.err
    assert "hashed-words-64" in other.run(*ASKED).err
    health = other.run("status", "--json").json
    assert any("another model" in reason for reason in health["reasons"])
    assert "another model" in other.run("doctor").out.decode()
    assert "another model" in other.run("doctor", "--deep").out.decode()
    assert other.run("sync").code == 0
    assert vectors.embedder_names(open_index(machine.environment)) == ["another"]
    assert "another model" not in other.run(*ASKED).err
    assert other.run("status", "--json").json["index"]["vectors"]["rows"] == 3


def test_doctor_proves_rows_against_passages(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    assert "vector" not in machine.run("doctor", "--deep").out.decode()
    folder = vectors.vector_folder(open_index(machine.environment), "hashed-words-64")
    rows = folder / "rows.0"
    rows.write_bytes(bytes(len(rows.read_bytes())))
    said = machine.run("doctor", "--deep")
    assert (
        said.code == 1 and "would be rebuilt differently by hashed-words-64; run: recall-tui index" in said.out.decode()
    )
    assert machine.run("index").code == 0
    assert machine.run("doctor", "--deep").code == 0


def test_doctor_names_what_has_the_vectors_of_other_words(machine: Machine) -> None:
    assert machine.run("sync").code == 0
    database = vectors.vector_folder(open_index(machine.environment), "hashed-words-64") / "rows.db"
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("UPDATE batches SET hashes = zeroblob(length(hashes))")
    said = machine.run("doctor", "--deep")
    assert said.code == 1 and "its vectors are of other words" in said.out.decode()


def test_what_was_forgotten_has_no_vectors(machine: Machine) -> None:
    session = transcript(machine.environment, 2, [("user", "The zanzibar secret")]).stem
    assert machine.run("sync").code == 0
    assert machine.run("index", "status", "--json").json["vectors"]["rows"] == 4
    assert machine.run("forget", session, "--yes").code == 0
    told = machine.run("index", "status", "--json").json["vectors"]
    assert told["rows"] == 3
    opened = vectors.vector_folder(open_index(machine.environment), "hashed-words-64")
    assert sum(path.stat().st_size for path in opened.glob("rows.[0-9]*")) == 3 * 64


SLOW = """
import time
from recall_tui.index.vectors import build as vector_building
from tests.embedders import HashedWords
vector_building.GROUP_TEXTS = vector_building.EMBED_BATCH_TEXTS = 1
inner = HashedWords.embed
def embed(self, texts):
    print(flush=True)
    time.sleep(0.2)
    return inner(self, texts)
HashedWords.embed = embed
"""
"""Statements that make an embedder take its time, and say that it is at work."""


def test_ctrl_c_keeps_the_vectors_that_were_made(machine: Machine) -> None:
    for number in range(2, 40):
        transcript(machine.environment, number, [("user", f"Talk {number}")])
    process = machine.start("sync", before=SLOW)
    assert process.stdout is not None
    for _ in range(6):
        process.stdout.readline()
    process.send_signal(signal.SIGINT)
    stopped = ended(process)
    assert stopped.code == 130 and "the vectors that were made stay" in stopped.err
    made = machine.run("index", "status", "--json").json["vectors"]
    assert 0 < made["rows"] < 41 and made["missing"]
    assert machine.run("sync", "--json").json["vectors"]["embedded"] == 41 - made["rows"]
