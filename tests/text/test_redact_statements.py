"""Secrets that sentences tell, in a few languages, and that stand in lists, templates and addresses."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

STATEMENTS = (
    "Log in with user admin and password {} please",
    "log in as the user deploy with the user admin and the password {}",
    "creds are bob / {}",
    "the credentials: `bob` / `{}`",
    "I changed the password from oldie to {}.",
    'export GPG_PASSPHRASE="two words {}"',
    "item csv: name,password\nbob,{}",
    "Decision: we decided that name,password\nbob,{}\n",
    "these are all of the users: id;user;passwort\n1;bob;{}",
    'variable "db_pw" {{ default = "{}" }}',
    'variable "db_password" {{ type = string, default = "{}" }}',
    'gh secret set NAME --body "{}"',
    "gh secret set DEPLOY_KEY --repo a/b -b {}",
    "Das Passwort lautet {}",
    "das Passwort für den Server ist {}",
    "Kennwort: {}",
    "Das Kennwort ist {}.",
    "mot de passe : {}",
    "Le mot de passe est {}",
    "La contraseña es {}",
    "contraseña: {}",
    "la contraseña del servidor es {}",
)
SECRET = "Zr7TmMQpw4"
HARMLESS = (
    "Das Passwort ist falsch",
    "Kennwort: vergessen",
    "Das Kennwort ist zu kurz",
    "mot de passe : obligatoire",
    "Le mot de passe est incorrect",
    "La contraseña es obligatoria",
    "log in with user admin and password authentication",
    "the credentials are read / written by the store",
    "I changed the password from plain text to hashed",
    "gh secret set NAME --body $TOKEN",
    "gh secret set NAME --body-file key.txt",
    "we decided that name,password\nand,so",
    'passphrase = "Enter the words of your key"',
    'variable "db_password" { default = "" }',
    'variable "db_password" { default = var.password }',
    "recovery codes:\nare in the vault",
    "otpauth://totp/x?issuer=Example",
)


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_secret_is_told_by_a_sentence(text: str) -> None:
    assert SECRET not in redact(text.format(SECRET))


@pytest.mark.parametrize("text", ["otpauth://totp/x?secret={}", "otpauth://totp/Ex:jo@x.example?issuer=Ex&secret={}"])
def test_the_seed_of_one_time_passwords_is_a_secret(text: str) -> None:
    plain = text.format("WGPKIHLSOSGHGFGD")
    assert "WGPKIHLSOSGHGFGD" not in redact(plain)
    assert "WGPKIHLSOSGHGFGD" not in redact(json.dumps([plain]))


@pytest.mark.parametrize("text", ["recovery codes:\nxsmup-avitp", "Backup codes:\n- xsmup-avitp\n- 3k2mp-qqrst\n"])
def test_recovery_codes_in_two_halves_need_no_digit_and_no_company(text: str) -> None:
    for plain in (text, json.dumps([text])):
        assert "xsmup" not in redact(plain)
        assert "qqrst" not in redact(plain)


@pytest.mark.parametrize("text", HARMLESS)
def test_what_only_reads_like_it_stays(text: str) -> None:
    assert redact(text) == text
