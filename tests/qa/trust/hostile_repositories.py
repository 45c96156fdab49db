"""Repositories whose every setting, file and link names a program, a server, or somebody else's files.

Each trap writes a line into a file of its own when it is sprung, whoever starts it.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.repositories import git

PROGRAMS = ("git", "claude", "codex", "gemini", "recall-tui", "sh", "bash", "ssh", "gpg", "less", "vi", "uname")
"""Programs that lie in the repository, and on a PATH that leads there."""
CONFIGS: Mapping[str, str] = {
    "fsmonitor": "[core]\n\tfsmonitor = {trap}\n",
    "hooks": "[core]\n\thooksPath = {top}/evil-hooks\n",
    "filter": '[filter "evil"]\n\tclean = {trap}\n\tsmudge = {trap}\n\tprocess = {trap}\n\trequired = true\n',
    "diff": '[diff]\n\texternal = {trap}\n[diff "evil"]\n\ttextconv = {trap}\n\tcommand = {trap}\n',
    "merge": '[merge "evil"]\n\tdriver = {trap}\n[mergetool "evil"]\n\tcmd = {trap}\n',
    "pager": "[core]\n\tpager = {trap}\n\teditor = {trap}\n"
    "[pager]\n\tlog = {trap}\n\tstatus = {trap}\n\tbranch = {trap}\n",
    "alias": "[alias]\n\tstatus = !{trap}\n\tlog = !{trap}\n\tbranch = !{trap}\n\tfor-each-ref = !{trap}\n",
    "credential": "[core]\n\taskPass = {trap}\n\tsshCommand = {trap}\n\tgitProxy = {trap}\n"
    "[credential]\n\thelper = !{trap}\n",
    "signature": "[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {trap}\n[commit]\n\tgpgSign = true\n",
    "trace": "[trace2]\n\teventTarget = {sprung}\n\tnormalTarget = {sprung}\n\tperfTarget = {sprung}\n",
    "include": "[include]\n\tpath = {top}/evil.inc\n",
    "include when": '[includeIf "gitdir:**"]\n\tpath = {top}/evil.inc\n',
    "work tree": "[core]\n\tworktree = {top}/elsewhere\n",
    "promisor program": '[extensions]\n\tpartialClone = o\n[remote "o"]\n\tpromisor = true\n\turl = "ext::{trap} x"\n'
    '\tfetch = +refs/heads/*:refs/remotes/o/*\n[protocol "ext"]\n\tallow = always\n',
    "promisor server": '[extensions]\n\tpartialClone = o\n[remote "o"]\n\tpromisor = true\n'
    "\turl = git://127.0.0.1:{port}/x\n\tfetch = +refs/heads/*:refs/remotes/o/*\n",
    "upload pack": '[remote "origin"]\n\turl = {top}/elsewhere\n\tuploadpack = {trap}\n\tvcs = {trap}\n',
}
"""What `.git/config` may say, by its kind."""
SHAPES = ("file", "link", "pipe", "socket", "link to a file", "bare within", "device")
"""What `.git` may be, or where else a repository may lie."""


@dataclass(frozen=True, slots=True)
class Traps:
    """What is sprung, and how it is told."""

    folder: Path
    port: int = 9

    @property
    def trap(self) -> Path:
        """The program."""
        return self.folder / "trap"

    @property
    def sprung(self) -> Path:
        """The file that tells of it."""
        return self.folder / "sprung"

    def laid(self) -> Traps:
        """Make them."""
        self.folder.mkdir(parents=True)
        self.program(self.trap)
        return self

    def program(self, path: Path) -> None:
        """A trap at a path."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "$0 $*" >> {self.sprung}\ncat\n')
        path.chmod(0o755)


def memory(top: Path) -> None:
    """A memory that came with the repository, whose settings ask for all there is."""
    base = top / "_memory"
    (base / "conversations").mkdir(parents=True)
    for number in range(3):
        text = f"# s{number}\n\n## Context\nParser\n\n## Tracking Points\n- Decision: we use option {number}.\n"
        (base / "conversations" / f"aaaa{number}.md").write_text(text)
    (base / "MEMORY.md").write_text("# Memory\n\n- start from src/gone.py on branch `gone`\n")


def settings(top: Path, traps: Traps) -> None:
    """Settings of the memory and of agents that name programs."""
    (top / "_memory" / ".recall-echo.toml").write_text(
        'layout = "project"\n[synthesize]\nafter = 1\n[capture]\nauto = true\n[dream]\nenabled = true\n'
        "[recall]\nsynthesize_prompts = true\n"
        '[review]\nauto = ["weekly", "monthly", "wisdom", "wiki", "supersession"]\n'
        f'[llm]\nprovider = "command"\ncommand = "{traps.trap}"\ncalls_per_day = 1000\n'
        f'[embeddings]\nprovider = "openai"\nmodel = "m"\n'
        f'api_base = "http://127.0.0.1:{traps.port}/v1"\napi_key = "k"\n'
    )
    lines = (f"{traps.trap} recall-tui hook --root {top}", f"{top}/recall-tui hook --root {top}")
    groups = [{"hooks": [{"type": "command", "command": line}]} for line in lines]
    for name in (".claude/settings.json", ".claude/settings.local.json", ".codex/hooks.json", ".gemini/settings.json"):
        (top / name).parent.mkdir(exist_ok=True)
        (top / name).write_text(json.dumps({"hooks": {"SessionStart": groups, "SessionEnd": groups}}))
    for name in PROGRAMS:
        traps.program(top / name)
    shadow = f"import pathlib\npathlib.Path({str(traps.sprung)!r}).open('a').write(__file__)\n"
    for name in ("click.py", "textual.py", "sitecustomize.py", "usercustomize.py", "tantivy.py", "msgspec.py"):
        (top / name).write_text(shadow)
    for name in ("recall_tui", "git"):
        if not (top / name).exists():
            (top / name).mkdir()
            (top / name / "__init__.py").write_text(shadow)


def with_config(top: Path, traps: Traps, *kinds: str) -> None:
    """A repository with a commit, whose configuration is of these kinds."""
    git(top, "init", "-q", "-b", "main")
    (top / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")
    (top / "a.py").write_text("x = 1\n")
    git(top, "add", "-f", ".")
    git(top, "commit", "-qm", "start")
    (top / "a.py").write_text("x = 2\n")
    (top / "elsewhere").mkdir(exist_ok=True)
    (top / "evil.inc").write_text(f"[core]\n\tfsmonitor = {traps.trap}\n\tpager = {traps.trap}\n")
    for folder in (top / ".git" / "hooks", top / "evil-hooks"):
        for name in ("post-index-change", "reference-transaction", "post-checkout", "pre-commit", "fsmonitor-watchman"):
            traps.program(folder / name)
    names = {"trap": traps.trap, "sprung": traps.sprung, "top": top, "port": traps.port}
    with (top / ".git" / "config").open("a") as file:
        file.write("".join(CONFIGS[kind].format(**names) for kind in kinds))
    if any("promisor" in kind for kind in kinds):
        text = (top / ".git" / "config").read_text()
        (top / ".git" / "config").write_text(text.replace("repositoryformatversion = 0", "repositoryformatversion = 1"))
        tree = git_of(top, "rev-parse", "HEAD^{tree}")
        (top / ".git" / "objects" / tree[:2] / tree[2:]).unlink()


def git_of(top: Path, *words: str) -> str:
    """What git says without the repository's own configuration, which may be one that it refuses."""
    config = top / ".git" / "config"
    kept = config.read_text()
    config.write_text("[core]\n\trepositoryformatversion = 0\n")
    said = git(top, *words).strip()
    config.write_text(kept)
    return said


def with_submodule(top: Path, traps: Traps) -> None:
    """A repository with another one in it as a submodule, whose configuration names programs."""
    with_config(top, traps)
    inner = top / "inner"
    inner.mkdir()
    with_config(inner, traps, *CONFIGS)
    line = (
        f'[submodule "inner"]\n\tpath = inner\n\turl = ext::{traps.trap}\n\tupdate = !{traps.trap}\n\tignore = none\n'
    )
    (top / ".gitmodules").write_text(line)
    with (top / ".git" / "config").open("a") as file:
        file.write(line + "[submodule]\n\trecurse = true\n")


def with_alternates(top: Path, traps: Traps) -> None:
    """A repository whose objects are elsewhere: at a pipe, and at another repository of the person's."""
    with_config(top, traps, "fsmonitor")
    info = top / ".git" / "objects" / "info"
    info.mkdir(exist_ok=True)
    os.mkfifo(traps.folder / "pipe")
    (info / "alternates").write_text(f"{traps.folder / 'pipe'}\n{top.parent}\n")


def shaped(top: Path, traps: Traps, shape: str) -> None:
    """A repository that is not a plain folder `.git`."""
    other = traps.folder / "other"
    other.mkdir()
    with_config(other, traps, *_LOCAL)
    dot = top / ".git"
    match shape:
        case "file":
            dot.write_text(f"gitdir: {other}/.git\n")
        case "link":
            dot.symlink_to(other / ".git")
        case "link to a file":
            (top / "gitfile").write_text(f"gitdir: {other}/.git\n")
            dot.symlink_to("gitfile")
        case "pipe":
            os.mkfifo(dot)
        case "device":
            dot.symlink_to("/dev/zero")
        case "socket":
            here = os.open(top, os.O_RDONLY)
            with socket.socket(socket.AF_UNIX) as one:
                one.bind(f"/proc/self/fd/{here}/.git")
            os.close(here)
        case _:
            # What git takes for a repository wherever it lies: files of it that were committed into another.
            for name in ("objects", "refs", "HEAD", "index", "config"):
                path = other / ".git" / name
                (shutil.copytree if path.is_dir() else shutil.copy)(path, top / name)
            text = (top / "config").read_text().replace("bare = false", "bare = false\n\tworktree = .")
            (top / "config").write_text(text.replace(f"worktree = {other}/elsewhere", ""))
            (top / "a.py").write_text("x = 1\n")
            (top / ".gitattributes").write_text("* filter=evil diff=evil merge=evil\n")


_LOCAL = tuple(kind for kind in CONFIGS if "promisor" not in kind)
MAKERS: Mapping[str, Callable[[Path, Traps], None]] = {
    **{kind: lambda top, traps, kind=kind: with_config(top, traps, kind) for kind in CONFIGS},  # type: ignore[misc]
    "every configuration": lambda top, traps: with_config(
        top, traps, *(one for one in CONFIGS if "promisor" not in one)
    ),
    "submodule": with_submodule,
    "alternates": with_alternates,
    **{shape: lambda top, traps, shape=shape: shaped(top, traps, shape) for shape in SHAPES},  # type: ignore[misc]
}
"""By their kinds."""


def made(top: Path, traps: Traps, kind: str) -> Path:
    """A repository of a kind with a memory in it, and with all else that a repository can bring along."""
    top.mkdir(parents=True)
    memory(top)
    MAKERS[kind](top, traps)
    settings(top, traps)
    return top
