"""Code, commands and prose that stand where a secret could, and hold none."""

from __future__ import annotations

import json

import pytest

from recall_tui.text.secrets.redact import redact

LOOK_ALIKES = (
    "should_pass(\"WinDLL('./_sqlite3.dll')\")",
    'bypass("on-demand-2")',
    'check_password("token-2x")',
    'setPasswordPolicy("min-12-chars")',
    "cpu_user = end[0] - st[0]",
    "target_user = path[1:i]",
    "add_user = path[1:i] + 'x2'",
    "the example replicates a secret to eu-west-3. The replica is encrypted",
    "move the token to step-2 of the flow",
    "for the moment, we pass to modnames2paths:",
    'check_output(["security", "find-identity", "-p", "codesigning", "-v"])',
    "msbuild /p:OutDir=lib /p:Configuration=Release2",
    "oc process -p NAME=foo2 -f t.yaml",
    "cf push shop2 -p target/shop-2.jar",
    "ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare",
    "we modify the password min_length of 12",
    "please connect the token step_2 with the others",
    "chpasswd <<< 'deploy:{}'",
)


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    assert redact(text) == text
    line = json.dumps({"text": text})
    assert redact(line) == line
