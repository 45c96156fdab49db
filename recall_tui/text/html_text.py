"""Render text as HTML: escaped text, Markdown, and the page around it.

Content never becomes markup of its own: no tags, scripts or images, and links only to the web and to mail. A page loads
nothing external, and its content policy says so.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from recall_tui.text.cut import strip_controls

if TYPE_CHECKING:
    from collections.abc import MutableMapping, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.renderer import RendererHTML
    from markdown_it.token import Token
    from markdown_it.utils import OptionsDict

_SAFE_LINK = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_LINK_REL = "noopener noreferrer nofollow"
_CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_MAX_HEADING_LEVEL = 6


def escape_html(text: str) -> str:
    """Escape `text` for HTML, attribute values included, without terminal control characters."""
    return html.escape(strip_controls(text), quote=True)


def render_markdown(markdown: str, *, deeper: int = 0, keeps_lines: bool = False) -> str:
    """Render Markdown as HTML, with headings shifted `deeper` levels down.

    With `keeps_lines` source line breaks are kept, as in typed text.
    """
    parser = _parser(keeps_lines)
    env: dict[str, Any] = {}
    tokens = parser.parse(strip_controls(markdown), env)
    for token in tokens:
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{min(_MAX_HEADING_LEVEL, int(token.tag[1:]) + deeper)}"
    # A character entity (&#x202e;) becomes a character only here.
    return strip_controls(str(parser.renderer.render(tokens, parser.options, env)))


def page_start(title: str, css: str) -> str:
    """Return the page up to its content."""
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_CONTENT_POLICY}">\n'
        '<meta name="generator" content="recall-tui">\n'
        f"<title>{escape_html(title)}</title>\n<style>\n{css}</style>\n</head>\n"
        '<body>\n<main dir="auto">\n'
    )


def page_end() -> str:
    """Return the page after its content."""
    return "</main>\n</body>\n</html>\n"


@lru_cache(maxsize=2)
def _parser(keeps_lines: bool) -> MarkdownIt:
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"html": False, "breaks": keeps_lines}).enable(["table", "strikethrough"])
    parser.validateLink = _is_safe_link  # type: ignore[method-assign]
    parser.add_render_rule("image", _image)
    parser.add_render_rule("link_open", _link)
    return parser


def _is_safe_link(url: str) -> bool:
    return _SAFE_LINK.match(url.strip()) is not None


def _link(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    tokens[at].attrSet("rel", _LINK_REL)
    return str(self.renderToken(tokens, at, options, env))


def _image(
    self: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """Render a link in place of an image, which would load from elsewhere."""
    token = tokens[at]
    words = self.renderInlineAsText(token.children or [], options, env) or "picture"
    return f'<a href="{html.escape(str(token.attrs.get("src", "")))}" rel="{_LINK_REL}">{html.escape(words)}</a>'
