"""Programs that are not ours write into the files of a memory while every verb that writes is at work on it.

Each round one of them writes a line, with random pauses, into a file that a verb is about to change, and the verb
begins at a random moment of that; in every other round somebody with another state folder remembers something at the
same time. The lines that either side was told are written, by an exit code of 0 or a close that succeeded, are looked
for in every file, and in the journals for what a verb took out knowingly.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from recall_tui.domain import LayoutName
from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import LAYOUT_NAMES, LocatedMemory, make_layout
from recall_tui.workbench import Workbench, local_now
from tests import hooks
from tests.makers import records, session_id_of, write_transcript
from tests.processes import Machine
from tests.qa.trust.other_program import KINDS

ROUNDS_EACH = 50
"""Rounds on one memory."""
PROCESS_EVERY = 20
"""Rounds after which the verb runs in a process of its own."""
LONGEST_PAUSE_SECONDS = 0.02
LATEST_BEGIN_SECONDS = 0.05
AGENTS = ".codex/AGENTS.md"
ERASING = ("forget", "redact")
REMOVING = (*ERASING, "undo", "redo", "distill", "consume --clear")
"""Verbs that take lines out of a memory because they were asked to."""
SECRET = "AKIA" + "QZ7WHGXTN4RPLM2V"


@dataclass(slots=True)
class Outcome:
    """What came of the rounds."""

    rounds: int = 0
    two_states: int = 0
    processes: int = 0
    verbs: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    """Verbs that ended with another code than 0, and said so."""
    reasons: Counter[str] = field(default_factory=Counter)
    """What was said then."""
    writers: Counter[str] = field(default_factory=Counter)
    gave_up: int = 0
    """Lines that the other program did not write, and knows it."""
    theirs: int = 0
    ours: int = 0
    beside: int = 0
    """Lines that are in a `.saved-` file."""
    in_journal: list[str] = field(default_factory=list)
    """Lines that a verb took out knowingly."""
    lost: list[str] = field(default_factory=list)
    troubles: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Files that stand beside others when all is done."""


class Helper:
    """A process that answers one line of JSON with another."""

    def __init__(self, machine: Machine, module: str, *words: str) -> None:
        line = [sys.executable, "-P", "-m", f"tests.qa.trust.{module}", *words]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(line, env=machine.env, cwd=machine.environment.cwd, stdin=pipe, stdout=pipe)

    def ask(self, **told: object) -> None:
        """Say what is to be done."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(told).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """Wait for what came of it."""
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> None:
        """Let it end."""
        self.process.communicate()


def attacked(folder: Path, rounds: int, seed: str) -> Outcome:
    """Run the rounds, some dozens on each memory, one layout after the other."""
    outcome = Outcome()
    for number in range(0, rounds, ROUNDS_EACH):
        name = LAYOUT_NAMES[number // ROUNDS_EACH % len(LAYOUT_NAMES)]
        place = folder / str(number)
        place.mkdir(parents=True)
        Attack(place, name, f"{seed} {number}", outcome).run(min(ROUNDS_EACH, rounds - number))
    return outcome


class Attack:
    """Rounds on one memory."""

    def __init__(self, folder: Path, name: LayoutName, seed: str, outcome: Outcome) -> None:
        self.outcome, self.name, self.seed = outcome, name, seed
        self.chance = random.Random(seed)
        self.bench = memory(folder, name)
        environment = self.bench.store.environment
        self.machine = Machine(environment, self.bench.layout.root)
        self.other_state = Machine(
            environment._replace(env={**environment.env, "RECALL_STATE": str(folder / "other")}), self.machine.root
        )
        home, root = str(environment.home), str(self.bench.layout.root)
        self.runners = [
            Helper(one, "command_runner", home, one.environment.env["RECALL_STATE"], root)
            for one in (self.machine, self.other_state)
        ]
        self.stranger = Helper(self.machine, "other_program")
        self.words: dict[str, str] = {}
        """Every line that was told to be written, and by whom."""
        self.kept: set[str] = set()
        """Those that were in a journal."""
        self.gone: dict[str, tuple[str, str]] = {}
        """Those that are in no file now: the verb of the round in which they went, and the round."""
        self.sessions = iter(range(1, 10_000))
        self.verbs = dict(_verbs(self))

    def run(self, rounds: int) -> None:
        """Run them all, then look for every line."""
        self._prepare()
        for number in range(rounds):
            self._round(number)
        for runner in self.runners:
            self._call(runner, ("log", "the last entry"))
        self._look()
        for one in (*self.runners, self.stranger):
            one.end()

    def _round(self, number: int) -> None:
        chance, outcome = self.chance, self.outcome
        verb = list(self.verbs)[(number + chance.randrange(2)) % len(self.verbs)]
        words, stdin, ours, targets = self.verbs[verb]()
        if verb in ERASING:
            self._look_at_journals()
        target = chance.choice([path for path in targets if path.is_file()] or [self.bench.layout.memory_file])
        kind, word = chance.choice(list(KINDS)), f"theirs{len(self.words)}x{number}y"
        delays = [chance.uniform(0, LONGEST_PAUSE_SECONDS) for _ in range(60)]
        self.stranger.ask(kind=kind, path=str(target), word=word, delays=delays)
        time.sleep(chance.uniform(0, LATEST_BEGIN_SECONDS))
        is_shared = bool(number % 2)
        if is_shared:
            other = f"ours{len(self.words)}x{number}z"
            self.runners[1].ask(words=["remember", f"The container says {other}"], stdin="")
        if number % PROCESS_EVERY == PROCESS_EVERY - 1 and verb != "hook":
            code = self.machine.run(*words, stdin=stdin.encode()).code
            outcome.processes += 1
        else:
            code = self._call(self.runners[0], words, stdin)
        if is_shared and self._code(self.runners[1].answer(), ("remember",)) == 0:
            self.words[other] = (
                f"round {number} ({self.name}): remember in the other state beside {verb}, {kind} on {target.name}"
            )
        told = f"round {number} ({self.name}): {verb}, {kind} on {target.name}"
        if self.stranger.answer():
            self.words[word] = told
            outcome.theirs += 1
        else:
            outcome.gave_up += 1
        if code == 0:
            self.words |= dict.fromkeys(ours, told)
        outcome.ours += len(ours) * (code == 0) + is_shared
        outcome.rounds += 1
        outcome.two_states += is_shared
        outcome.verbs[verb] += 1
        outcome.refused[verb] += code != 0
        outcome.writers[kind] += 1
        self._look_at_files(verb, told)

    def _call(self, runner: Helper, words: Sequence[str], stdin: str = "") -> int:
        runner.ask(words=list(words), stdin=stdin)
        return self._code(runner.answer(), words)

    def _code(self, answered: tuple[int, str], words: Sequence[str]) -> int:
        code, said = answered
        if code and words[0] != "doctor":
            self.outcome.reasons[
                f"{' '.join(words[:2])[:30]}: {said.strip().splitlines()[-1][:100] if said.strip() else code}"
            ] += 1
        if "Traceback" in said or "panicked" in said:
            self.outcome.troubles.append(f"{' '.join(words)[:80]}: exit {code}: {said[-800:]}")
        return code

    def _prepare(self) -> None:
        """Something of everything that verbs work on."""
        for words in (
            ("log", "the first entry"),
            ("wiki", "stub", "page-a", "--category", "entity", "--lede", "It is so."),
            ("wiki", "stub", "page-b", "--category", "entity", "--lede", "It is so too."),
            ("remember", "a note", "--topic", "debugging"),
            ("archive", str(self.transcript()[0])),
            ("compact", "weekly", "--yes"),
        ):
            self._call(self.runners[0], words)
        agents = self.bench.store.environment.home / AGENTS
        agents.parent.mkdir()
        agents.write_text("# Mine\n\n- be kind\n" * 4)

    def transcript(self) -> tuple[Path, str, list[str]]:
        """A session, its id and the words that were said in it."""
        number = next(self.sessions)
        own, words = session_id_of(number), [f"said{number}x{turn}y" for turn in range(4)]
        said = [("assistant" if turn % 2 else "user", f"the {word} of it") for turn, word in enumerate(words)]
        rows = records(own, said, start=local_now() - timedelta(minutes=9), cwd=str(self.machine.root))
        path = self.machine.environment.claude / "projects" / "-home-u-api" / f"{own}.jsonl"
        return write_transcript(path, rows), own, words

    def _look_at_journals(self) -> None:
        """Note which lines the journals have, before a verb takes something out of them for ever."""
        journals = [
            self.bench.journal,
            Workbench.at(LocatedMemory(self.bench.layout, ""), self.other_state.environment).journal,
        ]
        text = "\n".join(text for journal in journals for _, path, text in journal.contents() if path)
        self.kept |= {word for word in self.words if word in text}

    def _look_at_files(self, verb: str, told: str) -> None:
        """Note which lines went in a round; some come back, for what a program wrote over is put back later."""
        there = "\n".join(map(read_text, self._files()))
        for word in self.words:
            if word in there:
                self.gone.pop(word, None)
            else:
                self.gone.setdefault(word, (verb, told))

    def _files(self) -> list[Path]:
        files = [path for path in self.bench.store.environment.home.rglob("*") if path.is_file()]
        return [path for path in files if path.suffix not in (".jsonl", ".json", ".old")]

    def _look(self) -> None:
        self._look_at_journals()
        self._look_at_files("log", "the last round")
        beside = "\n".join(read_text(path) for path in self._files() if ".saved-" in path.name)
        self.outcome.beside += sum(word in beside for word in self.words)
        for word, (verb, when) in self.gone.items():
            is_taken = word in self.kept and verb in REMOVING
            told = f"{word}: {self.words[word]}; went in {when}"
            (self.outcome.in_journal if is_taken else self.outcome.lost).append(told)
        home = self.bench.store.environment.home
        self.outcome.left += [
            str(path) for path in home.rglob(".recall*") if path.suffix not in (".toml", ".json") and path.is_file()
        ]


def memory(folder: Path, name: LayoutName) -> Workbench:
    """A memory of a layout, with a home around it."""
    home = folder / "home"
    root = {"user": home / ".claude", "claude-project": home / ".claude" / "projects" / "-home-u-api"}.get(
        name, home / "agent"
    )
    root.mkdir(parents=True)
    (home / ".claude").mkdir(exist_ok=True)
    environment = Environment(home, root, {"RECALL_STATE": str(folder / "state"), "HOME": str(home)})
    bench = Workbench.at(LocatedMemory(make_layout(root, name), "made"), environment, local_now)
    bench.initialise()
    sections = "".join(f"## Part {n}\n\n" + f"- what is known of {n}\n" * 34 + "\n" for n in range(6))
    bench.layout.memory_file.write_text(f"# Memory\n\n{sections}", encoding="utf-8")
    return bench


Made = tuple[Sequence[str], str, list[str], list[Path]]


def _verbs(attack: Attack) -> Iterator[tuple[str, Callable[[], Made]]]:
    """Every verb that writes: its words, what it reads from stdin, the lines it is told, and files that it changes."""
    layout, chance = attack.bench.layout, attack.chance
    home = attack.bench.store.environment.home
    memory_file, window, rows = [layout.memory_file], [layout.window], [layout.rows]
    number = iter(range(1, 100_000))

    def pages() -> list[Path]:
        return sorted(layout.wiki.glob("*.md")) if layout.wiki.is_dir() else []

    def days() -> list[Path]:
        return sorted(layout.days.glob("????-??-??.md"))

    def word() -> str:
        return f"ours{next(number)}w{chance.randrange(1 << 30)}v"

    def plain(*words: str, on: list[Path]) -> Callable[[], Made]:
        return lambda: (words, "", [], on)

    def remember() -> Made:
        one = word()
        return ("remember", f"The matter is called {one}"), "", [one], memory_file

    def topic() -> Made:
        one = word()
        return ("remember", f"It is {one}", "--topic", "debugging"), "", [one], [layout.topics / "debugging.md"]

    def log() -> Made:
        one = word()
        return ("log", f"We did {one}"), "", [one], days()

    def archive() -> Made:
        path, _, said = attack.transcript()
        is_kept = bool(layout.archives)
        return ("archive", str(path)), "", said if is_kept else [], [*window, *rows, *days()]

    def checkpoint() -> Made:
        path, _, said = attack.transcript()
        return ("checkpoint", str(path)), "", said if layout.archives else [], [*rows, *days()]

    def hook() -> Made:
        path, own, _ = attack.transcript()
        told = hooks.said("SessionEnd", own, path, cwd=str(layout.root))
        return ("hook",), json.dumps(told), [], [*window, *rows, *days()]

    def append() -> Made:
        one = word()
        words = ("wiki", "append", "page-a", "--source", "MEMORY.md", "--body", f"It says {one}.")
        return words, "", [one], [layout.wiki / "page-a.md", *pages()]

    def stub() -> Made:
        return ("wiki", "stub", f"page-{next(number)}", "--category", "entity", "--lede", "New."), "", [], pages()

    def rename() -> Made:
        old = [path.stem for path in pages() if path.stem.startswith("page-") and path.stem not in ("page-a", "page-b")]
        return ("wiki", "rename", chance.choice(old or ["page-b"]), f"page-{next(number)}", "--yes"), "", [], pages()

    def redact() -> Made:
        attack._call(attack.runners[0], ("remember", f"the key is {SECRET}"))
        return ("redact", "--yes"), "", [], memory_file

    def forget() -> Made:
        path, own, _ = attack.transcript()
        attack._call(attack.runners[0], ("archive", str(path)))
        # What stands in the window below a session's head goes with the session.
        return ("forget", own, "--yes"), "", [], [*rows, *memory_file]

    def take_in() -> Made:
        one = word()
        note = home / f"note-{next(number)}.md"
        note.write_text(f"# A note\n\n- {one}\n")
        return ("import", str(note), "--yes"), "", [one], memory_file

    yield "remember", remember
    yield "remember --topic", topic
    yield "log", log
    yield "archive", archive
    yield "checkpoint", checkpoint
    yield "hook", hook
    yield "promote", plain("promote", on=window)
    yield "consume --clear", plain("consume", "--clear", on=window)
    yield "distill", plain("distill", "--apply", "all", on=memory_file)
    yield "compact weekly", plain("compact", "weekly", "--yes", "--edited", on=sorted(layout.weekly.glob("*.md")))
    yield "compact memory", plain("compact", "memory", "--yes", on=memory_file)
    yield "synthesize", plain("synthesize", "--yes", on=[layout.master])
    yield "wiki append", append
    yield "wiki stub", stub
    yield "wiki rename", rename
    yield "wiki rebuild", lambda: (("wiki", "rebuild", "page-a", "--yes"), "", [], pages())
    yield "wiki knowledge-map", plain("wiki", "knowledge-map", on=[layout.wisdom])
    yield "review", plain("review", "accept", "--safe", on=memory_file)
    yield "undo", plain("undo", on=[*memory_file, *window])
    yield "redo", plain("redo", on=[*memory_file, *window])
    yield "redact", redact
    yield "forget", forget
    yield "doctor --fix", plain("doctor", "--fix", on=[*rows, *window])
    yield "import", take_in
    yield (
        "config set",
        lambda: (("config", "set", "search.sigma_days", str(20 + next(number) % 20)), "", [], memory_file),
    )
    yield "install", plain("install", "codex", "--scope", "user", "--yes", on=[home / AGENTS])
    yield "uninstall", plain("uninstall", "codex", "--scope", "user", "--yes", on=[home / AGENTS])
