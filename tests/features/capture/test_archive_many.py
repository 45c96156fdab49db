"""Many processes at once, and processes that are killed: nothing is lost and nothing is doubled."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.features.health import doctor
from tests.conftest import NOON
from tests.makers import bench_at, session_id_of, transcript

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[3]
TALK = [
    ("user", "Fix the token refresh race"),
    ("Edit", "/home/u/api/src/token_refresh.py"),
    ("assistant", "We decided to use a lock. All tests pass."),
]

WRITER = """
    import sys
    from pathlib import Path
    from recall_tui.environment import Environment
    from recall_tui.workbench import Workbench

    home, state, root, *transcripts = sys.argv[1:]
    environment = Environment(Path(home), Path(root), {"RECALL_STATE": state})
    bench = Workbench.open(Path(root), environment=environment)
    for path in transcripts:
        done = bench.capture(Path(path))
        assert done.status == "archived", done
"""

KILLED = """
    import os, signal, sys
    from pathlib import Path
    from recall_tui.environment import Environment
    from recall_tui.workbench import Workbench
    from tests.conftest import NOON

    home, state, root, path, steps = sys.argv[1:]
    environment = Environment(Path(home), Path(root), {"RECALL_STATE": state})
    bench = Workbench.open(Path(root), environment=environment, now=lambda: NOON)
    left = int(steps)
    def counted(call):
        def wrapped(*args, **options):
            global left
            left -= 1
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*args, **options)
        return wrapped
    for name in ("fsync", "link", "unlink", "replace", "rename", "write", "mkdir", "ftruncate"):
        setattr(os, name, counted(getattr(os, name)))
    bench.capture(Path(path))
"""


def arguments(script: str, environment: Environment, root: Path, *more: str) -> list[str]:
    code = textwrap.dedent(script)
    return [sys.executable, "-c", code, str(environment.home), environment.env["RECALL_STATE"], str(root), *more]


@pytest.mark.parametrize("each", [6, pytest.param(50, marks=pytest.mark.soak)])
def test_sixteen_processes_write_archives_at_once(environment: Environment, each: int) -> None:
    bench = bench_at(environment)
    paths = [
        str(transcript(environment, number, TALK, start=NOON + timedelta(minutes=number)))
        for number in range(16 * each)
    ]
    root = bench.store.root
    running = [subprocess.Popen(arguments(WRITER, environment, root, *paths[part::16]), cwd=ROOT) for part in range(16)]
    assert [process.wait() for process in running] == [0] * 16
    files = sorted((bench.layout.root / "memory/conversations").iterdir())
    count = 16 * each
    assert len(files) == count
    assert sorted(row.number for row in bench.rows) == list(range(1, count + 1))
    assert len({row.session_id for row in bench.rows}) == count
    assert [entry.session_id for entry in bench.window.entries] == [session_id_of(n) for n in range(count - 5, count)]
    assert doctor.run_checks(bench.store) == ()


@pytest.mark.parametrize("name", ["entity", "user"])
@pytest.mark.parametrize("stride", [4, pytest.param(1, marks=pytest.mark.soak)])
def test_a_kill_at_any_step_of_an_archive_is_mended_and_nothing_is_lost(
    environment: Environment, name: str, stride: int
) -> None:
    bench = bench_at(environment, name)
    bench.capture(transcript(environment, 1, TALK))
    for step in range(0, 400, stride):
        number = step + 2
        path = transcript(environment, number, TALK, start=NOON + timedelta(minutes=number))
        done = subprocess.run(
            arguments(KILLED, environment, bench.store.root, str(path), str(step)), cwd=ROOT, check=False, timeout=60
        )
        bench.apply(doctor.plan_fixes)
        assert doctor.run_checks(bench.store) == (), f"step {step}"
        is_archived = any(row.session_id == session_id_of(number) for row in bench.rows)
        assert bench.capture(path).status == ("unchanged" if is_archived else "archived") or name == "user"
        numbers = [row.number for row in bench.rows]
        assert numbers == list(range(1, len(numbers) + 1)), f"step {step}"
        assert sum(row.session_id == session_id_of(number) for row in bench.rows) == 1
        assert session_id_of(number) in bench.layout.window.read_text()
        if done.returncode == 0:
            assert step > 15
            break
        assert done.returncode == -signal.SIGKILL
    else:
        pytest.fail("it never got through")
    assert any((bench.store.state / "journal").iterdir())
