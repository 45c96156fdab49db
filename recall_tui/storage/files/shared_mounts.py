"""File systems that other machines may share, where a lock of this machine may hold nobody off."""

from __future__ import annotations

import os
from pathlib import Path

from recall_tui import files

_SHARED = frozenset((
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "ceph", "afs", "lustre", "gpfs", "glusterfs", "ocfs2",
    "gfs2", "vboxsf", "vmhgfs", "prl_fs", "beegfs", "davfs",
))  # fmt: skip
_TABLE = Path("/proc/self/mountinfo")
_FUSE = "fuse."


def find_shared(folder: Path) -> str | None:
    """The kind of the file system the folder is on, if other machines may write to it; None also where nobody tells."""
    try:
        lines = os.fsdecode(files.read(_TABLE)).splitlines()
    except OSError:
        return None
    real = os.path.realpath(folder)
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        words = before.split()
        place = _unescaped(words[4]) if len(words) > 4 else ""
        is_above = real == place or real.startswith(place.rstrip("/") + "/")
        if place and is_above and len(place) >= len(best):
            best, kind = place, after.split(" ", 1)[0]
    return kind if kind in _SHARED or kind.startswith(_FUSE) else None


def _unescaped(place: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, sign)
    return place
