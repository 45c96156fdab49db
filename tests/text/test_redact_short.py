"""Short names and short texts: `pass = …`, and a whole text that is no more than an assignment."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

NAMED = (
    "pass = {}",
    "pass: {}",
    "pass={}",
    "Pass: {}",
    "pass = '{}'",
    'pass: "{}"',
    "pwd = {}",
    "pwd: {}",
    "passwd = {}",
    "passwd: {}",
    "password: {}",
    "password = {}",
    "pw = {}",
    "user: bob\npass: {}",
    "user: bob, pass: {}",
    "login bob pass {}",
    "user=bob pass={}",
    "[db]\nuser = bob\npass = {}\n",
    "smtp.pass = {}",
    "db pass: {}",
    "db_pass: {}",
    "root pw: {}",
    "the pass is {}",
    "pass -> {}",
    "u: bob p: {}",
    '{{:user "bob" :password "{}"}}',
)
TOKENS = ("password {}", "ADMIN_TOKEN={}", "admin-token: {}", "SPLUNK_TOKEN={}", "backend_token={}")
SECRETS = ("x7KqPz92mT", "blueWhale7", "Kite-42-lamp", "hunter2go")
WHOLE = ("pw: abc123", "pw=abc123", "pwd: a1b2c3", "pass: k9x2", "pass=k9x2mm", "PASS=k9x2", "pin: 4821")
HARMLESS = (
    "pass: 12 tests",
    "pass: 12",
    "pass = True",
    "pass = 12",
    "pass: yes",
    "pass: true",
    "pass = false;",
    "pass: None",
    "pass: all",
    "Pass: 1, Fail: 2",
    "PASS: test_login2",
    "PASS: TestLogin2",
    "PASS: gcc.dg/pr12345.c (test for excess errors)",
    "PASS: gcc.dg/pr12345.c",
    "--- PASS: TestShort2 (0.01s)",
    "PASS: 3m20s",
    "PASS: 12ms",
    "pass: 3/4",
    "pass: 99.5%",
    "pass: v1.2.3",
    "pass: step2",
    "first pass: parse2ast",
    "second pass = optimize_2",
    "pass = render_pass2",
    "pass = createPass2()",
    "pass = new RenderPass2D(scene)",
    "pass: shadowPass2",
    "pass = (count2 > 3)",
    "pass = a1 == b2",
    "pass: [x2, y2]",
    "pass = x.result2",
    "if ok: pass",
    "pwd = os.getcwd()",
    "pwd: /home/u/x2",
    "password: newPassword2",
    "password = userPassword2",
    "password: values.password2",
    "user: bob, pass: required",
    "key: abc",
    "pw: none",
    "pw: 12 px",
    "id: abc123",
    "sha: abc123",
    "pass",
    "pw:",
    "pass:ok",
    "key: k",
    "key: Tab2",
    "min_token=abcd12345",
    "pad_token: x7KqPz92mT",
    "next_page_token=x7KqPz92mT",
)


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("text", NAMED)
def test_a_short_name_tells_a_password(text: str, secret: str) -> None:
    plain = text.format(secret)
    assert secret not in redact(plain)
    assert secret not in redact(json.dumps({"output": plain}))


@pytest.mark.parametrize("text", TOKENS)
def test_a_random_word_beside_its_name_is_a_secret_whoever_owns_it(text: str) -> None:
    assert SECRETS[0] not in redact(text.format(SECRETS[0]))


@pytest.mark.parametrize("text", WHOLE)
def test_a_short_text_may_be_an_assignment(text: str) -> None:
    assert redact(text).endswith("]")


@pytest.mark.parametrize("text", HARMLESS)
def test_what_passes_and_where_one_is_stay(text: str) -> None:
    assert redact(text) == text
    line = json.dumps({"output": text})
    assert redact(line) == line
