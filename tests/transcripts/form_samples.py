"""Samples of older forms, and of agents in editors: made up after what their sources and public readers tell."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from recall_tui.testing import ExpectedSession

FORMS = Path(__file__).parents[1] / "fixtures" / "agents"
TOKEN = "zzqtokenofanaccount0123456789"
"""Of an account, in what is never read of a sample."""
_DATABASES = {"sessions.sql": "sessions.db", "state.sql": "state.vscdb"}
CURSOR, VSCODE = "cursor-0c5e0000-0000-4000-8000-0000000000", "vscode-7c0d0000-0000-4000-8000-00000000000"
Expected = dict[str, ExpectedSession | None]


def counted(prompts: int, replies: int, calls: int, errors: int, title: str, cwd: str, first: str) -> ExpectedSession:
    """What was counted by hand."""
    return ExpectedSession(prompts, replies, calls, errors, title, cwd, first, sidechain=0)


API = "/home/u/api"
SESSIONS: dict[str, Expected] = {
    "goose": {
        "20260306_1": counted(1, 1, 1, 0, "Why tokens expire", API, "why do tokens expire?"),
        "20260306_2": counted(2, 2, 1, 1, "The cache", API, "is the cache cold?"),
    },
    "cursor": {
        f"{CURSOR}01": counted(1, 1, 2, 1, "The slow build", API, "why is the build slow?"),
        f"{CURSOR}11": counted(1, 2, 1, 0, "", "", "what fails here?"),
        f"{CURSOR}12": counted(1, 1, 0, 0, "", "", "ship it"),
    },
    "vscode": {
        f"{VSCODE}1": counted(1, 1, 1, 0, "The retry loop", "/home/u/my api", "why does it retry?"),
        f"{VSCODE}2": counted(1, 1, 0, 0, "", "/home/u/my api", "and the cache?"),
        f"{VSCODE}3": None,
    },
    "roo": {"roo-1772791200000": counted(2, 3, 1, 0, "", API, "fix the flaky test")},
    "cline-editor": {"cline-editor-1772791300000": counted(2, 3, 0, 0, "", API, "what is here?")},
    "kilo-editor": {"kilo-editor-1772791400000": counted(1, 1, 0, 0, "", API, "say hello")},
    "opencode": {
        "ses_storedsession0001": ExpectedSession(1, 1, 1, 0, "The cold cache", API, "is it cold?", sidechain=1)
    },
}
TOKENS = {
    "20260306_1": 321,
    "20260306_2": 480,
    "roo-1772791200000": 169,
    "cline-editor-1772791300000": 12,
    "kilo-editor-1772791400000": 7,
}
"""Those that a form records."""


def copied_form(agent: str, home: Path, project: str = API) -> Path:
    """Copy the sample of an agent into a home, its databases made as the agent would: with a log of what is written.

    Its sessions are of the project in that folder.
    """
    shutil.copytree(FORMS / agent, home, dirs_exist_ok=True)
    for path in filter(Path.is_file, home.rglob("*")):
        if API.encode() in (data := path.read_bytes()):
            path.write_bytes(data.replace(API.encode(), project.encode()))
    for path in sorted(home.rglob("*.sql")):
        with closing(sqlite3.connect(path.with_name(_DATABASES[path.name]))) as database:
            database.execute("PRAGMA journal_mode=WAL")
            database.executescript(path.read_text(encoding="utf-8"))
        path.unlink()
    return home
