"""Which embedder makes vectors, and what is said when it cannot be had."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recall_tui.environment import Environment
from recall_tui.errors import ModelError
from recall_tui.llm.embedders.selection import configuration_error, select_embedder
from recall_tui.llm.model import Failure
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store
from recall_tui.storage.trust import confirm
from tests.onnx_models import write_model
from tests.packages import offer
from tests.processes import CHECKOUT

Make = Callable[..., Store]


@pytest.fixture
def make(environment: Environment, now: Callable[[], datetime]) -> Make:
    """A memory with these settings of [embeddings] in its file, and this environment."""

    def made(env: dict[str, str] | None = None, **settings: str) -> Store:
        layout = make_layout(environment.cwd / "agent", "entity")
        layout.config.parent.mkdir(parents=True, exist_ok=True)
        lines = "".join(f'{key} = "{value}"\n' for key, value in settings.items())
        layout.config.write_text(f"[embeddings]\n{lines}")
        store = Memory(layout, Environment(environment.home, environment.cwd, {**environment.env, **(env or {})}), now)
        confirm(store)
        return store

    return made


def made(store: Store) -> Any:
    embedder = select_embedder(store)
    assert embedder is not None and not isinstance(embedder, Failure), embedder
    return embedder


def refused(store: Store) -> Failure:
    failure = select_embedder(store)
    assert isinstance(failure, Failure) and failure.is_refusal and failure.hint
    assert configuration_error(store) == failure
    return failure


@pytest.mark.parametrize("provider", ["", "none", " OFF "])
def test_without_a_provider_there_are_no_vectors_and_nothing_is_said(make: Make, provider: str) -> None:
    store = make(provider=provider, path="/nowhere")
    assert select_embedder(store) is None and configuration_error(store) is None


def test_a_folder_makes_a_local_embedder_wherever_it_is_written_from(make: Make, environment: Environment) -> None:
    write_model(environment.home / "models" / "small")
    write_model(environment.cwd / "agent" / "own")
    names = {made(make(provider="local", path=path)).name for path in ("~/models/small", "own")}
    assert len(names) == 1 and names.pop().startswith("local/model/mean-")


def test_a_package_may_be_named_by_the_path_or_the_model(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_model(tmp_path / "path" / "my_vectors")
    monkeypatch.syspath_prepend(str(tmp_path / "path"))
    one = made(make(provider="local", path="package:my-vectors"))
    assert made(make(provider="local", model="my-vectors")).name == one.name
    assert one.embed(["red"]).shape == (1, 3)


def test_a_folder_that_cannot_be_used_is_named(make: Make, environment: Environment) -> None:
    (environment.home / "empty").mkdir()
    assert refused(make(provider="local", path="~/empty")).reason == f"{environment.home / 'empty'} has no model.onnx"
    assert "embeddings.path FOLDER" in refused(make(provider="local")).hint


@pytest.mark.parametrize("name", ["onnxruntime", "tokenizers", "numpy"])
def test_what_is_not_installed_is_named_with_the_command_that_installs_it(
    make: Make, environment: Environment, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    write_model(environment.home / "model")
    store = make(provider="local", path="~/model")
    monkeypatch.setitem(sys.modules, name, None)
    assert refused(store).words == f"{name} is not installed; pip install 'recall-tui[semantic]'"


def test_a_server_needs_a_model_a_key_and_httpx(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "embeddings.model" in refused(make(provider="openai")).hint
    assert "RECALL_EMBEDDINGS_API_KEY" in refused(make(provider="openai", model="m")).hint
    assert made(make({"RECALL_EMBEDDINGS_API_KEY": "k"}, provider="openai", model="m")).name == "api.openai.com/m"
    bad = make(provider="openai", model="m", api_base="nowhere")
    assert refused(bad).reason == "embeddings.api_base is no address of the form https://host"
    here = {"provider": "openai", "model": "m", "api_base": "http://localhost:1"}
    assert made(make(dimensions="256", **here)).dimensions == 256
    assert made(make(dimensions="256", **here)).name == "localhost:1/m/256"
    monkeypatch.setitem(sys.modules, "httpx", None)
    assert refused(make(**here)).words == "httpx is not installed; pip install 'recall-tui[llm,semantic]'"


@pytest.mark.parametrize("provider", ["openai", "local", "mine"])
def test_settings_that_came_with_the_folder_choose_nothing(make: Make, environment: Environment, provider: str) -> None:
    write_model(environment.home / "model")
    store = make({"RECALL_EMBEDDINGS_API_KEY": "k"})
    evil = f'[embeddings]\nprovider = "{provider}"\nmodel = "m"\npath = "~/model"\n'
    store.layout.config.write_text(evil + 'api_base = "https://elsewhere.example"\n')
    assert "config trust" in refused(store).hint
    own = make({"RECALL_EMBEDDINGS_PROVIDER": "openai", "RECALL_EMBEDDINGS_API_KEY": "k"})
    own.layout.config.write_text('[embeddings]\nmodel = "m"\napi_base = "https://elsewhere.example"\n')
    assert "config trust" in refused(own).hint
    confirm(own)
    assert made(own).name == "elsewhere.example/m"


PACKAGE = """
class Mine:
    def __init__(self, config, model):
        self.name = f"mine/{model}"
        self.dimensions = 2

    def embed(self, texts):
        if "raise" in texts:
            raise RuntimeError("key sk-ant-api03-" + "Zx8Qw3" * 12)
        if "few" in texts:
            return [[1.0, 0.0]] * (len(texts) - 1)
        if "wide" in texts:
            return [[1.0, 0.0, 0.0]] * len(texts)
        if "odd" in texts:
            return [[float("nan"), 0.0]] * len(texts)
        if "none" in texts:
            return None
        return [[3.0, 4.0]] * len(texts)

def broken(config, model):
    raise RuntimeError("not\\x1b[31m today")

def wrong(config, model):
    return 3
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers embedders, on the path of this process."""
    offers = {"mine": "Mine", "broken": "broken", "wrong": "wrong", "gone": "gone"}
    offer(tmp_path / "path", monkeypatch, "recall_tui.embedders", "mine_vectors", PACKAGE, **offers)


@pytest.mark.usefixtures("package")
def test_another_package_offers_an_embedder_and_its_rows_are_held_to_the_form(make: Make) -> None:
    embedder = made(make(provider="mine", model="small"))
    assert (embedder.name, embedder.dimensions) == ("mine/small", 2)
    rows = embedder.embed(["a", "b"])
    assert rows.dtype == np.float32 and np.allclose(rows, [[0.6, 0.8]] * 2)
    assert embedder.embed([]).shape == (0, 2)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("raise", "RuntimeError"),
        ("few", "1 rows came for 2 texts"),
        ("wide", "3 dimensions, not 2"),
        ("odd", "not finite numbers"),
        ("none", "cannot be used"),
    ],
)
def test_whatever_another_packages_embedder_does_wrong_is_one_error(make: Make, word: str, why: str) -> None:
    with pytest.raises(ModelError, match=why) as error:
        made(make(provider="mine")).embed(["a", word])
    assert error.value.hint and "Zx8Qw3" not in str(error.value)


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("provider", "why"), [("broken", "RuntimeError: not today"), ("wrong", "no embedder"), ("gone", "AttributeError")]
)
def test_a_package_that_cannot_be_loaded_is_refused_with_its_name(make: Make, provider: str, why: str) -> None:
    failure = refused(make(provider=provider))
    assert f"the provider of vectors {provider} cannot be loaded" in failure.reason and why in failure.reason
    assert f"mine_vectors:{provider}" in failure.hint
    assert "mine" in refused(make(provider="mind")).hint


def test_looking_for_an_embedder_loads_nothing_heavy(environment: Environment) -> None:
    write_model(environment.home / "model")
    code = f"""if True:
        import sys
        from datetime import datetime
        from pathlib import Path
        from recall_tui.llm.embedders.selection import select_embedder
        from recall_tui.environment import Environment
        from recall_tui.storage.layout import make_layout
        from recall_tui.memory import Memory
        home = Path({str(environment.home)!r})
        env = {{"RECALL_EMBEDDINGS_PROVIDER": "local", "RECALL_EMBEDDINGS_PATH": "~/model"}}
        print(select_embedder(Memory(make_layout(home, "entity"), Environment(home, home, env), datetime.now)).name)
        print([name for name in ("numpy", "onnxruntime", "tokenizers", "httpx", "asyncio", "importlib.metadata")
               if name in sys.modules])
    """
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=CHECKOUT, env={"PYTHONPATH": str(CHECKOUT)},
                          capture_output=True, text=True)  # fmt: skip
    name, loaded = done.stdout.splitlines()
    assert name.startswith("local/model/mean-") and loaded == "[]", done.stderr
