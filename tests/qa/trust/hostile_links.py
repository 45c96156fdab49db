"""Links in a cloned memory that lead out of it, and the commands that meet them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from recall_tui.environment import Environment
from recall_tui.workbench import Workbench
from tests.qa.trust.calling import Came, called
from tests.qa.trust.hostile_memory import WORD, planted, put
from tests.qa.trust.hostile_paths import outside

STOLEN = "aws_stolen_words"
READERS: tuple[tuple[str, ...], ...] = (
    ("sync",), ("status",), ("list", "all"), ("read", "evil"), ("read", "2026-03-05"), ("show", "topic"), ("show", "1"),
    ("show", "memory"), ("search", STOLEN), ("search", "-C", "3", WORD), ("search", "--ranked", STOLEN), ("recall",),
    ("recall", "--raw", STOLEN), ("consume",), ("distill",), ("wiki", "list"), ("wiki", "show", "evil"), ("doctor",),
    ("compact", "all", "--dry-run"), ("dream", "--dry-run"), ("dream", "--phase", "gather"),
    ("synthesize", "--dry-run"),
    ("migrate", "--dry-run"), ("export", "topic", "--to", "{out}/t.html"),
    ("export", "--all", "--to", "{out}/all.json"),
    ("export", "evil", "memory", "--to", "{out}/e.md"), ("redact", "--check"), ("config", "show"),
)  # fmt: skip
WRITERS: tuple[tuple[str, ...], ...] = (
    ("remember", "a fact", "--topic", "topic"), ("remember", "a fact"), ("log", "an entry"), ("doctor", "--fix"),
    ("archive", "--all-unarchived"), ("wiki", "append", "evil", "--source", "memory/days/2026-03-05.md", "--body", "x"),
    ("compact", "all", "--yes"), ("summarize", "1", "--yes", "--force"), ("config", "set", "inject.tokens", "500"),
    ("wiki", "knowledge-map"), ("redact",), ("consume", "--clear"),
)  # fmt: skip
PLACES = {
    "topic": "memory/topic.md", "page": "memory/wiki/evil.md", "day": "memory/days/2026-03-05.md",
    "week": "memory/weekly/2026-W09.md", "archive": "memory/conversations/conversation-001.md",
    "memory": "memory/MEMORY.md", "window": "memory/EPHEMERAL.md", "rows": "memory/ARCHIVE.md",
    "wisdom": "memory/WISDOM.md", "identity": "memory/IDENTITY.md", "master": "memory/master.md",
    "settings": "memory/.recall-echo.toml", "pages": "memory/wiki", "days": "memory/days",
    "archives": "memory/conversations", "whole": "memory",
}  # fmt: skip


def run(bench: Workbench, out: Path, words: tuple[str, ...], **more: bytes) -> Came:
    """Call a command on the memory; whatever it answers, it was no accident."""
    given = [word.replace("{out}", str(out)) for word in words]
    came = called(bench.store.environment, "--root", str(bench.layout.root), *given, **more)  # type: ignore[arg-type]
    assert "Traceback" not in came.err and "--verbose" not in came.err, (words, came.err[-2000:])
    return came


def hooked(bench: Workbench, out: Path) -> Iterator[str]:
    """What hooks say, whatever happens."""
    for event, more in (("SessionStart", {"source": "startup"}), ("UserPromptSubmit", {"prompt": f"the {STOLEN}"})):
        told = {"hook_event_name": event, "session_id": "new", "cwd": str(bench.layout.root), **more}
        came = run(bench, out, ("hook",), stdin=json.dumps(told).encode())
        assert came.code == 0 and came.err == ""
        yield came.out


def kept(bench: Workbench, out: Path) -> bytes:
    """Everything that is kept outside of the memory: the index, the journal, the logs, the exports."""
    folders = (bench.store.environment.state, out)
    return b"".join(path.read_bytes() for one in folders for path in one.rglob("*") if path.is_file())


def attacked(environment: Environment, around: Path, kind: str) -> list[str]:
    """Lay a link in one place of a memory, call everybody who reads and writes, and say what came of it."""
    bench = planted(environment, "the lock in the cache")
    path = bench.layout.root / PLACES[kind]
    secret = put(around / "home" / ".aws" / "secret.md", f"# Mine\n\n{STOLEN} and the {WORD}\n")
    if path.is_dir():
        for name in ("evil.md", "2026-03-05.md", "conversation-001.md", "conversation-009.md"):
            put(around / "home" / "notes" / name, secret.read_text())
        path.rename(around / "was")
        path.symlink_to(around / "home" / "notes")
    else:
        path.unlink(missing_ok=True)
        path.symlink_to(secret)
    out = around / "out"
    out.mkdir()
    before = outside(around, bench)
    found = []
    for words in READERS:
        shown = run(bench, out, words).out.replace(f'"query": "{STOLEN}"', "")
        found += [f"shown by {words}"] * (STOLEN in shown)
    found += ["told by a hook" for said in hooked(bench, out) if "Mine" in said or f"{STOLEN} and" in said]
    found += ["kept"] * (b"%b and" % STOLEN.encode() in kept(bench, out))
    for words in WRITERS:
        run(bench, out, words)
    now = {name: held for name, held in outside(around, bench).items() if not name.startswith(f"{out}/")}
    return found + ["written"] * (now != before)
