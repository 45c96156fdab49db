"""A sentence model of the BERT kind, from its weights to ONNX, on a machine without torch.

A folder as sentence-transformers writes it (`config.json`, `model.safetensors`, `tokenizer.json`) becomes one with
`model.onnx`, `model_qint8.onnx`, the tokenizer and the pooling; the graph is that of Devlin et al. 2018.
Used by hand; needs onnx, onnxruntime and safetensors, which the program itself does not.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file

from recall_tui.llm.embedders.local import LocalEmbedder
from recall_tui.llm.embedders.model_folder import ModelFolder, open_model_folder

if TYPE_CHECKING:
    from recall_tui.domain.embedding import Vectors

OPSET, IR_VERSION = 17, 8
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
OUTPUT = "last_hidden_state"
FLOAT, QUANTIZED = "model.onnx", "model_qint8.onnx"
MASKED = -10_000.0
"""What is added to the attention paid to padding."""
SAME = ("My car broke down on the highway.", "The automobile stopped working on the motorway.")
OTHER = ("She baked a chocolate cake.", "The flaky test fails on every third run.")
"""Texts to try the models with."""


class Graph:
    """Nodes and weights as they are laid, one after another; each method gives the name of what it makes."""

    def __init__(self, weights: Mapping[str, np.ndarray], config: Mapping[str, Any]) -> None:
        prefix = "bert." if any(name.startswith("bert.") for name in weights) else ""
        self.weights = {name.removeprefix(prefix): value.astype(np.float32) for name, value in weights.items()}
        self.heads = int(config["num_attention_heads"])
        self.width = int(config["hidden_size"])
        self.epsilon = float(config["layer_norm_eps"])
        self.layers = int(config["num_hidden_layers"])
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: np.ndarray | Sequence[int] | float) -> str:
        """A weight or a number of the graph, once for each name."""
        array = value if isinstance(value, np.ndarray) else np.asarray(value)
        self.constants.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def op(self, kind: str, *inputs: str, called: str = "", **attributes: Any) -> str:
        """A node of one output."""
        name = called or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name=f"n_{name}", **attributes))
        return name

    def number(self, name: str, value: float) -> str:
        """A number of the graph as float32."""
        return self.constant(name, np.asarray(value, dtype=np.float32))

    def linear(self, of: str, layer: str) -> str:
        """x·Wᵀ + b."""
        weight = self.constant(f"{layer}.weight", self.weights[f"{layer}.weight"].T)
        bias = self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"])
        return self.op("Add", self.op("MatMul", of, weight), bias)

    def norm(self, of: str, layer: str, called: str = "") -> str:
        """LayerNorm over the last axis."""
        scale = self.constant(f"{layer}.weight", self.weights[f"{layer}.weight"])
        bias = self.constant(f"{layer}.bias", self.weights[f"{layer}.bias"])
        return self.op("LayerNormalization", of, scale, bias, called=called, axis=-1, epsilon=self.epsilon)

    def gelu(self, of: str) -> str:
        """The exact one: x/2 · (1 + erf(x/√2))."""
        error = self.op("Erf", self.op("Div", of, self.number("sqrt2", math.sqrt(2))))
        return self.op(
            "Mul", self.op("Mul", of, self.op("Add", error, self.number("one", 1))), self.number("half", 0.5)
        )


def embeddings(graph: Graph) -> str:
    """Word, place and segment, normalised."""
    shape = graph.op("Shape", "input_ids")
    length = graph.op("Slice", shape, graph.constant("i1", [1]), graph.constant("i2", [2]), graph.constant("i0", [0]))
    tables = {
        name: graph.constant(name, graph.weights[f"embeddings.{name}.weight"])
        for name in ("word_embeddings", "position_embeddings", "token_type_embeddings")
    }
    places = graph.op("Slice", tables["position_embeddings"], graph.constant("i0", [0]), length, "i0")
    words = graph.op("Gather", tables["word_embeddings"], "input_ids")
    segments = graph.op("Gather", tables["token_type_embeddings"], "token_type_ids")
    return graph.norm(graph.op("Add", graph.op("Add", words, segments), places), "embeddings.LayerNorm")


def mask(graph: Graph) -> str:
    """0 for what is read and a large negative number for padding, for every head and place."""
    given = graph.op("Unsqueeze", "attention_mask", graph.constant("i12", [1, 2]))
    padding = graph.op("Sub", graph.number("one", 1), graph.op("Cast", given, to=TensorProto.FLOAT))
    return graph.op("Mul", padding, graph.number("masked", MASKED))


def attention(graph: Graph, of: str, masked: str, layer: str) -> str:
    """softmax(QKᵀ/√d + mask)·V over the heads, then the way out."""
    each = graph.width // graph.heads
    apart = graph.constant("apart", [0, 0, graph.heads, each])
    query, key, value = (
        graph.op(
            "Transpose",
            graph.op("Reshape", graph.linear(of, f"{layer}.attention.self.{name}"), apart),
            perm=[0, 2, 3, 1] if name == "key" else [0, 2, 1, 3],
        )
        for name in ("query", "key", "value")
    )
    near = graph.op("Div", graph.op("MatMul", query, key), graph.number("sqrt_width", math.sqrt(each)))
    shares = graph.op("Softmax", graph.op("Add", near, masked), axis=-1)
    together = graph.op("Transpose", graph.op("MatMul", shares, value), perm=[0, 2, 1, 3])
    joined = graph.op("Reshape", together, graph.constant("joined", [0, 0, graph.width]))
    return graph.linear(joined, f"{layer}.attention.output.dense")


def encoded(graph: Graph) -> None:
    """The whole way from the inputs to the last hidden state."""
    hidden, masked = embeddings(graph), mask(graph)
    for number in range(graph.layers):
        layer = f"encoder.layer.{number}"
        seen = graph.op("Add", attention(graph, hidden, masked, layer), hidden)
        hidden = graph.norm(seen, f"{layer}.attention.output.LayerNorm")
        wide = graph.gelu(graph.linear(hidden, f"{layer}.intermediate.dense"))
        added = graph.op("Add", graph.linear(wide, f"{layer}.output.dense"), hidden)
        last = OUTPUT if number == graph.layers - 1 else ""
        hidden = graph.norm(added, f"{layer}.output.LayerNorm", called=last)


def model(folder: Path) -> onnx.ModelProto:
    """The model of a folder as one graph with its weights inside."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        sys.exit(f"{folder} is no BERT with gelu")
    graph = Graph(load_file(folder / "model.safetensors"), config)
    encoded(graph)
    shape = ["batch", "length"]
    made = helper.make_graph(
        graph.nodes,
        "encoder",
        [helper.make_tensor_value_info(name, TensorProto.INT64, shape) for name in INPUTS],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [*shape, graph.width])],
        list(graph.constants.values()),
    )
    whole = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
    onnx.checker.check_model(whole)
    return whole


def export(folder: Path, to: Path) -> None:
    """Write both models, the tokenizer and what says how tokens become one vector.

    A scale for each channel brings the quantised vectors to a cosine of 0.993 with the others; one for the whole
    weight only to 0.971. Seven bits of eight, because processors without VNNI add up pairs in sixteen bits.
    """
    to.mkdir(parents=True, exist_ok=True)
    onnx.save(model(folder), to / FLOAT)
    quantize_dynamic(to / FLOAT, to / QUANTIZED, weight_type=QuantType.QInt8, per_channel=True, reduce_range=True)
    (to / "1_Pooling").mkdir(exist_ok=True)
    for name in ("config.json", "tokenizer.json", "tokenizer_config.json", "sentence_bert_config.json"):
        if (folder / name).is_file():
            shutil.copyfile(folder / name, to / name)
    shutil.copyfile(folder / "1_Pooling" / "config.json", to / "1_Pooling" / "config.json")


def told(folder: Path) -> Iterator[str]:
    """A line for each model of the folder: its size and speed, and whether its vectors are worth something."""
    before: Vectors | None = None
    for name in (FLOAT, QUANTIZED):
        found = open_model_folder(folder / name)
        if not isinstance(found, ModelFolder):
            sys.exit(found.reason)
        embedder = LocalEmbedder(found)
        started = time.perf_counter()
        embedder.embed(["x"])
        loaded = time.perf_counter()
        embedder.embed([f"{text} {number}" for number in range(25) for text in SAME + OTHER])
        embedded = time.perf_counter()
        rows = np.concatenate([embedder.embed([text]) for text in SAME + OTHER])
        asked = time.perf_counter()
        same, other = (float(rows[number] @ rows[0]) for number in (1, len(SAME)))
        line = (
            f"{name}: {(folder / name).stat().st_size / 1e6:.1f} MB, loaded in {loaded - started:.2f} s, "
            f"{25 * len(rows) / (embedded - loaded):.0f} turns/s, "
            f"{(asked - embedded) / len(rows) * 1000:.1f} ms a query; "
            f"cosine of the same in other words {same:.2f}, of something else {other:.2f}"
        )
        yield (
            line if before is None else f"{line}, with the first model {float((rows * before).sum(axis=1).mean()):.3f}"
        )
        before = rows


def main() -> int:
    """Export, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what sentence-transformers wrote")
    parser.add_argument("to", type=Path, help="the folder for the models")
    options = parser.parse_args()
    export(options.folder, options.to)
    for line in told(options.to):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
