"""Settled searches are logged for dreams: once each, without secrets, and only where dreaming is on."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from recall_tui.features.setup.configure import set_value
from recall_tui.storage import trust
from recall_tui.storage.state import search_log
from recall_tui.tui.app import RecallApp
from recall_tui.workbench import Workbench
from tests.tui.piloting import pressed, search, settled, until

pytestmark = pytest.mark.long


def rows(bench: Workbench) -> list[dict[str, Any]]:
    """What was logged."""
    folder: Path = bench.store.state / search_log.SEARCHES_FOLDER
    paths = sorted(folder.glob("*.jsonl")) if folder.is_dir() else []
    return [json.loads(line) for path in paths for line in path.read_text().splitlines()]


def with_dreams(bench: Workbench) -> None:
    with trust.confirmed_after(bench.store):
        bench.apply(set_value, "dream.enabled", "true")


async def test_a_question_whose_hit_is_opened_is_logged_once(demo_app: RecallApp, sample: Workbench) -> None:
    with_dreams(sample)
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await search(pilot, "why did we pick jwt")
        assert rows(sample) == []
        await pressed(pilot, "enter", "escape", "enter", "escape")
        (row,) = rows(sample)
        assert row["query"] == "why did we pick jwt" and row["results"] and row["best"] > 0
        await pressed(pilot, "escape")
        await search(pilot, "token refresh")
        await pressed(pilot, "enter")
        assert [row["query"] for row in rows(sample)] == ["why did we pick jwt", "token refresh"]


async def test_a_question_that_stands_is_logged_even_without_a_hit(demo_app: RecallApp, sample: Workbench) -> None:
    with_dreams(sample)
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await search(pilot, "xylophone AKIAIOSFODNN7EXAMPLE")
        await until(pilot, lambda: bool(rows(sample)))
        await settled(pilot)
        (row,) = rows(sample)
        assert row["query"].startswith("xylophone [redacted") and row["returned"] == 0


async def test_what_is_typed_over_is_not_logged(demo_app: RecallApp, sample: Workbench) -> None:
    with_dreams(sample)
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await search(pilot, "jwt")
        for word in (" token", " refresh"):
            await pilot.press(*(("space" if key == " " else key) for key in word))
            await settled(pilot)
        await pressed(pilot, "enter")
        assert [row["query"] for row in rows(sample)] == ["jwt token refresh"]


async def test_without_dreams_nothing_is_logged(demo_app: RecallApp, sample: Workbench) -> None:
    async with demo_app.run_test(size=(120, 36)) as pilot:
        await search(pilot, "why did we pick jwt")
        await pressed(pilot, "enter")
        assert rows(sample) == []
