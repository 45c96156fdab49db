"""Names for secrets in other languages, and signs of other scripts between a name and its value."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

NAMED = (
    "password：{}",
    "password＝{}",
    "password ： {}",
    "DB_PASSWORD＝{}",
    "пароль: {}",
    "Пароль от базы: {}",
    "пароль — {}",
    "пароль «{}»",
    "新密码：「{}」",
    "la password è {}",
    "ПАРОЛЬ={}",
    "Пароль для входа такой: {}",
    "пароль_бд = '{}'",
    "секретный ключ: {}",
    "ключ API: {}",
    "токен доступа: {}",
    "пароль: `{}`",
    "密码：{}",
    "密码: {}",
    "密码是{}",
    "密码为 {}",
    "数据库密码:{}",
    "口令：{}",
    "密鑰：{}",
    "密钥＝{}",
    "令牌：{}",
    "密碼：{}",
    "パスワード: {}",
    "パスワードは「{}」です",
    "パスワードは {} です",
    "暗証番号：{}",
    "トークン：{}",
    "비밀번호: {}",
    "암호는 {}",
    "hasło: {}",
    "Hasło do bazy: {}",
    "hasło to {}",
    "haslo: {}",
    "haslo={}",
    "Passwort: {}",
    "passwort = '{}'",
    "Kennwort lautet: {}",
    "Zugangsdaten: bob / {}",
    "mot de passe : {}",
    "mot de passe = {}",
    "Le mot de passe de la base est {}",
    "mdp: {}",
    "mdp = {}",
    "contraseña: {}",
    "contraseña={}",
    "la contraseña del servidor: {}",
    "clave: {}",
    "senha: {}",
    "a senha é {}",
    "parola: {}",
    "parola d'ordine: {}",
    "şifre: {}",
    "wachtwoord: {}",
    "het wachtwoord is {}",
    "lösenord: {}",
    "heslo: {}",
    "jelszó: {}",
    "κωδικός: {}",
    "كلمة المرور: {}",
    "סיסמה: {}",
    "mật khẩu: {}",
    "รหัสผ่าน: {}",
    '{{"пароль": "{}"}}',
    '{{"密码": "{}"}}',
    '{{"パスワード":"{}"}}',
    '{{"hasło": "{}"}}',
    "| пароль | {} |",
    "**密码**：`{}`",
)
SECRETS = ("x7KqPz92mT", "Kite-42-lamp")
HARMLESS = (
    "пароль: обязателен",
    "пароль: не менее 12 символов",
    "пароль — это строка",
    "Пароль неверный",
    "пароль: string2",
    "密码：必填",
    "密码: 至少 12 位",
    "密码是错误的",
    "密码：${DB_PASSWORD}",
    "密码：<your-password-1>",
    "パスワード: 必須です",
    "パスワードは 8 文字以上です",
    "パスワードは必要です",
    "hasło: wymagane",
    "hasło: minimum 12 znaków",
    "haslo_field2 = x",
    "Passwort: mindestens 12 Zeichen",
    "mot de passe : 12 caractères",
    "contraseña: obligatoria",
    "contraseña: 12 caracteres",
    "clave: valor2",
    "clave: primaria",
    "la clave es entender el problema2",
    "senha: obrigatória",
    "parola: 8 caratteri",
    "wachtwoord: verplicht",
    "heslo: povinné",
    "비밀번호: 8자 이상",
    "ключ: значение2",
    "ключ: primary_key2",
    "токен: 12 токенов",
    "token：12",
    "password：required",
    "令牌：12 个",
    "密钥：/etc/ssl/key2.pem",
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("text", NAMED)
def test_a_secret_is_known_by_its_name_in_every_language(text: str, secret: str) -> None:
    plain = text.format(secret)
    assert secret not in redact(plain)
    assert secret not in redact(f"first line\n  {plain}\nlast line")
    assert secret not in redact(json.dumps({"output": plain}, ensure_ascii=False))


@pytest.mark.parametrize("text", ["пароль: {}", "密码：{}", "hasło: {}", "password：{}"])
def test_such_a_name_is_read_when_it_was_escaped(text: str) -> None:
    assert "x7KqPz92mT" not in redact(json.dumps({"output": text.format("x7KqPz92mT")}))


@pytest.mark.parametrize("text", HARMLESS)
def test_sentences_in_other_languages_stay(text: str) -> None:
    assert redact(text) == text
    line = json.dumps({"output": text}, ensure_ascii=False)
    assert redact(line) == line
