"""Trust: a folder that somebody else filled chooses no program to run and no server to send text to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from recall_tui.llm.calls import Asked, Calls
from recall_tui.llm.choice import chosen
from recall_tui.llm.embedding import chosen_embedder
from recall_tui.llm.model import Failure
from recall_tui.storage import trust
from recall_tui.storage.store import Store
from tests.cli.conftest import recall  # noqa: F401
from tests.llm.test_calls import Words
from tests.memories import store  # noqa: F401
from tests.models import FakeModel

EVIL = '[llm]\nprovider = "command"\ncommand = "touch /tmp/never"\n'


def write(store: Store, text: str) -> None:  # noqa: F811
    store.layout.config.write_text(text)


def test_settings_that_came_with_the_folder_run_nothing(store: Store, tmp_path: Path) -> None:  # noqa: F811
    mark = tmp_path / "mark"
    write(store, f'[llm]\nprovider = "command"\ncommand = "touch {mark}"\n')
    said = Calls(store).answer("summary", Asked("x"), Words)
    assert isinstance(said, Failure) and said.is_refusal and "config trust" in said.hint
    assert not mark.exists()
    assert trust.trust(store) and trust.is_trusted(store) and not trust.trust(store)
    Calls(store).answer("summary", Asked("x"), Words)
    assert mark.exists()


def test_what_changes_afterwards_is_not_trusted_and_the_old_state_still_is(store: Store) -> None:  # noqa: F811
    write(store, '[llm]\nprovider = "claude"\n')
    trust.trust(store)
    write(store, EVIL)
    assert isinstance(chosen(store, "summary"), Failure)
    write(store, 'theme = "recall-light"\n\n[llm]\nprovider = "claude"\n')
    assert not isinstance(chosen(store, "summary"), Failure)


def test_the_environment_is_the_persons_own(store: Store, tmp_path: Path) -> None:  # noqa: F811
    from tests.models import store_with

    model = FakeModel(tmp_path / "model", {"text": "x"})
    assert Calls(store_with(model, store)).answer("summary", Asked("x"), Words) == Words("x")
    write(store, EVIL)
    assert Calls(store_with(model, store)).answer("summary", Asked("x"), Words) == Words("x")
    write(store, '[llm]\napi_base = "https://elsewhere.example"\n')
    assert isinstance(Calls(store_with(model, store)).answer("summary", Asked("x"), Words), Failure)


def test_what_is_sent_away_for_vectors_is_confirmed_as_models_are(store: Store) -> None:  # noqa: F811
    server = 'provider = "openai"\nmodel = "m"\napi_base = "https://elsewhere.example"\napi_key = "k"\n'
    write(store, f"[embeddings]\n{server}")
    refused = chosen_embedder(store)
    assert isinstance(refused, Failure) and refused.is_refusal and "config trust" in refused.hint
    assert set(trust.said(store)) == {f"embeddings.{key}" for key in ("provider", "model", "api_base", "api_key")}
    assert trust.trust(store) and not isinstance(chosen_embedder(store), Failure)
    write(store, f"[embeddings]\n{server}".replace("elsewhere", "another"))
    assert isinstance(chosen_embedder(store), Failure)
    write(store, '[llm]\nprovider = "claude"\n\n[embeddings]\nprovider = ""\n')
    assert chosen_embedder(store) is None and isinstance(chosen(store, "summary"), Failure)


def test_setting_up_vectors_here_confirms_them(recall: Any, store: Store) -> None:  # noqa: F811
    root = ("--root", store.root)
    for key, value in (("provider", "openai"), ("model", "m"), ("api_key", "key-of-mine")):
        assert recall("config", "set", f"embeddings.{key}", value, *root).code == 0
    assert trust.is_trusted(store) and not isinstance(chosen_embedder(store), Failure)
    shown = recall("config", *root)
    assert "key-of-mine" not in shown.out and "(hidden)" in shown.out


def test_a_file_that_is_broken_trusts_nothing(store: Store) -> None:  # noqa: F811
    write(store, EVIL)
    store.state.mkdir(parents=True)
    for text in ("{", "[]", '{"models": 3}', '{"models": [1]}'):
        (store.state / trust.FILE).write_text(text)
        assert not trust.is_trusted(store)


def test_setting_a_model_here_confirms_it_and_nothing_that_came_along(recall: Any, store: Store) -> None:  # noqa: F811
    root = ("--root", store.root)
    assert recall("config", "set", "llm.provider", "claude", *root).code == 0
    assert trust.is_trusted(store)
    write(store, EVIL)
    said = recall("config", "set", "theme", "recall-light", *root)
    assert "was not confirmed" in said.err and not trust.is_trusted(store)
    said = recall("config", "trust", *root)
    assert "llm.command = touch /tmp/never" in said.out and trust.is_trusted(store)
    assert "nothing to confirm" in recall("config", "trust", *root).err
