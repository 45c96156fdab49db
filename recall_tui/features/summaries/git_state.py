"""A repository as its files show it: the branch, the names of branches, and what was committed on this machine.

No program is started: a repository's own settings can name programs, and git obeys them. Only regular files that lie in
the repository's folder are read, no link is followed, and each read is bounded.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from recall_tui.text.cut import one_line, shorten, strip_controls

MAX_COMMITS = 20
_MAX_HEAD_BYTES = 4_096
"""Of a file that holds one name."""
_MAX_PACKED_BYTES = 4 << 20
_MAX_LOG_BYTES = 64 << 10
"""Of the end of the log."""
_MAX_REFS = 5_000
_MAX_DEPTH = 8
_MAX_SUBJECT_CHARS = 110
_HASH_CHARS = 7
_HEAD_BRANCH = re.compile(r"ref: refs/heads/(\S+)\s*")
_PACKED_REF = re.compile(r"^[0-9a-f]{40,64} refs/(heads|remotes)/(\S+)$", re.MULTILINE)
_REF_KINDS = ("heads", "remotes")
_REFLOG_LINE = re.compile(r"([0-9a-f]{40,64}) ([0-9a-f]{40,64}) [^\t]*\t(.*)")
"""A line of the log: from where HEAD went to where, who did it, and why."""
_COMMIT_ENTRY = re.compile(
    r"(?:commit(?: \((?P<commit>\w+)\))?|cherry-pick|revert|am"
    r"|(?:rebase|pull)[^:(]*\((?P<rebase>pick|edit|reword|squash|fixup|continue)\)): (?P<subject>.+)"
)
_MERGE_ENTRY = re.compile(r"(?:merge|pull)\b[^:(]*: (?:Fast-forward|Merge made)")
_REPLACING_KINDS = frozenset(("amend", "reword", "squash", "fixup"))
"""Kinds of commits that stand for the one before."""


@dataclass(frozen=True, slots=True)
class GitState:
    """What a repository's files say."""

    branch: str
    """Empty when none is checked out."""
    branches: frozenset[str] | None
    """None when there are too many, or they are kept in a way that is not known."""
    commits: tuple[str, ...]
    """The last ones that were made on this machine, newest first, each as `<hash> <subject>`."""

    @property
    def words(self) -> str:
        """It in one sentence."""
        return f"On branch {self.branch}." if self.branch else "No branch is checked out."


def read_git(folder: Path) -> GitState | None:
    """The state of the repository that the folder is in; None when it is in none, or in one of another's making."""
    found = _find_git_folder(folder)
    if found is None:
        return None
    git, common = found
    try:
        with closing(_Folder(git)) as own, closing(_Folder(common)) as shared:
            head = _HEAD_BRANCH.fullmatch(own.text("HEAD", _MAX_HEAD_BYTES))
            log = own.text("logs/HEAD", _MAX_LOG_BYTES, from_end=True)
            return GitState(strip_controls(head[1]) if head else "", _read_branches(shared), tuple(_parse_commits(log)))
    except OSError:
        return None


def _find_git_folder(folder: Path) -> tuple[Path, Path] | None:
    """The folder of the work tree's own state and the one of what work trees share, of the nearest repository upwards.

    A `.git` that is a link, or a file that leads to a repository which does not know of this work tree, is none.
    """
    for top in (folder, *folder.parents):
        git = top / ".git"
        try:
            mode = git.lstat().st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode):
            return git, git
        return _worktree_folders(top, git) if stat.S_ISREG(mode) else None
    return None


def _worktree_folders(top: Path, file: Path) -> tuple[Path, Path] | None:
    """The folders of a work tree whose `.git` is a file; each side must name the other, as git writes them."""
    says = _read_name(file.parent, file.name)
    if not says.startswith("gitdir: "):
        return None
    git = Path(os.path.realpath(top / says.removeprefix("gitdir: ").strip()))
    back = _read_name(git, "gitdir").strip()
    if git.parent.name != "worktrees" or not back or not _is_same_path(git / back, file):
        return None
    return git, git.parent.parent


def _read_name(folder: Path, name: str) -> str:
    try:
        with closing(_Folder(folder)) as held:
            return held.text(name, _MAX_HEAD_BYTES)
    except (OSError, ValueError):
        return ""


def _is_same_path(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _read_branches(shared: _Folder) -> frozenset[str] | None:
    """The names of branches, those of remotes with and without the remote's name."""
    packed = shared.text("packed-refs", _MAX_PACKED_BYTES)
    if shared.has("reftable") or len(packed) >= _MAX_PACKED_BYTES:
        return None
    heads, remotes = ([found[2] for found in _PACKED_REF.finditer(packed) if found[1] == one] for one in _REF_KINDS)
    for kind, names in zip(_REF_KINDS, (heads, remotes), strict=True):
        loose = shared.files(f"refs/{kind}", _MAX_REFS)
        if loose is None or len(loose) + len(names) > _MAX_REFS:
            return None
        names += loose
    return frozenset((*heads, *remotes, *(name.partition("/")[2] for name in remotes))) - {""}


def _parse_commits(log: str) -> Iterator[str]:
    """The commits among the moves of HEAD that it still leads back to, newest first."""
    moves = [found for line in log.split("\n") if (found := _REFLOG_LINE.fullmatch(line))]
    before: dict[str, str] = {}
    joined: dict[str, str] = {}
    subjects: dict[str, str] = {}
    for old, new, why in (move.groups() for move in moves):
        if made := _COMMIT_ENTRY.fullmatch(why):
            is_replacing = (made["commit"] or made["rebase"]) in _REPLACING_KINDS
            before[new] = before.get(old, "") if is_replacing else old
            subjects.pop(new, None)
            subjects[new] = made["subject"]
        elif _MERGE_ENTRY.match(why):
            joined[new] = old
    led, left = set[str](), [move[2] for move in moves[-1:]]
    while left:
        at = left.pop()
        if at and at not in led:
            led.add(at)
            left += [before.get(at, ""), joined.get(at, "")]
    newest = [(at, words) for at, words in reversed(subjects.items()) if at in led]
    for at, words in newest[:MAX_COMMITS]:
        yield f"{at[:_HASH_CHARS]} {shorten(one_line(strip_controls(words)), _MAX_SUBJECT_CHARS)}"


class _Folder:
    """A folder whose regular files are read by their path in it, without following a link on the way."""

    def __init__(self, path: Path) -> None:
        self._at = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)

    def close(self) -> None:
        """Give it back."""
        os.close(self._at)

    def has(self, name: str) -> bool:
        """Whether anything of this name is in it."""
        try:
            os.stat(name, dir_fd=self._at, follow_symlinks=False)
        except OSError:
            return False
        return True

    def text(self, path: str, most: int, *, from_end: bool = False) -> str:
        """At most so many bytes of a file, as text; empty when there is no such regular file."""
        try:
            *folders, name = path.split("/")
            held = self._opened(folders)
            try:
                file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=held)
            finally:
                os.close(held)
            with os.fdopen(file, "rb") as opened:
                status = os.fstat(file)
                if not stat.S_ISREG(status.st_mode):
                    return ""
                if from_end and status.st_size > most:
                    opened.seek(status.st_size - most)
                return opened.read(most).decode("utf-8", "replace")
        except (OSError, ValueError):
            return ""

    def files(self, path: str, most: int) -> list[str] | None:
        """The paths of the regular files below a folder of it, relative to that; None when more than so many are."""
        found: list[str] = []
        seen = 0
        left = [""]
        while left:
            where = left.pop()
            try:
                held = self._opened([*path.split("/"), *where.split("/")[:-1]])
            except OSError:
                continue
            try:
                with os.scandir(held) as entries:
                    for one in entries:
                        seen += 1
                        if seen > most:
                            return None
                        if one.is_file(follow_symlinks=False):
                            found.append(f"{where}{one.name}")
                        elif one.is_dir(follow_symlinks=False) and where.count("/") < _MAX_DEPTH:
                            left.append(f"{where}{one.name}/")
            finally:
                os.close(held)
        return found

    def _opened(self, folders: list[str]) -> int:
        held = os.dup(self._at)
        for name in folders:
            try:
                inner = os.open(name, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=held)
            finally:
                os.close(held)
            held = inner
        return held
