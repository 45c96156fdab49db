"""A project as it is now: the state of its repository, which files there are, and what its manifests declare.

No program is started; a folder that is no repository, or holds no code, has simply less to tell.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from recall_tui import files
from recall_tui.config import parse_toml
from recall_tui.features.summaries.git_state import GitState, read_git
from recall_tui.features.summaries.project_checks import Change, manifest_conflicts
from recall_tui.features.summaries.synthesis_evolution import find_change, is_decision
from recall_tui.text.cut import one_line, strip_controls

_MAX_FILES = 20_000
_MAX_DEPTH = 8
"""Of a manifest that is read."""
_MAX_NAMED = 8
"""Dependencies and scripts that the line about the project names."""
_MIN_CODE_FILES = 3
"""Files of code without a manifest that make a project one of code."""
_SKIPPED_FOLDERS = frozenset(
    "node_modules venv env __pycache__ dist build target vendor site-packages _memory memory coverage".split()  # noqa: SIM905
)
_LANGUAGES = {
    ".py": "Python", ".js": "JavaScript", ".jsx": "JavaScript", ".mjs": "JavaScript", ".ts": "TypeScript",
    ".tsx": "TypeScript", ".rs": "Rust", ".go": "Go", ".java": "Java", ".kt": "Kotlin", ".c": "C", ".h": "C",
    ".cpp": "C++", ".cc": "C++", ".hpp": "C++", ".cs": "C#", ".rb": "Ruby", ".php": "PHP", ".swift": "Swift",
    ".scala": "Scala", ".sh": "Shell", ".lua": "Lua", ".ex": "Elixir", ".exs": "Elixir", ".hs": "Haskell",
    ".vue": "Vue", ".svelte": "Svelte", ".dart": "Dart", ".zig": "Zig", ".sql": "SQL", ".r": "R", ".jl": "Julia",
}  # fmt: skip
_FILE = re.compile(r"(?<![\w./@:-])((?:[\w.@-]+/)*[\w@-][\w.@-]*\.[A-Za-z]{1,5})(?![\w/-])")
_BRANCH = re.compile(r"\bbranch (?:called |named )?`([\w./-]+)`|`([\w./-]+)` branch\b|\bbranch ([\w.-]+/[\w./-]+\w)")
_SCRIPT = re.compile(r"\b(?:npm|pnpm|yarn) run `?([\w:-]+)")
_DEPENDENCY = re.compile(
    r"\b(?:pip install|uv add|poetry add|npm install|npm i|yarn add|pnpm add|cargo add) `?([A-Za-z@][\w@/.-]*\w)"
    r"|\b(?:depend(?:s|ency|encies)? on|the (?:package|library|dependency)) `([A-Za-z@][\w@/.-]*)`"
)
_PORT = re.compile(r"\bport `?(\d{2,5})\b", re.IGNORECASE)
_PORT_FILES = (
    "Dockerfile", "docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml", "package.json",
    "Procfile", ".env.example", ".env.sample",
)  # fmt: skip
_PORT_DECLARATION = re.compile(
    r"^EXPOSE +(\d{2,5})|(?<![\d.:])(\d{2,5}):(\d{2,5})(?![\d:])|\bPORT[\w]*[\"']?\s*[=:]\s*[\"']?(\d{2,5})\b"
    r"|(?:--port|(?<=\s)-p)[= ](\d{2,5})\b",
    re.MULTILINE,
)
_ABSENCE_WORDS = re.compile(
    r"\b(?:remov|delet|dropp?|renam|uninstall|replac|gone|no longer|instead of|moved? (?:from|away)|merged|will|plan"
    r"|create|new file|to be|example)",
    re.IGNORECASE,
)
"""Words by which a line speaks of what is not there any more, or not yet."""
_VERSION = re.compile(r"v?\d+(?:\.\d+)*|e\.g|i\.e", re.IGNORECASE)
_REQUIREMENT = re.compile(r"([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*([=<>~!]=?\s*\d[\w.]*)")
_GO_NEEDS = re.compile(r"^(?:require )?\s*([\w.-]+\.[a-z]+/[\w./-]+) v(\d[\w.]*)", re.MULTILINE)
_GO_VERSION = re.compile(r"^go (\d+\.\d+)", re.MULTILINE)
_DEPENDENCY_NAME = re.compile(r"[A-Za-z0-9@][\w@/.-]*")


@dataclass(frozen=True)
class CodeState:
    """What the files of a project tell."""

    names: tuple[str, ...] = ()
    """The manifests' names of it."""
    scripts: tuple[str, ...] = ()
    dependencies: frozenset[str] = frozenset()
    languages: tuple[tuple[str, int], ...] = ()
    """Each with its number of files, most first."""
    files: frozenset[str] = frozenset()
    """Every path, relative to the folder."""
    is_whole: bool = True
    """Every file was looked at."""
    manifests: tuple[str, ...] = ()
    ports: frozenset[str] = frozenset()
    """Those that files of the folder declare."""
    versions: Mapping[str, str] = field(default_factory=dict)
    """What the manifests ask of dependencies and languages, by name in lower case."""

    @property
    def is_code(self) -> bool:
        """It is a project of code."""
        return bool(self.manifests) or sum(count for _, count in self.languages) >= _MIN_CODE_FILES

    @cached_property
    def file_names(self) -> frozenset[str]:
        """The files' own names."""
        return frozenset(path.rpartition("/")[2] for path in self.files)

    @cached_property
    def folders(self) -> frozenset[str]:
        """What the first parts of the paths are."""
        return frozenset(path.partition("/")[0] for path in self.files)

    @property
    def words(self) -> str:
        """It in one sentence."""
        spoken = ", ".join(f"{name} ({count} file{'s' * (count != 1)})" for name, count in self.languages[:4])
        parts = [", ".join(self.names), spoken]
        if self.dependencies:
            named = sorted(self.dependencies)
            more = f" and {len(named) - _MAX_NAMED} more" if len(named) > _MAX_NAMED else ""
            parts.append(f"depends on {', '.join(named[:_MAX_NAMED])}{more}")
        if self.scripts:
            parts.append(f"scripts: {', '.join(self.scripts[:_MAX_NAMED])}")
        return "; ".join(filter(None, parts)) + "."


@dataclass(frozen=True, slots=True)
class ProjectState:
    """A project as it is now."""

    folder: Path
    git: GitState | None = None
    code: CodeState = field(default_factory=CodeState)
    known_dependencies: frozenset[str] = frozenset()
    """Those that the master has seen in the manifests, now or before."""

    def against(self, text: str) -> str:
        """What speaks against a line, such as `src/x.py is not there`; empty when nothing does."""
        if not self.code.is_code:
            return ""
        change = Change(*found) if is_decision(text) and (found := find_change(text)) else None
        gone = self.known_dependencies - self.code.dependencies
        if said := next(manifest_conflicts(text, change, self.code.dependencies, self.code.versions, gone), ""):
            return said
        if _ABSENCE_WORDS.search(_FILE.sub("", text)):
            return ""
        return next((f"{what} is not there" for what in self._missing(text)), "")

    def _missing(self, text: str) -> Iterator[str]:
        for found in _FILE.finditer(text):
            if self._is_missing_file(found[1]):
                yield found[1]
        if self.git is not None and self.git.branches is not None:
            for found in _BRANCH.finditer(text):
                name = found[1] or found[2] or found[3]
                if name not in self.git.branches:
                    yield f"branch {name}"
        for found in _SCRIPT.finditer(text):
            if self.code.scripts and found[1] not in self.code.scripts:
                yield f"script {found[1]}"
        for found in _DEPENDENCY.finditer(text):
            name = (found[1] or found[2]).lower()
            if self.code.dependencies and name not in self.code.dependencies:
                yield f"dependency {name}"

        for found in _PORT.finditer(text):
            if self.code.ports and found[1] not in self.code.ports:
                yield f"port {found[1]}"

    def _is_missing_file(self, name: str) -> bool:
        """Whether a path names a file of the project that is gone; a bare name counts only with an ending of code."""
        suffix = "." + name.rpartition(".")[2].lower()
        if not self.code.is_whole or _VERSION.fullmatch(name) or name.startswith(("..", "www.")):
            return False
        if "/" not in name:
            return suffix in _LANGUAGES and name not in self.code.file_names
        path = name.removeprefix("./")
        if any(part.startswith(".") or part in _SKIPPED_FOLDERS for part in path.split("/")):
            return False
        is_ours = path.partition("/")[0] in self.code.folders or suffix in _LANGUAGES
        return is_ours and not any(one == path or one.endswith(f"/{path}") for one in self.code.files)


def read_project(folder: Path) -> ProjectState:
    """The project in the folder."""
    return ProjectState(folder, read_git(folder), _read_code(folder))


def _read_code(folder: Path) -> CodeState:
    files: list[str] = []
    is_whole = True
    for path in _walk_files(folder):
        if len(files) >= _MAX_FILES:
            is_whole = False
            break
        files.append(path)
    counts = Counter(name for path in files if (name := _LANGUAGES.get("." + path.rpartition(".")[2].lower())))
    found = [read(folder / name) for name, read in _MANIFESTS.items() if name in files]
    ranked = tuple(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
    return CodeState(
        tuple(dict.fromkeys(name for one in found if (name := one.name))),
        tuple(dict.fromkeys(script for one in found for script in one.scripts)),
        frozenset(name.lower() for one in found for name in one.dependencies),
        ranked,
        frozenset(files),
        is_whole,
        tuple(name for name in _MANIFESTS if name in files),
        frozenset(_declared_ports(folder)),
        {name.lower(): asked for one in found for name, asked in one.versions},
    )


def _declared_ports(folder: Path) -> Iterator[str]:
    """The ports that containers, scripts and examples of settings in the folder itself name."""
    for name in _PORT_FILES:
        for found in _PORT_DECLARATION.finditer(_read_file(folder / name)):
            yield from filter(None, found.groups())


def _walk_files(folder: Path) -> Iterator[str]:
    """Every file below the folder that is neither hidden nor made by a tool."""
    for base, folders, names in os.walk(folder):
        where = Path(base).relative_to(folder)
        depth = len(where.parts)
        folders[:] = sorted(
            one for one in folders if not one.startswith(".") and one not in _SKIPPED_FOLDERS and depth < _MAX_DEPTH
        )
        for name in sorted(names):
            if not name.startswith("."):
                yield (where / name).as_posix()


@dataclass(frozen=True, slots=True)
class _Manifest:
    name: str = ""
    scripts: tuple[str, ...] = ()
    dependencies: tuple[str, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()
    """What it asks of them and of the language."""


def _load_package_json(path: Path) -> _Manifest:
    import json

    table = _load_table(path, json.loads)
    needs = [_subtable(table, key) for key in ("dependencies", "devDependencies", "peerDependencies")]
    versions = [
        *_asked_versions(_subtable(table, "engines")),
        *(one for some in needs for one in _asked_versions(some)),
    ]
    names = tuple(one for some in needs for one in _key_names(some))
    return _Manifest(_as_text(table.get("name")), _key_names(table.get("scripts")), names, tuple(versions))


def _load_pyproject(path: Path) -> _Manifest:
    table = _load_toml(path)
    project, poetry = _subtable(table, "project"), _subtable(table, "tool", "poetry")
    listed = [one for one in _as_list(project.get("dependencies")) if isinstance(one, str)]
    for some in _subtable(project, "optional-dependencies").values():
        listed += [one for one in _as_list(some) if isinstance(one, str)]
    needs = [found[0] for one in listed if (found := _DEPENDENCY_NAME.match(one))]
    needs += _key_names(poetry.get("dependencies"))
    name = _as_text(project.get("name")) or _as_text(poetry.get("name"))
    asked = [(found[1], found[2]) for one in listed if (found := _REQUIREMENT.match(one))]
    asked += [*_asked_versions(_subtable(poetry, "dependencies")), ("python", _as_text(project.get("requires-python")))]
    return _Manifest(name, _key_names(project.get("scripts")), tuple(needs), tuple(one for one in asked if one[1]))


def _load_cargo(path: Path) -> _Manifest:
    table = _load_toml(path)
    needs = (*_key_names(table.get("dependencies")), *_key_names(table.get("dev-dependencies")))
    asked = [*_asked_versions(_subtable(table, "dependencies")), *_asked_versions(_subtable(table, "dev-dependencies"))]
    return _Manifest(_as_text(_subtable(table, "package").get("name")), (), needs, tuple(asked))


def _load_go_mod(path: Path) -> _Manifest:
    text = _read_file(path)
    words = text.split("\n", 1)[0].split()
    needed = [(path, asked) for path, asked in _GO_NEEDS.findall(text)]
    names = tuple(name for path, _ in needed for name in (path, path.rpartition("/")[2]))
    asked = (
        *(("go", one) for one in _GO_VERSION.findall(text)),
        *((path.rpartition("/")[2], one) for path, one in needed),
    )
    return _Manifest(words[1] if words[:1] == ["module"] and len(words) > 1 else "", (), names, asked)


_MANIFESTS = {
    "package.json": _load_package_json,
    "pyproject.toml": _load_pyproject,
    "Cargo.toml": _load_cargo,
    "go.mod": _load_go_mod,
}


def _load_toml(path: Path) -> dict[str, Any]:
    return _load_table(path, parse_toml)


def _load_table(path: Path, read: Any) -> dict[str, Any]:
    try:
        table = read(_read_file(path))
    except (ValueError, RecursionError):
        return {}
    return table if isinstance(table, dict) else {}


def _read_file(path: Path) -> str:
    try:
        return files.read_file(path, files.MAX_MANIFEST_BYTES, beneath=path.parent).decode("utf-8", "replace")
    except OSError:
        return ""


def _subtable(table: Mapping[str, Any], *names: str) -> dict[str, Any]:
    for name in names:
        table = found if isinstance(found := table.get(name), dict) else {}
    return dict(table)


def _asked_versions(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What a table of dependencies asks of each; one may be a table of its own."""
    for name, asked in table.items():
        words = asked.get("version") if isinstance(asked, dict) else asked
        if isinstance(words, str) and words.strip():
            yield one_line(strip_controls(name)), one_line(strip_controls(words))[:40]


def _key_names(value: object) -> tuple[str, ...]:
    return tuple(one_line(strip_controls(str(name))) for name in value) if isinstance(value, dict) else ()


def _as_list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _as_text(value: object) -> str:
    return one_line(strip_controls(value)) if isinstance(value, str) else ""
