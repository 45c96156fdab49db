"""Locate the files shipped with the code: `styles/` and `templates/`.

A checkout's folders take precedence over the installed package's copy.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder() -> Path:
    """Return the folder that contains `styles/` and `templates/`."""
    checkout = _PACKAGE.parent
    return checkout if (checkout / "pyproject.toml").is_file() else _PACKAGE / "data"


def styles_folder() -> Path:
    """Return the folder of the app's style sheets."""
    return data_folder() / "styles"


def read_template(name: str) -> str:
    """Read the template `name`, such as `memory/MEMORY.md`."""
    return (data_folder() / "templates" / name).read_text(encoding="utf-8")
