"""HTML that would do harm in a page, and a parser that finds what came through."""

from __future__ import annotations

from html.parser import HTMLParser

VOID = {"br", "hr", "meta"}
HARM = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '<a href="javascript:alert(1)">x</a>',
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](file:///etc/passwd)",
    "[x](//evil.example)",
    '[x](https://a.example "title\\" onclick=x")',
    "![x](https://evil.example/pixel.png)",
    "![x](javascript:alert(1))",
    "![x](data:image/svg+xml;base64,PHN2Zz4=)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    '```"><script>alert(1)</script>\ncode\n```',
    "<!-- comment --> <style>*{}</style> <iframe src=//evil></iframe>",
    "\x1b[31mred\x1b]0;title\x07 \x9b2J",
    "</main></body></html><script>",
    "&lt;script&gt; &amp;lt; &#60;b&#62;",
    "\u202eevil",
)


class Seen(HTMLParser):
    """What a browser would find."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.open: list[str] = []
        self.words = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data
