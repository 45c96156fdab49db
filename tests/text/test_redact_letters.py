"""Secrets without a digit: behind an issuer's prefix, or assigned to the name of a secret."""

from __future__ import annotations

import json
import random
import string

import pytest

from recall_tui.text.secrets.redact import redact

PREFIXES = (
    ("ghp_", 36), ("gho_", 36), ("ghs_", 36), ("glpat-", 20), ("gldt-", 20), ("glrt-", 20), ("sk_live_", 24),
    ("rk_live_", 24), ("sk-", 48), ("sk-proj-", 60), ("sk-ant-api03-", 95), ("AIza", 35), ("npm_", 36), ("hf_", 34),
    ("hvs.", 24), ("figd_", 40), ("xoxb-", 24), ("123456789:AA", 33), ("ntn_", 46), ("lin_api_", 40),
    ("dckr_pat_", 27), ("fo1_", 43), ("rnd_", 32), ("glsa_", 32), ("dp.pt.", 43), ("sntrys_", 64), ("pscale_tkn_", 43),
    ("gsk_", 52), ("r8_", 37), ("pplx-", 48), ("xai-", 80), ("tvly-", 32), ("nfp_", 36), ("vercel_blob_rw_", 30),
    ("EZAK", 54), ("sl.", 135), ("pnu_", 36), ("pcsk_", 70), ("ops_eyJ", 200), ("cio", 32),
)  # fmt: skip
ASSIGNED = (
    "CF_API_TOKEN={}",
    "https://x.example/cb?access_token={}&y=1",
    "set -x API_KEY {}",
    '{{"auths":{{"x.example":{{"auth":"{}=="}}}}}}',
    "define('DB_PASSWORD', '{}');",
    'define("AUTH_KEY", "{}");',
    "export API_TOKEN='{}'",
    "mytool --token={}",
)
ONLY_LETTERS = "MxuWQKqhHYVOJmLKThFiUews"
HARMLESS = (
    "ghp_yourPersonalAccessTokenGoesHereNow",
    "the class is named sk-SomeVeryLongComponentNameForTheForm",
    "test_TheWorkbenchOpensEveryMemoryOfAProject",
    "glpat-xxxxxxxxxxxxxxxxxxxx",
    "AIzaYourGoogleMapsApplicationKeyGoesHere",
    "API_TOKEN=getTokenFromEnvironment",
    "DB_PASSWORD=readPasswordFromVault",
    "<a href='?access_token=someAccessTokenParameter'>",
    "the module tk_widgets_and_their_options",
)


def random_letters(number: int, seed: int) -> str:
    """Letters at random, capitals and small ones."""
    return "".join(random.Random(seed).choices(string.ascii_letters, k=number))


@pytest.mark.parametrize(("prefix", "number"), PREFIXES)
def test_a_token_needs_no_digit_behind_the_prefix_of_its_issuer(prefix: str, number: int) -> None:
    tokens = [prefix + random_letters(number, seed) for seed in range(40)]
    kept = [token for token in tokens if token[len(prefix) :] in redact(f"here it is: {token}")]
    assert len(kept) <= 4, kept


def test_a_token_of_the_issuers_that_write_but_one_case_needs_no_digit() -> None:
    for prefix, number, letters in (("NRAK-", 27, string.ascii_uppercase), ("tk_", 29, string.ascii_lowercase)):
        token = prefix + "".join(random.Random(number).choices(letters, k=number))
        assert token not in redact(f"use {token} now")
        assert token not in redact(token)


@pytest.mark.parametrize("text", ASSIGNED)
def test_letters_at_random_are_a_secret_when_a_name_says_so(text: str) -> None:
    plain = text.format(ONLY_LETTERS)
    assert ONLY_LETTERS not in redact(plain)
    assert ONLY_LETTERS not in redact(json.dumps({"text": plain}))


def test_a_chosen_password_in_a_definition_needs_no_digit() -> None:
    assert "LUBGLFthoiJFMx" not in redact("define('DB_PASSWORD', 'LUBGLFthoiJFMx');")


@pytest.mark.parametrize("text", HARMLESS)
def test_words_and_names_of_code_stay(text: str) -> None:
    assert redact(text) == text
