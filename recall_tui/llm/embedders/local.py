"""Embed texts with a small ONNX model and its tokenizer from a folder on this machine.

Nothing is downloaded or sent. The model loads with the first text, once per process.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.errors import ModelError
from recall_tui.llm.embedders.model_folder import ModelFolder
from recall_tui.llm.embedders.unit_vectors import to_unit_vectors
from recall_tui.llm.failure_text import first_line
from recall_tui.text.cut import strip_controls

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

MAX_THREADS = 2
"""Upper bound, besides half of the processors: the machine stays usable for its owner."""
_CHARS_PER_TOKEN = 20
"""More than any real text has, so that a very long text is cut before it is tokenized."""
_LOG_ERRORS_ONLY = 3
"""ONNX Runtime's log level for errors only."""
_INTEGER_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_SENTENCE_OUTPUTS = ("sentence_embedding",)
_TOKEN_OUTPUTS = ("token_embeddings", "last_hidden_state")


class LocalEmbedder:
    """The embedder of one model folder.

    Texts run one at a time: an 8-bit graph scales its activations by the whole batch, so a text in a batch would get a
    different vector than alone. Batches are no faster on a few processors.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self.name = f"local/{folder.name}"
        self._folder = folder
        self._width = 0 if folder.more_parts else folder.dimensions

    @property
    def dimensions(self) -> int:
        """Return the width of the vectors; embeds a probe text when no file states it."""
        if not self._width:
            self.embed(["x"])
        return self._width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one unit-length row per text; ModelError names the file that cannot be used."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        graph = self._graph()
        most = self._folder.max_tokens * _CHARS_PER_TOKEN
        try:
            tokens = [graph.tokenizer.encode(strip_controls(text[:most])) for text in texts]
            made = np.concatenate([_run(graph, one, self._folder.pooling) for one in tokens])
        except Exception as error:
            # ONNX Runtime raises undocumented exception types.
            raise self._unusable(error) from None
        rows = to_unit_vectors(made, len(texts), self._width, self.name)
        self._width = self._width or rows.shape[1]
        return rows

    def _graph(self) -> _Graph:
        folder = self._folder
        try:
            seen = folder.model.stat()
            graph = _load_graph(folder.model, folder.tokenizer, folder.max_tokens, (seen.st_size, seen.st_mtime_ns))
        except ModelError:
            raise
        except Exception as error:
            raise self._unusable(error) from None
        if graph.strange:
            raise ModelError(f"{folder.model} wants {', '.join(graph.strange)}", hint="a sentence model is required")
        if folder.more_parts and not graph.is_pooled:
            what = f"{folder.model} leaves out {', '.join(folder.more_parts)}, which its folder's modules.json names"
            raise ModelError(what, hint="export the whole model to ONNX")
        return graph

    def _unusable(self, error: Exception) -> ModelError:
        hint = "another one: recall-tui config set embeddings.path FOLDER"
        return ModelError(
            first_line(f"{self._folder.model} cannot be used: {type(error).__name__}: {error}"), hint=hint
        )


class _Graph(NamedTuple):
    """A loaded model."""

    session: Any
    tokenizer: Any
    inputs: dict[str, str]
    """Maps the input name to its required integer type."""
    output: str
    is_pooled: bool
    """The output already is one vector per text."""
    strange: tuple[str, ...]
    """Inputs that no sentence model has."""


@lru_cache(maxsize=2)
def _load_graph(model: Path, tokenizer_file: Path, max_tokens: int, seen: tuple[int, int]) -> _Graph:
    """Load the model; `seen` is the file's size and mtime, so that a replaced file is reloaded."""
    import onnxruntime
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
    except Exception as error:  # The library raises plain `Exception`.
        hint = "put the model's own tokenizer.json there"
        raise ModelError(first_line(f"{tokenizer_file} cannot be used: {error}"), hint=hint) from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, min(MAX_THREADS, (os.cpu_count() or 1) // 2))
    options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_ERRORS_ONLY
    # Spinning threads would take processor time from other programs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    inputs = {one.name: _INTEGER_TYPES.get(one.type, "") for one in session.get_inputs()}
    known = ("input_ids", "attention_mask", "token_type_ids")
    strange = tuple(name for name, kind in inputs.items() if name not in known or not kind)
    output, is_pooled = _output(session.get_outputs())
    return _Graph(session, tokenizer, inputs, output, is_pooled, strange)


def _output(outputs: Sequence[Any]) -> tuple[str, bool]:
    """Return the name of the output to use and whether it is already pooled, by its name or else by its rank."""
    by_name = {one.name: one for one in outputs}
    if pooled := next((name for name in _SENTENCE_OUTPUTS if name in by_name), ""):
        return pooled, True
    taken = next((by_name[name] for name in _TOKEN_OUTPUTS if name in by_name), outputs[0])
    return taken.name, len(taken.shape) == 2


def _run(graph: _Graph, one: Any, pooling: str) -> Any:
    """Return the vector of a text as a single row; a text without tokens gets a row of zeros."""
    import numpy as np

    given = {"input_ids": one.ids, "attention_mask": one.attention_mask, "token_type_ids": one.type_ids}
    fed = {name: np.array([given[name] or [0]], dtype=kind) for name, kind in graph.inputs.items()}
    made = graph.session.run([graph.output], fed)[0].astype(np.float32, copy=False)
    if not one.ids:
        made = np.zeros_like(made)
    return made if graph.is_pooled else _pool(made, pooling)


def _pool(made: Any, pooling: str) -> Any:
    if pooling == "cls":
        return made[:, 0]
    return made.max(axis=1) if pooling == "max" else made.mean(axis=1)
