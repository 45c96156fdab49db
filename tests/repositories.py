"""Repositories made by git, and sessions of three agents in folders of a test's own machine."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from tests.conftest import NOON
from tests.makers import records, session_id_of, write_transcript

with_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *words: str) -> str:
    """Run git as on a machine without any settings of a person; what it says."""
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    who = ("-c", "user.name=t", "-c", "user.email=t@t", "-c", "protocol.file.allow=always")
    done = subprocess.run(["git", *who, *words], cwd=folder, env=env, check=True, capture_output=True)
    return done.stdout.decode()


def repository(folder: Path, url: str = "") -> Path:
    """A repository with one commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "--quiet")
    git(folder, "commit", "--quiet", "--allow-empty", "--message", "first")
    if url:
        git(folder, "remote", "add", "origin", url)
    return folder


def uncommitted(folder: Path) -> set[str]:
    """The files that git shows as changed or new, relative to the top of the repository."""
    said = git(folder, "status", "--porcelain", "-z", "--untracked-files=all")
    return {line[3:] for line in said.split("\0") if line}


def session(
    environment: Environment,
    agent: str,
    number: int,
    cwd: Path | str,
    word: str,
    *,
    start: datetime = NOON,
    turns: int = 2,
) -> Path:
    """A session of an agent in a folder, in which the word is said by both."""
    own, at = session_id_of(number), start.isoformat().replace("+00:00", "Z")
    talk = [(("user", "assistant")[n % 2], f"{word} number {number}, part {n}") for n in range(turns)]
    match agent:
        case "claude":
            slug = "".join(letter if letter.isalnum() else "-" for letter in str(cwd))
            path = environment.claude / "projects" / slug / f"{own}.jsonl"
            return write_transcript(path, records(own, talk, cwd=str(cwd), start=start))
        case "codex":
            path = environment.codex / "sessions" / "2026" / "03" / "06" / f"rollout-2026-03-06T10-00-00-{own}.jsonl"
            lines = [{"type": "session_meta", "payload": {"id": own, "cwd": str(cwd)}}]
            for who, text in talk:
                kind = "input_text" if who == "user" else "output_text"
                said = {"type": "message", "role": who, "content": [{"type": kind, "text": text}]}
                lines.append({"type": "response_item", "payload": said})
            return write_transcript(path, [{"timestamp": at, **line} for line in lines])
        case _:
            project = environment.gemini / "tmp" / f"p{number}"
            messages = [
                {"id": str(n), "timestamp": at, "type": "user" if who == "user" else "gemini", "content": text}
                for n, (who, text) in enumerate(talk)
            ]
            times = {"startTime": at, "lastUpdated": at}
            path = project / "chats" / f"session-2026-03-06T10-00-{own[-8:]}.json"
            path.parent.mkdir(parents=True)
            (project / ".project_root").write_text(str(cwd), encoding="utf-8")
            path.write_text(json.dumps({"sessionId": own, "projectHash": "abc", **times, "messages": messages}))
            return path


def holding(folder: Path, word: str) -> list[str]:
    """The files below a folder that hold the word, git's own left out."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file() and ".git" not in path.parts)
    return [path.relative_to(folder).as_posix() for path in found if word.encode() in path.read_bytes()]
