"""Planted secrets as sessions of each agent: in what was said, called, read and written, and in names of things.

Of agents whose transcripts are not read there are files too, which whoever is handed them says no word of.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from tests.makers import session_id_of
from tests.qa.trust.planted import SPLIT, Plant
from tests.transcripts.codex_samples import START as CODEX_START
from tests.transcripts.codex_samples import Rollout, id_at
from tests.transcripts.gemini_samples import chat, lines, opening, tool
from tests.transcripts.writing import Log, call, result, text


def as_claude(plants: Sequence[Plant], number: int, folder: Path) -> Path:
    """A session of Claude Code in which the plants were said, read and written."""
    log = Log(session=session_id_of(number))
    titles = [plant for plant in plants if plant.carrier == "title"]
    branches = [plant for plant in plants if plant.carrier == "branch"]
    branch = branches[0].text if branches else "main"
    log.user("Help me with the deployment of the shop.")
    for place, plant in enumerate(plants):
        _say(log, plant, f"t{place}")
    log.agent(text("All of it is done."), gitBranch=branch)
    for plant in titles:
        log.plain(type="custom-title", customTitle=" ".join(plant.text.split()), sessionId=log.session)
        log.plain(type="summary", summary=plant.text, leafUuid=log.last)
    if folders := [plant.text.rpartition("/")[0] for plant in plants if plant.carrier == "file-path"]:
        log.lines = [line.replace("/home/u/api", folders[0]) for line in log.lines]
    return log.write(folder / f"{log.session}.jsonl")


def _say(log: Log, plant: Plant, id_: str) -> None:
    first, *more = plant.text.split(SPLIT)
    match plant.carrier:
        case "reply" | "reply-fenced":
            log.agent(text(first))
        case "split-blocks":
            log.agent(text(first), *map(text, more))
            log.user([text(first), *map(text, more)])
        case "tool-input" | "url-query":
            log.agent(call(id_, "Bash", command=first, description="Set up"))
            log.user([result(id_, "done")])
        case "file-path":
            log.agent(call(id_, "Read", file_path=first))
            log.user([result(id_, f"{first}: no such file", is_error=True)])
        case "prompt" | "prompt-many-lines" | "title" | "branch":
            log.user(first, gitBranch=first if plant.carrier == "branch" else "main")
        case _:
            log.agent(call(id_, "Bash", command="cat settings"))
            log.user([result(id_, first)], toolUseResult={"stdout": first, "stderr": "", "interrupted": False})
    log.agent(text("That is settled now."))


def as_codex(plants: Sequence[Plant], number: int, folder: Path) -> Path:
    """A session of Codex in which the plants were said, read and written."""
    log = Rollout(session=id_at(CODEX_START, number)).meta().turn("t1").user("Help me with the shop.")
    for place, plant in enumerate(plants):
        first, *more = plant.text.split(SPLIT)
        match plant.carrier:
            case "reply" | "reply-fenced":
                log.agent(first)
            case "prompt" | "prompt-many-lines" | "title" | "branch" | "split-blocks":
                log.user(first, *more)
            case "tool-input" | "url-query" | "file-path":
                made = json.dumps({"command": ["bash", "-lc", first]})
                log.item("function_call", name="shell", arguments=made, call_id=f"c{place}")
                log.item("function_call_output", call_id=f"c{place}", output="done")
            case _:
                made = json.dumps({"command": ["cat", "settings"]})
                log.item("function_call", name="shell", arguments=made, call_id=f"c{place}")
                log.item("function_call_output", call_id=f"c{place}", output=json.dumps({"output": first}))
        log.agent("That is settled now.")
    return log.write(folder / "sessions" / "2026" / "03" / "06")


def as_gemini(plants: Sequence[Plant], number: int, folder: Path) -> Path:
    """A session of Gemini CLI in which the plants were said, read and written."""
    session = gemini_id(number)
    titles = [" ".join(plant.text.split()) for plant in plants if plant.carrier == "title"]
    records = [opening(session, summary=(titles or ["The shop"])[0])]

    def say(kind: str, content: str, **more: object) -> None:
        at = f"2026-03-06T09:{len(records) // 60:02d}:{len(records) % 60:02d}.000Z"
        records.append({"id": f"m{len(records)}", "timestamp": at, "type": kind, "content": content, **more})

    say("user", "Help me with the shop.")
    for plant in plants:
        first, *more = plant.text.split(SPLIT)
        match plant.carrier:
            case "reply" | "reply-fenced":
                say("gemini", first, model="gemini-x")
            case "prompt" | "prompt-many-lines" | "title" | "branch" | "split-blocks":
                for part in (first, *more):
                    say("user", part)
            case "tool-input" | "url-query":
                done = tool({"output": "done"}, name="run_shell_command", command=first)
                say("gemini", "", model="gemini-x", toolCalls=[done])
            case "file-path":
                failed = tool({"error": f"{first}: no such file"}, status="error", absolute_path=first)
                say("gemini", "", model="gemini-x", toolCalls=[failed])
            case _:
                say("gemini", "", model="gemini-x", toolCalls=[tool({"output": first}, absolute_path="settings")])
        say("gemini", "That is settled now.", model="gemini-x")
    return chat(folder / "tmp" / "api" / "chats", lines(*records), f"session-2026-03-06T09-00-{session[:8]}.jsonl")


def gemini_id(number: int) -> str:
    """The id of a session of Gemini CLI; its file is named by the beginning."""
    return f"9e31{number:04d}-0000-4000-8000-000000000001"


def as_others(plants: Sequence[Plant], folder: Path) -> list[Path]:
    """Files of Cursor, Windsurf and Aider with the plants in them; none of them is a transcript that is read."""
    folder.mkdir(parents=True, exist_ok=True)
    said = [plant.text.replace(SPLIT, "\n") for plant in plants]
    cursor, windsurf, aider = folder / "cursor.jsonl", folder / "windsurf.jsonl", folder / ".aider.chat.history.md"
    cursor.write_text("".join(json.dumps({"role": "user", "message": one}) + "\n" for one in said), encoding="utf-8")
    windsurf.write_text("".join(json.dumps({"step": one}) + "\n" for one in said), encoding="utf-8")
    aider.write_text("# aider chat started at 2026-03-06 09:00:00\n\n" + "\n".join(said), encoding="utf-8")
    return [cursor, windsurf, aider]
