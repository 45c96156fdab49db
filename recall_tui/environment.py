"""Where things are: the person's state folder, and the homes of the agents.

Everything is worked out from values handed in; nothing is created, and nothing is read but where the home of another
user is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from recall_tui.errors import RecallError

_CLAUDE_FILES = (
    "settings.json", "settings.local.json", "CLAUDE.md", "rules", "commands", "skills", "agents", "projects",
)  # fmt: skip
"""What Claude Code reads in its folder."""
_UNSAFE_CHARS = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Places:
    """The environment a process runs in, read once at its edge."""

    home: Path
    cwd: Path
    env: Mapping[str, str]

    @property
    def state(self) -> Path:
        """The folder of what is not memory: index, kept transcripts, journals. `RECALL_STATE` moves it."""
        if own := self._named("RECALL_STATE"):
            return own
        base = self.env.get("XDG_STATE_HOME") or str(self.home / ".local" / "state")
        return Path(base) / "recall-tui"

    @property
    def targets(self) -> Path:
        """The folder of a person's own descriptions of agents, in `XDG_CONFIG_HOME`, else in `~/.config`."""
        base = self.env.get("XDG_CONFIG_HOME") or str(self.home / ".config")
        return Path(base) / "recall-tui" / "targets"

    @property
    def prompts(self) -> Path:
        """The folder of a person's own prompts, which are used in place of those of templates/prompts."""
        return self.targets.with_name("prompts")

    @property
    def index(self) -> Path:
        """The folder of the search index, one for all memories of a person."""
        return self.state / "index"

    @property
    def kept(self) -> Path:
        """The folder of transcripts that were retained."""
        return self.state / "kept"

    @property
    def claude(self) -> Path:
        """Claude Code's folder; `CLAUDE_CONFIG_DIR` moves it."""
        return self._named("CLAUDE_CONFIG_DIR") or self.home / ".claude"

    @property
    def session_index(self) -> Path:
        """The database of session recall, an older tool, in Claude Code's folder."""
        return self.claude / "session-index.db"

    @property
    def codex(self) -> Path:
        """Codex's folder; `CODEX_HOME` moves it."""
        return self._named("CODEX_HOME") or self.home / ".codex"

    @property
    def gemini(self) -> Path:
        """Gemini CLI's folder, `.gemini` in the home folder or in the one that `GEMINI_CLI_HOME` names."""
        return (self._named("GEMINI_CLI_HOME") or self.home) / ".gemini"

    @property
    def apart(self) -> tuple[Path, ...]:
        """What is the person's and no part of a memory, though it may lie below the root of one."""
        own = (self.claude / name for name in _CLAUDE_FILES)
        return (self.state, self.targets.parent, self.codex, self.gemini, self.claude, *own)

    @property
    def memory(self) -> Path | None:
        """The memory's folder as `RECALL_ECHO_HOME` names it; None when it names none."""
        return self._named("RECALL_ECHO_HOME")

    def program(self, name: str) -> str | None:
        """Where `PATH` has a program; folders in it that depend on where one stands are passed over."""
        import os
        from shutil import which

        folders = [one for one in self.env.get("PATH", "").split(os.pathsep) if Path(one).is_absolute()]
        return which(name, path=os.pathsep.join(folders)) if folders else None

    def of_memory(self, root: Path) -> Path:
        """The state folder of the memory at `root`: a readable name and a hash of the real path."""
        real = root.resolve()
        digest = sha256(str(real).encode("utf-8", "surrogateescape"))[:12]
        name = _UNSAFE_CHARS.sub("-", real.name).strip("-.") or "root"
        return self.state / f"{name[:40]}-{digest}"

    def _named(self, variable: str) -> Path | None:
        own = self.env.get(variable)
        return expand_home(own, self.home, variable) if own else None


def expand_home(path: str | Path, home: Path, source: str = "") -> Path:
    """The path with `~` written out, as `home`, or as the home of the user whose name follows.

    RecallError, with the `source` that named the path where it is known, when there is no such user.
    """
    path = Path(path)
    first = path.parts[0] if path.parts else ""
    if not first.startswith("~"):
        return path
    if first == "~":
        return home.joinpath(*path.parts[1:])
    try:
        return path.expanduser()
    except (RuntimeError, ValueError):
        where = f"{source}: " if source else ""
        hint = "write the path in full, or with ~/ for your own home"
        raise RecallError(f"{where}{path}: there is no user {first[1:]}", hint) from None


def sha256(data: bytes) -> str:
    """The SHA-256 of `data`, in hex.

    For little it is of the interpreter's own making where that can be had, for it starts at once; for much OpenSSL's,
    which takes 6 ms to load and is six times as fast.
    """
    if len(data) > 1 << 20:
        from hashlib import sha256 as made

        return made(data).hexdigest()
    return str(_load_sha256()(data).hexdigest())


@cache
def _load_sha256() -> Callable[[bytes], Any]:
    """Found once: a module that there is not is looked for on the whole path each time it is asked for."""
    try:
        from _sha2 import sha256 as made  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            from _sha256 import sha256 as made  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            from hashlib import sha256 as made
    return cast("Callable[[bytes], Any]", made)
