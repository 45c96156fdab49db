"""Atheris against one parser: `python -m tests.qa.trust.atheris_one PARSER SECONDS LEAST FOLDER`.

It goes on for so many seconds of the processor, and until so many texts were read. How many were is written into the
folder, where the texts that reach new code are kept too; the exit code is that of the fuzzer, which ends the process
itself.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["recall_tui"], enable_loader_override=False):
    from recall_tui.errors import RecallError
    from tests.qa.trust.code_reached import write_reached
    from tests.qa.trust.parsers import named

LONGEST = 1_200
"""Characters of a text; what more of them take is for `growth`."""
_NOTED_EVERY = 50
_PATIENCE_SECONDS = 120
"""For one text."""


def main(name: str, seconds: float, least: int, folder: Path) -> None:
    """Begin from the parser's seeds and what is kept, and read what comes of them."""
    corpus = folder / "corpus"
    corpus.mkdir(parents=True, exist_ok=True)
    parser = named(name)
    for number, seed in enumerate(parser.seeds):
        (corpus / f"seed-{number}").write_bytes(seed.encode("utf-8", "surrogateescape"))
    write_reached(parser, folder)
    told = folder / "told"
    begun = time.process_time()
    count = 0

    def attack(data: bytes) -> None:
        nonlocal count
        count += 1
        if count % _NOTED_EVERY == 0:
            told.write_text(str(count))
            if count >= least and time.process_time() - begun >= seconds:
                os._exit(0)
        with suppress(RecallError):
            parser.read(data.decode("utf-8", "surrogateescape"))

    options = [f"-max_len={LONGEST}", f"-timeout={_PATIENCE_SECONDS}", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], *options, f"-artifact_prefix={folder}/", str(corpus)], attack)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
