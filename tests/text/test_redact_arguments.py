"""Secrets beside their name in lists and tuples, and values that code puts together from pieces."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

IN_LISTS = (
    '["--password", "{}"]',
    "subprocess.run(['vpn', '--password', '{}', '--verbose'])",
    '{{"args": ["-p", "{}"]}}',
    '{{"command": "dbtool", "args": ["--db-password", "{}", "--port", "5432"]}}',
    '"args": [\n  "--password",\n  "{}"\n]',
    "args: [--password, {}]",
    "args:\n  - --password\n  - {}\n",
    'command:\n  - "--admin-token"\n  - "{}"\n',
    "('password', '{}')",
    '("db_password", "{}"),',
    '["password", "{}"]',
    '[["user", "bob"], ["password", "{}"]]',
    "- password\n- {}\n",
    'params = [("user", "bob"), ("password", "{}")]',
    ":password => '{}'",
    "('password' , '{}')",
    '["AUTH", "{}"]',
    '["-passin", "pass:{}"]',
    'CMD ["dbtool", "--pass", "{}"]',
    'exec.Command("dbtool", "--password", "{}")',
    'new ProcessBuilder("dbtool", "-password", "{}")',
    '(setq args \'("--password" "{}"))',
    'os.environ.update([("DB_PASSWORD", "{}")])',
    "%w[--password {}]",
    'Path("~/.db_password").write_text("{}")',
    "fs.writeFileSync('.db_password', '{}')",
)
FROM_PIECES = (
    "password = 'blue' + '{}'",
    'password = "blue" + "{}"',
    'password = "blue" "{}"',
    "$password = 'blue' . '{}';",
    'local password = "blue" .. "{}"',
    'password := "blue" +\n    "{}"',
    "password: 'blue' + 'Wh' + '{}'",
    "password = (\n    'blue'\n    '{}'\n)",
    "PASSWORD='blue''{}'",
    'Dim password = "blue" & "{}"',
    'let password = "blue" <> "{}"',
)
NIX = (
    "password = ''{}'';",
    "services.x.password = ''{}'';",
    "  initialPassword = ''{}'';\n",
    "password = ''\n  {}\n'';",
)
SECRETS = ("blueWhale7", "x7KqPz92mT")
HARMLESS = (
    '["password", "username", "email2"]',
    "fields = ('password', 'email')",
    '("password", "text2")',
    "('password', 'sha256')",
    '["--password", "--user2"]',
    '["--password", "$PASSWORD1"]',
    '["--password", password2]',
    '["-p", "8080:80"]',
    '["-p", "src/build-2"]',
    '["-p", "Release2"]',
    "- password\n- username\n- email2\n",
    "- token\n- step2\n",
    "args:\n  - --password\n  - $(DB_PASSWORD)\n",
    'password = "Enter " + "your password"',
    'print("password: " + user2)',
    'password = "" + x2',
    "password = '' + 'x'",
    "password = ''",
    "password = ''; user = 'x2';",
    'password = prefix + "_field2"',
    "password=''\nuser2=''\n",
    'Path("~/.db_password").write_text(password2)',
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("text", (*IN_LISTS, *FROM_PIECES, *NIX))
def test_a_secret_in_a_list_or_in_pieces_goes(text: str, secret: str) -> None:
    plain = text.format(secret)
    assert secret not in redact(plain)
    assert secret not in redact(json.dumps({"output": plain}))


@pytest.mark.parametrize("text", FROM_PIECES)
def test_every_piece_of_it_goes(text: str) -> None:
    assert "blue" not in redact(text.format("Whale-7-x7K"))


@pytest.mark.parametrize("text", HARMLESS)
def test_lists_of_names_and_calculated_values_stay(text: str) -> None:
    assert redact(text) == text
    line = json.dumps({"output": text})
    assert redact(line) == line
