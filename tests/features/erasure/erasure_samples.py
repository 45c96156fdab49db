"""Words, secrets and sessions to erase, and the second copies that programs leave beside a file."""

from __future__ import annotations

from pathlib import Path

from recall_tui.workbench import Workbench
from tests.makers import session_id_of

KEY = "sk-ant-api03-" + "Qx7Lm2Vd9RtYb4Wn8Kc1"
WORD = "zanzibarquux"
TALK = [
    ("user", f"Plan the {WORD} surprise party for the whole team"),
    ("assistant", f"We decided that the {WORD} is in the park. Next step: invite {WORD} guests."),
]
OTHER = [("user", "Fix the token refresh race"), ("assistant", "We decided to use a lock around the refresh.")]
CERTAIN = (
    "{stem} (Ann's conflicted copy 2026-11-24){suffix}",
    "{stem}.sync-conflict-20260101-120000-ABCDEFG{suffix}",
    "{stem}_conflict-20260101-120000{suffix}",
    "{stem}.saved-1{suffix}",
    "{stem}.saved-2{suffix}",
    "{stem} (Ann's conflicted copy 2026-11-24).saved-1{suffix}",
)
LIKELY = (
    "{stem} 2{suffix}",
    "{stem} (1){suffix}",
    "{stem}-DESKTOP-7{suffix}",
    "{stem}{suffix}.orig",
    "{stem}{suffix}~",
    "{stem} copy{suffix}",
)
ONE, TWO = session_id_of(1), session_id_of(2)


def of_memory(bench: Workbench) -> list[Path]:
    """The markdown files of the memory."""
    layout = bench.layout
    folders = {layout.base, layout.window.parent, *(place.folder for place in layout.archives)}
    places = {path for folder in folders for path in folder.rglob("*.md")}
    return sorted(path for path in places if "projects" not in path.relative_to(layout.root).parts)


def copied(path: Path, name: str) -> Path:
    """A second copy of a file, as somebody calls it."""
    copy = path.with_name(name.format(stem=path.stem, suffix=path.suffix))
    copy.write_bytes(path.read_bytes())
    return copy
