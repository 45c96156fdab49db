"""Text as HTML: words escaped, Markdown rendered, and the page around it.

Nothing of the words becomes markup of its own: no tag, no script, no picture, no link but to the web and to mail. A
page needs nothing from anywhere else, and says so to the browser.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recall_tui.text.cut import plain

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

_LINK = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_REL = "noopener noreferrer nofollow"
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_DEEPEST = 6


def escaped(text: str) -> str:
    """`text` as it may stand in HTML, in a value of an attribute too; what would steer a terminal is gone."""
    return html.escape(plain(text), quote=True)


def rendered(markdown: str, *, deeper: int = 0, keeps_lines: bool = False) -> str:
    """The Markdown as HTML, with its headings `deeper` levels down.

    With `keeps_lines` a line that ends in the source ends on the page too, as in what a person typed.
    """
    parser = _parser(keeps_lines)
    env: dict[str, Any] = {}
    tokens = parser.parse(plain(markdown), env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_DEEPEST, int(token.tag[1:]) + deeper)}"
    # What was written as an entity (&#x202e;) is a character only now.
    return plain(str(parser.renderer.render(tokens, parser.options, env)))


def page_start(title: str, css: str) -> str:
    """The page up to where its content begins."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="generator" content="recall-tui">\n'
        f"<title>{escaped(title)}</title>\n<style>\n{css}</style>\n</head>\n"
        '<body>\n<main dir="auto">\n'
    )


def page_end() -> str:
    """The page from where its content ends."""
    return "</main>\n</body>\n</html>\n"


@lru_cache(maxsize=2)
def _parser(keeps_lines: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": keeps_lines}).enable(["table", "strikethrough"])
    parser.validateLink = _may_link  # type: ignore[method-assign]
    parser.add_render_rule("image", _image)
    parser.add_render_rule("link_open", _link)
    return parser


def _may_link(url: str) -> bool:
    return _LINK.match(url.strip()) is not None


def _link(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    tokens[at].attrSet("rel", _REL)
    return str(self.renderToken(tokens, at, options, env))


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """A picture would be loaded from elsewhere: a link to it stands in its place."""
    token = tokens[at]
    words = self.renderInlineAsText(token.children or [], options, env) or "picture"
    return f'<a href="{html.escape(str(token.attrs.get("src", "")))}" rel="{_REL}">{html.escape(words)}</a>'
