"""`.recall-ignore`: which transcripts are none of our business.

One glob a line; `#` begins a comment, `~/` is the home folder. A pattern holds for a file and for all in a folder.
"""

from __future__ import annotations

from collections.abc import Callable
from fnmatch import fnmatchcase

from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import read_text

IGNORE_FILE = ".recall-ignore"


def ignore_matcher(environment: Environment) -> Callable[[str], bool]:
    """Tell for an absolute path whether the file in Claude Code's folder names it, as it is or inside `projects`."""
    patterns = read_patterns(environment)
    projects = f"{environment.claude}/projects/"

    def is_ignored(path: str) -> bool:
        names = [path, path.removeprefix(projects)]
        folder, slash, name = path.rpartition("/")
        if "#" in name:
            # A session of a file with many: naming the file is naming each of them.
            names.append(f"{folder}{slash}{name.rpartition('#')[0]}")
        return any(fnmatchcase(name, pattern) for pattern in patterns for name in names)

    return is_ignored


def read_patterns(environment: Environment) -> tuple[str, ...]:
    """What the file names, each pattern for itself and for what is in it."""
    found: list[str] = []
    try:
        text = read_text(environment.claude / IGNORE_FILE)
    except OSError:
        return ()
    for line in text.splitlines():
        pattern = line.strip()
        if not pattern or pattern.startswith("#"):
            continue
        if pattern.startswith("~/"):
            pattern = f"{environment.home}/{pattern[2:]}"
        found += (pattern, f"{pattern.rstrip('/')}/*")
    return tuple(found)
