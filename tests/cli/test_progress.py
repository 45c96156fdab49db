"""How far a long work is: in words, on a terminal and in a log; never for work that is over soon."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from recall_tui.cli.output import Output
from recall_tui.cli.progress import DELAY_SECONDS, ProgressLine, progress_label
from tests.terminal import shown_on_terminal

MB = 1024 * 1024


def clock_of(*seconds: float) -> Callable[[], float]:
    """A clock that says these times one after the other, the last of them for ever."""

    def tick() -> Iterator[float]:
        yield from seconds
        while True:
            yield seconds[-1]

    times = tick()
    return lambda: next(times)


@pytest.mark.parametrize(
    ("done", "total", "seconds", "said"),
    [
        (172 * MB, 420 * MB, 17.5, "indexing 40 % · 172 of 420 MB · 9.8 MB/s · 26 s left"),
        (1 * MB, 4 * MB, 1.0, "indexing 25 % · 1.0 of 4.0 MB · 1.0 MB/s · 4 s left"),
        (100 * MB, 5000 * MB, 1000.0, "indexing 2 % · 0.1 of 4.9 GB · 102 KB/s · 13 h 36 min left"),
        (10 * MB, 400 * MB, 10.0, "indexing 2 % · 10 of 400 MB · 1.0 MB/s · 7 min left"),
        (0, 400 * MB, 10.0, "indexing 0 % · 0.0 of 400 MB"),
        (1, 3, 0.0, "indexing 33 % · 1 of 3 B"),
        (420 * MB, 420 * MB, 43.0, "indexing 100 % · 420 of 420 MB · finishing"),
        (5, 4, 1.0, "indexing 100 % · 5 of 4 B · finishing"),
        (0, 0, 1.0, "indexing 100 % · 0 of 0 B · finishing"),
    ],
)
def test_a_line_says_share_amount_rate_and_what_is_left(done: int, total: int, seconds: float, said: str) -> None:
    assert progress_label("indexing", done, total, seconds) == said


def test_work_that_is_over_soon_says_nothing() -> None:
    told: list[str] = []
    meter = ProgressLine("indexing", clock_of(5.0, 5.0 + DELAY_SECONDS / 2), told.append)
    for done in range(11):
        meter(done, 10)
    assert told == [] and not meter.has_told


def test_a_line_is_renewed_ten_times_a_second_at_most_and_at_the_end() -> None:
    told: list[str] = []
    meter = ProgressLine("indexing", clock_of(0.0, *(place / 1000 for place in range(2001))), told.append)
    for done in range(2001):
        meter(done, 2000)
    assert 14 <= len(told) <= 17
    assert told[-1].endswith("finishing")


def test_a_log_has_a_line_for_each_tenth() -> None:
    told: list[str] = []
    meter = ProgressLine(
        "indexing", clock_of(0.0, *(place / 100 for place in range(2001))), told.append, in_tenths=True
    )
    for done in range(2001):
        meter(done, 2000)
    assert [line.split(" · ")[0] for line in told] == [f"indexing {share} %" for share in range(10, 101, 10)]


SCRIPT = """
from recall_tui.cli.output import Output
times = iter(range(100))
out = Output(quiet={quiet}, verbose={verbose})
with out.progress("indexing", lambda: next(times) * {pace}) as told:
    for done in range(1, 5):
        if told: told(done * 2**20, 4 * 2**20)
out.note("done")
"""


def test_a_terminal_sees_one_line_that_is_gone_in_the_end() -> None:
    text = shown_on_terminal(SCRIPT.format(quiet=False, verbose=True, pace=1.0))
    lines = text.split("\r")
    assert lines[1].startswith("indexing 25 % · 1.0 of 4.0 MB · 1.0 MB/s · 4 s left")
    assert len(lines) == 7 and lines[5].startswith("\x1b[K") and lines[5].endswith("done")
    assert all("\n" not in line for line in lines[1:5])


@pytest.mark.parametrize("options", [{"quiet": True, "pace": 1.0}, {"quiet": False, "pace": 0.01}])
def test_a_terminal_sees_nothing_of_quiet_or_quick_work(options: dict[str, object]) -> None:
    text = shown_on_terminal(SCRIPT.format(verbose=False, **options))
    assert "indexing" not in text and "\x1b" not in text


@pytest.mark.parametrize(("verbose", "count"), [(False, 0), (True, 4)])
def test_a_pipe_sees_lines_only_when_it_asks(verbose: bool, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    clock = clock_of(*map(float, range(10)))
    with Output(verbose=verbose).progress("indexing", clock) as told:
        assert (told is not None) == verbose
        for done in range(1, 5):
            if told:
                told(done, 4)
    captured = capsys.readouterr()
    assert captured.err.count("indexing") == captured.err.count("\n") == count
    assert "\x1b" not in captured.err and captured.out == ""
