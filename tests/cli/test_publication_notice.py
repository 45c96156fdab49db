"""The command line says what a team would read before sessions are archived into a folder that is committed."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.repositories import repository, session, with_git

NOTICE = "everyone with the repository can read what it says about sessions"


@with_git
@pytest.mark.parametrize("layout", ["project", "entity"])
def test_archiving_all_says_how_many_pages_and_who_reads_them(
    environment: Environment, stand: Stand, layout: str
) -> None:
    shop: Path = repository(environment.home / "work" / "shop")
    assert stand(shop, "init", ".", "--layout", layout, "--no-install").code == 0
    for number in (1, 2):
        session(environment, "claude", number, shop, "walrus")
    done = stand(shop, "archive", "--all-unarchived")
    is_told = layout == "project"
    assert done.code == 0 and "2 archived" in done.err
    assert done.err.count(NOTICE) == is_told
    assert ("2 pages, one for each session, are written into ~/work/shop/_memory" in done.err) == is_told
    assert NOTICE not in stand(shop, "archive", "--all-unarchived").err, "nothing is left to write"
