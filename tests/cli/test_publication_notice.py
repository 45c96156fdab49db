"""The command line says what a team would read before sessions are archived into a folder that is committed."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.cli.conftest import Stand
from tests.conftest import NOON
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


@with_git
def test_a_team_memory_says_who_reads_what_would_be_kept_and_leaves_own_sessions_in_peace(
    environment: Environment, stand: Stand
) -> None:
    shop: Path = repository(environment.home / "work" / "shop")
    assert stand(shop, "init", ".", "--layout", "project", "--no-install").code == 0
    for number in (1, 2):
        path = session(environment, "claude", number, shop, "walrus", start=NOON - timedelta(days=28))
        os.utime(path, ((NOON - timedelta(days=28)).timestamp(),) * 2)
    said = stand(shop, "status").out
    assert "none of 2 sessions is kept yet" in said and "archiving writes pages for the team" in said
    preview = stand(shop, "archive", "--all-unarchived", "--dry-run")
    assert NOTICE in preview.err and "2 pages, one for each session" in preview.err
    assert stand(shop, "init", str(environment.claude), "--no-install").code == 0
    kept = stand(shop, "archive", "--all-unarchived", "--root", str(environment.claude))
    assert kept.code == 0 and "2 archived" in kept.err
    own = stand(shop, "status").out
    assert "2 in your own memory" in own and "deletes" not in own and "archiving writes" not in own
    assert "0 neither" in own


@with_git
def test_a_summary_is_not_said_to_be_the_conversation(environment: Environment, stand: Stand) -> None:
    shop: Path = repository(environment.home / "work" / "shop")
    assert stand(shop, "init", ".", "--layout", "project", "--no-install").code == 0
    paths = [session(environment, "claude", number, shop, "walrus") for number in (1, 2)]
    assert stand(shop, "archive", "--all-unarchived").code == 0
    assert "all 2 sessions kept: 2 summaries, 0 conversations copied" in stand(shop, "status").out
    for path in paths:
        path.unlink()
    assert "summaries of 2 sessions; no agent here has the conversations" in stand(shop, "status").out
