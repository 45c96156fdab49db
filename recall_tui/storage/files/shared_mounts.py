"""File systems that other machines may share, where a lock of this machine may hold nobody off."""

from __future__ import annotations

import os
from pathlib import Path

from recall_tui import files

_NETWORK_FILE_SYSTEMS = frozenset((
    "nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "virtiofs", "ceph", "afs", "lustre", "gpfs", "glusterfs", "ocfs2",
    "gfs2", "vboxsf", "vmhgfs", "prl_fs", "beegfs", "davfs",
))  # fmt: skip
_MOUNT_TABLE = Path("/proc/self/mountinfo")
_FUSE_PREFIX = "fuse."


def find_shared_type(folder: Path) -> str | None:
    """The kind of the file system the folder is on, if other machines may write to it; None also where nobody tells."""
    try:
        lines = os.fsdecode(files.read_file(_MOUNT_TABLE)).splitlines()
    except OSError:
        return None
    real = os.path.realpath(folder)
    best, kind = "", ""
    for line in lines:
        before, _, after = line.partition(" - ")
        words = before.split()
        place = _unescape(words[4]) if len(words) > 4 else ""
        is_above = real == place or real.startswith(place.rstrip("/") + "/")
        if place and is_above and len(place) >= len(best):
            best, kind = place, after.split(" ", 1)[0]
    return kind if kind in _NETWORK_FILE_SYSTEMS or kind.startswith(_FUSE_PREFIX) else None


def _unescape(place: str) -> str:
    for code, sign in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        place = place.replace(code, sign)
    return place
