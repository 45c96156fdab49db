"""`doctor` and `config` from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.setting_schema import SCHEMA
from tests.makers import bench_at, transcript, tree
from tests.onnx_models import write_model

Recall = Callable[..., Any]
TALK = [("user", "Fix the token refresh race"), ("assistant", "We use a lock now.")]


def test_settings_are_shown_with_their_origin(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    rows = {row["key"]: row for row in recall("config", "--json").json["settings"]}
    assert set(rows) >= {one.key for one in SCHEMA}
    assert (rows["layout"]["value"], rows["layout"]["origin"]) == ("entity", "file")
    assert (rows["memory.max_lines"]["value"], rows["memory.max_lines"]["origin"]) == (200, "default")
    assert recall("config", "show").out == recall("config").out


def test_a_setting_is_set_read_and_unset(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    path = Path(recall("config", "path").out.strip())
    path.write_text(path.read_text() + "\n# mine\n")
    assert recall("config", "set", "ephemeral.max_entries", 7).code == 0
    assert recall("config", "get", "ephemeral.max_entries").out == "7\n"
    assert recall("config", "get", "ephemeral.max_entries", "--json").json["origin"] == "file"
    assert "# mine" in path.read_text()
    recall("config", "unset", "ephemeral.max_entries")
    assert recall("config", "get", "ephemeral.max_entries").out == "5\n"


@pytest.mark.parametrize(("key", "value"), [("ephemeral.max_entries", "70"), ("ephemeral.max", "7"), ("theme.x", "1")])
def test_a_bad_setting_is_refused(key: str, value: str, recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    before = tree(environment.cwd)
    said = recall("config", "set", key, value)
    assert said.code == 2 and said.out == ""
    assert tree(environment.cwd) == before


def test_a_bad_file_warns_everywhere_and_fails_only_config(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.window.write_text("We chose JWT.")
    bench.layout.config.write_text('layout = "entity"\n[ephemeral]\nmax_entries = 99\n')
    said = recall("consume")
    assert (said.code, said.out) == (0, "We chose JWT.\n")
    assert said.err.count("max_entries") == 1
    shown = recall("config")
    assert shown.code == 2
    assert "ephemeral.max_entries" in shown.out


def test_a_further_folder_of_transcripts_is_taken_in_and_one_that_is_missing_is_said(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    bench_at(environment)
    gone, box = tmp_path / "gone", tmp_path / "box"
    said = recall("config", "set", "transcripts.sources", f"{gone}, {box}")
    assert said.code == 0 and f"{gone} is skipped" in said.err and f"{box} is skipped" in said.err
    transcript(environment, 1, TALK).rename(box.with_suffix(".jsonl"))
    box.mkdir()
    box.with_suffix(".jsonl").rename(box / "copied.jsonl")
    shown = recall("config")
    assert shown.code == 0 and str(gone) in shown.err and str(box) not in shown.err
    assert f"{gone} is skipped" in recall("doctor").out and str(gone) in recall("status").out
    assert recall("search", "--ranked", "token refresh", "--json").json["hits"]
    assert recall("archive", "--all-unarchived").code == 0
    assert len(recall("list", "--json").json) == 1


def test_config_takes_the_root_by_its_old_name(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    assert recall("config", "set", "theme", "nord", "--entity-root", environment.cwd).code == 0
    assert recall("--root", environment.cwd, "config", "get", "theme").out == "nord\n"


def test_a_folder_without_a_model_is_said_when_it_is_set_and_whenever_settings_are_shown(
    recall: Recall, environment: Environment
) -> None:
    bench_at(environment)
    (environment.home / "empty").mkdir()
    assert recall("config", "set", "embeddings.path", "~/empty").err.count("model") == 0
    said = recall("config", "set", "embeddings.provider", "local")
    why = f"{environment.home / 'empty'} has no model.onnx; a folder with model.onnx and tokenizer.json is required"
    assert said.code == 0 and why in said.err
    shown = recall("config")
    assert shown.code == 0 and why in shown.err
    write_model(environment.home / "model")
    assert "model" not in recall("config", "set", "embeddings.path", "~/model").err
    assert "model" not in recall("config").err


def test_a_sound_memory_has_nothing_wrong(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    said = recall("doctor")
    assert said.code == 0 and said.out.splitlines()[-1].startswith("no problem found")


def test_doctor_finds_shows_and_mends(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.capture(transcript(environment, 1, TALK))
    before = tree(environment.cwd)
    bench.layout.rows.unlink()
    found = recall("doctor")
    assert found.code == 1 and "ARCHIVE.md" in found.out and "--fix" in found.err
    assert "+| 001 |" in recall("doctor", "--fix", "--dry-run").out
    assert not bench.layout.rows.exists()
    assert recall("doctor", "--fix").code == 0
    assert tree(environment.cwd) == before
    said = recall("doctor", "--json").json
    assert (said["problems"], said["done"]) == ([], []) and said["checks"][0]["name"] == "kept"


def test_what_doctor_cannot_mend_stays_and_exits_1(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    bench.layout.memory_file.chmod(0o644)
    said = recall("doctor", "--fix", "--json")
    assert said.code == 1
    assert [row["kind"] for row in said.json["problems"]] == ["mode"]


def test_a_secret_is_not_shown_among_the_settings(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    recall("config", "set", "llm.api_key", "hush-hush")
    recall("config", "set", "keys.undo", "z")
    said = recall("config")
    assert "hush-hush" not in said.out and "llm.api_key" in said.out
    assert next(line for line in said.out.splitlines() if line.startswith("keys.undo")).split()[1] == "z"


def test_doctor_removes_what_a_killed_process_left_beside_any_file(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    assert recall("log", "Fixed the race.").code == 0
    left = bench.layout.days / ".recall-0123456789ab.tmp"
    left.write_text("half")
    assert "left by a killed process" in recall("doctor").out
    said = recall("doctor", "--fix")
    assert said.code == 0 and "1 file" in said.err
    assert not left.exists()


def test_a_misspelled_setting_is_refused_in_a_table_that_takes_more(recall: Recall, environment: Environment) -> None:
    bench_at(environment)
    for key, near in (("llm.provder", "llm.provider"), ("embeddings.modle", "embeddings.model")):
        said = recall("config", "set", key, "x")
        assert said.code == 2 and f"unknown setting: {key}" in said.err and f"did you mean {near}?" in said.err
    assert recall("config", "set", "llm.region", "eu").code == 0
