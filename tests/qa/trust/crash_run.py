"""Verbs made to fail, several at once, each in a process that was begun with the library of faults."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from tests.processes import CHECKOUT
from tests.qa.trust import faults
from tests.qa.trust.faults import Fault
from tests.qa.trust.faulty_verbs import VERBS, Verb
from tests.qa.trust.table import commit

_SHOWN = 20
"""Of what is wrong, how much is told of a verb."""


@dataclass(slots=True)
class Tried:
    """What came of one verb."""

    name: str
    operations: int = 0
    """Of an undisturbed run."""
    points: int = 0
    """That there are."""
    by_fault: Counter[str] = field(default_factory=Counter)
    """How many were reached and looked at."""
    units: int = 0
    wrong: list[str] = field(default_factory=list)
    survived: int = 0

    @property
    def tried(self) -> int:
        """Points that were reached."""
        return self.by_fault.total()

    def take(self, said: dict[str, Any]) -> None:
        """Count what the process says of a point, or at its end."""
        if "fault" not in said:
            self.operations, self.points = said["operations"], said["points"]
            return
        self.by_fault[said["fault"]] += 1
        self.units += said["units"]
        self.survived += not said["wrong"]
        where = f"{self.name}: {said['fault']} {said['edited']} at {said['at']} ({said['on']})"
        self.wrong += [f"{where}: {one}" for one in said["wrong"]]


def tried(
    verbs: Iterable[Verb] = VERBS,
    *,
    every: int = 1,
    begin: int = 0,
    wanted: Sequence[Fault] = (),
    at_once: int = 0,
    keep: Path | None = None,
) -> list[Tried] | None:
    """Try the verbs at all of their points, or at one of so many; None where no compiler makes the library.

    With `keep` what came of each verb is kept in that folder, and is not tried again at the same commit.
    """
    with tempfile.TemporaryDirectory() as folder:
        library = faults.built(Path(folder))
        if library is None:
            return None
        names = [one.name for one in wanted]
        with ThreadPoolExecutor(at_once or os.cpu_count() or 1) as pool:
            return list(pool.map(lambda verb: _kept(verb, library, every, begin, names, keep), verbs))


def _kept(verb: Verb, library: Path, every: int, begin: int, names: list[str], keep: Path | None) -> Tried:
    """What came of a verb, of an earlier run if there was one like this."""
    if keep is None:
        return _one(verb, library, every, begin, names)
    of_this = {"commit": commit(), "every": every, "begin": begin, "faults": names}
    path = keep / f"{verb.name}.json"
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if stored.get("of") == of_this:
        return Tried(**{**stored["found"], "by_fault": Counter(stored["found"]["by_fault"])})
    found = _one(verb, library, every, begin, names)
    told = {one.name: getattr(found, one.name) for one in fields(found)}
    keep.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"of": of_this, "found": told}, indent=1) + "\n", encoding="utf-8")
    return found


def _one(verb: Verb, library: Path, every: int, begin: int, names: Sequence[str]) -> Tried:
    line = [sys.executable, "-P", "-m", "tests.qa.trust.crashing", verb.name, str(every), str(begin), *names]
    env = {**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(CHECKOUT)}
    found = Tried(verb.name)
    with tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(line, env=env, cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=err, text=True)
        assert process.stdout is not None
        for said in process.stdout:
            found.take(json.loads(said))
        if process.wait():
            err.seek(0)
            found.wrong.insert(0, f"{verb.name}: not tried to the end: {err.read()[-2000:]}")
    by = ", ".join(f"{name} {count}" for name, count in found.by_fault.items())
    print(f"{verb.name}: {found.operations} operations, {found.tried} points tried ({by}), {len(found.wrong)} wrong")
    for one in found.wrong[:_SHOWN]:
        print(f"  {one}")
    return found
