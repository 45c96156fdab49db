"""Git repositories as they lie on disk: which one a folder belongs to, and where it was cloned from.

Files are read and nothing is run; a repository that is damaged is one without a remote, never an error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from recall_tui.files import opened

_MAX_BYTES = 2**20
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|\s*[#;].*')
_ESCAPE = re.compile(r"\\(.)")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(\[[^\]/]+\]|[^/:]*)(?::\d*)?(/.*)?")
_SHORT_URL = re.compile(r"(?:[^/@:]*@)?(\[[^\]/]+\]|[^/:\\]{2,}):(?!//)(.*)")
"""`git@host:path`; a single letter before the colon is a drive."""


@dataclass(frozen=True, slots=True)
class Repository:
    """One repository, whichever of its work trees was looked at."""

    root: Path
    """The main work tree; a bare repository's own folder."""
    top: Path
    """The work tree that was looked at."""
    name: str
    url: str
    """Of the remote `origin`, else of the first one; empty when there is none."""


def repository_of(folder: Path) -> Repository | None:
    """The repository that an existing folder is in, as git would find it: the nearest one upwards."""
    for top in (folder, *folder.parents):
        if git := _git_folder(top):
            return _described(top, git)
        if _is_git_folder(top):
            return _described(top.parent if top.name == ".git" else top, top)
    return None


def is_folder(path: Path) -> bool:
    """Whether a folder is there that can be seen; a path that no file can have names none."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def normalised(url: str) -> str:
    """The url of a remote as `host/path`, the same for https, ssh and git; empty for one on this machine.

    User, password, port and the ending `.git` are left out and the host is in lower case.
    """
    full = _URL.fullmatch(url)
    if full and full[1].lower() != "file":
        return _joined(full[2], full[3] or "")
    short = None if full else _SHORT_URL.fullmatch(url)
    return _joined(short[1], short[2]) if short else ""


def local_path(url: str) -> str:
    """The path that the url of a remote on this machine means, absolute or from the repository's root."""
    full = _URL.fullmatch(url)
    return full[3] or "" if full else url


def _joined(host: str, path: str) -> str:
    return f"{host.lower()}/{path.strip('/').removesuffix('.git').rstrip('/')}"


def _git_folder(top: Path) -> Path | None:
    """Where the `.git` of a work tree leads: itself, or what the file says."""
    git = top / ".git"
    if _is_git_folder(git):
        return git
    says = _text(git)
    if not says.startswith("gitdir:"):
        return None
    return _resolved(top / says.removeprefix("gitdir:").strip())


def _is_git_folder(folder: Path) -> bool:
    try:
        return (folder / "HEAD").is_file() and is_folder(folder / "objects") and is_folder(folder / "refs")
    except OSError:
        return False


def _described(top: Path, git: Path) -> Repository:
    common = _common(git)
    settings = _settings(_text(common / "config"))
    root = _root(top, common, settings)
    name = root.name.removesuffix(".git") or common.name.removesuffix(".git")
    return Repository(root, top, name, _url(settings))


def _common(git: Path) -> Path:
    """The repository's own folder, which its work trees share; for one that git forgot, where it would be."""
    if says := _text(git / "commondir").strip():
        return _resolved(git / says)
    return git.parent.parent if git.parent.name == "worktrees" else git


def _root(top: Path, common: Path, settings: dict[str, str]) -> Path:
    if common.name == ".git":
        return common.parent
    if worktree := settings.get("core.worktree"):
        return _resolved(common / worktree)
    if settings.get("core.bare") == "true":
        return common.parent if common.name.startswith(".") else common
    return common if is_folder(common) else top


def _url(settings: dict[str, str]) -> str:
    if url := settings.get("remote.origin.url"):
        return url
    return next((value for name, value in settings.items() if re.fullmatch(r"remote\..+\.url", name)), "")


def _settings(text: str) -> dict[str, str]:
    """The settings of a file in git's own kind of ini, such as `remote.origin.url`; of several values the first."""
    found: dict[str, str] = {}
    section = ""
    for line in text.replace("\\\n", "").splitlines():
        line = line.strip()
        if head := _SECTION.match(line):
            section = ".".join([head[1].lower(), *([_ESCAPE.sub(r"\1", head[2])] if head[2] else [])])
            line = line[head.end() :].strip()
        if setting := _SETTING.fullmatch(line):
            value = _COMMENT.sub(lambda match: match[1] or "", setting[2]).strip().replace('"', "")
            found.setdefault(f"{section}.{setting[1].lower()}", _ESCAPE.sub(r"\1", value))
    return found


def _text(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with opened(path) as file:
            return file.read(_MAX_BYTES).decode("utf-8", "surrogateescape")
    except (OSError, ValueError):
        return ""


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path
