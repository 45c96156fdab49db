"""Where the file of a piece really is when links have its name, and whether it may be read and written there.

A project may come from others: no link in it leads an installation out of it. In the person's own folders a link is
the person's own, as into a repository of settings, when it leads to a file of the person's; a link to nothing makes a
file only below the home folder.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from recall_tui.agents.target import Site
from recall_tui.errors import RecallError
from recall_tui.files import MAX_SETTINGS_BYTES
from recall_tui.storage.files.atomic import read_bytes

_LINK_HINT = "remove the link, then do it again"


def resolve_target(path: Path, site: Site) -> Path:
    """The file that is made, changed or removed; RecallError when a link leads where it must not."""
    real = Path(os.path.realpath(path))
    if site.scope == "project":
        project = Path(os.path.realpath(site.project))
        if not real.is_relative_to(project):
            raise _link_error(path, real, f"leads out of {project}")
    elif path.is_symlink():
        _require_own(path, real, site.places.home)
    return real if path.is_symlink() else path


def read_target(path: Path, site: Site) -> str | None:
    """The file's text with its line ends; None when there is no such file."""
    resolve_target(path, site)
    data = read_bytes(path, MAX_SETTINGS_BYTES, beneath=site.project if site.scope == "project" else None)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _require_own(path: Path, real: Path, home: Path) -> None:
    try:
        status = real.stat()
    except OSError:
        if not real.is_relative_to(Path(os.path.realpath(home))):
            raise _link_error(path, real, "leads to nothing, outside of the home folder") from None
        return
    if not stat.S_ISREG(status.st_mode):
        raise _link_error(path, real, "leads to what is no file")
    if status.st_uid != os.geteuid():
        raise _link_error(path, real, "leads to a file of somebody else")


def _link_error(path: Path, real: Path, why: str) -> RecallError:
    return RecallError(f"{path} is a link to {real}, which {why}: nothing is read or written there", hint=_LINK_HINT)
