"""An embedder of another package, as a person installs one: found by its entry point, in this process and in others."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from recall_tui.environment import Environment

_MODULE = """
from recall_tui.errors import ModelError
from tests.embedders import HashedWords


class Failing(HashedWords):
    def embed(self, texts):
        raise ModelError("the model is asleep", hint="wake it")


def made(config, model):
    if model == "failing":
        return Failing()
    return HashedWords(64, model or "hashed-words-64")
"""
CHECKOUT = Path(__file__).resolve().parents[1]


def package(folder: Path) -> Path:
    """A folder with the package `hashed` in it; the model `failing` never answers."""
    info = folder / "hashed_words-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: hashed-words\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[recall_tui.embedders]\nhashed = hashed_words_offer:made\n")
    (folder / "hashed_words_offer.py").write_text(_MODULE)
    return folder


def with_embedder(environment: Environment, monkeypatch: pytest.MonkeyPatch, *, model: str = "") -> Environment:
    """The same person with the package installed and set."""
    folder = environment.home.parent / "packages"
    if not folder.exists():
        package(folder)
    if str(folder) not in sys.path:
        monkeypatch.syspath_prepend(str(folder))
    path = f"{CHECKOUT}:{folder}"
    own = {"PYTHONPATH": path, "RECALL_EMBEDDINGS_PROVIDER": "hashed", "RECALL_EMBEDDINGS_MODEL": model}
    return environment._replace(env={**environment.env, **own})
