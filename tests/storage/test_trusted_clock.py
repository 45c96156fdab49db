"""What goes for its age stays when a clock was wrong, and goes in the end."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.storage.files import trusted_clock
from recall_tui.storage.files.trusted_clock import trusted_time
from tests.conftest import NOON

DAY = timedelta(days=1)
AHEAD = NOON.replace(year=2036)


def seen(state: Path, moments: Iterable[datetime]) -> datetime:
    """Note the moments in their order; the last of them."""
    last = NOON
    for last in moments:
        trusted_clock.note_day(state, last)
    return last


def test_a_clock_that_goes_on_is_believed(tmp_path: Path) -> None:
    now = seen(tmp_path, (NOON + DAY * number for number in range(0, 90, 9)))
    assert trusted_time(tmp_path, now, 30) == now


@pytest.mark.parametrize("ahead", [AHEAD, NOON + 40 * DAY])
def test_one_that_leaps_is_not_and_time_goes_on_by_the_days_that_are_seen(tmp_path: Path, ahead: datetime) -> None:
    seen(tmp_path, (NOON, NOON + DAY))
    assert trusted_time(tmp_path, ahead, 30) == NOON + 2 * DAY
    seen(tmp_path, (ahead, ahead + DAY))
    assert trusted_time(tmp_path, ahead + DAY, 30) == NOON + 3 * DAY


def test_after_some_days_in_a_row_it_is_believed_again(tmp_path: Path) -> None:
    now = seen(tmp_path, (NOON, *(AHEAD + DAY * number for number in range(9))))
    assert trusted_time(tmp_path, now, 30) < NOON + 11 * DAY
    now = seen(tmp_path, [now + DAY])
    assert trusted_time(tmp_path, now, 30) == now


def test_one_that_comes_back_is_believed_as_far_as_it_goes(tmp_path: Path) -> None:
    now = seen(tmp_path, (NOON, AHEAD, NOON + DAY))
    assert trusted_time(tmp_path, now, 30) == now
    early = seen(tmp_path, [NOON.replace(year=1970)])
    assert trusted_time(tmp_path, early, 30) == early


@pytest.mark.long
def test_a_day_is_noted_once_in_a_row_and_only_the_newest_are_kept(tmp_path: Path) -> None:
    seen(tmp_path, (NOON, NOON, AHEAD, NOON))
    assert trusted_clock.read_days(tmp_path) == (NOON.date(), AHEAD.date(), NOON.date())
    seen(tmp_path, (NOON + DAY * number for number in range(trusted_clock.MAX_DAYS + 9)))
    assert len(trusted_clock.read_days(tmp_path)) == trusted_clock.MAX_DAYS


def test_a_file_that_makes_no_sense_is_as_if_there_were_none(tmp_path: Path) -> None:
    (tmp_path / trusted_clock.DAYS_FILE).write_bytes(b"\xff\nnever\n2026-03-06\n")
    assert trusted_clock.read_days(tmp_path) == (NOON.date(),)
    assert trusted_time(tmp_path, NOON, 30) == NOON


@pytest.mark.long
@given(st.lists(st.integers(-5_000, 5_000), max_size=6), st.integers(1, 400))
def test_a_few_leaps_never_make_anything_old_at_once(
    tmp_path_factory: pytest.TempPathFactory, leaps: list[int], days: int
) -> None:
    state = tmp_path_factory.mktemp("state")
    seen(state, (NOON, *(NOON + DAY * leap for leap in leaps)))
    for leap in leaps:
        assert trusted_time(state, NOON + DAY * leap, days) <= NOON + DAY * (len(leaps) + 1 + 6 * max(1, days // 3))
