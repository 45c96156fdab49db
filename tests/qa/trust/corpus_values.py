"""Random values of documented shapes, and documents in which they stand.

A template marks each secret as `⟦spec⟧` or `⟦encoding|spec⟧`. Inside and outside of a mark an atom such as `‹A24›`
(24 letters or digits) or `‹pw›` (a password) is drawn at run time, so the repository holds no literal that looks like
a live credential. What stands before `¦` in a mark is public: the prefix of a token, the header of a JWT.
"""

from __future__ import annotations

import base64
import html
import json
import re
import string
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from urllib.parse import quote

SEED = "2026-11-25"
_WORD = string.ascii_letters + string.digits

ALPHABETS = {
    "A": _WORD,
    "a": string.ascii_lowercase + string.digits,
    "U": string.ascii_uppercase + string.digits,
    "h": "0123456789abcdef",
    "H": "0123456789ABCDEF",
    "d": string.digits,
    "l": string.ascii_lowercase,
    "L": string.ascii_uppercase,
    "w": _WORD + "_-",
    "b": _WORD + "+/",
    "c": _WORD + "./",
    "p": _WORD + "._",
    "t": string.ascii_uppercase + "234567",
    "q": "023456789ACDEFGHJKLMNPQRSTUVWXYZ",
}
"""Single letters of atoms: `b` is base64, `c` crypt(3), `t` base32, `q` bech32 in capitals."""

_NOUNS = (
    "harbor",
    "copper",
    "lantern",
    "meadow",
    "violet",
    "orbit",
    "timber",
    "glacier",
    "saddle",
    "thunder",
    "pepper",
)
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


def _drawn(rng: Random, alphabet: str, length: int) -> str:
    value = "".join(rng.choices(alphabet, k=length))
    if length < 8 or alphabet == string.digits or not any(c.isdigit() for c in alphabet):
        return value
    return value if any(map(str.isdigit, value)) and any(map(str.isalpha, value)) else _drawn(rng, alphabet, length)


def _with_checksum(rng: Random) -> str:
    """Return 30 characters and their CRC32 in base 62, as tokens of GitHub and npm end."""
    body = _drawn(rng, _WORD, 30)
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(6):
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return body + digits


def _base64(rng: Random, size: int) -> str:
    return base64.b64encode(rng.randbytes(size)).decode()


def _segment(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value, separators=(",", ":")).encode()).decode().rstrip("=")


def _jwt_head(rng: Random) -> str:
    return _segment({"alg": rng.choice(("HS256", "RS256", "ES256")), "typ": "JWT", "kid": _drawn(rng, _WORD, 12)})


def _jwt_body(rng: Random) -> str:
    claims = {
        "sub": _drawn(rng, string.digits, 10),
        "jti": _drawn(rng, _WORD, 40),
        "scope": "read write",
        "exp": 1893456000,
    }
    return f"{_segment(claims)}.{_drawn(rng, ALPHABETS['w'], 86)}"


def _password(rng: Random, signs: str, length: int = 15) -> str:
    """Return letters and digits with at least two of the signs inside, beginning with a letter."""
    inner = [*rng.choices(_WORD, k=length - 3), rng.choice(signs), rng.choice(signs)]
    rng.shuffle(inner)
    return rng.choice(string.ascii_letters) + "".join(inner)


def _phrase(rng: Random) -> str:
    return "-".join((rng.choice(_NOUNS).title(), _drawn(rng, string.digits, 3), rng.choice(_NOUNS), rng.choice(_NOUNS)))


def _blocks(rng: Random, lines: int) -> str:
    return "\n".join(
        [*(_drawn(rng, ALPHABETS["b"], 64) for _ in range(lines - 1)), _drawn(rng, ALPHABETS["b"], 43) + "="]
    )


def _uuid(rng: Random) -> str:
    return "-".join(_drawn(rng, ALPHABETS["h"], n) for n in (8, 4, 4, 4, 12))


NAMED: dict[str, Callable[[Random, int], str]] = {
    "checksummed": lambda rng, _: _with_checksum(rng),
    "bytes": _base64,
    "json": lambda rng, n: _segment({"iat": 1741082551, "url": "https://eu.host.io", "key": _drawn(rng, _WORD, n)}),
    "jwthead": lambda rng, _: _jwt_head(rng),
    "jwtbody": lambda rng, _: _jwt_body(rng),
    "dashes": lambda _, n: "-" * (n or 5),
    "uuid": lambda rng, _: _uuid(rng),
    "pem": _blocks,
    "pw": lambda rng, n: _password(rng, "!@#%^*-_+=.~?", n or 15),
    "pws": lambda rng, n: _password(rng, "/,(&$", n or 15),
    "pwu": lambda rng, n: _password(rng, "-._~!$&()*+,;=", n or 15),
    "pwa": lambda rng, n: _drawn(rng, _WORD, n or 14),
    "pwb": lambda rng, n: _password(rng, "()[]{}<>$#|;", n or 18),
    "phrase": lambda rng, _: _phrase(rng),
    "words": lambda rng, n: " ".join(rng.choices(_NOUNS, k=n)),
}

_ATOM = re.compile(r"‹(?:([AaUhHdlLwbcptq])(\d+)|([a-z]+)(?::(\d+))?)›")


def expand(spec: str, rng: Random) -> str:
    """Return the spec with each atom drawn."""

    def drawn(match: re.Match[str]) -> str:
        letter, count, name, size = match.groups()
        return _drawn(rng, ALPHABETS[letter], int(count)) if letter else NAMED[name](rng, int(size or 0))

    return _ATOM.sub(drawn, spec)


def _folded(width: int) -> Callable[[str], str]:
    return lambda value: "\n".join(value[at : at + width] for at in range(0, len(value), width))


def _grepped(value: str) -> str:
    return f"\x1b[01;31m\x1b[K{value[:5]}\x1b[m\x1b[K{value[5:]}"


def _lit(value: str) -> str:
    third = len(value) // 3
    parts = (value[:third], value[third : 2 * third], value[2 * third :])
    return "".join(f"\x1b[38;5;{colour}m{part}\x1b[0m" for colour, part in zip((114, 204, 81), parts, strict=True))


ENCODINGS: dict[str, Callable[[str], str]] = {
    "url": lambda value: quote(value, safe=""),
    "url2": lambda value: quote(quote(value, safe=""), safe=""),
    "html": html.escape,
    "hex": lambda value: value.replace("&", r"\u0026").replace("=", r"\u003d").replace("<", r"\u003c"),
    "escaped": lambda value: value.replace("\n", r"\n"),
    "slashed": lambda value: value.replace("/", r"\/"),
    "grep": _grepped,
    "lit": _lit,
    "fold64": _folded(64),
    "fold76": _folded(76),
    "slash": lambda value: _folded(60)(value).replace("\n", "\\\n"),
    "quoted": lambda value: _folded(48)(value).replace("\n", '"\n    "'),
    "indent": lambda value: value.replace("\n", "\n    "),
    "b64": lambda value: base64.b64encode(value.encode()).decode(),
    "b64fold": lambda value: _folded(76)(base64.b64encode(value.encode()).decode()),
}
"""Encodings of a mark; a needle is the value as it was before, but for base64 the encoded text."""

_MARK = re.compile(rf"⟦(?:({'|'.join(ENCODINGS)})\|)?(.*?)⟧", re.S)
MASK = "[redacted:x]"
_LONG_PREFIX_CHARS = 8


@dataclass(frozen=True, slots=True)
class Written:
    text: str
    masked: str
    needles: tuple[str, ...]


def _public(spec: str) -> int:
    """Return the length of a prefix so long that it alone must not count as a leak."""
    prefix = spec.partition("‹")[0]
    return len(prefix) if "‹" in spec and len(prefix) >= _LONG_PREFIX_CHARS else 0


def write(template: str, rng: Random, wrap: Callable[[str], str]) -> Written:
    """Return the document with its values, the same document with the values masked, and the values."""
    needles: list[str] = []
    shown: list[str] = []
    for encoding, spec in _MARK.findall(template):
        value = expand(spec, rng)
        plain = value.replace("¦", "")
        secret = value.partition("¦")[2] or value[_public(spec) :]
        shown.append(ENCODINGS[encoding](plain) if encoding else plain)
        needles.append(shown[-1] if encoding.startswith("b64") else secret)
    around = [expand(piece, rng) for piece in _MARK.sub("\0", template).split("\0")]
    text = around[0] + "".join(a + b for a, b in zip(shown, around[1:], strict=True))
    return Written(wrap(text), wrap(MASK.join(around)), tuple(needles))
