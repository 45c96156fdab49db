"""Other people's packages for tests: on the path of this process, with what they offer by entry points."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def offer(folder: Path, monkeypatch: pytest.MonkeyPatch, group: str, module: str, source: str, **offers: str) -> None:
    """Install a module into the folder that offers these names of the group, each with what it calls it."""
    info = folder / "mine-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mine\nVersion: 1.0\n")
    lines = "".join(f"{name} = {module}:{what}\n" for name, what in offers.items())
    (info / "entry_points.txt").write_text(f"[{group}]\n{lines}")
    (folder / f"{module}.py").write_text(source)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.delitem(sys.modules, module, raising=False)
