"""Count the functions and modules of our own through which a verb runs, as a measure of how far a reader has to walk.

    python -m tests.qa.flows [FLOW...] [--modules]

Each flow runs once unmeasured, on another session, so that what a process does only once is not counted. A function
counts when its file lies in `recall_tui/`; comprehensions and lambdas do not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from recall_tui.agents.hook_protocol import parse_event
from recall_tui.environment import Environment
from recall_tui.storage.layout import LocatedMemory, make_layout
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.makers import records

PACKAGE = str(Path(__file__).parents[2] / "recall_tui") + os.sep
MESSAGES = 12
TURNS = ("why did we pick jwt for the api?", "Because the api is stateless. We decided to rotate the keys each week.")


class Walk:
    """The calls of a flow, by code object."""

    def __init__(self) -> None:
        self.calls: Counter[CodeType] = Counter()
        self.depth = 0

    @contextmanager
    def recording(self) -> Iterator[None]:
        """Record each call into the package, in this thread and those that it starts."""
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)
            threading.setprofile(None)  # type: ignore[arg-type]

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE) and not code.co_name.startswith("<"):
            self.calls[code] += 1

    @property
    def modules(self) -> list[str]:
        """Files below the package, each once."""
        return sorted({code.co_filename.removeprefix(PACKAGE) for code in self.calls})


class Site:
    """A memory with a few sessions, in a home of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        home = folder / "home"
        home.mkdir(parents=True)
        self.environment = Environment(home, home, {"HOME": str(home), "XDG_STATE_HOME": str(folder / "state")})
        self.memory = folder / "memory-root"
        self.count = 0
        bench = Workbench.at(
            LocatedMemory(make_layout(self.memory, "entity"), "made here"), self.environment, now=lambda: NOON
        )
        bench.initialise()
        bench.layout.memory_file.write_text("# Memory\n\n## Rules\n\n- deploy on Mondays\n")

    def opened(self) -> Workbench:
        """The workbench as a new process opens it."""
        return Workbench.open(self.memory, environment=self.environment, now=lambda: NOON)

    def transcript(self) -> Path:
        """A transcript that is not archived yet."""
        self.count += 1
        session = f"00000000-0000-4000-8000-{self.count:012d}"
        turns = [("user" if at % 2 == 0 else "assistant", f"{TURNS[at % 2]} ({at})") for at in range(MESSAGES)]
        path = self.environment.home / ".claude" / "projects" / "-home-u-api" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(one) + "\n" for one in records(session, turns)))
        return path


def _capture(site: Site) -> Callable[[], object]:
    path, bench = site.transcript(), site.opened()
    return lambda: bench.capture(path)


def _sync(site: Site) -> Callable[[], object]:
    bench = site.opened()
    bench.capture(site.transcript())
    return bench.sync


def _search(site: Site) -> Callable[[], object]:
    bench = site.opened()
    bench.capture(site.transcript())
    bench.sync()
    bench.search("which key rotation", sync=False)
    return lambda: bench.search("why jwt for the api", limit=3, sync=False)


def _hook(event: str) -> Callable[[Site], Callable[[], object]]:
    def prepared(site: Site) -> Callable[[], object]:
        bench = site.opened()
        bench.capture(site.transcript())
        bench.sync()
        path = site.transcript()
        fields = {"hook_event_name": event, "session_id": path.stem, "transcript_path": str(path), "prompt": TURNS[0]}
        said = parse_event(json.dumps({**fields, "cwd": str(site.memory)}).encode(), site.environment.env)
        assert said is not None
        return lambda: bench.hooks.react(said)

    return prepared


FLOWS: dict[str, Callable[[Site], Callable[[], object]]] = {
    "capture": _capture,
    "sync": _sync,
    "search": _search,
    "start": _hook("SessionStart"),
    "prompt": _hook("UserPromptSubmit"),
    "end": _hook("SessionEnd"),
}


def measured(name: str) -> Walk:
    """The walk of a flow, on a memory of its own."""
    with tempfile.TemporaryDirectory() as folder:
        site = Site(Path(folder))
        FLOWS[name](site)()
        do, walk = FLOWS[name](site), Walk()
        with walk.recording():
            do()
    return walk


def main() -> None:
    """Print functions, calls and modules of each flow."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("flows", nargs="*", metavar="FLOW", help=", ".join(FLOWS))
    parser.add_argument("--modules", action="store_true", help="name the modules, with their functions and calls")
    asked = parser.parse_args()
    print(f"{'flow':10}{'functions':>10}{'calls':>8}{'modules':>9}")
    for name in asked.flows or FLOWS:
        walk = measured(name)
        print(f"{name:10}{len(walk.calls):10}{sum(walk.calls.values()):8}{len(walk.modules):9}")
        if asked.modules:
            for module in walk.modules:
                own = {code.co_name: n for code, n in walk.calls.items() if code.co_filename == PACKAGE + module}
                print(f"  {module}: {', '.join(f'{key} {n}' for key, n in sorted(own.items()))}")


if __name__ == "__main__":
    main()
