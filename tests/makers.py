"""Small transcripts and memories made for a test, in the form that Claude Code writes."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON

Turn = tuple[str, str]
"""Who speaks (`user`, `assistant`, or a tool's name with its target) and what."""


def session_id_of(number: int) -> str:
    """A session id that looks like one and is the same at each run."""
    return str(uuid.UUID(int=number + (0xA11CE << 96)))


def records(
    session_id: str,
    turns: Iterable[Turn],
    *,
    start: datetime = NOON,
    cwd: str = "/home/u/api",
    seed: str = "",
    step: timedelta = timedelta(minutes=1),
) -> list[dict[str, Any]]:
    """The records of a transcript, a minute apart, each with the one before as its parent."""
    made: list[dict[str, Any]] = []
    parent: str | None = None
    for position, (speaker, text) in enumerate(turns):
        own = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{session_id}/{seed}/{position}"))
        record: dict[str, Any] = {
            "uuid": own,
            "parentUuid": parent,
            "sessionId": session_id,
            "timestamp": (start + position * step).isoformat().replace("+00:00", "Z"),
            "cwd": cwd,
            "gitBranch": "main",
            "version": "2.1.0",
            "isSidechain": False,
            "userType": "external",
        }
        if speaker == "user":
            record |= {"type": "user", "message": {"role": "user", "content": text}}
        else:
            block: dict[str, Any] = {"type": "text", "text": text}
            if speaker != "assistant":
                block = {"type": "tool_use", "id": f"t{position}", "name": speaker, "input": {"file_path": text}}
            message = {"role": "assistant", "id": f"m{position}", "model": "claude-x", "content": [block]}
            record |= {"type": "assistant", "message": message}
        made.append(record)
        parent = own
    return made


def write_transcript(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    """The records as a transcript file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


def transcript(environment: Environment, number: int, turns: Sequence[Turn], **options: Any) -> Path:
    """A transcript in the agent's own folder, named by its session."""
    own = session_id_of(number)
    path = environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
    return write_transcript(path, records(own, turns, **options))


def sub_agent(main: Path, turns: Sequence[Turn], *, start: datetime) -> Path:
    """The transcript of a sub-agent of the session whose own is at `main`."""
    rows = [{**row, "isSidechain": True} for row in records(main.stem, turns, start=start, seed="aside")]
    return write_transcript(main.parent / main.stem / "subagents" / "agent-1.jsonl", rows)


def bench_at(environment: Environment, name: str = "entity", root: Path | None = None) -> Workbench:
    """A new memory of the layout, set up, with a clock that stands still."""
    roots = {"user": environment.claude, "claude-project": environment.claude / "projects" / "-home-u-api"}
    layout = make_layout(root or roots.get(name, environment.cwd), name)  # type: ignore[arg-type]
    bench = Workbench.at(LocatedMemory(layout, "made for a test"), environment, lambda: NOON)
    bench.initialise()
    return bench


def tree(root: Path) -> dict[str, bytes]:
    """Every file below `root` and its bytes."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def write_files(root: Path, files: Mapping[str, str]) -> None:
    """Write files below `root`, with the folders that they lie in."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def used_here(bench: Workbench) -> Workbench:
    """The memory as one that was changed on this machine before."""
    (bench.store.state / "journal").mkdir(parents=True, exist_ok=True)
    return bench
