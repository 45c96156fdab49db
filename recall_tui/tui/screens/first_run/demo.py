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
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from recall_tui import resources
from recall_tui.environment import Environment
from recall_tui.storage.files.atomic import PRIVATE_FILE, PRIVATE_FOLDER

if TYPE_CHECKING:
    from recall_tui.storage.state.proposals import DocumentChange

DEMO_NOW = datetime(2026, 3, 6, 12, 0, tzinfo=UTC)
"""The sample's own today; its newest session ended that morning."""


@dataclass(frozen=True, slots=True)
class DemoMemory:
    """A copy of the sample memory and the small world around it."""

    folder: Path
    root: Path
    environment: Environment

    def remove(self) -> None:
        """Delete it, state and all."""
        shutil.rmtree(self.folder, ignore_errors=True)


def demo_now() -> datetime:
    """The sample's clock, which stands still."""
    return DEMO_NOW


def create_demo(folder: Path | None = None, env: dict[str, str] | None = None) -> DemoMemory:
    """Copy the sample memory into `folder`, by default a new temporary one."""
    folder = folder or Path(tempfile.mkdtemp(prefix="recall-tui-demo-"))
    root = folder / "agent"
    shutil.copytree(resources.data_folder() / "templates" / "demo", root, copy_function=shutil.copyfile)
    for path in (root, *root.rglob("*")):
        path.chmod(PRIVATE_FOLDER if path.is_dir() else PRIVATE_FILE)
    variables = {**(env or {}), "RECALL_STATE": str(folder / "state"), "HOME": str(folder)}
    sample = DemoMemory(folder, root, Environment(home=folder, cwd=root, env=variables))
    _write_proposals(sample)
    return sample


def _write_proposals(sample: DemoMemory) -> None:
    """Put the sample's proposals where those of any memory wait."""
    import json

    from recall_tui.storage.files import atomic
    from recall_tui.storage.layout import make_layout
    from recall_tui.storage.memory_context import Store
    from recall_tui.storage.state import proposals

    store = Store(make_layout(sample.root, "entity"), sample.environment, demo_now)
    # The sample was made here: it takes the sessions of its world, as a memory that came from elsewhere would not.
    atomic.make_folder(store.state / "journal")
    for one in json.loads(resources.read_template("demo-review.json")):
        changes = tuple(_document_change(sample.root, **change) for change in one.pop("changes"))
        made_at, evidence = DEMO_NOW - timedelta(hours=one.pop("hours")), tuple(one.pop("evidence"))
        proposals.save(store, proposals.Proposal(**one, changes=changes, evidence=evidence, made_at=made_at))


def _document_change(root: Path, path: str, replaces: str, text: str) -> DocumentChange:
    """A document with some of its text replaced, or a new one."""
    from recall_tui.storage.files import atomic
    from recall_tui.storage.state.proposals import DocumentChange

    was = atomic.read_text(root / path)
    return DocumentChange(path, was.replace(replaces, text) if replaces else text, atomic.file_digest(root / path))


def editor_environment(env: Mapping[str, str]) -> dict[str, str]:
    """What of the person's environment the sample's world needs: the editor."""
    return {key: env[key] for key in ("EDITOR", "VISUAL") if key in env}


def run_demo(environment: Environment, print_root: bool = False) -> int:
    """Open the app on a copy of the sample memory; with `print_root` only make the copy, keep it and print where."""
    from recall_tui.tui.app import RecallApp
    from recall_tui.tui.runtime.hang_up import end_with_terminal
    from recall_tui.workbench import Workbench

    sample = create_demo(env=editor_environment(environment.env))
    if print_root:
        sys.stdout.write(f"{sample.root}\n")
        return 0
    end_with_terminal()
    try:
        bench = Workbench.open(sample.root, environment=sample.environment, now=demo_now)
        return RecallApp(bench, sample.environment, remembers=False, is_demo=True).run() or 0
    finally:
        sample.remove()
