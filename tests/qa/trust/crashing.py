"""One verb made to fail at one operation after another, and what is left each time.

A process of its own, begun with the library of faults: it forks for every point, so that a point costs milliseconds.
It prints a line of JSON for each point that was reached, and at the end how many operations an undisturbed run has.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from recall_tui.cli.output import close_streams
from recall_tui.features.health import doctor
from recall_tui.storage.files.atomic import TEMPORARY_PATTERN
from tests.hooks import settled
from tests.index.contents import state_of
from tests.qa.trust import accounting, faults
from tests.qa.trust.accounting import Files, files_below, lines_of, messages_of
from tests.qa.trust.faults import EDITED, FAULTS, NONE, Fault, Point
from tests.qa.trust.faulty_verbs import VERBS, Ground, Verb, called

LONGEST_SECONDS = 60
WORDS = "\n- A person wrote this just then.\n"
_NO_STEP = "run with --verbose for the traceback"


@dataclass(frozen=True, slots=True)
class Ended:
    """A process that was forked and has ended."""

    code: int
    """Negative for the signal that killed it."""
    out: str
    err: str
    gave: Any = None
    """What it gave back."""


@dataclass(frozen=True, slots=True)
class Undisturbed:
    """What a verb does when nothing goes wrong."""

    before: Files
    after: Files
    messages: Any
    index: Any
    problems: list[str]
    operations: tuple[tuple[int, str], ...]
    """The kinds of its operations, and on which files."""

    @property
    def changed(self) -> list[str]:
        """The files that it changes."""
        return sorted(path for path in {*self.before, *self.after} if self.before.get(path) != self.after.get(path))


class Crashing:
    """A verb on a ground of its own in the folder."""

    def __init__(self, verb: Verb, folder: Path) -> None:
        self.verb = verb
        self.folder = folder
        self.ground = Ground(folder / "live", verb.layout)
        self.fresh = folder / "fresh"
        self.known: dict[str, dict[str, Any]] = {}
        """What is wrong with a memory as it was left by some point; one that was left the same is as good."""

    def forked(self, work: Callable[[], object], *, is_quiet: bool = True) -> Ended:
        """Do the work in a process of its own."""
        out, err, gave = (self.folder / name for name in ("out", "err", "gave"))
        gave.unlink(missing_ok=True)
        child = os.fork()
        if child == 0:
            signal.alarm(LONGEST_SECONDS)
            _to(out, 1), _to(err, 2)
            code = 70
            try:
                found = work()
                code = found if isinstance(found, int) else 0
                gave.write_text(json.dumps(found, default=str))
            except BaseException:
                traceback.print_exc()
            close_streams()
            os._exit(code)
        status = os.waitpid(child, 0)[1]
        text = gave.read_text() if gave.exists() else "null"
        code = os.waitstatus_to_exitcode(status)
        return Ended(code, _text(out), _text(err), json.loads(text or "null"))

    def prepared(self) -> None:
        """Make the memory, and keep it as it is now."""
        done = self.forked(lambda: self.verb.prepare(self.ground) and None)
        assert done.code == 0, done.err
        shutil.copytree(self.ground.folder, self.fresh, symlinks=True)

    def restored(self) -> None:
        """Have the memory as it was at first."""
        shutil.rmtree(self.ground.folder, ignore_errors=True)
        shutil.copytree(self.fresh, self.ground.folder, symlinks=True)

    def files(self, *, whole: bool = False) -> dict[str, bytes]:
        """Everything of the person's: memory, agents' files, transcripts; perhaps without temporary files."""
        found = files_below(self.ground.environment.home, self.ground.environment.cwd)
        return {
            path: data for path, data in found.items() if not (whole and TEMPORARY_PATTERN.fullmatch(Path(path).name))
        }

    def undisturbed(self) -> Undisturbed:
        """Run the verb, and count."""
        self.restored()
        self.warmed()
        self.restored()
        before = self.files()
        trace = self.folder / "trace"
        descriptor = os.open(trace, os.O_CREAT | os.O_TRUNC | os.O_RDWR, 0o600)
        done = self.attempted(Point(-1, NONE), descriptor)
        os.close(descriptor)
        assert done.code == 0, (done.out, done.err)
        operations = [line.partition(" ") for line in trace.read_text().splitlines()]
        facts = self.forked(self.facts).gave
        after = self.files()
        return Undisturbed(
            before, after, facts["messages"], facts["index"], facts["problems"],
            tuple((int(kind), path) for kind, _, path in operations),
        )  # fmt: skip

    def warmed(self) -> None:
        """Import here whatever the verb and the look at it import, so that no fork has to."""

        def work() -> list[str]:
            self.verb.call(self.ground)
            called(self.ground, "doctor", "--fix")
            called(self.ground, "undo")
            self.facts()
            return sorted(sys.modules)

        for name in self.forked(work).gave:
            with suppress(Exception):
                importlib.import_module(name)
        gc.freeze()

    def attempted(self, point: Point, trace: int = -1) -> Ended:
        """The verb in a process in which this goes wrong; it gives back whether that happened."""

        def work() -> int:
            faults.arm(self.ground.folder, point, trace)
            try:
                return self.verb.call(self.ground)
            finally:
                hit = faults.disarm()
                (self.folder / "hit").write_text(str(int(hit)))

        (self.folder / "hit").write_text("1" if point.fault.is_end else "0")
        return self.forked(work)

    def facts(self) -> dict[str, object]:
        """What there is to compare beside files; the search index only when the verb is about it."""
        bench = self.ground.bench
        index = repr(state_of(bench.index, bench.store)) if self.verb.of_index else ""
        messages = sorted(map(repr, messages_of(bench.store).elements()))
        return {"messages": messages, "index": index, "problems": self.problems()}

    def problems(self) -> list[str]:
        """What doctor finds; in agents only when the verb is about them."""
        bench = self.ground.bench
        found = bench.check() if self.verb.of_agents else doctor.run_checks(bench.store)
        return sorted(f"{one.kind}: {one.message}" for one in found)


def _to(path: Path, stream: int) -> None:
    descriptor = os.open(path, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    os.dup2(descriptor, stream)
    os.close(descriptor)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


class Aftermath:
    """What is to be true after a point, and what is not, in words."""

    def __init__(self, crashing: Crashing, whole: Undisturbed, point: Point, done: Ended) -> None:
        self.crashing = crashing
        self.verb = crashing.verb
        self.ground = crashing.ground
        self.whole = whole
        self.point = point
        self.done = done
        self.units = 0
        """Lines and messages that had to be there, and were looked for."""

    def found(self) -> Iterator[str]:
        """Everything that is wrong with what is left, when what the verb had begun in the background has ended."""
        if self.verb.is_hook:
            settled(self.ground.machine)
        if doctor.run_checks(self.ground.bench.store) or self.verb.of_agents:
            code = called(self.ground, "doctor", "--fix")
            if code not in (0, 1):
                yield f"doctor --fix ends with {code}"
        yield from self.consistent()
        yield from self.accounted()
        if self.point.fault is EDITED:
            yield from self.again_after_an_edit()
        else:
            yield from self.again()
        yield from self.consistent()
        if self.verb.is_undone and self.point.fault is not EDITED:
            yield from self.undone()

    def as_said(self) -> Iterator[str]:
        """How it ended, and whether that is what happened."""
        code, err = self.done.code, self.done.err
        if code < 0 or code == 70 or "Traceback" in err or "panicked at" in err:
            yield f"it ended with {code}: {err[-300:]}"
        elif self.verb.is_hook:
            if err or code:
                yield f"a hook said {err[-300:]!r} and ended with {code}"
        elif code == 0:
            if self.point.fault is not EDITED and self.crashing.files(whole=True) != self.whole.after:
                yield "it said that it was done, and it was not"
        elif not err.strip() or _NO_STEP in err:
            yield f"no next step: {err[-300:]}"

    def consistent(self) -> Iterator[str]:
        """No memory may be left with this."""
        yield from accounting.troubles(
            self.ground.bench.store, (self.ground.environment.home, self.ground.environment.cwd)
        )
        for one in self.crashing.problems():
            # Whose sessions a memory holds is no damage, and half of them are fewer.
            if one not in self.whole.problems and not one.startswith(("index: ", "projects: ")):
                yield f"doctor finds: {one}"

    def accounted(self) -> Iterator[str]:
        """Every line that was there and was to stay is there, and no file is half of anything."""
        now, whole = self.crashing.files(), self.whole
        wanted = lines_of(whole.before) & lines_of(whole.after)
        self.units += wanted.total()
        if lost := wanted - lines_of(now):
            yield f"lost: {lost.total()} lines, such as {next(iter(lost))[:80]!r}"
        if self.point.edited is None:
            layout = self.ground.bench.layout
            mended = {str(layout.rows), str(layout.window)}
            yield from accounting.halves(now, whole.before, whole.after, mended.__contains__)
        elif not self._holds_edit():
            yield f"a person's edit of {self.point.edited} is lost"

    def _holds_edit(self) -> bool:
        """Whether a person's words are there.

        An archive is made anew of a transcript that has grown; what somebody wrote into it `undo` gives back.
        """
        edited, store = self.point.edited, self.ground.bench.store
        if not lines_of({"": WORDS.encode()}) - lines_of(self.crashing.files()):
            return True
        is_archive = edited is not None and any(place.folder == edited.parent for place in store.layout.archives)
        return is_archive and any(WORDS in text for _, _, text in self.ground.bench.journal.contents())

    def again(self) -> Iterator[str]:
        """The verb once more comes to what it comes to when nothing goes wrong."""
        if self.verb.of_index or self.crashing.files() != self.whole.after:
            code = self.verb.call(self.ground)
            if code:
                yield f"the next run ends with {code}"
        now = self.crashing.files()
        if now != self.whole.after:
            other = [path for path in {*now, *self.whole.after} if now.get(path) != self.whole.after.get(path)]
            yield f"the next run comes to something else: {', '.join(sorted(other))}"
        facts = self.crashing.facts()
        self.units += len(self.whole.messages)
        for name in ("messages", "index"):
            if facts[name] != getattr(self.whole, name):
                yield f"the {name} are others than after an undisturbed run"

    def again_after_an_edit(self) -> Iterator[str]:
        """Whatever the next run makes of the edit, it says so, and the words stay."""
        code = self.verb.call(self.ground)
        if code not in (0, 1, 3):
            yield f"the next run ends with {code}"
        self.units += 1
        if not self._holds_edit():
            yield f"the next run loses a person's edit of {self.point.edited}"

    def undone(self) -> Iterator[str]:
        """Undo gives the old bytes."""
        if called(self.ground, "undo"):
            yield "undo fails"
        if self.crashing.files() != self.whole.before:
            yield "undo gives other bytes than there were"


def points(whole: Undisturbed, wanted: Sequence[Fault]) -> Iterator[Point]:
    """Every operation that each of the faults can befall; a person edits each of the files that the verb changes."""
    for fault in wanted:
        for at, (kind, path) in enumerate(whole.operations):
            if not kind & fault.befalls:
                continue
            if fault is not EDITED:
                yield Point(at, fault)
                continue
            # What touches other files is no matter: before it or after it is the same.
            if path in whole.changed:
                yield Point(at, fault, Path(path), WORDS)


def main(words: Sequence[str]) -> int:
    """Try the points of the verb named, all of them or one of so many, beginning with the place given."""
    name, every, begin, *wanted = words
    verb = next(one for one in VERBS if one.name == name)
    folder = faults.scratch()
    try:
        crashing = Crashing(verb, folder)
        crashing.prepared()
        whole = crashing.undisturbed()
        chosen = [fault for fault in FAULTS if not wanted or fault.name in wanted]
        every_point = list(points(whole, chosen))
        for point in every_point[int(begin) :: int(every)]:
            _tried(crashing, whole, point)
        _say({"operations": len(whole.operations), "points": len(every_point)})
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


def _tried(crashing: Crashing, whole: Undisturbed, point: Point) -> None:
    crashing.restored()
    done = crashing.attempted(point)
    was_killed = done.code == -signal.SIGKILL
    if not (was_killed if point.fault.is_end else (crashing.folder / "hit").read_text() == "1"):
        return
    aftermath = Aftermath(crashing, whole, point, done)
    said = [] if point.fault.is_end else list(aftermath.as_said())
    left = f"{accounting.fingerprint(crashing.ground.folder)} {point.edited}"
    if left not in crashing.known:
        crashing.known[left] = _looked_at(crashing, aftermath)
    result = crashing.known[left]
    result = {**result, "wrong": said + result["wrong"]}
    kind, path = whole.operations[point.at]
    where = f"{kind} {Path(path).relative_to(crashing.ground.folder)}"
    edited = "" if point.edited is None else str(point.edited.relative_to(crashing.ground.folder))
    _say({"fault": point.fault.name, "at": point.at, "on": where, "edited": edited, "code": done.code, **result})


def _looked_at(crashing: Crashing, aftermath: Aftermath) -> dict[str, Any]:
    """What is wrong with what is left, and how many units were looked for."""

    def looked() -> dict[str, object]:
        found = list(aftermath.found())
        return {"wrong": found, "units": aftermath.units}

    seen = crashing.forked(looked)
    return seen.gave or {"wrong": [f"the look at it ended with {seen.code}: {seen.err[-600:]}"], "units": 0}


def _say(value: object) -> None:
    print(json.dumps(value), flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
