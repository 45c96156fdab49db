"""Plugins are found wherever packages lie, and the library that reads them is loaded only then."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from recall_tui.installed_plugins import installed_plugins

GROUP = "recall_tui.targets"
OFFER = f"[other]\na = b:c\n\n[{GROUP}]\natlas = atlas_recall:Atlas\n"


@pytest.mark.parametrize("kind", ["dist-info", "egg-info", "archive"])
def test_they_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    if kind == "archive":
        with zipfile.ZipFile(tmp_path / "packed.whl", "w") as packed:
            packed.writestr("atlas-1.dist-info/METADATA", "Name: atlas\n")
            packed.writestr("atlas-1.dist-info/entry_points.txt", OFFER)
        monkeypatch.syspath_prepend(str(tmp_path / "packed.whl"))
    else:
        info = tmp_path / f"atlas-1.{kind}"
        info.mkdir()
        (info / "METADATA").write_text("Name: atlas\n")
        (info / "PKG-INFO").write_text("Name: atlas\n")
        (info / "entry_points.txt").write_text(OFFER)
        monkeypatch.syspath_prepend(str(tmp_path))
    assert [point.value for point in installed_plugins(GROUP)] == ["atlas_recall:Atlas"]


def test_without_any_the_library_is_not_loaded(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path[:] = [path for path in sys.path if 'site-packages' not in path] + [sys.argv[1]]\n"
        "from recall_tui.installed_plugins import installed_plugins\n"
        f"print(list(installed_plugins({GROUP!r})), 'importlib.metadata' in sys.modules)"
    )
    checkout = Path(__file__).resolve().parents[1]
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "none")], cwd=checkout, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["[]", "False"]
