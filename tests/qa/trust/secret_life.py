"""Sessions full of planted secrets, led through the whole life of a memory, and everything that it says on the way.

Every step is a process, as a person or an agent starts it; nothing is looked at before the last of them has ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.features.consolidation import compact as compacting
from recall_tui.features.curation.remember import remember
from recall_tui.features.summaries import synthesize
from recall_tui.workbench import Workbench
from tests.hooks import called, said, settled
from tests.makers import bench_at, session_id_of
from tests.processes import Machine
from tests.qa.trust.planted import SPLIT, Plant
from tests.qa.trust.secret_sessions import as_claude, as_codex, as_gemini, as_others

PLANTS_A_SESSION = 40
"""Plants in a session."""
_FEW = 12
"""Plants that are also put in a prompt on which a hook is called."""


@dataclass
class Life:
    """A memory that has lived through sessions, and what was said on the way."""

    machine: Machine
    bench: Workbench
    transcripts: list[Path] = field(default_factory=list)
    others: list[Path] = field(default_factory=list)
    """Files of agents whose transcripts are not read."""
    said: dict[str, str] = field(default_factory=dict)
    """What each command and each hook printed on both streams."""

    @property
    def out(self) -> Path:
        """The folder of what was exported."""
        return self.machine.environment.home / "out"

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
    environment = Environment(home=home, cwd=cwd, env={"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench = bench_at(environment, layout)
    life = Life(Machine(environment, bench.layout.root), bench)
    life.out.mkdir()
    for number, at in enumerate(range(0, len(plants), PLANTS_A_SESSION), 1):
        some = plants[at : at + PLANTS_A_SESSION]
        life.transcripts.append(as_claude(some, number, environment.claude / "projects" / "-home-u-api"))
        life.transcripts.append(as_codex(some, number, environment.codex))
        life.transcripts.append(as_gemini(some, number, environment.gemini))
    life.others = as_others(plants, folder / "others")
    return life


def captured(folder: Path, plants: Sequence[Plant], layout: str) -> Life:
    """A memory of any layout into which every session was taken, and a page made of all that can be."""
    life = begun(folder, plants, layout)
    bench = life.bench
    for path in life.transcripts:
        bench.capture(path)
    bench.sync()
    bench.apply(remember, "The shop is settled.")
    made = synthesize.draft_master(bench.store)
    if not made.is_same:
        bench.apply(lambda _: synthesize.plan_master(bench.store, made))
    bench.apply(compacting.compact)
    bench.sync()
    for form in ("md", "html", "json"):
        bench.export(None, life.out / f"all.{form}")
    life.said["window"] = repr(bench.window)
    life.said["rows"] = repr(bench.rows)
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
    life.run("archive", *map(str, life.others))
    life.run("add", str(life.others[-1]))
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
    ("report", "--since", "2020-01-01"),
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
