"""Vectors by a small model on this machine: an ONNX graph and its tokenizer, from a folder.

Nothing is downloaded and nothing is sent; the model is loaded with the first text, once for a process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from recall_tui.errors import ModelError
from recall_tui.llm.model_folder import ModelFolder
from recall_tui.llm.unit_vectors import unit_vectors
from recall_tui.llm.wording import told
from recall_tui.text.cut import plain

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

THREADS = 2
"""At most, and half of the processors: a person works at the machine meanwhile."""
_TOKENS_AT_ONCE = 1_024
"""Of a batch, its padding included: what is held in memory grows with them, and larger ones are no faster."""
_CHARACTERS_PER_TOKEN = 20
"""More than any text has, so that a very long one is not read to its end to be cut."""
_QUIET = 3
"""Only what ends the work is said on stderr."""
_WHOLE_NUMBERS = {"tensor(int64)": "int64", "tensor(int32)": "int32"}
_POOLED = ("sentence_embedding",)
_OF_TOKENS = ("token_embeddings", "last_hidden_state")
_PADS = ("[PAD]", "<pad>")


class LocalEmbedder:
    """The model of a folder."""

    def __init__(self, folder: ModelFolder, batch: int) -> None:
        self.name = f"local/{folder.name}"
        self._folder = folder
        self._batch = batch
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
        most = self._folder.max_tokens * _CHARACTERS_PER_TOKEN
        try:
            tokens = [graph.tokenizer.encode(plain(text[:most])) for text in texts]
            order = sorted(range(len(tokens)), key=lambda number: len(tokens[number]))
            batches = self._batches([tokens[number] for number in order])
            made = np.concatenate([_run(graph, part, self._folder.pooling) for part in batches])
        except Exception as error:
            # The runtime raises whatever it likes.
            raise self._unusable(error) from None
        whole = unit_vectors(made, len(texts), self._width, self.name)
        self._width = self._width or whole.shape[1]
        rows = np.empty_like(whole)
        rows[order] = whole
        return rows

    def _batches(self, tokens: list[Any]) -> Iterator[list[Any]]:
        """Neighbours in length together, so that little is padded."""
        part: list[Any] = []
        for one in tokens:
            if part and (len(part) >= self._batch or (len(part) + 1) * len(one) > _TOKENS_AT_ONCE):
                yield part
                part = []
            part.append(one)
        if part:
            yield part

    def _graph(self) -> _Graph:
        folder = self._folder
        try:
            seen = folder.model.stat()
            graph = _loaded(folder.model, folder.tokenizer, folder.max_tokens, (seen.st_size, seen.st_mtime_ns))
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
        return ModelError(told(f"{self._folder.model} cannot be used: {type(error).__name__}: {error}"), hint=hint)


class _Graph(NamedTuple):
    """A model that was loaded."""

    session: Any
    tokenizer: Any
    inputs: dict[str, str]
    """By name the kind of whole number that is wanted."""
    output: str
    is_pooled: bool
    """Its output is the vector of the text already."""
    pad: int
    strange: tuple[str, ...]
    """Inputs that no sentence model has."""


@lru_cache(maxsize=2)
def _loaded(model: Path, tokenizer_file: Path, max_tokens: int, seen: tuple[int, int]) -> _Graph:
    """The model; `seen` is the file's size and time, so that one that is replaced is loaded anew."""
    import onnxruntime
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(tokenizer_file))
    except Exception as error:  # It raises nothing narrower.
        hint = "put the model's own tokenizer.json there"
        raise ModelError(told(f"{tokenizer_file} cannot be used: {error}"), hint=hint) from None
    pad = (tokenizer.padding or {}).get("pad_id")
    if pad is None:
        pad = next((number for word in _PADS if (number := tokenizer.token_to_id(word)) is not None), 0)
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = max(1, min(THREADS, (os.cpu_count() or 1) // 2))
    options.inter_op_num_threads = 1
    options.log_severity_level = _QUIET
    # Threads that wait in a loop would take the machine from whatever else runs.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    session = onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
    inputs = {one.name: _WHOLE_NUMBERS.get(one.type, "") for one in session.get_inputs()}
    known = ("input_ids", "attention_mask", "token_type_ids")
    strange = tuple(name for name, kind in inputs.items() if name not in known or not kind)
    output, is_pooled = _output(session.get_outputs())
    return _Graph(session, tokenizer, inputs, output, is_pooled, pad, strange)


def _output(outputs: Sequence[Any]) -> tuple[str, bool]:
    """The output that is taken, and whether it is the vector of the text: as it is named, else by its form."""
    by_name = {one.name: one for one in outputs}
    if pooled := next((name for name in _POOLED if name in by_name), ""):
        return pooled, True
    taken = next((by_name[name] for name in _OF_TOKENS if name in by_name), outputs[0])
    return taken.name, len(taken.shape) == 2


def _run(graph: _Graph, part: Sequence[Any], pooling: str) -> Any:
    """One vector for each text of a batch."""
    import numpy as np

    width = max(1, max(map(len, part)))
    ids = np.full((len(part), width), graph.pad, dtype=np.int64)
    mask = np.zeros_like(ids)
    types = np.zeros_like(ids)
    for number, one in enumerate(part):
        end = len(one)
        ids[number, :end], mask[number, :end], types[number, :end] = one.ids, 1, one.type_ids
    given = {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}
    fed = {name: given[name].astype(kind, copy=False) for name, kind in graph.inputs.items()}
    made = graph.session.run([graph.output], fed)[0].astype(np.float32, copy=False)
    return made if graph.is_pooled else _pooled(made, mask, pooling)


def _pooled(made: Any, mask: Any, pooling: str) -> Any:
    import numpy as np

    if pooling == "cls":
        return made[:, 0]
    is_word = mask[..., None].astype(bool)
    if pooling == "max":
        return np.where(is_word, made, -np.inf).max(axis=1)
    return np.where(is_word, made, 0.0).sum(axis=1) / np.maximum(mask.sum(axis=1, keepdims=True), 1)
