"""Find secrets at words other than names: echo commands, connect calls, phrases, codes, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets.calls import logins, second_argument, third_argument
from recall_tui.text.secrets.command_output import printed_secret
from recall_tui.text.secrets.commands import HERE, LOGIN, is_likely_password
from recall_tui.text.secrets.dialogs import access_rule, pin
from recall_tui.text.secrets.languages import named_secret
from recall_tui.text.secrets.phrases import recovery_codes, seed_words
from recall_tui.text.secrets.pipes import here, out_file, piped_password, set_content, written_secret

Found = tuple[str, int, int]

_OF_A_WALLET = ("seed", "recover", "mnemonic", "secret", "wallet", "backup")
_BEFORE_CHARS = 24
_WIFI = lazy_pattern(r"wifi:[^\n]{0,80}\Z")
"""A network in a QR code (https://github.com/zxing/zxing/wiki/Barcode-Contents)."""
_WIFI_PASSWORD = lazy_pattern(r"((?:[^;\\\s]|\\[;,:\\\"]){4,63}+);")
_BESIDE_USER = lazy_pattern(r"(?:^|[\s\"'`(])u(?:ser)?: ?\S{1,64}?[ ,;/]{1,3}p:\Z")
_SHORT_PASSWORD = lazy_pattern(r"[ ]?([^\s\"'`,;\\]{8,128})")
_OF_AN_ADDRESS = ("send?key=", "k/", "key/", "catch/", "ura.io/v3/", "com/v2/", "com/v3/")
_IN_AN_ADDRESS = lazy_pattern(r"(?:\d{1,12}/)?([A-Za-z0-9_-]{10,64}+)")
"""A token in an address that grants access: Alchemy, Infura, Zapier, IFTTT, WeCom, Lark."""
_ATTACHED = lazy_pattern(r"[A-Za-z0-9]{24,40}+")


def by_words(text: str, low: str, place: re.Match[str]) -> Iterator[Found] | None:
    """Return the secrets at the trigger word of the match; None for any other word."""
    word, end = place[0], place.end()
    match word:
        case "pin" | "passcode":
            told = list(pin(text, place.start(), end))
            return iter(told) if told or word == "pin" else None
        case "cho " | "printf " | "put ":
            return _of("password", chain(piped_password(text, end), written_secret(text, end)))
        case "user":
            return _of("password", access_rule(text, end))
        case "ut-file ":
            return _of("password", out_file(text, place.start() - 1))
        case "content ":
            return _of("password", set_content(text, end))
        case "keyring get " | "cret-tool lookup " | "crets/" | "cryption":
            return printed_secret(text, place.start(), end)
        case "connect(" | "create_user(" | "create_superuser(" | "pdo(":
            return _of("password", third_argument(text, end))
        case "cate(":
            return _of("password", second_argument(text, end))
        case "phrase":
            before = low[max(0, place.start() - _BEFORE_CHARS) : end]
            return _of("seed-phrase", seed_words(text, end)) if any(one in before for one in _OF_A_WALLET) else iter(())
        case "p:" if low.endswith(";p:", 0, end):
            password = _WIFI_PASSWORD.match(text, end) if _WIFI.search(low, max(0, end - 90), end) else None
            return iter([("password", *password.span(1))] if password else [])
        case "p" | "parola" | "clave" | "chtwoord" | "ugangsdaten":
            return named_secret(text, place.start())
        case "p:" if _BESIDE_USER.search(low, max(0, end - 90), end):
            given = _SHORT_PASSWORD.match(text, end)
            return _of("password", iter([given.span(1)] if given and is_likely_password(given[1]) else []))
        case "pro attach ":
            token = _ATTACHED.match(text, end)
            return iter([("token", *token.span())] if token and any(map(str.isdigit, token[0])) else [])
    if word.endswith(_OF_AN_ADDRESS):
        token = _IN_AN_ADDRESS.match(text, end)
        return iter([("url-token", *token.span(1))] if token and any(map(str.isdigit, token[1])) else [])
    if word[0] == "c" and len(word) == 2 and low.startswith("mnemoni", place.start() - 7):
        return _of("seed-phrase", seed_words(text, end - 1))
    if word.endswith("codes"):
        return _of("recovery-code", recovery_codes(text, end))
    if word.startswith("ken-") and ":" in word:
        return iter([("rancher-token", place.start() - 2, end)] if low.startswith("to", place.start() - 2) else [])
    if word.startswith("prv9"):
        return iter([("wallet-key", place.start() - 1, end)])
    return None


def beside_words(text: str, low: str) -> Iterator[Found]:
    """Yield the secrets at words searched in the whole text: login calls, here-strings and here-documents."""
    if LOGIN in low:
        yield from _of("password", logins(text, low))
    place = text.find(HERE)
    while place >= 0:
        yield from _of("password", here(text, place))
        place = text.find(HERE, place + len("<<<"))


def _of(kind: str, spans: Iterator[tuple[int, int]]) -> Iterator[Found]:
    return ((kind, *span) for span in spans)
