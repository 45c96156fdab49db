"""Build the documentation site: `make docs`, or `python docs/build.py FOLDER`.

The pages keep their places in the checkout, so that a link works on a code host and in the site alike. A warning, such
as a link to a missing page or heading, fails the build.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parents[1]
CONFIG = "docs/zensical.toml"
PAGES = ("*.md", "LICENSE", "docs/*.md", "screenshots/*.svg", "screenshots/*.cast")
_ANSI = re.compile(r"\x1b\[[0-9;]*m")
DEFAULT_FOLDER = CHECKOUT / "build" / "docs"


def copy_pages(folder: Path) -> None:
    """Copy the configuration and every page and picture below folder."""
    pages = folder / "pages"
    shutil.rmtree(pages, ignore_errors=True)
    for path in (path for pattern in PAGES for path in CHECKOUT.glob(pattern)):
        copy = pages / path.relative_to(CHECKOUT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    shutil.copyfile(CHECKOUT / CONFIG, folder / "zensical.toml")


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Build `folder/site`; the result has the return code, and the output with its warnings."""
    copy_pages(folder)
    program = Path(sys.executable).with_name("zensical")
    line = [str(program), "build", "--strict", "--clean", "--config-file", str(folder / "zensical.toml")]
    done = subprocess.run(line, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return subprocess.CompletedProcess(line, done.returncode, _ANSI.sub("", done.stdout))


def main(words: Sequence[str]) -> int:
    """Build the site and print what zensical reports."""
    folder = Path(words[0]).resolve() if words else DEFAULT_FOLDER
    done = build(folder)
    print(done.stdout, end="")
    if done.returncode == 0:
        print(f"site: {folder / 'site' / 'index.html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
