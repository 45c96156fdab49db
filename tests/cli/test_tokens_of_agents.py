"""No token of any agent's account, and no secret that was said, is in what this program writes or prints."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import zstandard

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.transcripts.registry import own_reader
from tests.cli.conftest import Recall
from tests.transcripts.agent_samples import NEEDS_SAMPLES, READ, WORKED_IN, copied_home, main_sessions
from tests.transcripts.form_samples import SESSIONS, copied_form

pytestmark = pytest.mark.long
TOKEN = "zzqplantedaccounttoken0123456789"
"""Looks like no secret, so that no pattern finds it: it must not be read at all."""
SECRET = "ghp_" + "z9Y8x7W6v5" * 4
"""Looks like one, and is said."""
LOGINS = ("auth.json", ".credentials.json", "oauth_creds.json", "credentials.toml", ".env", "config.json")
ACCOUNTS = ("account", "control_account", "credential", "session_share", "provider_accounts", "ItemTable")
"""Tables of databases in which agents keep tokens."""
OF_NO_PROJECT = [("claude-project", "gemini"), ("claude-project", "vscode")]
"""Sessions that tell no folder, or another one, are not in the memory of the project."""
DATABASES = (".db", ".vscdb")


def first_prompts(agent: str) -> list[str]:
    """What a person said first in each session of the sample."""
    if agent in READ:
        return [str(one["first_prompt"]) for one in main_sessions(agent)]
    return [str(one.first_prompt) for one in SESSIONS[agent].values() if one is not None]


def plant(agent: str, home: Path) -> None:
    """Put the secret behind the first words of each session below a folder, and the token where an account may be."""
    words = {" ".join(prompt.strip('"').split()[:2]) for prompt in first_prompts(agent)}
    planted = 0
    for path in [one for one in home.rglob("*") if one.is_file()]:
        if path.suffix in DATABASES:
            planted += plant_rows(path, words)
        elif path.suffix not in ("-wal", "-shm"):
            data = before = path.read_bytes()
            for said in words:
                data = data.replace(said.encode(), f"{said} {SECRET}".encode())
            planted += data != before
            path.write_bytes(data)
    assert planted
    for folder in {one.parent for one in home.rglob("*")}:
        for name in LOGINS:
            if not (folder / name).exists():
                (folder / name).write_text(json.dumps({"token": TOKEN, "type": "user", "content": TOKEN}))


def plant_rows(path: Path, words: set[str]) -> int:
    """Plant in the rows of a database, of which tables with accounts get one, and one is made."""
    with closing(sqlite3.connect(path)) as database, database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        database.execute("CREATE TABLE own_accounts (token TEXT)")
        planted = 0
        for table in [*tables, "own_accounts"]:
            columns = list(database.execute(f'PRAGMA table_info("{table}")'))
            if table in (*ACCOUNTS, "own_accounts"):
                row = [1 if "int" in str(one[2]).lower() else TOKEN for one in columns]
                database.execute(f'INSERT INTO "{table}" VALUES({", ".join("?" * len(row))})', row)
            for _, column, kind, *_ in columns:
                for said in words:
                    if str(kind).lower() in ("text", "", "blob"):
                        put = f'"{column}" = replace("{column}", ?, ?) WHERE instr("{column}", ?)'
                        found = database.execute(f'UPDATE "{table}" SET {put}', (said, f"{said} {SECRET}", said))
                        planted += found.rowcount
        return planted


def written(*folders: Path) -> dict[Path, bytes]:
    """All that this program wrote in the folders, copies unpacked."""
    found = {}
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                data = path.read_bytes()
                is_packed = path.suffix == ".zst"
                found[path] = zstandard.ZstdDecompressor().decompressobj().decompress(data) if is_packed else data
    return found


@NEEDS_SAMPLES
@pytest.mark.parametrize("layout", ["entity", "claude-project"])
@pytest.mark.parametrize("agent", [*READ, *(one for one in SESSIONS if one not in READ)])
def test_no_token_of_an_agent_is_anywhere(
    recall: Recall, environment: Environment, tmp_path: Path, agent: str, layout: LayoutName
) -> None:
    (copied_home if agent in READ else copied_form)(agent, environment.home, str(environment.cwd))
    if agent == "aider":
        # It keeps its history in the folder itself.
        shutil.copytree(environment.home / WORKED_IN, environment.cwd, dirs_exist_ok=True)
        shutil.rmtree(environment.home / WORKED_IN)
    plant(agent, environment.cwd if agent == "aider" else environment.home)
    # A memory of one project takes that project's sessions alone.
    root = environment.cwd if layout == "claude-project" else environment.cwd / "own"
    out = tmp_path / "exported"
    out.mkdir()
    asked = ("--root", root)
    assert recall("init", root, "--layout", layout, "--yes", "--no-install").code == 0
    assert recall(*asked, "sync").code == 0
    archived = recall(*asked, "archive", "--all-unarchived", "--all-projects", "--json")
    assert archived.code == 0
    said = [archived.out, recall(*asked, "sync", "--json").out]
    ids = {one.session_id for one in own_reader(agent).discover(environment)}
    for id in ids:
        said.append(recall(*asked, "show", id, "--json").out)
        said.append(recall(*asked, "export", id, "--to", out / f"{id}.html").err)
    for name in ("all.json", "all.md"):
        assert recall(*asked, "export", "--all", "--to", out / name).code == 0
    hits = [recall(*asked, "search", "--json", word).json["hits"] for word in (TOKEN, SECRET)]
    assert hits == [[], []]
    first = first_prompts(agent)[0].strip('"').split()[0]
    is_found = bool(recall(*asked, "search", "--json", f"agent:{agent} {first}").json["hits"])
    assert is_found or (layout, agent) in OF_NO_PROJECT
    files = written(root / "memory", environment.state, out)
    assert is_found is False or layout == "entity" or any(path.suffix == ".zst" for path in files)
    for place, data in [*files.items(), *((at, text.encode()) for at, text in enumerate(said))]:
        for word in (TOKEN, SECRET):
            assert word.encode() not in data, place
