"""Vectors by a model of a folder: a real graph, run by the real runtime."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from recall_tui.errors import ModelError
from recall_tui.llm.embedders.local import LocalEmbedder
from recall_tui.llm.embedders.model_folder import ModelFolder, open_model_folder
from tests.onnx_models import TABLE, WORDS, write_model
from tests.processes import CHECKOUT


def embedder(folder: Path) -> LocalEmbedder:
    found = open_model_folder(folder)
    assert isinstance(found, ModelFolder), found
    return LocalEmbedder(found)


def unit(*words: str) -> Any:
    """The mean of the words' rows, at unit length."""
    mean = np.mean([TABLE[WORDS.index(word)] for word in words], axis=0)
    return mean / np.linalg.norm(mean)


def alike(rows: Any, expected: Sequence[Any]) -> bool:
    return np.allclose(rows, np.array(expected), atol=1e-6)


def test_a_text_is_the_mean_of_its_words_at_unit_length_whatever_is_beside_it(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    rows = model.embed(["red", "Red blue sea", "blue sea"])
    assert rows.dtype == np.float32 and model.dimensions == 3
    assert alike(rows, [unit("red"), unit("red", "blue", "sea"), unit("blue", "sea")])


def test_rows_come_in_the_order_of_the_texts(tmp_path: Path) -> None:
    texts = ["red blue sea", "red", "blue red red", "sea", "red sea", "crimson"]
    rows = embedder(write_model(tmp_path)).embed(texts)
    assert alike(rows, [unit(*text.split()) for text in texts])


def test_a_text_has_the_same_vector_whatever_it_is_embedded_with(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path))
    beside = model.embed(["sea " * 500, "red blue", "red"])
    assert beside[1].tobytes() == model.embed(["red blue"])[0].tobytes()


def test_what_a_text_has_beyond_the_models_length_is_not_read(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path, sentence_bert_config={"max_seq_length": 3}))
    assert alike(model.embed(["red red red blue sea"]), [unit("red")])


@pytest.mark.parametrize("inputs", [("input_ids",), ("input_ids", "attention_mask"), ("token_type_ids", "input_ids")])
@pytest.mark.parametrize("is_small", [False, True])
def test_a_graph_gets_the_inputs_that_it_declares(tmp_path: Path, inputs: tuple[str, ...], is_small: bool) -> None:
    model = embedder(write_model(tmp_path, inputs=inputs, is_small=is_small))
    assert alike(model.embed(["red", "red blue"]), [unit("red"), unit("red", "blue")])


def test_the_first_token_or_the_largest_values_are_taken_where_the_folder_says_so(tmp_path: Path) -> None:
    first = {"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}
    rows = embedder(write_model(tmp_path / "a", begins=True, pooling=first)).embed(["red sea", "sea"])
    assert alike(rows, [unit("[CLS]"), unit("[CLS]")])
    rows = embedder(write_model(tmp_path / "b", pooling={"pooling_mode_max_tokens": True})).embed(["red blue", "red"])
    assert alike(rows, [unit("red", "blue"), unit("red")])


def test_a_graph_that_gives_the_vector_itself_is_believed(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path, output="sentence_embedding", modules=[{"type": "x.models.Dense"}]))
    assert alike(model.embed(["red blue"]), [unit("red", "blue")]) and model.dimensions == 3


def test_an_output_without_a_known_name_is_told_by_its_form(tmp_path: Path) -> None:
    assert alike(embedder(write_model(tmp_path, output="out")).embed(["sea"]), [unit("sea")])


def test_the_width_is_that_of_the_folder_or_is_seen(tmp_path: Path) -> None:
    assert embedder(write_model(tmp_path / "a")).dimensions == 3
    assert embedder(write_model(tmp_path / "b", config={"hidden_size": 384})).dimensions == 384
    assert embedder(tmp_path / "a").embed([]).shape == (0, 3)
    with pytest.raises(ModelError, match="they have 3 dimensions, not 384"):
        embedder(tmp_path / "b").embed(["red"])


def test_a_text_of_nothing_or_of_halves_of_characters_gets_a_vector_too(tmp_path: Path) -> None:
    rows = embedder(write_model(tmp_path, begins=True)).embed(["", "\ud800 red", "red\x00\x1b[31m" * 50_000])
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


def test_a_text_without_a_token_is_an_error_with_a_next_step_when_the_model_makes_nothing_of_it(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no direction") as error:
        embedder(write_model(tmp_path)).embed(["red", ""])
    assert "recall-tui config" in error.value.hint


@pytest.mark.parametrize("broken", [b"", b"no graph at all", b"\x08\x08"])
def test_a_file_that_is_no_model_is_an_error_that_names_it(tmp_path: Path, broken: bytes) -> None:
    folder = write_model(tmp_path)
    (folder / "model.onnx").write_bytes(broken)
    with pytest.raises(ModelError, match=r"model\.onnx cannot be used") as error:
        embedder(folder).embed(["red"])
    assert "embeddings.path" in error.value.hint and str(error.value).isprintable()


@pytest.mark.parametrize("broken", ["{", "{}"])
def test_a_tokenizer_that_is_broken_is_an_error_that_names_it(tmp_path: Path, broken: str) -> None:
    folder = write_model(tmp_path)
    (folder / "tokenizer.json").write_text(broken)
    with pytest.raises(ModelError, match=r"tokenizer\.json cannot be used"):
        embedder(folder).embed(["red"])


def test_a_graph_that_wants_what_no_text_gives_is_refused_by_name(tmp_path: Path) -> None:
    model = embedder(write_model(tmp_path, inputs=("input_ids", "pixel_values")))
    with pytest.raises(ModelError, match=r"model\.onnx wants pixel_values"):
        model.embed(["red"])


def test_a_part_that_the_graph_leaves_out_is_named(tmp_path: Path) -> None:
    parts = [{"type": "sentence_transformers.models.Transformer"}, {"type": "sentence_transformers.models.Dense"}]
    with pytest.raises(ModelError, match="leaves out Dense"):
        embedder(write_model(tmp_path, modules=parts)).embed(["red"])


def test_a_model_that_is_replaced_is_loaded_anew_under_another_name(tmp_path: Path) -> None:
    was = embedder(write_model(tmp_path))
    assert alike(was.embed(["red"]), [unit("red")])
    now = embedder(write_model(tmp_path, rows=[(0.0, 0.0, 7.0)] * len(TABLE)))
    assert alike(now.embed(["red"]), [(0, 0, 1)]) and now.name != was.name


def test_a_real_model_puts_sentences_of_one_meaning_together() -> None:
    if not (folder := os.environ.get("RECALL_TEST_MODEL")):
        pytest.skip("RECALL_TEST_MODEL names no folder with a model")
    model = embedder(Path(folder))
    rows = model.embed([
        "The login form fails when the field is empty",
        "Sign-in breaks if you submit a blank page",
        "We baked bread on Sunday",
    ])  # fmt: skip
    assert rows.shape == (3, model.dimensions)
    assert rows[0] @ rows[1] > 0.4 > 0.25 > rows[0] @ rows[2]
    assert model.embed(["We baked bread on Sunday"])[0].tobytes() == rows[2].tobytes()


def test_a_local_model_opens_no_connection(tmp_path: Path) -> None:
    folder = write_model(tmp_path)
    code = f"""if True:
        import sys
        from pathlib import Path
        def watch(event, arguments):
            if event.startswith("socket."):
                raise SystemExit(f"it wants {{event}}")
        sys.addaudithook(watch)
        from recall_tui.llm.embedders.local import LocalEmbedder
        from recall_tui.llm.embedders.model_folder import open_model_folder
        print(LocalEmbedder(open_model_folder(Path({str(folder)!r}))).embed(["red"]).tolist())
    """
    done = subprocess.run([sys.executable, "-P", "-c", code], cwd=CHECKOUT, env={"PYTHONPATH": str(CHECKOUT)},
                          capture_output=True, text=True)  # fmt: skip
    assert done.stdout == "[[1.0, 0.0, 0.0]]\n" and done.stderr == ""
