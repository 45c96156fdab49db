"""Codex's transcripts: one JSON record a line, one rollout a session, plain or compressed.

What a rollout repeats, of itself and of the session it was forked from, is read once; a file is held in memory never.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.domain import Conversation, Skipped
from recall_tui.environment import Places
from recall_tui.errors import RecallError
from recall_tui.transcripts.discovery import CODEX_FOLDERS, codex_session, codex_transcripts, plain_first
from recall_tui.transcripts.reader import TranscriptFile

if TYPE_CHECKING:
    from recall_tui.transcripts.codex.scan import Surveyed
    from recall_tui.transcripts.read_report import Reading

_DAYS_AROUND = (-1, 0, 1)
"""Folders of days are named in local time; the time in an id is UTC."""


class Codex:
    """The reader of Codex's transcripts."""

    agent = "codex"

    def claims(self, path: Path, head: bytes) -> bool:
        """Whether the first lines hold records of Codex."""
        from recall_tui.transcripts.format_detection import CODEX, format_of

        return format_of(path, head) == CODEX

    def read(self, path: Path) -> Conversation | Skipped:
        """The session in a rollout with its sub-agents; Skipped for a sub-agent's rollout and one without messages."""
        from recall_tui.transcripts.codex.messages import messages_of
        from recall_tui.transcripts.codex.scan import survey
        from recall_tui.transcripts.head_builder import Told, conversation_of
        from recall_tui.transcripts.read_report import Reading

        reading = Reading()
        found = survey(path, reading, codex_session(path))
        if not found:
            return reading.skipped()
        own = found[0]
        if own.parent:
            return Skipped(f"a sub-agent's transcript of session {own.parent}")
        side = _side_files(own, {one.session_id for one in found}, reading)
        told = Told(
            session_id=own.session_id,
            title=_title(path, own.session_id) or own.title,
            cwd=own.cwd,
            branch=own.branch,
            model=own.model,
            version=own.version,
            started_at=own.started_at,
            side_files=tuple(one.path for one in side),
        )
        stretches = tuple(one.stretch(reading) for one in (*found, *side))
        return conversation_of(self.agent, path, told, reading, partial(messages_of, stretches))

    def discover(self, places: Places) -> Iterator[TranscriptFile]:
        """Every rollout in Codex's folder, archived ones too, oldest first."""
        return codex_transcripts(places)


def _side_files(own: Surveyed, known: set[str], reading: Reading) -> list[Surveyed]:
    """The rollouts of the sub-agents that a session began, and of those that these began."""
    from recall_tui.transcripts.codex.scan import opened_for, survey

    found: list[Surveyed] = []
    waiting = [(child, own) for child in own.children]
    while waiting:
        child, parent = waiting.pop(0)
        if child in known or not (path := _rollout_of(child, own.path)):
            continue
        known.add(child)
        try:
            # What a tool printed may name a stranger's sub-agent.
            one = survey(path, reading, child, is_side=True) if opened_for(path) == parent.session_id else []
        except RecallError as error:
            reading.fault(0, error.message)
            continue
        found += one
        waiting += [(grandchild, each) for each in one for grandchild in each.children]
    return found


def _rollout_of(session_id: str, beside: Path) -> Path | None:
    """The rollout of a sub-agent, beside its session's or in the folder of the day it was begun."""
    from recall_tui.transcripts.codex.scan import made_at

    folders = [beside.parent]
    if (at := made_at(session_id)) and (root := _root_of(beside)):
        days = [at + timedelta(days=days) for days in _DAYS_AROUND]
        folders += [root / "sessions" / f"{day:%Y}" / f"{day:%m}" / f"{day:%d}" for day in days]
    for folder in dict.fromkeys(folders):
        found = plain_first(folder.glob(f"rollout-*-{glob.escape(session_id)}.jsonl*"))
        if path := next((path for path in found if path.is_file()), None):
            return path
    return None


def _root_of(path: Path) -> Path | None:
    """The folder of Codex that a rollout lies in."""
    return next((parent.parent for parent in path.parents if parent.name in CODEX_FOLDERS), None)


def _title(path: Path, session_id: str) -> str:
    """The last title that `session_index.jsonl` of Codex's folder gives the session; empty when it gives none."""
    from recall_tui.transcripts.claude.records import plain_object, word

    root, title = _root_of(path), ""
    try:
        lines = files.read(root / "session_index.jsonl").splitlines() if root else []
    except OSError:
        return ""
    wanted = session_id.encode()
    for line in lines:
        if wanted in line and word(record := plain_object(line)[0], "id") == session_id:
            title = " ".join(word(record, "thread_name").split()) or title
    return title
