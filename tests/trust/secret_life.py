"""Sessions full of planted secrets, led through the whole life of a memory, and everything that it says on the way.

Every step is a process, as a person or an agent starts it; nothing is looked at before the last of them has ended.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recall_tui.paths import Places
from recall_tui.workbench import Workbench
from tests.hooks import called, said, settled
from tests.makers import bench_at, session_id_of
from tests.processes import Machine
from tests.transcripts.test_codex import START as CODEX_START
from tests.transcripts.test_codex import Rollout, id_at
from tests.transcripts.writing import Log, call, result, text
from tests.trust.planted import SPLIT, Plant

PLANTS_A_SESSION = 40
"""Plants in a session."""
_FEW = 12
"""Plants that are also put in a prompt on which a hook is called."""


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


@dataclass
class Life:
    """A memory that has lived through sessions, and what was said on the way."""

    machine: Machine
    bench: Workbench
    transcripts: list[Path] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    """What each command and each hook printed on both streams."""

    @property
    def out(self) -> Path:
        """The folder of what was exported."""
        return self.machine.places.home / "out"

    def run(self, *words: str, stdin: bytes = b"") -> None:
        """Run a command and keep what it says."""
        ended = self.machine.run(*words, stdin=stdin)
        self.said[" ".join(words)] = ended.out.decode("utf-8", "replace") + ended.err

    def hook(self, event: str, session: str, transcript: Path, **more: object) -> None:
        """Call a hook and keep what it says."""
        answer = called(self.machine, said(event, session, transcript, **more))
        assert answer.is_sound(), answer
        name = f"hook {event} {len(self.said)}"
        self.said[name] = answer.out.decode() + answer.err.decode()


def begun(folder: Path, plants: Sequence[Plant], layout: str = "entity") -> Life:
    """A new memory below `folder`, and transcripts of every agent that is read with the plants in them."""
    home, cwd = folder / "home", folder / "work"
    home.mkdir()
    cwd.mkdir()
    places = Places(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench = bench_at(places, layout)
    life = Life(Machine(places, bench.layout.root), bench)
    life.out.mkdir()
    for number, at in enumerate(range(0, len(plants), PLANTS_A_SESSION), 1):
        some = plants[at : at + PLANTS_A_SESSION]
        life.transcripts.append(as_claude(some, number, places.claude / "projects" / "-home-u-api"))
        life.transcripts.append(as_codex(some, number, places.codex))
    return life


def hooked(life: Life, plants: Sequence[Plant]) -> None:
    """The first session as its hooks see it: started, asked, compacted, ended."""
    transcript = life.transcripts[0]
    life.hook("SessionStart", transcript.stem, transcript, source="startup")
    for plant in plants[:_FEW]:
        prompt = plant.text.replace(SPLIT, "\n")
        life.hook("UserPromptSubmit", transcript.stem, transcript, prompt=f"what did we say of the shop? {prompt}")
    life.hook("PreCompact", transcript.stem, transcript, trigger="auto", custom_instructions="")
    life.hook("Stop", transcript.stem, transcript, stop_hook_active=False)
    life.hook("SessionEnd", transcript.stem, transcript, reason="other")
    assert not settled(life.machine)


def lived(life: Life, plants: Sequence[Plant]) -> None:
    """Everything that a person does with a memory: capture, find, hand over, curate, take out."""
    life.run("archive", *map(str, life.transcripts))
    life.run("checkpoint", str(life.transcripts[2]))
    for plant in plants[:: len(plants) // 6]:
        line = " ".join(plant.text.replace(SPLIT, "\n").split())
        life.run("remember", f"The shop: {line}")
        life.run("log", f"Worked on the shop: {line}")
    for words in _COMMANDS:
        life.run(*words)
    for kind in ("md", "html", "json"):
        life.run("export", "--all", "--to", str(life.out / f"all.{kind}"), "--format", kind)
        life.run("export", session_id_of(1), session_id_of(2), "--to", str(life.out / f"two.{kind}"), "--format", kind)
        life.run("export", "--search", "settled shop", "--to", str(life.out / f"found.{kind}"), "--format", kind)
    for plant in plants[:: len(plants) // 6]:
        words = " ".join(plant.text.replace(SPLIT, "\n").split())
        # What a person asks comes back to the person; what is stored of the question is looked at.
        life.machine.run("search", "--ranked", words, "--json")
    life.run("doctor", "--deep")


_COMMANDS: tuple[tuple[str, ...], ...] = (
    ("sync",),
    ("index",),
    ("summarize", session_id_of(1), "--yes"),
    ("remember", "--session-end", session_id_of(2)),
    ("synthesize", "--yes"),
    ("compact", "all", "--yes"),
    ("dream",),
    ("review", "list", "--all"),
    ("review", "accept", "--safe"),
    ("wiki", "stub", "shop", "--category", "project"),
    ("wiki", "rebuild", "shop", "--yes"),
    ("wiki", "knowledge-map"),
    ("distill",),
    ("status",),
    ("dashboard",),
    ("consume", "--no-clear"),
    ("consume", "--no-clear", "--markers"),
    ("recall", "what did we settle for the shop", "--raw"),
    ("recall", "what did we settle for the shop"),
    ("recall",),
    ("search", "shop", "-C", "3"),
    ("search", "settings"),
    ("search", "--ranked", "settings of the shop", "--limit", "50", "--passages", "--explain"),
    ("search", "--ranked", "settings of the shop", "--limit", "50", "--passages", "--json"),
    ("search", "--ranked", "deployed password token key", "--limit", "50", "--json"),
    ("show", "1"),
    ("show", session_id_of(3)),
    ("show", session_id_of(4), "--json"),
    ("list", "all"),
    ("list", "all", "--json"),
    ("undo", "--list"),
    ("undo",),
    ("redo",),
    ("promote", "--context", "the shop"),
    ("ledger",),
    ("agents", "--log"),
    ("redact", "--check"),
    ("index", "status"),
)
