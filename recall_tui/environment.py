"""Locations outside the memories: the user's state folder and the agents' home folders.

All paths are derived from values passed in; nothing is created, and only another user's home folder is looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from recall_tui.errors import RecallError

_CLAUDE_FILES = (
    "settings.json", "settings.local.json", "CLAUDE.md", "rules", "commands", "skills", "agents", "projects", "plans",
    "todos", "history.jsonl",
)  # fmt: skip
"""Files and folders that Claude Code reads."""
_READ_ONLY_AGENTS = ("opencode", "kilo", "cline", "continue", "aider", "goose")
"""Agents whose folder nobody asks for but who reads their sessions."""
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")
"""The folders of VS Code and of editors made from it."""
_EXTENSIONS = {
    "cline-editor": "saoudrizwan.claude-dev",
    "roo": "rooveterinaryinc.roo-cline",
    "kilo-editor": "kilocode.kilo-code",
}
"""Agents that are an extension of an editor, and what it is called there."""
_NO_NAME_CHARS = re.compile(r"[^A-Za-z0-9]")
MAX_CLAUDE_NAME_CHARS = 200
"""Characters of a path that Claude Code keeps in the name of its folder."""
_UNSAFE_CHARS = re.compile(r"[^A-Za-z0-9._-]+")


class Environment(NamedTuple):
    """The environment of a process, read once at its entry point."""

    home: Path
    cwd: Path
    env: Mapping[str, str]

    @property
    def state(self) -> Path:
        """Return the folder of everything that is not memory: index, retained transcripts, journals; set by
        `RECALL_STATE`.
        """
        if own := self._named("RECALL_STATE"):
            return own
        base = self.env.get("XDG_STATE_HOME") or str(self.home / ".local" / "state")
        return Path(base) / "recall-tui"

    @property
    def targets(self) -> Path:
        """Return the folder of the user's own agent targets, in `XDG_CONFIG_HOME` or `~/.config`."""
        base = self.env.get("XDG_CONFIG_HOME") or str(self.home / ".config")
        return Path(base) / "recall-tui" / "targets"

    @property
    def prompts(self) -> Path:
        """Return the folder of the user's own prompts, which replace those of templates/prompts."""
        return self.targets.with_name("prompts")

    @property
    def index_folder(self) -> Path:
        """Return the folder of the search index, shared by all memories of a user."""
        return self.state / "index"

    @property
    def kept(self) -> Path:
        """Return the folder of retained transcripts."""
        return self.state / "kept"

    @property
    def claude(self) -> Path:
        """Return Claude Code's folder; set by `CLAUDE_CONFIG_DIR`."""
        return self._named("CLAUDE_CONFIG_DIR") or self.home / ".claude"

    def claude_project(self, folder: Path) -> Path:
        """Return Claude Code's folder for the project at `folder`, with its transcripts and its own memory.

        Claude Code cuts a long name and appends a hash of its own; the first match with a memory is returned, else the
        first.
        """
        name, projects = claude_project_name(str(folder)), self.claude / "projects"
        if len(name) <= MAX_CLAUDE_NAME_CHARS:
            return projects / name
        name = name[:MAX_CLAUDE_NAME_CHARS]
        found = [*sorted(projects.glob(f"{name}-*")), projects / name]
        return next((one for one in found if (one / "memory" / "MEMORY.md").is_file()), found[0])

    @property
    def session_index(self) -> Path:
        """Return the database of session recall, an older tool, in Claude Code's folder."""
        return self.claude / "session-index.db"

    @property
    def codex(self) -> Path:
        """Return Codex's folder; set by `CODEX_HOME`."""
        return self._named("CODEX_HOME") or self.home / ".codex"

    @property
    def gemini(self) -> Path:
        """Return Gemini CLI's folder: `.gemini` in the home folder or in `GEMINI_CLI_HOME`."""
        return (self._named("GEMINI_CLI_HOME") or self.home) / ".gemini"

    @property
    def qwen(self) -> Path:
        """Return Qwen Code's folder; set by `QWEN_RUNTIME_DIR`, else by `QWEN_HOME`."""
        return self._named("QWEN_RUNTIME_DIR") or self._named("QWEN_HOME") or self.home / ".qwen"

    @property
    def droid(self) -> Path:
        """Return Droid's folder: `.factory` in the home folder or in `FACTORY_HOME_OVERRIDE`."""
        return (self._named("FACTORY_HOME_OVERRIDE") or self.home) / ".factory"

    @property
    def copilot(self) -> Path:
        """Return Copilot CLI's folder; set by `COPILOT_HOME`."""
        return self._named("COPILOT_HOME") or self.home / ".copilot"

    @property
    def pi(self) -> Path:
        """Return the folder of pi's sessions: `PI_CODING_AGENT_SESSION_DIR`, else below `PI_CODING_AGENT_DIR`."""
        agent = self._named("PI_CODING_AGENT_DIR") or self.home / ".pi" / "agent"
        return self._named("PI_CODING_AGENT_SESSION_DIR") or agent / "sessions"

    @property
    def kimi(self) -> Path:
        """Return Kimi Code's folder; set by `KIMI_CODE_HOME`."""
        return self._named("KIMI_CODE_HOME") or self.home / ".kimi-code"

    @property
    def apart(self) -> tuple[Path, ...]:
        """Return the user's own paths that are never part of a memory, even below its root."""
        own = (self.claude / name for name in _CLAUDE_FILES)
        others = (self.codex, self.gemini, self.qwen, self.droid, self.copilot, self.pi, self.kimi)
        more = (agent_folder(self, agent) for agent in _READ_ONLY_AGENTS)
        return (self.state, self.targets.parent, *others, *more, self.claude, *own)

    @property
    def memory(self) -> Path | None:
        """Return the memory's folder set by `RECALL_ECHO_HOME`, or None."""
        return self._named("RECALL_ECHO_HOME")

    def program(self, name: str) -> str | None:
        """Find a program on `PATH`; relative folders are ignored."""
        import os
        from shutil import which

        folders = [one for one in self.env.get("PATH", "").split(os.pathsep) if Path(one).is_absolute()]
        return which(name, path=os.pathsep.join(folders)) if folders else None

    def of_memory(self, root: Path) -> Path:
        """Return the state folder of the memory at `root`: a readable name and a hash of the real path."""
        real = root.resolve()
        digest = sha256(str(real).encode("utf-8", "surrogateescape"))[:12]
        name = _UNSAFE_CHARS.sub("-", real.name).strip("-.") or "root"
        return self.state / f"{name[:40]}-{digest}"

    def _named(self, variable: str) -> Path | None:
        return _named_path(self, variable)


def agent_folder(environment: Environment, agent: str) -> Path:
    """Return the folder of an agent: of its databases or sessions, or of all that it keeps in the home folder."""
    home = environment.home
    match agent:
        case "opencode" | "kilo":
            data = (_named_path(environment, "XDG_DATA_HOME") or home / ".local" / "share") / agent
            return (data / (_named_path(environment, f"{agent.upper()}_DB") or f"{agent}.db")).parent
        case "cline":
            own = _named_path(environment, "CLINE_DIR") or home / ".cline"
            data = _named_path(environment, "CLINE_DATA_DIR") or own / "data"
            return _named_path(environment, "CLINE_SESSION_DATA_DIR") or data / "sessions"
        case "continue":
            return _named_path(environment, "CONTINUE_GLOBAL_DIR") or home / ".continue"
        case "aider":
            return home / ".aider"
        case "cursor":
            return _named_path(environment, "CURSOR_CONFIG_DIR") or home / ".cursor"
        case "goose":
            if own_root := _named_path(environment, "GOOSE_PATH_ROOT"):
                return own_root / "data"
            return (_named_path(environment, "XDG_DATA_HOME") or home / ".local" / "share") / "goose"
    folder: Path = getattr(environment, agent)
    return folder


def agent_folders(environment: Environment, agent: str, editors: Iterable[Path] | None = None) -> tuple[Path, ...]:
    """Return every folder in which an agent may keep sessions; those in editors are many.

    `editors` are the folders of the editors that count, by default of all that there may be.
    """
    editors = editor_folders(environment) if editors is None else editors
    if agent in _EXTENSIONS:
        return tuple(one / "globalStorage" / _EXTENSIONS[agent] for one in editors)
    if agent == "vscode":
        return tuple(one / "workspaceStorage" for one in editors)
    folder = agent_folder(environment, agent)
    if agent == "cursor":
        return folder, *(one / "globalStorage" for one in editors if one.parent.name == "Cursor")
    return (folder,)


def editor_folders(environment: Environment) -> tuple[Path, ...]:
    """Return the folders in which editors may keep what is a person's, on every system."""
    config = _named_path(environment, "XDG_CONFIG_HOME") or environment.home / ".config"
    roaming = _named_path(environment, "APPDATA")
    bases = (config, environment.home / "Library" / "Application Support", *((roaming,) if roaming else ()))
    return tuple(base / name / "User" for base in bases for name in _EDITORS)


def _named_path(environment: Environment, variable: str) -> Path | None:
    own = environment.env.get(variable)
    return expand_home(own, environment.home, variable) if own else None


def claude_project_name(folder: str) -> str:
    """Return Claude Code's name for a project folder: `-` for everything but letters and digits."""
    if not folder.isascii():
        from unicodedata import normalize

        folder = normalize("NFC", folder)
    return _NO_NAME_CHARS.sub("-", folder)


def shorten_path(path: Path, home: Path) -> str:
    """Return the path as a person writes it, with `~` for the home folder."""
    if path == home:
        return "~"
    return f"~/{path.relative_to(home).as_posix()}" if path.is_relative_to(home) else str(path)


def expand_home(path: str | Path, home: Path, source: str = "") -> Path:
    """Expand `~` to `home`, or `~name` to that user's home.

    Raises RecallError when there is no such user, prefixed with `source`, the origin of the path, if given.
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
    """Return the SHA-256 of `data` in hex.

    Small data uses the interpreter's built-in module where available, which starts instantly; large data uses OpenSSL,
    which takes 6 ms to load and is six times as fast.
    """
    if len(data) > 1 << 20:
        from hashlib import sha256 as made

        return made(data).hexdigest()
    return str(_load_sha256()(data).hexdigest())


@cache
def _load_sha256() -> Callable[[bytes], Any]:
    """Import the fastest hash once: a missing module is searched on the whole path at each import."""
    try:
        from _sha2 import sha256 as made  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        try:
            from _sha256 import sha256 as made  # type: ignore[import-not-found, unused-ignore]
        except ImportError:
            from hashlib import sha256 as made
    return cast("Callable[[bytes], Any]", made)
