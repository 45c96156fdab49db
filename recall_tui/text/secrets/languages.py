"""Find passwords, keys and tokens by their names in languages other than English: `пароль: …`, `密码是…`, `hasło to …`.

Values are judged as in a sentence: a word counts when it has a digit or a symbol and is no identifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from recall_tui.text.lazy_pattern import lazy_pattern
from recall_tui.text.secrets import values
from recall_tui.text.secrets.commands import is_likely_password
from recall_tui.text.secrets.word_lists import LATIN_STEMS

SecretSpan = tuple[str, int, int]

_STEMS = (
    "ароль", "АРОЛЬ", "гасло", "токен", "Токен", "люч", "секрет", "密码", "密碼", "口令", "密钥", "密鑰", "令牌",
    "パスワード", "暗証番号", "トークン", "秘密鍵", "비밀번호", "암호", "asło", "ASŁO", "ösenord", "elszó", "ifre",
    "clé", "lüssel", "ωδικός", "المرور", "סיסמ", "khẩu", "รหัสผ่าน",
)  # fmt: skip
"""Parts of the other names; each text with such a name has one of them."""
_LETTERS = "оОюе码碼口令钥鑰パト暗鍵비암łŁöóşéüωاסẩร"
"""Letters, one of which is in each of the stems; looking for a letter is many times faster than for a word."""
_NAME = lazy_pattern(
    r"(?P<token>токен|令牌|トークン)"
    r"|(?P<key>секретный ключ|ключ api|api[- ]?ключ|секрет|密[钥鑰]|秘密鍵|clé (?:api|secrète|d['’]api)"
    r"|(?:api|geheimer)[- ]schlüssel|geheimnis)"
    r"|(?P<user>zugangsdaten)"
    r"|(?<![а-яё])пароль|гасло|密[码碼]|口令|パスワード|暗証番号|비밀번호|암호"
    r"|κωδικός|كلمة المرور|סיסמ[הא]|mật khẩu|รหัสผ่าน"
    r"|(?<![^\W_])(?:has[lł]o|heslo|lösenord|jelszó|[şs]ifre(?:si)?|senha|wachtwoord|mdp"
    r"|parola(?: d'ordine)?|(?P<vague>clave))"
    r"(?![^\W\d_])",
    re.IGNORECASE,
)
_QUOTE = r"\\{0,7}[\"'`“”‘’«»「『]"
_VALUE = lazy_pattern(
    r"[*_`\"'”»]{0,3}(?:\\{1,7}[\"'])?"
    r"(?:(?:[ _-][\w@.-]{1,30}|[ ]?[(（][^)）\n]{1,30}[)）])(?:[ ][\w@.-]{1,30}){0,3}?)?"
    r"[*_]{0,3}"
    r"(?:\s{0,2}(?:[:：=＝|│]|=>|->|→|—|–|是|为|為|は|는|은)[ \t]{0,8}"
    rf"|[ ](?:to|is|est|es|é|är|ist|такой|это|[-—–])[ ]?:?[ ]|\s?(?={_QUOTE}))"
    rf"[*_]{{0,3}}(?P<login>[\w.@-]{{1,64}} / )?"
    rf"(?:{_QUOTE}(?P<quoted>[^\s\"'`“”‘’«»「」『』\\]{{4,256}})|(?P<bare>[!-~]{{4,256}}))"
)
"""A few words such as `от базы данных`, the sign or the verb, and the value."""
_TAIL = ".,;:!?)]}\"'`|\\"
_MAX_NAME_CHARS = 20


def has_foreign_name(text: str, others: str) -> bool:
    """Return whether a part of such a name is in a text, whose characters other than ASCII are `others`."""
    for letter in _LETTERS:
        if letter in others:
            return any(stem in text for stem in _STEMS)
    return False


def foreign_secrets(text: str) -> Iterator[SecretSpan]:
    """Yield the values that a text gives for a name in letters other than ASCII."""
    yield from _at_stems(text, text, _STEMS)


def latin_secrets(text: str, low: str) -> Iterator[SecretSpan]:
    """Yield the values given for the names of `LATIN_STEMS`; `low` is the text in lower case."""
    yield from _at_stems(text, low, LATIN_STEMS)


def _at_stems(text: str, searched: str, stems: tuple[str, ...]) -> Iterator[SecretSpan]:
    for stem in stems:
        place = searched.find(stem)
        while place >= 0:
            yield from named_secret(text, place)
            place = searched.find(stem, place + len(stem))


def named_secret(text: str, place: int) -> Iterator[SecretSpan]:
    """Yield the value given for the name around `place`."""
    name = _NAME.search(text, max(0, place - _MAX_NAME_CHARS), place + _MAX_NAME_CHARS)
    found = _VALUE.match(text, name.end()) if name and name.start() <= place else None
    if name is None or found is None or (found["login"] and not name["user"]):
        return
    group = "quoted" if found["quoted"] else "bare"
    start = found.start(group)
    value = found[group].split("\\n")[0].split('\\"')[0].rstrip(_TAIL)
    if name["vague"] and not values.is_mixed_password(value):
        return
    is_word = values.is_code_label(value) or not values.is_probable(value, 6)
    if is_likely_password(value) and (not is_word or values.is_mixed_password(value)):
        yield "token" if name["token"] else "secret" if name["key"] else "password", start, start + len(value)
