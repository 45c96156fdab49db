"""The app on a throw-away copy of the sample memory.

The copy has a home and a state folder of its own, so nothing of the person's is read or written; its clock stands at
the day the sample was made.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from recall_tui import resources
from recall_tui.paths import Places
from recall_tui.storage.atomic import PRIVATE_FILE, PRIVATE_FOLDER

NOON = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
"""The sample's own today; its newest session ended that morning."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A copy of the sample memory and the small world around it."""

    folder: Path
    root: Path
    places: Places

    def remove(self) -> None:
        """Delete it, state and all."""
        shutil.rmtree(self.folder, ignore_errors=True)


def now() -> datetime:
    """The sample's clock, which stands still."""
    return NOON


def make(folder: Path | None = None, env: dict[str, str] | None = None) -> Sample:
    """Copy the sample memory into `folder`, by default a new temporary one."""
    folder = folder or Path(tempfile.mkdtemp(prefix="recall-tui-demo-"))
    root = folder / "agent"
    shutil.copytree(resources.data_root() / "templates" / "demo", root, copy_function=shutil.copyfile)
    for path in (root, *root.rglob("*")):
        path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
    variables = {**(env or {}), "RECALL_STATE": str(folder / "state"), "HOME": str(folder)}
    return Sample(folder, root, Places(home=folder, cwd=root, env=variables))


def editor_of(env: Mapping[str, str]) -> dict[str, str]:
    """What of the person's environment the sample's world needs: the editor."""
    return {key: env[key] for key in ("EDITOR", "VISUAL") if key in env}


def run(places: Places, print_root: bool = False) -> int:
    """Open the app on a copy of the sample memory; with `print_root` only make the copy, keep it and print where."""
    from recall_tui.tui.app import RecallApp
    from recall_tui.workbench import Workbench

    sample = make(env=editor_of(places.env))
    if print_root:
        sys.stdout.write(f"{sample.root}\n")
        return 0
    try:
        bench = Workbench.open(sample.root, places=sample.places, now=now)
        return RecallApp(bench, sample.places, remembers=False).run() or 0
    finally:
        sample.remove()
