"""Atheris against one parser: `python -m tests.trust.atheris_one PARSER EXECUTIONS FILE`.

How many texts were read is written into the file; the exit code is that of the fuzzer, which ends the process itself.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["recall_tui"], enable_loader_override=False):
    from recall_tui.errors import RecallError
    from tests.trust.mutating import LONGEST
    from tests.trust.parsers import PARSERS

_NOTED_EVERY = 200


def main(name: str, share: int, told: Path) -> None:
    """Begin from the parser's seeds and read what comes of them."""
    corpus = told.parent / "corpus"
    corpus.mkdir(exist_ok=True)
    parser = next(one for one in PARSERS if one.name == name)
    for number, seed in enumerate(parser.seeds):
        (corpus / str(number)).write_bytes(seed.encode("utf-8", "surrogateescape"))
    count = 0

    def attack(data: bytes) -> None:
        nonlocal count
        count += 1
        if count % _NOTED_EVERY == 0 or count == share:
            told.write_text(str(count))
        with suppress(RecallError):
            parser.read(data.decode("utf-8", "surrogateescape"))

    options = [f"-runs={share}", f"-max_len={LONGEST}", "-rss_limit_mb=2048", f"-artifact_prefix={told.parent}/"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], attack)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
