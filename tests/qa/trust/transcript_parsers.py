"""The readers of transcripts under attack, each with a log of its agent and with the files beside it."""

from __future__ import annotations

import json
from collections.abc import Callable

from recall_tui.domain import Conversation
from recall_tui.transcripts import registry
from recall_tui.transcripts.copilot import workspace
from tests.qa.trust import seed_records
from tests.qa.trust.parsing import Parser, folder, written
from tests.transcripts.log_samples import LOGS, PLACES, lines


def _transcript(name: str) -> Callable[[str], None]:
    return _beside(name, name, "")


def _beside(name: str, attacked: str, log: str) -> Callable[[str], None]:
    """Read the transcript of that name when another file has the text; without a log it is the transcript itself."""

    def run(text: str) -> None:
        path = folder() / "transcripts" / name
        if log:
            written(log, path)
        written(text, folder() / "transcripts" / attacked)
        found = registry.read_transcript(path)
        if isinstance(found, Conversation):
            said = [(one.kind, one.text, str(one.tool)) for one in found.messages()]
            json.dumps(said, ensure_ascii=False).encode("utf-8")
            assert found.head.session_id

    return run


def _title(text: str) -> None:
    path = folder() / "transcripts" / PLACES["copilot"]
    written(text, path.with_name(workspace.WORKSPACE_FILE))
    workspace.session_title(path)


_KIMI_STATE = PLACES["kimi"].replace("agents/main/wire.jsonl", "state.json")
TRANSCRIPTS: tuple[Parser, ...] = (
    Parser(
        "claude transcript",
        _transcript("a.jsonl"),
        (seed_records.CLAUDE,),
        ('{"type":"user","uuid":"u{n}","message":{"content":"x"}}\n',),
    ),
    Parser(
        "codex transcript",
        _transcript("rollout-2026-03-06T09-00-00-x.jsonl"),
        (seed_records.CODEX,),
        ('{"type":"event_msg","payload":{"type":"user_message","message":"x"}}\n',),
    ),
    Parser(
        "gemini transcript",
        _transcript("session-x.jsonl"),
        (seed_records.GEMINI,),
        ('{"id":"{n}","type":"user","content":"x"}\n',),
    ),
    Parser(
        "gemini chat",
        _transcript("session-y.json"),
        ('{"sessionId":"s","projectHash":"h","messages":[{"id":"1","type":"user","content":"x"}]}',),
    ),
    *(
        Parser(f"{agent} transcript", _transcript(PLACES[agent]), (lines(LOGS[agent]),), (lines(LOGS[agent][-1:]),))
        for agent in LOGS
    ),
    Parser("copilot title", _title, ("id: x\nname: why: it fails\n", "name: |-\n  a\n  b\n"), ("name: ", "  a\n", '"')),
    Parser(
        "kimi state",
        _beside(PLACES["kimi"], _KIMI_STATE, lines(LOGS["kimi"])),
        (json.dumps({"title": "a", "cwd": "/home/u/api"}),),
        ('{"title": ', "["),
    ),
)
"""All of them."""
