"""Vectors by a small model on this machine: an ONNX graph and its tokenizer, from a folder.

Nothing is downloaded and nothing is sent; the model is loaded with the first text, once for a process.
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
"""At most, and half of the processors: a person works at the machine meanwhile."""
_CHARS_PER_TOKEN = 20
"""More than any text has, so that a very long one is not read to its end to be cut."""
_LOG_ERRORS_ONLY = 3
"""Only what ends the work is said on stderr."""
_INTEGER_TYPES = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_SENTENCE_OUTPUTS = ("sentence_embedding",)
_TOKEN_OUTPUTS = ("token_embeddings", "last_hidden_state")


class LocalEmbedder:
    """The model of a folder.

    Each text is run alone: a graph in eight bits scales its numbers by all that it is given at once, so that a text
    beside others would have another vector than alone. Batches are no faster on a few processors.
    """

    def __init__(self, folder: ModelFolder) -> None:
        self.name = f"local/{folder.name}"
        self._folder = folder
        self._width = 0 if folder.more_parts else folder.dimensions

    @property
    def dimensions(self) -> int:
        """How wide its vectors are; a text is embedded to see it when no file says it."""
        if not self._width:
            self.embed(["x"])
        return self._width

    def embed(self, texts: Sequence[str]) -> Vectors:
        """A row of unit length for each text; ModelError names the file that cannot be used."""
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32)
        graph = self._graph()
        most = self._folder.max_tokens * _CHARS_PER_TOKEN
        try:
            tokens = [graph.tokenizer.encode(strip_controls(text[:most])) for text in texts]
            made = np.concatenate([_run(graph, one, self._folder.pooling) for one in tokens])
        except Exception as error:
            # The runtime raises whatever it likes.
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
            raise ModelError(f"{folder.model} wants {', '.join(graph.strange)}", hint="a sentence model is wanted")
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
    """A model that was loaded."""

    session: Any
    tokenizer: Any
    inputs: dict[str, str]
    """By name the kind of whole number that is wanted."""
    output: str
    is_pooled: bool
    """Its output is the vector of the text already."""
    strange: tuple[str, ...]
    """Inputs that no sentence model has."""


@lru_cache(maxsize=2)
def _load_graph(model: Path, tokenizer_file: Path, max_tokens: int, seen: tuple[int, int]) -> _Graph:
    """The model; `seen` is the file's size and time, so that one that is replaced is loaded anew."""
    import onnxruntime
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
    except Exception as error:  # It raises nothing narrower.
        hint = "put the model's own tokenizer.json there"
        raise ModelError(first_line(f"{tokenizer_file} cannot be used: {error}"), hint=hint) from None
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, min(MAX_THREADS, (os.cpu_count() or 1) // 2))
    options.inter_op_num_threads = 1
    options.log_severity_level = _LOG_ERRORS_ONLY
    # Threads that wait in a loop would take the machine from whatever else runs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    inputs = {one.name: _INTEGER_TYPES.get(one.type, "") for one in session.get_inputs()}
    known = ("input_ids", "attention_mask", "token_type_ids")
    strange = tuple(name for name, kind in inputs.items() if name not in known or not kind)
    output, is_pooled = _output(session.get_outputs())
    return _Graph(session, tokenizer, inputs, output, is_pooled, strange)


def _output(outputs: Sequence[Any]) -> tuple[str, bool]:
    """The output that is taken, and whether it is the vector of the text: as it is named, else by its form."""
    by_name = {one.name: one for one in outputs}
    if pooled := next((name for name in _SENTENCE_OUTPUTS if name in by_name), ""):
        return pooled, True
    taken = next((by_name[name] for name in _TOKEN_OUTPUTS if name in by_name), outputs[0])
    return taken.name, len(taken.shape) == 2


def _run(graph: _Graph, one: Any, pooling: str) -> Any:
    """The vector of a text, as the only row; one without a token has none, and its row is of zeros."""
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
