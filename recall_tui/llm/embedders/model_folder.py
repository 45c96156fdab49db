"""Read a sentence model's folder: the model file, the pooling and the model's name.

Nothing is loaded. The folder is described by its settings files, and the name changes whenever a change of its files
changes the vectors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal, NamedTuple

from recall_tui.environment import sha256
from recall_tui.files import MAX_TRANSCRIPT_BYTES, open_file, read_file
from recall_tui.llm.model import Failure

TOKENIZER_FILE = "tokenizer.json"
PREFERRED_FILES = ("model_qint8.onnx", "model_quantized.onnx", "model_int8.onnx", "model.onnx")
"""In order of preference: 8-bit models are three times as fast and hardly worse."""
_MODEL_SUFFIX = ".onnx"
_MODEL_FOLDERS = (".", "onnx", "model", "model/onnx")
"""Subfolders that may hold the model; the first match wins."""
_MAX_TOKENS = 512
"""Upper bound whatever the model allows: time grows quadratically, and passages are short."""
_SAMPLE_BYTES = 4_096
_SAMPLE_COUNT = 32
_POOLINGS = {
    "pooling_mode_mean_tokens": "mean",
    "pooling_mode_mean_sqrt_len_tokens": "mean",
    "pooling_mode_cls_token": "cls",
    "pooling_mode_max_tokens": "max",
}
"""The keys of sentence-transformers; mean_sqrt_len has the same direction as the mean."""
_SUPPORTED_MODULES = ("Transformer", "Pooling", "Normalize")
_UNSAFE_CHARS = re.compile(r"[^A-Za-z0-9._-]+")

Pooling = Literal["mean", "cls", "max"]


class ModelFolder(NamedTuple):
    """The contents of a model folder."""

    model: Path
    tokenizer: Path
    pooling: Pooling
    max_tokens: int
    """Longer texts are truncated."""
    dimensions: int
    """0 when no file states it."""
    name: str
    """The model's name, its pooling and a hash of its files."""
    more_parts: tuple[str, ...] = ()
    """Modules after the pooling, supported only by a graph that includes them."""


def open_model_folder(path: Path) -> ModelFolder | Failure:
    """Read the model folder at `path`, or the folder of the ONNX file at `path`; a refusal names the missing part."""
    try:
        return _read(path)
    except OSError as error:
        return Failure(f"{path} cannot be read: {error.strerror or error}", is_refusal=True)


def find_packaged_folder(package: str) -> ModelFolder | Failure:
    """Find the model folder inside an installed package, without importing the package."""
    name = package.strip().replace("-", "_")
    try:
        found = find_spec(name) if name.isidentifier() else None
    except (ImportError, ValueError):  # an already loaded module without a spec
        found = None
    if found is None:
        hint = f"pip install {package}, or: recall-tui config set embeddings.path FOLDER"
        return Failure(f"the package {package} is not installed", hint, is_refusal=True)
    tops = [Path(place) for place in found.submodule_search_locations or ()]
    places = [
        one for top in tops for depth in ("", "*/", "*/*/") for one in sorted(top.glob(f"{depth}{TOKENIZER_FILE}"))
    ]
    if not places:
        what = f"the package {package} carries no {TOKENIZER_FILE}"
        return Failure(what, "recall-tui config set embeddings.path FOLDER", is_refusal=True)
    folders = [open_model_folder(one.parent) for one in places]
    return next((one for one in folders if isinstance(one, ModelFolder)), folders[0])


def _read(path: Path) -> ModelFolder | Failure:
    if not path.exists():
        return Failure(f"there is no {path}", "recall-tui config set embeddings.path FOLDER", is_refusal=True)
    model = path if path.is_file() else _find_model(path)
    if model is None or model.suffix != _MODEL_SUFFIX:
        return _missing_model(path)
    beside = next((one for one in (model.parent, model.parent.parent) if (one / TOKENIZER_FILE).is_file()), None)
    if beside is None:
        hint = f"put the model's {TOKENIZER_FILE} beside {model.name}"
        return Failure(f"{model.parent} has no {TOKENIZER_FILE}", hint, is_refusal=True)
    pooling = _pooling(beside)
    if isinstance(pooling, Failure):
        return pooling
    kind, width = pooling
    config = _read_json_object(beside / "config.json")
    max_tokens = _max_tokens(beside, config)
    label = _UNSAFE_CHARS.sub("-", str(config.get("_name_or_path") or "").rpartition("/")[2]).strip("-") or model.stem
    digest = _digest(model, beside / TOKENIZER_FILE, f"{kind} {max_tokens}")
    dimensions = width or _dimension(config.get("hidden_size"))
    name = f"{label[:60]}/{kind}-{digest}"
    return ModelFolder(model, beside / TOKENIZER_FILE, kind, max_tokens, dimensions, name, _unsupported_modules(beside))


def _find_model(folder: Path) -> Path | None:
    for place in _MODEL_FOLDERS:
        found = sorted(one for one in (folder / place).glob(f"*{_MODEL_SUFFIX}") if one.is_file())
        if found:
            names = {one.name: one for one in found}
            return next((names[name] for name in PREFERRED_FILES if name in names), found[0])
    return None


def _missing_model(path: Path) -> Failure:
    weights = next((one.name for one in _other_weights(path)), "")
    what = f"{path} has no {PREFERRED_FILES[-1]}" if path.is_dir() else f"{path} is no ONNX model"
    hint = (
        f"export {weights} to ONNX beside it" if weights else "a folder with model.onnx and tokenizer.json is required"
    )
    return Failure(what, hint, is_refusal=True)


def _other_weights(path: Path) -> Iterator[Path]:
    """Yield the model files in other formats."""
    for place in _MODEL_FOLDERS:
        for name in ("model.safetensors", "pytorch_model.bin"):
            if (path / place / name).is_file():
                yield path / place / name


def _pooling(folder: Path) -> tuple[Pooling, int] | Failure:
    """Return the pooling and the vector width; the mean by default."""
    told = _read_json_object(folder / "1_Pooling" / "config.json")
    width = _dimension(told.get("word_embedding_dimension"))
    wanted = [key for key, value in told.items() if key.startswith("pooling_mode_") and value is True]
    kinds = {_POOLINGS.get(key, "") for key in wanted} or {"mean"}
    for known in ("mean", "cls", "max"):
        if kinds == {known}:
            return known, width
    what = f"{folder / '1_Pooling' / 'config.json'} asks for a pooling that is not known: {', '.join(wanted)}"
    return Failure(what, "a model with mean pooling is required", is_refusal=True)


def _max_tokens(folder: Path, config: dict[str, Any]) -> int:
    """Return the model's maximum tokens: of the sentence settings, else of the tokenizer and the model."""
    if of_sentences := _dimension(_read_json_object(folder / "sentence_bert_config.json").get("max_seq_length")):
        return min(of_sentences, _MAX_TOKENS)
    of_tokenizer = _dimension(_read_json_object(folder / "tokenizer_config.json").get("model_max_length"))
    of_model = _dimension(config.get("max_position_embeddings"))
    return min([_MAX_TOKENS, *(one for one in (of_tokenizer, of_model) if one)])


def _unsupported_modules(folder: Path) -> tuple[str, ...]:
    try:
        parts = json.loads(read_file(folder / "modules.json"))
    except (OSError, ValueError, RecursionError):
        return ()
    kinds = [str(one.get("type", "")) for one in parts if isinstance(one, dict)] if isinstance(parts, list) else []
    return tuple(kind for one in kinds if (kind := one.rpartition(".")[2]) not in _SUPPORTED_MODULES)


def _digest(model: Path, tokenizer: Path, settings: str) -> str:
    """Hash the tokenizer, the settings, and the size and samples of the model and its external weights."""
    files = sorted(one for one in model.parent.iterdir() if one.name.startswith(model.name) and one.is_file())
    pieces = b"".join(piece for one in files for piece in _sample_bytes(one))
    return sha256(pieces + read_file(tokenizer) + settings.encode())[:12]


def _sample_bytes(path: Path) -> Iterator[bytes]:
    size = path.stat().st_size
    yield str(size).encode()
    with open_file(path, MAX_TRANSCRIPT_BYTES) as file:
        for number in range(_SAMPLE_COUNT):
            file.seek(size * number // _SAMPLE_COUNT)
            yield file.read(_SAMPLE_BYTES)


def _read_json_object(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file; empty when there is none."""
    try:
        found = json.loads(read_file(path))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _dimension(value: object) -> int:
    """Return the value if it is a plausible dimension, else 0; 10³⁰ for example stands for no limit."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 1_000_000 else 0
