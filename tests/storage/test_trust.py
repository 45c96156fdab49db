"""Trust: a folder that somebody else filled chooses no program to run and no server to send text to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.llm.client import LLMRequest, ModelClient
from recall_tui.llm.embedders.selection import select_embedder
from recall_tui.llm.model import Failure
from recall_tui.llm.selection import select_model
from recall_tui.setting_schema import SCHEMA, find_rule
from recall_tui.storage import trust
from recall_tui.storage.memory_context import Store
from recall_tui.tui.screens.settings.view_model import load_settings
from recall_tui.workbench import Workbench
from tests.cli.conftest import recall  # noqa: F401
from tests.makers import bench_at
from tests.memories import store  # noqa: F401
from tests.models import FakeModel, Words

EVIL = '[llm]\nprovider = "command"\ncommand = "touch /tmp/never"\n'


def write(store: Store, text: str) -> None:  # noqa: F811
    store.layout.config.write_text(text)


def test_settings_that_came_with_the_folder_run_nothing(store: Store, tmp_path: Path) -> None:  # noqa: F811
    mark = tmp_path / "mark"
    write(store, f'[llm]\nprovider = "command"\ncommand = "touch {mark}"\n')
    said = ModelClient(store).answer("summary", LLMRequest("x"), Words)
    assert isinstance(said, Failure) and said.is_refusal and "config trust" in said.hint
    assert not mark.exists()
    assert trust.confirm(store) and trust.is_trusted(store) and not trust.confirm(store)
    ModelClient(store).answer("summary", LLMRequest("x"), Words)
    assert mark.exists()


def test_what_changes_afterwards_is_not_trusted_and_the_old_state_still_is(store: Store) -> None:  # noqa: F811
    write(store, '[llm]\nprovider = "claude"\n')
    trust.confirm(store)
    write(store, EVIL)
    assert isinstance(select_model(store, "summary"), Failure)
    write(store, 'theme = "recall-light"\n\n[llm]\nprovider = "claude"\n')
    assert not isinstance(select_model(store, "summary"), Failure)


def test_the_environment_is_the_persons_own(store: Store, tmp_path: Path) -> None:  # noqa: F811
    from tests.models import store_with

    model = FakeModel(tmp_path / "model", {"text": "x"})
    assert ModelClient(store_with(model, store)).answer("summary", LLMRequest("x"), Words) == Words("x")
    write(store, EVIL)
    assert ModelClient(store_with(model, store)).answer("summary", LLMRequest("x"), Words) == Words("x")
    write(store, '[llm]\napi_base = "https://elsewhere.example"\n')
    assert isinstance(ModelClient(store_with(model, store)).answer("summary", LLMRequest("x"), Words), Failure)


def test_what_is_sent_away_for_vectors_is_confirmed_as_models_are(store: Store) -> None:  # noqa: F811
    server = 'provider = "openai"\nmodel = "m"\napi_base = "https://elsewhere.example"\napi_key = "k"\n'
    write(store, f"[embeddings]\n{server}")
    refused = select_embedder(store)
    assert isinstance(refused, Failure) and refused.is_refusal and "config trust" in refused.hint
    assert set(trust.declared_settings(store)) == {
        f"embeddings.{key}" for key in ("provider", "model", "api_base", "api_key")
    }
    assert trust.confirm(store) and not isinstance(select_embedder(store), Failure)
    write(store, f"[embeddings]\n{server}".replace("elsewhere", "another"))
    assert isinstance(select_embedder(store), Failure)
    write(store, '[llm]\nprovider = "claude"\n\n[embeddings]\nprovider = ""\n')
    assert select_embedder(store) is None and isinstance(select_model(store, "summary"), Failure)


def test_setting_up_vectors_here_confirms_them(recall: Any, store: Store) -> None:  # noqa: F811
    root = ("--root", store.root)
    for key, value in (("provider", "openai"), ("model", "m"), ("api_key", "key-of-mine")):
        assert recall("config", "set", f"embeddings.{key}", value, *root).code == 0
    assert trust.is_trusted(store) and not isinstance(select_embedder(store), Failure)
    shown = recall("config", *root)
    assert "key-of-mine" not in shown.out and "(hidden)" in shown.out


def test_a_file_that_is_broken_trusts_nothing(store: Store) -> None:  # noqa: F811
    write(store, EVIL)
    store.state.mkdir(parents=True)
    for text in ("{", "[]", '{"models": 3}', '{"models": [1]}'):
        (store.state / trust.TRUST_FILE).write_text(text)
        assert not trust.is_trusted(store)


def test_setting_a_model_here_confirms_it_and_nothing_that_came_along(recall: Any, store: Store) -> None:  # noqa: F811
    root = ("--root", store.root)
    assert recall("config", "set", "llm.provider", "claude", *root).code == 0
    assert trust.is_trusted(store)
    write(store, EVIL)
    said = recall("config", "set", "theme", "recall-light", *root)
    assert "not confirmed" in said.err and not trust.is_trusted(store)
    said = recall("config", "trust", "--yes", *root)
    assert "llm.command = 'touch /tmp/never'" in said.out and trust.is_trusted(store)
    assert "nothing to confirm" in recall("config", "trust", "--yes", *root).err


FAR = {
    "ephemeral.max_entries": ("[ephemeral]", "max_entries = 1"),
    "inject.tokens": ("[inject]", "tokens = 8000"),
    "master.imported": ("[master]", "imported = true"),
    "synthesize.after": ("[synthesize]", "after = 1"),
    "dream.enabled": ("[dream]", "enabled = true"),
    "keys.forget": ("[keys]", 'forget = "j"'),
    "wiki.shared": ("[wiki]", 'shared = ["team = ../team"]'),
    "transcripts.sources": ("[transcripts]", 'sources = ["/home"]'),
    "transcripts.projects": ("[transcripts]", 'projects = "all"'),
    "transcripts.aliases": ("[transcripts]", 'aliases = ["~/api"]'),
    "capture.auto": ("[capture]", "auto = true"),
    "recall.synthesize_prompts": ("[recall]", "synthesize_prompts = true"),
    "review.auto": ("[review]", 'auto = ["wiki"]'),
    "keep.days": ("[keep]", "days = 1"),
    "backups.days": ("[backups]", "days = 0"),
}


def test_each_setting_that_waits_for_a_word_is_tried() -> None:
    assert {one.key for one in SCHEMA if one.reach.needs == "a word"} == set(FAR) - {"keys.forget"}


@pytest.mark.parametrize(
    "line",
    [
        "[ephemeral]\nmax_entries = 5", "[inject]\ntokens = 0", "[backups]\ndays = 7", "[synthesize]\nafter = 0",
        "[dream]\nenabled = false", "[capture]\nauto = false", "[memory]\nmax_lines = 20", "[search]\nparents = 1",
    ],
)  # fmt: skip
def test_what_stays_within_the_memory_counts_at_once(environment: Environment, line: str) -> None:
    store = bench_at(environment, "project").store  # noqa: F811
    with store.layout.config.open("a") as file:
        file.write(f"\n{line}\n")
    assert trust.is_trusted(store) and store.config.warnings == ()


def _does(key: str) -> str:
    reach = find_rule(key)
    assert reach is not None
    return reach.does


@pytest.mark.long
@pytest.mark.parametrize("key", FAR)
def test_what_reaches_out_counts_when_it_was_confirmed(recall: Any, environment: Environment, key: str) -> None:  # noqa: F811
    store = bench_at(environment, "project").store  # noqa: F811
    before = store.config.get(key)
    with store.layout.config.open("a") as file:
        file.write("\n" + "\n".join(FAR[key]) + "\n")
    assert store.config.get(key) == before and store.config.origin(key) == "default"
    assert [said for said in store.config.warnings if key in said and "config trust" in said]
    root = ("--root", store.root)
    shown = recall("config", *root)
    assert shown.code and f"{key} {_does(key)}" in shown.err
    assert f"{key} {_does(key)}" in recall("doctor", *root).out
    seen = {row.key: row for row in load_settings(Workbench.open(store.root, environment=environment), ()).rows}
    assert "config trust" in seen[key].refused
    confirmed = recall("config", "trust", "--yes", *root)
    assert confirmed.code == 0 and f"{key} = " in confirmed.out
    assert store.config.get(key) != before and store.config.origin(key) == "file" and store.config.warnings == ()


def test_what_the_person_sets_here_and_what_lies_in_the_agents_home_counts(
    recall: Any,  # noqa: F811
    environment: Environment,
) -> None:
    store = bench_at(environment, "project").store  # noqa: F811
    assert recall("config", "set", "wiki.shared", "team = ../team", "--root", store.root).code == 0
    assert store.config.get("wiki.shared") == ("team = ../team",)
    home = bench_at(environment, "user").store
    with home.layout.config.open("a") as file:
        file.write('\n[wiki]\nshared = ["team = ../team"]\n')
    assert home.config.get("wiki.shared") == ("team = ../team",)


def test_what_takes_nothing_out_needs_no_word(environment: Environment) -> None:
    store = bench_at(environment, "project").store  # noqa: F811
    with store.layout.config.open("a") as file:
        file.write(
            '\n[wiki]\nshared = ["team = docs"]\n[transcripts]\nprojects = "here"\n'
            "[capture]\nauto = false\n[backups]\ndays = 30\n"
        )
    assert trust.is_trusted(store) and store.config.warnings == ()
    (store.root / "docs").symlink_to(store.root.parent)
    assert not trust.is_trusted(store) and store.config.get("wiki.shared") == ()


def test_a_shared_wiki_brings_in_nothing_by_links_and_lets_nothing_out(
    recall: Any,  # noqa: F811
    environment: Environment,
    tmp_path: Path,
) -> None:
    bench = bench_at(environment)
    team = tmp_path / "team"
    team.mkdir()
    (tmp_path / "mine.md").write_text("stolen words")
    for name in ("evil.md", "index.md"):
        (team / name).symlink_to(tmp_path / "mine.md")
    root = ("--root", bench.layout.root)
    assert recall("config", "set", "wiki.shared", f"team = {team}", *root).code == 0
    for words in (("list",), ("show", "evil"), ("lint",)):
        assert "stolen" not in recall("wiki", *words, *(("--shared", "team") * (words != ("lint",))), *root).out
    made = recall("wiki", "stub", "new", "--shared", "team", "--category", "concept", "--source", "memory", *root)
    assert made.code and "points outside" in made.err
    assert (tmp_path / "mine.md").read_text() == "stolen words" and not (team / "new.md").exists()


def test_a_person_is_shown_every_blank_and_asked_before_a_memory_is_trusted(recall: Any, store: Store) -> None:  # noqa: F811
    write(store, '[llm]\nprovider = "command"\ncommand = "sh  -c \\u202e x\\n\\u2003y"\n')
    root = ("--root", store.root)
    seen = recall("config", "trust", "--dry-run", *root)
    assert seen.code == 0 and r"'sh  -c \u202e x\n\u2003y'" in seen.out and not trust.is_trusted(store)
    for answer in ("", "n\n"):
        assert recall("config", "trust", *root, stdin=answer).code == 1 and not trust.is_trusted(store)
    assert recall("config", "trust", "--json", *root, stdin="y\n").code == 2 and not trust.is_trusted(store)
    assert recall("config", "trust", *root, stdin="y\n").code == 0 and trust.is_trusted(store)
