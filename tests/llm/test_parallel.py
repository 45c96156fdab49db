"""Pieces of work at one time: never more than so many, each told of once."""

from __future__ import annotations

from threading import Event, Lock

import pytest

from recall_tui.llm.client import run_concurrently


def test_every_piece_is_done_once_and_no_more_than_so_many_at_a_time() -> None:
    lock, now, most, both = Lock(), 0, 0, Event()

    def do(number: int) -> int:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
            if now == 2:
                both.set()
        assert both.wait(30), "two are at work together"
        with lock:
            now -= 1
        return number * number

    assert sorted(run_concurrently(do, range(1, 7), 2)) == [(number, number * number) for number in range(1, 7)]
    assert most == 2


def test_nothing_new_begins_once_it_is_stopped() -> None:
    done: list[int] = []

    def do(number: int) -> None:
        done.append(number)

    assert [piece for piece, _ in run_concurrently(do, range(5), 1, lambda: len(done) >= 2)] == [0, 1]


def test_what_one_raises_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        list(run_concurrently(lambda number: 1 // number, [1, 0], 1))
