"""The plugins of installed packages, by entry point.

Loading the library that reads them takes longer than most commands, and few people have a plugin.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import files
from recall_tui.errors import RecallError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_METADATA_SUFFIXES = (".dist-info", ".egg-info")


def installed_plugins(group: str) -> Iterable[EntryPoint]:
    """Return the entry points of the group; the library is loaded only if a package on the path has some."""
    if not any(_has_offers(Path(folder), group.encode()) for folder in sys.path):
        return ()
    from importlib.metadata import entry_points

    return entry_points(group=group)


def _has_offers(folder: Path, group: bytes) -> bool:
    """Return True if a package in the folder names the group; True as well for an archive of packages."""
    try:
        packages = [path for path in folder.iterdir() if path.suffix in _METADATA_SUFFIXES]
    except NotADirectoryError:
        return True
    except OSError:
        return False
    for package in packages:
        with suppress(OSError, RecallError):
            if b"[" + group + b"]" in files.read_file(package / "entry_points.txt", files.MAX_SETTINGS_BYTES):
                return True
    return False
