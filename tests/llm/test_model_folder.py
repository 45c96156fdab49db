"""Folders with a sentence model, told by their files."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from recall_tui.llm.embedders.model_folder import ModelFolder, find_packaged_folder, open_model_folder
from recall_tui.llm.model import Failure
from tests.onnx_models import write_model


def found(path: Path) -> ModelFolder:
    folder = open_model_folder(path)
    assert isinstance(folder, ModelFolder), folder
    return folder


def refused(path: Path) -> Failure:
    folder = open_model_folder(path)
    assert isinstance(folder, Failure) and folder.is_refusal and folder.hint
    return folder


@pytest.mark.parametrize(
    ("files", "taken"),
    [
        (["model.onnx"], "model.onnx"),
        (["onnx/model.onnx"], "onnx/model.onnx"),
        (["model/model.onnx"], "model/model.onnx"),
        (["model.onnx", "model_qint8.onnx"], "model_qint8.onnx"),
        (["onnx/model.onnx", "onnx/model_quantized.onnx", "onnx/model_fp16.onnx"], "onnx/model_quantized.onnx"),
        (["onnx/model.onnx", "onnx/model_qint8_arm64.onnx", "onnx/model_O4.onnx"], "onnx/model.onnx"),
        (["onnx/model_qint8_avx512.onnx"], "onnx/model_qint8_avx512.onnx"),
        (["model.onnx", "onnx/model_qint8.onnx"], "model.onnx"),
    ],
)
def test_of_several_models_one_is_taken_by_a_rule(tmp_path: Path, files: list[str], taken: str) -> None:
    for file in files:
        write_model(tmp_path, file=file)
    assert found(tmp_path).model == tmp_path / taken


def test_a_file_may_be_named_and_its_tokenizer_is_beside_it_or_above(tmp_path: Path) -> None:
    write_model(tmp_path)
    write_model(tmp_path, file="onnx/model_O4.onnx")
    folder = found(tmp_path / "onnx" / "model_O4.onnx")
    assert folder.model.name == "model_O4.onnx" and folder.tokenizer == tmp_path / "tokenizer.json"


def test_what_is_missing_is_named_with_the_next_step(tmp_path: Path) -> None:
    assert refused(tmp_path / "gone").reason == f"there is no {tmp_path / 'gone'}"
    assert refused(tmp_path).reason == f"{tmp_path} has no model.onnx"
    write_model(tmp_path)
    (tmp_path / "tokenizer.json").rename(tmp_path / "vocab.txt")
    assert refused(tmp_path).reason == f"{tmp_path} has no tokenizer.json"
    assert refused(tmp_path / "vocab.txt").reason == f"{tmp_path / 'vocab.txt'} is no ONNX model"


def test_weights_of_another_kind_are_named_and_what_to_do_with_them(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").touch()
    assert "export model.safetensors to ONNX" in refused(tmp_path).hint


@pytest.mark.parametrize(
    ("told", "kind"),
    [
        ({}, "mean"),
        ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": False}, "mean"),
        ({"pooling_mode_mean_sqrt_len_tokens": True}, "mean"),
        ({"pooling_mode_cls_token": True}, "cls"),
        ({"pooling_mode_max_tokens": True}, "max"),
    ],
)
def test_the_pooling_is_the_folders(tmp_path: Path, told: dict[str, object], kind: str) -> None:
    assert found(write_model(tmp_path, pooling=told)).pooling == kind


@pytest.mark.parametrize(
    "told", [{"pooling_mode_lasttoken": True}, {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": True}]
)
def test_a_pooling_that_is_not_known_is_refused_by_name(tmp_path: Path, told: dict[str, object]) -> None:
    assert all(name in refused(write_model(tmp_path, pooling=told)).reason for name in told)


@pytest.mark.parametrize(
    ("settings", "tokens"),
    [
        ({}, 512),
        ({"sentence_bert_config": {"max_seq_length": 256}, "config": {"max_position_embeddings": 512}}, 256),
        ({"sentence_bert_config": {"max_seq_length": 8192}}, 512),
        ({"tokenizer_config": {"model_max_length": 128}, "config": {"max_position_embeddings": 512}}, 128),
        ({"tokenizer_config": {"model_max_length": 10**30}, "config": {"max_position_embeddings": 384}}, 384),
        ({"sentence_bert_config": {"max_seq_length": None}, "config": {"max_position_embeddings": "many"}}, 512),
        ({"sentence_bert_config": [3], "tokenizer_config": 3, "config": None}, 512),
    ],
)
def test_how_much_is_read_is_the_folders(tmp_path: Path, settings: dict[str, object], tokens: int) -> None:
    assert found(write_model(tmp_path, **settings)).max_tokens == tokens


def test_the_width_is_told_by_the_pooling_or_the_model(tmp_path: Path) -> None:
    config = {"hidden_size": 384}
    assert found(write_model(tmp_path / "a", config=config)).dimensions == 384
    assert found(write_model(tmp_path / "b", config=config, pooling={"word_embedding_dimension": 5})).dimensions == 5
    assert found(write_model(tmp_path / "c")).dimensions == 0


def test_the_name_is_the_same_wherever_the_folder_is(tmp_path: Path) -> None:
    one = write_model(tmp_path / "a", config={"_name_or_path": "some/Small Model"})
    shutil.copytree(one, tmp_path / "b")
    assert found(one).name == found(tmp_path / "b").name
    assert found(one).name.startswith("Small-Model/mean-")
    assert found(write_model(tmp_path / "c")).name.startswith("model/mean-")


def test_the_name_is_another_when_vectors_would_be(tmp_path: Path) -> None:
    def named(name: str, **settings: object) -> str:
        return found(write_model(tmp_path / name, **settings)).name  # type: ignore[arg-type]

    names = [
        named("a"),
        named("b", pooling={"pooling_mode_cls_token": True}),
        named("c", sentence_bert_config={"max_seq_length": 7}),
        named("d", rows=[(1.0, 2.0, 3.0)] * 7),
        named("e", rows=[*[(9.0, 9.0, 9.0)] * 6, (9.0, 9.0, 9.5)]),
        named("f", rows=[(9.0, 9.0, 9.0)] * 7),
    ]
    (write_model(tmp_path / "g") / "model.onnx.data").write_bytes(b"weights")
    names.append(found(tmp_path / "g").name)
    text = (write_model(tmp_path / "h") / "tokenizer.json").read_text()
    (tmp_path / "h" / "tokenizer.json").write_text(text.replace("Lowercase", "NFC"))
    names.append(found(tmp_path / "h").name)
    assert len(set(names)) == len(names)


def test_a_model_that_differs_in_its_middle_has_another_name(tmp_path: Path) -> None:
    model = write_model(tmp_path) / "model.onnx"
    weights = bytearray(3 * 1024 * 1024)
    model.write_bytes(weights)
    was = found(tmp_path).name
    weights[len(weights) // 2] = 1
    model.write_bytes(weights)
    assert found(tmp_path).name != was


def test_a_package_that_carries_a_model_is_found_and_not_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_model(tmp_path / "my_vectors" / "data" / "small")
    (tmp_path / "my_vectors" / "__init__.py").write_text("raise SystemExit('it was run')\n")
    (tmp_path / "bare_vectors").mkdir()
    (tmp_path / "bare_vectors" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    package = find_packaged_folder("my-vectors")
    assert isinstance(package, ModelFolder) and package.model == folder / "model.onnx"
    assert package.name == found(folder).name and "my_vectors" not in sys.modules
    bare = find_packaged_folder("bare-vectors")
    assert isinstance(bare, Failure) and bare.reason == "the package bare-vectors carries no tokenizer.json"
    (folder / "model.onnx").rename(folder / "model.safetensors")
    weights = find_packaged_folder("my_vectors")
    assert isinstance(weights, Failure) and "export model.safetensors to ONNX" in weights.hint


@pytest.mark.parametrize("name", ["never-heard-of", "a.b", "../etc", "", "__main__", "1"])
def test_a_package_that_is_not_there_is_refused(name: str) -> None:
    package = find_packaged_folder(name)
    assert isinstance(package, Failure) and package.is_refusal and package.hint
