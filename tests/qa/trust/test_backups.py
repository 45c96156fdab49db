"""The attack on backups, on two layouts and a few days."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.qa.trust.row_backups import led

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", ["user", "project"])
def test_what_is_harmed_comes_back_and_what_is_forgotten_does_not(name: str, tmp_path: Path) -> None:
    life = led(tmp_path, name, days=3, one_by_one=2)
    assert life.losses == []
    assert life.harmed and life.kills and life.refused and life.compared
