"""Find the git repository of a folder and its remote by reading the files on disk.

Git is never run; a damaged repository has no remote and is never an error. A folder may come from others, so nothing in
it can claim membership of another repository: a `.git` file leads to another folder's repository only if that
repository lists it among its work trees. The index is read as described in git's index-format(5), versions 2 to 4.
"""

from __future__ import annotations

import re
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from recall_tui.files import open_file

_MAX_BYTES = 2**20
_MAX_INDEX_BYTES = 128 << 20
_MAX_CONFIG_FILES = 10
"""Config files of one repository to read, with those that they include."""
_ENTRY_STATUS_BYTES = 40
"""The part of an index entry before the object name."""
_OBJECT_NAME_BYTES = {"sha1": 20, "sha256": 32}
_EXTENDED_FLAG = 0x4000
_SECTION = re.compile(r'\[\s*([A-Za-z0-9.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]')
_SETTING = re.compile(r"([A-Za-z][A-Za-z0-9-]*)\s*=\s*(.*)")
_INCLUDED = re.compile(r"^\s*(?:\[include[^\n]*\]\s*)?path\s*=\s*([^\n]*?)\s*$", re.IGNORECASE | re.MULTILINE)
"""The path of a file that a config file includes, under whatever condition (`include.path`, `includeIf`)."""
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|\s*[#;].*')
_ESCAPE = re.compile(r"\\(.)")
_URL = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://(?:[^/@]*@)?(\[[^\]/]+\]|[^/:]*)(?::\d*)?(/.*)?")
_SHORT_URL = re.compile(r"(?:[^/@:]*@)?(\[[^\]/]+\]|[^/:\\]{2,}):(?!//)(.*)")
"""`git@host:path`; a single letter before the colon is a drive."""


class Repository(NamedTuple):
    """A repository, seen from one of its work trees."""

    root: Path
    """The main work tree, or a bare repository's folder: the same for all work trees that the repository lists."""
    top: Path
    """The work tree that was examined."""
    name: str
    url: str
    """The URL of `origin`, else of the first remote; empty when there is none. An unverified claim: anyone can write
    it.
    """


def find_repository(folder: Path, home: Path | None = None) -> Repository | None:
    """Find the repository of an existing folder: the closest one upwards.

    A repository that contains the user's `home`, such as one of dotfiles, or the whole disk, applies only to its own
    top folder: its subfolders are unrelated.
    """
    for top in (folder, *folder.parents):
        if top != folder and is_home_or_root(top, home):
            break
        if found := _repository_at(top):
            return found
    return None


def git_folders(top: Path) -> tuple[Path, Path] | None:
    """Return a work tree's git folder and the one shared by all work trees of its repository; they are often the same.

    None when there is none, or when that folder does not list this work tree.
    """
    git = top / ".git"
    kind = _kind(git)
    if kind == stat.S_IFDIR:
        return (git, git) if _is_git_folder(git) else None
    says = _text(git) if kind == stat.S_IFREG else ""
    if not says.startswith("gitdir:"):
        return None
    own = _resolved(top / says.removeprefix("gitdir:").strip())
    if common := _owning_repository(own, git):
        return own, common
    return (own, own) if _is_own(top, own) else None


def index_folders(top: Path) -> tuple[Path, Path] | None:
    """Like `git_folders`, but also follow a `.git` to a repository that does not list this work tree.

    Git stores this work tree's index there; its content must not be trusted or changed.
    """
    if found := git_folders(top):
        return found
    git = top / ".git"
    kind = _kind(git)
    says = _text(git) if kind == stat.S_IFREG else ""
    named = says.removeprefix("gitdir:").strip() if says.startswith("gitdir:") else ""
    own = _resolved(top / named) if named else _resolved(git)
    return (own, own) if (named or kind == stat.S_IFLNK) and _is_git_folder(own) else None


def shared_folder(git: Path) -> Path:
    """Return the folder shared by all work trees of a repository, given the folder of one of them."""
    named = _text(git / "commondir").strip()
    return _resolved(git / named) if named else git


def named_git_folder(path: Path) -> Path | None:
    """Return the repository folder that a `GIT_DIR` path names, which may be a `.git` file; None without one."""
    says = _text(path) if _kind(path) == stat.S_IFREG else ""
    found = _resolved(path.parent / says.removeprefix("gitdir:").strip() if says.startswith("gitdir:") else path)
    return found if _is_git_folder(found) or is_folder(shared_folder(found) / "objects") else None


def named_work_tree(git: Path) -> Path | None:
    """Return the work tree configured in a repository's settings, wherever its folder is; None without one."""
    files, seen = [git / "config.worktree", shared_folder(git) / "config"], 0
    while files and (seen := seen + 1) <= _MAX_CONFIG_FILES:
        file = files.pop(0)
        text = _text(file)
        if named := _settings(text).get("core.worktree"):
            return _resolved(git / named)
        files += [file.parent / Path(one[1].strip('"')).expanduser() for one in _INCLUDED.finditer(text)]
    return None


def object_format(common: Path) -> str:
    """Return a repository's object format: `sha1` or `sha256`."""
    return _settings(_text(common / "config")).get("extensions.objectformat", "sha1").lower()


def is_home_or_root(top: Path, home: Path | None) -> bool:
    """Return whether a folder contains the user's home, or is the root of the disk."""
    return top == top.parent or (home is not None and home.is_relative_to(top))


def is_folder(path: Path) -> bool:
    """Return whether the folder exists and is accessible; False for an invalid path."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def normalize_url(url: str) -> str:
    """Normalize a remote's URL to `host/path`, equal for https, ssh and git; empty for a local one.

    User, password, port and the suffix `.git` are removed, and the host is in lower case.
    """
    full = _URL.fullmatch(url)
    if full and full[1].lower() != "file":
        return _join_path(full[2], full[3] or "")
    short = None if full else _SHORT_URL.fullmatch(url)
    return _join_path(short[1], short[2]) if short else ""


def local_path(url: str) -> str:
    """Return the path of a local remote's URL, absolute or relative to the repository's root."""
    full = _URL.fullmatch(url)
    return full[3] or "" if full else url


def _join_path(host: str, path: str) -> str:
    return f"{host.lower()}/{path.strip('/').removesuffix('.git').rstrip('/')}"


def _repository_at(top: Path) -> Repository | None:
    """Return the repository whose work tree or git folder is `top`."""
    git = top / ".git"
    kind = _kind(git)
    if kind == stat.S_IFDIR and _is_git_folder(git):
        return _with_remote(top, top, git)
    if kind == stat.S_IFREG:
        return _linked_repository(top, git)
    if kind == stat.S_IFLNK and is_folder(git):
        # That repository does not list this work tree, wherever the link leads.
        return Repository(top, top, top.name, "")
    return _with_remote(_repository_root(top), _repository_root(top), top) if _is_git_folder(top) else None


def _linked_repository(top: Path, file: Path) -> Repository | None:
    """Return the repository that a `.git` file names; only `top` itself unless that repository lists it."""
    says = _text(file)
    if not says.startswith("gitdir:"):
        return None
    git = _resolved(top / says.removeprefix("gitdir:").strip())
    if common := _owning_repository(git, file):
        return _with_remote(_repository_root(common), top, common)
    return _with_remote(top, top, git) if _is_own(top, git) else Repository(top, top, top.name, "")


def _is_own(top: Path, git: Path) -> bool:
    """Return whether the repository is inside the work tree, or names it, as a submodule's does."""
    real = _resolved(top)
    worktree = _settings(_text(git / "config")).get("core.worktree")
    return git.is_relative_to(real) or (worktree is not None and _resolved(git / worktree) == real)


def _owning_repository(git: Path, file: Path) -> Path | None:
    """Return the repository whose work tree folder is `git`, if that folder names the `.git` file in turn."""
    common = git.parent.parent
    if git.parent.name != "worktrees" or not _is_git_folder(common):
        return None
    back, shared = _text(git / "gitdir").strip(), _text(git / "commondir").strip()
    if not back or not shared or _resolved(git / shared) != common:
        return None
    named = git / back
    return common if _resolved(named.parent) / named.name == _resolved(file.parent) / file.name else None


def _is_git_folder(folder: Path) -> bool:
    try:
        return (folder / "HEAD").is_file() and is_folder(folder / "objects") and is_folder(folder / "refs")
    except OSError:
        return False


def _repository_root(git: Path) -> Path:
    """Return the folder of a repository: its parent if named `.git` or referenced from there, else itself."""
    above = git.parent
    says = _text(above / ".git")
    is_named = says.startswith("gitdir:") and _resolved(above / says.removeprefix("gitdir:").strip()) == _resolved(git)
    return above if git.name == ".git" or is_named else git


def _with_remote(root: Path, top: Path, git: Path) -> Repository:
    # `api/.bare` is a sibling of the work trees of api.
    name = root.parent.name if root == git and root.name.startswith(".") else root.name.removesuffix(".git")
    return Repository(root, top, name or root.name, _url(_settings(_text(git / "config"))))


def _url(settings: dict[str, str]) -> str:
    if url := settings.get("remote.origin.url"):
        return url
    return next((value for name, value in settings.items() if re.fullmatch(r"remote\..+\.url", name)), "")


def _settings(text: str) -> dict[str, str]:
    """Parse a git config file into keys such as `remote.origin.url`; the first of several values wins."""
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


def _kind(path: Path) -> int:
    """Return a file's type without following links; 0 when there is none."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except (OSError, ValueError):
        return 0


def _text(path: Path) -> str:
    return read_bytes(path, _MAX_BYTES).decode("utf-8", "surrogateescape")


def read_bytes(path: Path, most: int) -> bytes:
    """Read the first bytes of a regular file; empty for anything else, such as a pipe or a link out of its folder."""
    try:
        with open_file(path, beneath=path.parent) as file:
            return file.read(most)
    except (OSError, ValueError):
        return b""


def _resolved(path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError):
        return path


def tracked_files(top: Path, folder: Path, git: Path | None = None, index: str = "index") -> list[str]:
    """Return the tracked files at or below `folder` in the work tree at `top`, relative to `top`.

    `git` is the repository's own folder, where that is not found at `top`; `index` another index file than its own.
    """
    found = (git, shared_folder(git)) if git else index_folders(top)
    if found is None or not folder.is_relative_to(top):
        return []
    git, common = found
    prefix = folder.relative_to(top).as_posix()
    name_bytes = _OBJECT_NAME_BYTES.get(object_format(common), 20)
    names = (name.decode("utf-8", "surrogateescape") for name in _index_names(git, name_bytes, index))
    return [name for name in names if prefix == "." or name == prefix or name.startswith(f"{prefix}/")]


def _index_names(git: Path, name_bytes: int, index: str) -> Iterator[bytes]:
    """Yield the names in the index and in its shared index, if any (gitformat-index(5), "Split index").

    An entry that replaces one of the shared index has no name.
    """
    data = read_bytes(git / index, _MAX_INDEX_BYTES)
    entries = _Entries(data, name_bytes)
    yield from filter(None, entries)
    shared, at = _shared_index(data, entries.end, name_bytes)
    if shared:
        # The shared index of a linked work tree is also next to its own index.
        names = list(_Entries(read_bytes(git / f"sharedindex.{shared}", _MAX_INDEX_BYTES), name_bytes))
        deleted = _set_bits(data, at, len(names))
        yield from (name for position, name in enumerate(names) if position not in deleted)


def _shared_index(data: bytes, at: int, name_bytes: int) -> tuple[str, int]:
    """Return the object name in the `link` extension and the position after it; empty when there is none.

    Extensions follow the entries, at `at`.
    """
    while at + 8 + name_bytes <= len(data):
        signature, size = struct.unpack_from(">4sI", data, at)
        at += 8
        if signature == b"link":
            found = data[at : at + name_bytes]
            return (found.hex() if any(found) else ""), at + name_bytes
        at += size
    return "", at


def _set_bits(data: bytes, at: int, size: int) -> set[int]:
    """Return the set bits among the first `size` of an EWAH-compressed bitmap; none if it is damaged."""
    if at + 8 > len(data):
        return set()
    count = min(struct.unpack_from(">I", data, at + 4)[0], (len(data) - at - 8) // 8)
    words = struct.unpack_from(f">{count}Q", data, at + 8)
    found: set[int] = set()
    place = position = 0
    while place < count and position < size:
        run, literals = (words[place] >> 1 & 0xFFFFFFFF) * 64, words[place] >> 33
        if words[place] & 1:
            found.update(range(position, min(position + run, size)))
        position += run
        for word in words[place + 1 : place + 1 + literals]:
            found.update(position + bit for bit in range(64) if word >> bit & 1)
            position += 64
        place += 1 + literals
    return found


class _Entries:
    """The names of an index's entries; `end` is the position after them once all were read."""

    def __init__(self, data: bytes, name_bytes: int) -> None:
        self._data = data
        self._name_bytes = name_bytes
        self.end = len(data)

    def __iter__(self) -> Iterator[bytes]:
        """Yield each name; stops where the index is damaged."""
        data = self._data
        if len(data) < 12:
            return
        signature, version, count = struct.unpack_from(">4sII", data)
        if signature != b"DIRC" or version not in (2, 3, 4):
            return
        at, name = 12, b""
        for _ in range(count):
            start, at = at, at + _ENTRY_STATUS_BYTES + self._name_bytes
            if at + 2 > len(data):
                return
            (flags,) = struct.unpack_from(">H", data, at)
            at += 4 if version >= 3 and flags & _EXTENDED_FLAG else 2
            kept = 0
            if version == 4:
                dropped, at = _number(data, at)
                kept = max(0, len(name) - dropped)
            end = data.find(b"\0", at)
            if end < 0:
                return
            name = name[:kept] + data[at:end]
            at = end + 1
            if version != 4:
                at = start + (end - start + 8) // 8 * 8
            yield name
        self.end = at


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Decode git's variable-width integer; return it and the position after it."""
    value = 0
    while at < len(data):
        byte = data[at]
        at += 1
        value = value << 7 | byte & 127
        if not byte & 128:
            break
        value += 1
    return value, at
