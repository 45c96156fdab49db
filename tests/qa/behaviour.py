"""Record all that the program does with real transcripts, for any checkout, and compare two recordings byte for byte.

    python tests/qa/behaviour.py record OUT [--checkout DIR]     # RECALL_TEST_DATA names the shared transcripts
    python tests/qa/behaviour.py compare ONE OTHER

A recording is a folder of plain files: the answer of each command (exit code, stdout, stderr), and, after each life,
every file of the memory, of the agents' home and of the state. Clock, paths and file times are the same in every
recording; figures of time are masked. It needs Linux and a C compiler. A restructuring must leave the comparison empty.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

WORLD = Path("/tmp/recall-behaviour")
"""Every path that the program writes begins so, in every recording."""
LAYOUTS = ("entity", "user", "project", "hierarchical", "claude-project")
SESSIONS = 12
"""Transcripts of a life."""
MIN_TRANSCRIPT_BYTES, MAX_TRANSCRIPT_BYTES = 20_000, 400_000
START = datetime(2026, 2, 2, 8, 0, tzinfo=UTC)
DAYS_OF_LOGS = 16
CHILD_TIMEOUT_SECONDS = 60
QUIET_LOOKS = 3
"""Looks in a row that find no child."""
QUESTIONS_EVERY = 4
"""Of the labelled sets each fourth question is asked."""
_CLOCK = r"""
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
int clock_gettime(clockid_t id, struct timespec *into) {
    int failed = syscall(SYS_clock_gettime, id, into);
    const char *at = getenv("RECALL_BEHAVIOUR_CLOCK");
    if (!failed && at && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) {
        into->tv_sec = atol(at);
        into->tv_nsec = 0;
    }
    return failed;
}
time_t time(time_t *into) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into) *into = now.tv_sec;
    return now.tv_sec;
}
int gettimeofday(struct timeval *into, void *zone) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    into->tv_sec = now.tv_sec;
    into->tv_usec = now.tv_nsec / 1000;
    return 0;
}
"""
_MASKS = (
    (re.compile(rb'("(?:took|took_ms|seconds|ms|elapsed_ms)": )[0-9.e+-]+'), rb"\g<1>0"),
    (re.compile(rb"\b\d+(?:\.\d+)? ?(?:ms|s)\b(?! ago)"), b"# s"),
    (re.compile(rb'("pid": ?)\d+'), rb"\g<1>0"),
)
_COMMANDS = (
    "distill", "distill --json", "distill --apply all", "undo", "redo", "undo --list", "compact --yes",
    "summarize {session} --yes", "synthesize --yes", "dream --dry-run", "dream", "review list", "review list --json",
    "wiki list --json", "wiki lint", "wiki stub release-train --category concept", "wiki list", "list --json",
    "list all", "status", "status --json", "dashboard", "doctor", "doctor --json", "sync", "index status --json",
    "agents --json",
    "config show --json", "config set ephemeral.max_entries 3", "ledger --json", "consume", "show 1", "show 1 --json",
    "read wisdom", "compact all --dry-run", "wiki knowledge-map", "migrate --dry-run", "install codex --yes",
    "uninstall codex --yes", "remember --session-end",
)  # fmt: skip
_OUTSIDE = ("index", "spool")
"""Folders of the state that are caches; their answers are recorded instead."""
_SQLITE = b"SQLite format 3\0"


def masked(data: bytes) -> bytes:
    """The bytes without what differs from run to run: figures of time and numbers of processes."""
    for pattern, mask in _MASKS:
        data = pattern.sub(mask, data)
    return data


@dataclass(slots=True)
class Life:
    """One machine on which the program is used, and the recording of it."""

    name: str
    layout: str
    checkout: Path
    library: Path
    into: Path
    step: int = 0
    now: datetime = START
    home: Path = field(init=False)
    root: Path = field(init=False)

    def __post_init__(self) -> None:
        self.home = WORLD / self.name / "home"
        below = {"user": ".claude", "claude-project": ".claude/projects/-tmp-project"}
        self.root = self.home / below.get(self.layout, "agent")
        self.root.mkdir(parents=True)
        self.into.mkdir(parents=True)

    @property
    def env(self) -> dict[str, str]:
        """The environment of its commands."""
        return {
            "PATH": os.environ["PATH"], "HOME": str(self.home), "RECALL_STATE": str(WORLD / self.name / "state"),
            "TZ": "UTC", "LANG": "C.UTF-8", "PYTHONPATH": str(self.checkout), "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONHASHSEED": "0", "COLUMNS": "120", "LD_PRELOAD": str(self.library),
            "RECALL_BEHAVIOUR_CLOCK": str(int(self.now.timestamp())),
        }  # fmt: skip

    def run(self, *words: str, stdin: str = "", later: timedelta = timedelta(minutes=10)) -> bytes:
        """Run one command, so much later than the one before, and record what it answered; its stdout."""
        self.step += 1
        self.now += later
        where = ["--root", str(self.root)]
        line = [
            sys.executable,
            "-P",
            "-c",
            "from recall_tui.__main__ import main; main()",
            *words[:1],
            *where,
            *words[1:],
        ]
        done = subprocess.run(line, env=self.env, cwd=self.home, input=stdin.encode(), capture_output=True, check=False)
        self._wait_for_children()
        self._set_times()
        name = re.sub(r"[^a-z0-9]+", "-", " ".join(words[:3]).lower()).strip("-")[:60]
        text = b"%s\nexit %d\n--- stdout\n%s\n--- stderr\n%s\n" % (
            " ".join(words).encode(), done.returncode, done.stdout, done.stderr
        )  # fmt: skip
        (self.into / f"{self.step:03d}-{name}.txt").write_bytes(masked(text))
        return done.stdout

    def record_files(self) -> None:
        """Record every file below the home and the state, but caches and the transcripts themselves."""
        for top in (self.home, WORLD / self.name / "state"):
            for path in sorted(top.rglob("*")):
                name = path.relative_to(WORLD / self.name)
                if not path.is_file() or (path.suffix == ".jsonl" and "projects" in name.parts):
                    continue
                if name.parts[0] == "state" and any(one in _OUTSIDE for one in name.parts):
                    continue
                into = self.into / "files" / f"{name}.txt"
                into.parent.mkdir(parents=True, exist_ok=True)
                mode = path.stat().st_mode & 0o7777
                into.write_bytes(b"mode %o\n" % mode + masked(_contents(path)))

    def _wait_for_children(self) -> None:
        """Wait for what a hook left to work behind it; a process that is just being started has no environment yet."""
        needle = os.fsencode(f"HOME={self.home}")
        end = time.monotonic() + CHILD_TIMEOUT_SECONDS
        quiet = 0
        while time.monotonic() < end and quiet < QUIET_LOOKS:
            quiet = 0 if any(_has(one, needle) for one in Path("/proc").iterdir()) else quiet + 1
            time.sleep(0.02)

    def _set_times(self) -> None:
        """Give what was written just now the time of the recording's clock; the file system has its own."""
        at = self.now.timestamp()
        for top in (self.home, WORLD / self.name / "state"):
            for path in top.rglob("*"):
                if path.stat().st_mtime > at and "index" not in path.parts:
                    os.utime(path, (at, at))


def _has(process: Path, needle: bytes) -> bool:
    try:
        return process.name.isdigit() and needle in (process / "environ").read_bytes().split(b"\0")
    except OSError:
        return False


def _contents(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix == ".zst":
        import zstandard

        return zstandard.ZstdDecompressor().decompressobj().decompress(data)
    if data.startswith(_SQLITE):
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as database:
            return "\n".join(database.iterdump()).encode()
    if path.suffix == ".backup":
        import zstandard

        _, _, packed = data.partition(b"\n")
        # Times of change and numbers of files are the file system's.
        return re.sub(rb"\b[0-9]{6,}\b", b"0", zstandard.ZstdDecompressor().decompressobj().decompress(packed))
    return data


def transcripts_of(data: Path) -> list[Path]:
    """Shared transcripts of one project, neither empty nor long; the same ones every time."""
    folder = data / "agent-dev" / "home" / ".claude" / "projects" / "-home-u-cli"
    found = sorted(path for path in folder.glob("*.jsonl"))
    return [one for one in found if MIN_TRANSCRIPT_BYTES < one.stat().st_size < MAX_TRANSCRIPT_BYTES][:SESSIONS]


def live(life: Life, data: Path) -> None:
    """Set a memory up, keep sessions, curate, consolidate, hand over, search, export, and take changes back."""
    copies = _copied(life, data)
    life.run("init", "--layout", life.layout, "--yes", "--target", "claude")
    for path in copies[:4]:
        life.run("archive", str(path))
    life.run("archive", "--all-unarchived")
    life.run("remember", "The parser keeps offsets in bytes, never in characters.")
    life.run("remember", "--topic", "testing", "Snapshots are written by one version of Python.")
    for day in range(DAYS_OF_LOGS):
        life.run("log", f"Decided to keep the release train on Thursdays (day {day}); the root cause was a stale lock.",
                 later=timedelta(days=1))  # fmt: skip
    _fill(life)
    for words in _COMMANDS:
        life.run(*words.format(session=copies[0].stem).split())
    for event in _events(life, copies[4]):
        life.run("hook", stdin=json.dumps(event))
    for question in ("why was the parser changed", "which tests failed", "release"):
        life.run("search", "--ranked", "--json", question)
        life.run("search", question)
        life.run("recall", "--json", question)
    life.run("consume", "--clear")
    for form in ("json", "md", "html"):
        life.run("export", "--all", "--to", str(life.home / f"all.{form}"))
    life.run("forget", copies[1].stem, "--yes")
    life.run("redact", "--check")
    life.run("doctor", "--fix")
    life.record_files()


def ask(life: Life, data: Path) -> None:
    """Ask each fourth question of a labelled set, as one batch."""
    shutil.rmtree(life.home)
    shutil.copytree(data / "home", life.home)
    life.root.mkdir(parents=True, exist_ok=True)
    life.run("init", "--layout", life.layout, "--yes", "--no-install")
    rows = [json.loads(line) for line in (data / "queries.jsonl").read_text().splitlines() if line.strip()]
    questions = "".join(f"{' '.join(row['query'].split())}\n" for row in rows[::QUESTIONS_EVERY])
    life.run("config", "set", "transcripts.projects", "all")
    life.run("sync")
    life.run("search", "--ranked", "--json", "--batch", "-", stdin=questions)


def _copied(life: Life, data: Path) -> list[Path]:
    folder = life.home / ".claude" / "projects" / "-tmp-project"
    folder.mkdir(parents=True, exist_ok=True)
    copies = []
    for number, path in enumerate(transcripts_of(data)):
        copy = folder / path.name
        shutil.copyfile(path, copy)
        at = (START - timedelta(days=10 - number)).timestamp()
        os.utime(copy, (at, at))
        copies.append(copy)
    return copies


def _fill(life: Life) -> None:
    """Give MEMORY.md sections that are too long, said twice, and empty."""
    (path,) = [one for one in life.root.rglob("MEMORY.md") if "state" not in one.parts][:1] or [life.root / "MEMORY.md"]
    sections = "".join(
        f"\n## {name}\n\n" + "".join(f"- {name} rule {number}: keep it so.\n" for number in range(45))
        for name in ("Billing", "Deploy")
    )
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{sections}\n## Empty\n\n## Notes\n\n- Billing rule 7: keep it so.\n")


def _events(life: Life, transcript: Path) -> Iterator[dict[str, object]]:
    common = {"session_id": transcript.stem, "transcript_path": str(transcript), "cwd": str(life.root)}
    yield {**common, "hook_event_name": "SessionStart", "source": "startup"}
    yield {**common, "hook_event_name": "UserPromptSubmit", "prompt": "why was the parser changed, and by whom?"}
    yield {**common, "hook_event_name": "PreCompact", "trigger": "auto"}
    yield {**common, "hook_event_name": "Stop", "stop_hook_active": False}
    yield {**common, "hook_event_name": "SessionEnd", "reason": "other"}


def record(into: Path, checkout: Path, data: Path) -> None:
    """Record every life of this checkout into the new folder `into`."""
    shutil.rmtree(WORLD, ignore_errors=True)
    WORLD.mkdir()
    source, library = WORLD / "clock.c", WORLD / "clock.so"
    source.write_text(_CLOCK)
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", library, source], check=True)
    for layout in LAYOUTS:
        live(Life(layout, layout, checkout, library, into / layout), data)
        print(f"{layout}: {sum(one.is_file() for one in (into / layout).rglob('*'))} files", flush=True)
    for name in ("agent-dev", "locomo-dev"):
        ask(Life(name, "entity", checkout, library, into / name), data / name)
        print(f"{name}: asked", flush=True)
    shutil.rmtree(WORLD)


def differences(one: Path, other: Path) -> Iterator[str]:
    """The files in which two recordings differ, each with its changed lines."""
    for top in (one, other):
        if not top.is_dir():
            raise SystemExit(f"{top}: no recording is there")
    names = sorted({path.relative_to(top) for top in (one, other) for path in top.rglob("*") if path.is_file()})
    for name in names:
        texts = [_lines(top / name) for top in (one, other)]
        if texts[0] != texts[1]:
            yield "\n".join(difflib.unified_diff(*texts, f"{one}/{name}", f"{other}/{name}", n=0, lineterm=""))


def _lines(path: Path) -> list[str]:
    return path.read_bytes().decode("utf-8", "backslashreplace").splitlines() if path.is_file() else []


def main(words: Sequence[str]) -> int:
    """Record or compare; 1 when two recordings differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record")
    recording.add_argument("into", type=Path)
    recording.add_argument("--checkout", type=Path, default=Path(__file__).resolve().parents[2])
    comparing = verbs.add_parser("compare")
    comparing.add_argument("one", type=Path)
    comparing.add_argument("other", type=Path)
    asked = parser.parse_args(words)
    if asked.verb == "record":
        record(asked.into.resolve(), asked.checkout.resolve(), Path(os.environ["RECALL_TEST_DATA"]))
        return 0
    found = list(differences(asked.one, asked.other))
    print("\n".join(found) if found else "the recordings are the same")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
