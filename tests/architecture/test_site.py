"""The documentation builds as a site without a warning, and each link in a page resolves."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from urllib.parse import unquote

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
PAGES = sorted(path.relative_to(CHECKOUT).as_posix() for glob in ("*.md", "docs/*.md") for path in CHECKOUT.glob(glob))
MAX_README_WORDS = 1_000
_FENCED = re.compile(r"^( *)```.*?^\1```$", re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"(`+).+?\1", re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^#{1,6} (.+?) *$", re.MULTILINE)


def text_of(page: str) -> str:
    """Return a page without its code."""
    return _SPAN.sub("", _FENCED.sub("", (CHECKOUT / page).read_text(encoding="utf-8")))


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as code hosts and the site make them."""
    headings = _HEADING.findall(_FENCED.sub("", page.read_text(encoding="utf-8")))
    return {re.sub(r" +", "-", re.sub(r"[^\w\s-]", "", one.lower()).strip()) for one in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_of_a_page_resolves(page: str) -> None:
    lost = []
    for link in _LINK.findall(text_of(page)):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (CHECKOUT / page).parent / unquote(name) if name else CHECKOUT / page
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            lost.append(link)
    assert lost == []


def test_the_readme_is_short() -> None:
    assert len((CHECKOUT / "README.md").read_text(encoding="utf-8").split()) < MAX_README_WORDS


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    done = runpy.run_path(str(CHECKOUT / "docs" / "build.py"))["build"](tmp_path)
    assert done.returncode == 0 and "No issues found" in done.stdout, done.stdout
    assert "Warning" not in done.stdout
    built = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*.html")}
    assert built >= {page.replace(".md", ".html").replace("README", "index") for page in PAGES}
    reference = (tmp_path / "site" / "docs" / "python.html").read_text(encoding="utf-8")
    assert "Return the best hits for a query" in reference, "the API pages come from docstrings"
