"""Seeds changed at random against one parser: `python -m tests.qa.trust.random_one PARSER SECONDS LEAST FOLDER`.

What `atheris_one` does where atheris is not installed. How many texts were read is written into the folder, and a text
that breaks the parser; the exit code is 1 then.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from random import Random

from recall_tui.errors import RecallError
from tests.qa.trust.code_reached import write_reached
from tests.qa.trust.mutating import mutated
from tests.qa.trust.parsers import named


def main(name: str, seconds: float, least: int, folder: Path) -> None:
    """Read texts for so long, and until so many were read."""
    parser = named(name)
    write_reached(parser, folder)
    begun = time.process_time()
    random = Random(time.time_ns())
    count = 0
    while count < least or time.process_time() - begun < seconds:
        text = mutated(parser.seeds, random)
        count += 1
        try:
            parser.read(text)
        except RecallError:
            continue
        except Exception:
            (folder / "crash-random").write_bytes(text.encode("utf-8", "surrogateescape"))
            raise
        finally:
            (folder / "told").write_text(str(count))


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]), Path(sys.argv[4]))
