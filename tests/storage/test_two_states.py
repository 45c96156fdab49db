"""Programs that share a memory and not its state, as a container and its host do, lose nothing of what either was told.

Each is the real program, held up where it exchanges two files.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.storage.files.lock import is_abandoned
from tests.processes import Machine, ended, killing
from tests.qa.trust.crowding import memory

HOLD = """
import time
from pathlib import Path
from recall_tui.storage.files import compare_and_swap as swapping
inner, place, is_first = swapping._swap, Path({place!r}), [True]
def held_up(*given):
    def hold():
        if is_first.pop() if is_first else False:
            place.touch()
            while place.exists():
                time.sleep(0.005)
    if {when!r} == "before":
        hold()
    done = inner(*given)
    hold()
    return done
swapping._swap = held_up
"""
UNLOCKED = "from recall_tui.storage.files import lock\nlock._lock_descriptor = lambda *_: -1\n"
"""As on a file system whose locks hold off nobody on another machine."""
PATIENCE_SECONDS = 60.0
IMPORTS = """
from recall_tui.storage.journal import record as journal_record
from recall_tui.storage.files import compare_and_swap as swapping
"""


@pytest.fixture
def machines(tmp_path: Path) -> tuple[Machine, ...]:
    """Three states of one memory."""
    bench = memory(tmp_path)
    environment = bench.store.environment
    envs = ({**environment.env, "RECALL_STATE": str(tmp_path / f"state-{name}")} for name in "abc")
    return tuple(Machine(environment._replace(env=env), bench.layout.root) for env in envs)


@pytest.fixture
def hold(tmp_path: Path) -> Callable[[str], str]:
    """Statements that hold a process up at its first exchange, until its file is removed."""
    return lambda when: HOLD.format(place=str(tmp_path / f"held-{when}-{time.monotonic_ns()}"), when=when)


def held_at(statements: str) -> Path:
    return Path(statements.partition("Path('")[2].partition("'")[0])


def wait(is_so: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.005)


def remembered(machine: Machine, word: str, before: str = "") -> subprocess.Popen[bytes]:
    return machine.start("remember", f"the matter is called {word}", before=before)


def text_of(machine: Machine) -> str:
    return (machine.root / "memory" / "MEMORY.md").read_text()


def names(machine: Machine) -> list[str]:
    return sorted(path.name for path in (machine.root / "memory").glob("*[Mm][Ee][Mm][Oo][Rr][Yy]*"))


def hidden(machine: Machine) -> list[str]:
    return [path.name for path in machine.root.rglob(".recall*") if path.suffix != ".toml"]


@pytest.mark.parametrize("when", [pytest.param("before", marks=pytest.mark.long), "after"])
def test_the_second_waits_for_the_first(machines: tuple[Machine, ...], hold: Callable[[str], str], when: str) -> None:
    one, two, _ = machines
    statements = hold(when)
    first = remembered(one, "alpha", statements)
    wait(held_at(statements).exists)
    second = remembered(two, "beta")
    held_at(statements).unlink()
    assert ended(first).code == 0 and ended(second).code == 0
    assert all(word in text_of(one) for word in ("alpha", "beta"))
    assert names(one) == ["MEMORY.md"] and hidden(one) == []


@pytest.mark.parametrize("when", ["before", pytest.param("after", marks=pytest.mark.long)])
def test_without_a_lock_nothing_is_lost_either(
    machines: tuple[Machine, ...], hold: Callable[[str], str], when: str
) -> None:
    holds = [hold(when), hold(when)]
    waiting = []
    for machine, word, statements in zip(machines, ("alpha", "beta"), holds, strict=False):
        waiting.append(remembered(machine, word, UNLOCKED + statements))
        wait(held_at(statements).exists)
    assert ended(remembered(machines[2], "gamma", UNLOCKED)).code == 0
    for statements, process in reversed(list(zip(holds, waiting, strict=True))):
        held_at(statements).unlink()
        assert ended(process).code == 0
    folder = machines[0].root / "memory"
    there = "".join(path.read_text() for path in folder.glob("MEMORY*"))
    assert [word for word in ("alpha", "beta", "gamma") if word not in there] == []
    assert hidden(machines[0]) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("target", "when"),
    [
        pytest.param("journal_record.FileChange.apply", "before", marks=pytest.mark.long),
        pytest.param("swapping._swap", "before", marks=pytest.mark.long),
        ("swapping._swap", "after"),
    ],
)
def test_what_a_killed_process_left_is_cleared_up_from_another_state(
    machines: tuple[Machine, ...], target: str, when: str
) -> None:
    one, two, _ = machines
    assert remembered(one, "alpha", killing(IMPORTS, target, 1, when)).wait() < 0
    assert is_abandoned(one.root / "memory")
    assert [one for one in two.run("doctor", "--json").json["problems"] if not one["is_note"]] == []
    assert two.run("status").code == 0
    assert hidden(one) == []
    assert ended(remembered(two, "beta")).code == 0
    assert one.run("status").code == 0
    assert "beta" in text_of(one) and names(one) == ["MEMORY.md"] and hidden(one) == []


@pytest.mark.long
@pytest.mark.parametrize("is_same_state", [True, False])
def test_what_a_killed_process_left_is_cleared_up_before_anybody_asked_for_its_exit_code(
    machines: tuple[Machine, ...], is_same_state: bool
) -> None:
    one, two, _ = machines
    killed = remembered(one, "alpha", killing(IMPORTS, "swapping._swap", 1, "after"))
    # Its pipes are closed when it has ended; it is listed until it is waited for.
    assert killed.stderr is not None and killed.stdout is not None
    assert killed.stderr.read() == b"" == killed.stdout.read()
    assert ended(remembered(one if is_same_state else two, "beta")).code == 0
    assert "alpha" in text_of(one) and "beta" in text_of(one)
    assert hidden(one) == []
    assert killed.wait() < 0
    assert one.run("doctor", "--fix").code == 0
    assert names(one) == ["MEMORY.md"] and hidden(one) == []


@pytest.mark.long
def test_what_a_living_process_has_in_its_hands_is_left_to_it(
    machines: tuple[Machine, ...], hold: Callable[[str], str]
) -> None:
    one, two, _ = machines
    statements = hold("after")
    first = remembered(one, "alpha", UNLOCKED + statements)
    wait(held_at(statements).exists)
    before = hidden(one)
    assert before
    two.run("doctor", "--fix", before=UNLOCKED)
    assert hidden(one) == before
    held_at(statements).unlink()
    assert ended(first).code == 0
    assert hidden(one) == [] and "alpha" in text_of(one)
