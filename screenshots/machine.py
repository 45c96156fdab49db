"""The machine of a picture: sessions that agents left there, all of them invented."""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

from recall_tui.environment import Environment, agent_folder
from tests.makers import transcript
from tests.qa.trust.session_parsers import SESSIONS
from tests.transcripts.codex_samples import Rollout, id_at
from tests.transcripts.form_samples import copied_form
from tests.transcripts.gemini_samples import chat, lines, opening, user
from tests.transcripts.log_samples import LOGS, PLACES
from tests.transcripts.log_samples import lines as log_lines
from tests.transcripts.opencode_samples import Store

FORMS = ("goose", "cursor", "vscode", "roo")
"""Agents with a sample of a whole home."""


def leave_sessions(environment: Environment, now: datetime) -> None:
    """Leave three sessions of Claude Code, the oldest about to be deleted."""
    for number, days in enumerate((29, 26, 3)):
        start = now - timedelta(days=days)
        path = transcript(
            environment, number, [("user", "Why do tokens expire?"), ("assistant", "By design.")], start=start
        )
        os.utime(path, (start.timestamp(), start.timestamp()))


def leave_every_agent(environment: Environment, now: datetime) -> None:
    """Leave sessions of every agent whose sessions are read, written a day ago."""
    for form in FORMS:
        copied_form(form, environment.home)
    start = now - timedelta(days=1)
    for number in range(2):
        log = Rollout(id_at(start, number), start).meta().turn("t").user("why does it fail?").agent("It is full.")
        log.write(environment.codex / "sessions" / "2026" / "03" / "05")
    folder = environment.gemini / "tmp" / "api" / "chats"
    folder.mkdir(parents=True)
    chat(folder, lines(opening(), user("1", "why is it slow?")))
    for agent, records in LOGS.items():
        _write(agent_folder(environment, agent) / PLACES[agent], log_lines(records))
    for agent in ("opencode", "kilo"):
        store = Store(agent_folder(environment, agent) / f"{agent}.db").session()
        store.message("is the cache cold?")
        store.answer("It is.")
        store.close()
    seeds = {parser.name: parser.seeds[0] for parser in SESSIONS}
    _write(agent_folder(environment, "cline") / "c1/c1.messages.json", seeds["cline transcript"])
    _write(
        agent_folder(environment, "continue") / "sessions/0c0e0000-0000-4000-8000-000000000001.json",
        seeds["continue transcript"],
    )
    (environment.home / ".aider").mkdir()
    _write(environment.cwd / ".aider.chat.history.md", seeds["aider transcript"])
    for path in [one for one in environment.home.rglob("*") if one.is_file()]:
        os.utime(path, (start.timestamp(), start.timestamp()))
    leave_sessions(environment, now)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
