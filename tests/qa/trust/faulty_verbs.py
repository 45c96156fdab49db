"""The verbs that are made to fail, each with a memory that it has everything to do in.

Everything lies at the same paths and is of the same bytes each time it is made.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from recall_tui.cli import hook_process
from recall_tui.cli.main import run
from recall_tui.domain import LayoutName
from recall_tui.domain.documents import SourceRef
from recall_tui.environment import Environment
from recall_tui.features.curation.distill import plan_suggestions as distilled
from recall_tui.features.wiki import page_changes
from recall_tui.features.wiki import rebuild as wiki_rebuild
from recall_tui.storage.documents.wiki_page import PageSource
from recall_tui.workbench import Workbench
from tests.conftest import NOON
from tests.days import write_days
from tests.hooks import said, settled
from tests.makers import Turn, bench_at, session_id_of, transcript, write_files
from tests.processes import CHECKOUT, Machine

PERSONS = {
    "MEMORY.md": "# Memory\n\n- Anna Berg decides on releases.\n- Never deploy on a Friday.\n",
    "people.md": "# People\n\n- Anna Berg sits in Kiel.\n",
}
_TALK: tuple[Turn, ...] = (("user", "Why does the login fail?"), ("assistant", "The token had expired."))
_LONG: tuple[Turn, ...] = (("user", "Show the whole log."), ("assistant", "A line of the log, again. " * 1_600))


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a memory lies, and all that belongs to it."""

    folder: Path
    layout: LayoutName

    @property
    def environment(self) -> Environment:
        """The person's places."""
        home = self.folder / "home"
        env = {"RECALL_STATE": str(self.folder / "state"), "HOME": str(home), "PYTHONPATH": str(CHECKOUT)}
        return Environment(home, self.folder / "work", env)

    @property
    def root(self) -> Path:
        """The memory's folder."""
        return self.environment.claude if self.layout == "user" else self.environment.cwd

    @property
    def machine(self) -> Machine:
        """What its processes are known by."""
        return Machine(self.environment, self.root)

    @property
    def bench(self) -> Workbench:
        """The memory, as it is when this is asked."""
        return Workbench.open(self.root, layout=self.layout, environment=self.environment, now=lambda: NOON)

    def made(self) -> Workbench:
        """A new memory."""
        self.environment.home.mkdir(parents=True)
        self.environment.cwd.mkdir()
        return bench_at(self.environment, self.layout)


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb, and the memory that it is called on."""

    name: str
    prepare: Callable[[Ground], object]
    words: tuple[str, ...]
    """Of the command line, with `{folder}` for where everything lies; for a hook its event."""
    layout: LayoutName = "entity"
    is_hook: bool = False
    is_undone: bool = False
    """Whether `undo` takes all that it does back."""
    of_index: bool = False
    """Whether it changes the index and no memory."""
    of_agents: bool = False
    """Whether it changes what agents have."""

    def call(self, ground: Ground) -> int:
        """Call it in this process; its exit code."""
        words = [word.format(folder=ground.folder) for word in self.words]
        root = str(ground.root)
        if not self.is_hook:
            return called(ground, *words)
        told = json.dumps(said(words[0], words[1], Path(words[2]), cwd=str(ground.environment.cwd), reason="other"))
        edge = hook_process.HookIO(ground.environment, lambda: NOON, told.encode, io.StringIO().write)
        hook_process.run(["hook", "--root", root], edge, 0.0)
        settled(ground.machine)
        return 0


def called(ground: Ground, *words: str) -> int:
    """Run a command on the memory in this process; its exit code."""
    return run(
        ["--root", str(ground.root), "--layout", ground.layout, *words],
        environment=ground.environment,
        now=lambda: NOON,
    )


def _filled(ground: Ground) -> Workbench:
    """A memory with two sessions and what a person wrote, and a third session that is nowhere yet."""
    bench = ground.made()
    for number in (1, 2):
        start = NOON - timedelta(days=3 - number)
        bench.capture(transcript(ground.environment, number, [*_TALK, *_LONG], start=start))
    write_files(bench.layout.memory_file.parent, PERSONS)
    if ground.layout != "user":
        window = bench.layout.window
        window.write_text("Ask Sam about the keys.\n\n" + window.read_text())
    transcript(ground.environment, 3, [*_TALK, ("Edit", "/home/u/api/auth.py"), ("assistant", "Mended.")], start=NOON)
    return bench


def _grown(ground: Ground) -> None:
    _filled(ground)
    more = [*_TALK, *_LONG, ("user", "And the other log?"), ("assistant", "That one as well. " * 2_000)]
    transcript(ground.environment, 2, more, start=NOON - timedelta(days=1))


def _user(ground: Ground) -> None:
    bench = _filled(ground)
    bench.layout.window.write_text("Ask Sam about the keys.\n")


def _heavy(ground: Ground) -> Workbench:
    bench = _filled(ground)
    parts = [
        f"## {name}\n\n" + "".join(f"- {name} holds rule {n}, which nobody may forget.\n" for n in range(40))
        for name in ("Billing", "Deployment", "Databases")
    ]
    bench.layout.memory_file.write_text("# Memory\n\n- Anna Berg decides.\n\n" + "\n".join(parts) + "\n## Later\n")
    return bench


def _distilled(ground: Ground) -> None:
    assert _heavy(ground).apply(distilled)


def _days(ground: Ground) -> Workbench:
    bench = ground.made()
    days = write_days(bench.store, date(2026, 1, 5), 35)
    days[8].write_text(days[8].read_text() + "\nLesson: never run migrations on a Friday, it takes 4 hours.\n")
    return bench


def _weeks(ground: Ground) -> None:
    bench = _days(ground)
    assert called(ground, "compact", "--yes") == 0
    path = bench.layout.days / "2026-01-12.md"
    path.write_text(path.read_text() + "\n- fixed the leak in src/pool.py\n")
    write_days(bench.store, date(2026, 2, 9), 14)


def _page(ground: Ground) -> None:
    bench = _filled(ground)
    days = {"2026-03-01": "for 14 days", "2026-03-05": "for 30 days now"}
    texts = {f"days/{day}.md": f"# {day}\n\n- Refresh tokens live {words}.\n- Lunch.\n" for day, words in days.items()}
    write_files(bench.layout.base, texts)
    first, second = (PageSource(SourceRef(f"memory/days/{day}.md")) for day in days)
    begun = page_changes.NewPage("refresh-tokens", "concept", first, "Refresh tokens", "How they live", "They live.")
    assert bench.apply(page_changes.stub, begun)
    assert bench.apply(page_changes.append, "refresh-tokens", "Refresh tokens live for 30 days now.", second)
    page = page_changes.open_wiki(bench.store).path("refresh-tokens")
    page.write_text(page.read_text() + "\n## Of a person's own\n\nAsk Sam first.\n")
    assert bench.preview(wiki_rebuild.rebuild, "refresh-tokens").edits


def _indexed(ground: Ground) -> None:
    bench = _filled(ground)
    bench.sync()
    transcript(ground.environment, 2, [*_TALK, *_LONG, ("user", "And now?")], start=NOON - timedelta(days=1))
    transcript(ground.environment, 4, [("user", "Where is the walrus?"), ("assistant", "It is gone.")], start=NOON)
    bench.layout.memory_file.write_text(bench.layout.memory_file.read_text() + "\n## Later\n\n- No more deploys.\n")


def _with_agent(ground: Ground) -> None:
    _filled(ground)
    theirs = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}, "model": "opus"}
    write_files(
        ground.environment.claude,
        {"settings.json": json.dumps(theirs, indent=2) + "\n", "CLAUDE.md": "# Mine\n\nBe brief.\n"},
    )


_SESSION = f"{{folder}}/home/.claude/projects/-home-u-api/{session_id_of(3)}.jsonl"
_GROWN = f"{{folder}}/home/.claude/projects/-home-u-api/{session_id_of(2)}.jsonl"

VERBS: Sequence[Verb] = (
    Verb("archive", _filled, ("archive", _SESSION), is_undone=True),
    Verb("archive, grown", _grown, ("archive", _GROWN), is_undone=True),
    Verb("archive, user", _user, ("archive", _SESSION), "user", is_undone=True),
    Verb("archive, hierarchical", _filled, ("archive", _SESSION), "hierarchical", is_undone=True),
    Verb("session end", _filled, ("SessionEnd", session_id_of(3), _SESSION), is_hook=True),
    Verb("commit", _heavy, ("distill", "--apply", "all"), is_undone=True),
    Verb("remember", _filled, ("remember", "Kiel has two offices.", "--topic", "people"), is_undone=True),
    Verb("undo", _distilled, ("undo",)),
    Verb("compact", _days, ("compact", "--yes"), "hierarchical", is_undone=True),
    Verb("compact, later", _weeks, ("compact", "--yes"), "hierarchical", is_undone=True),
    Verb("wiki append", _page, ("wiki", "append", "refresh-tokens", "--source", "memory/days/2026-03-05.md", "--body",
         "Sam turns them.")),
    Verb("wiki rebuild", _page, ("wiki", "rebuild", "refresh-tokens", "--yes"), is_undone=True),
    Verb("sync", _filled, ("sync",), of_index=True),
    Verb("sync, grown", _indexed, ("sync",), of_index=True),
    Verb("index", _indexed, ("index",), of_index=True),
    Verb("install", _with_agent, ("install", "claude", "--yes"), is_undone=True, of_agents=True),
)  # fmt: skip
