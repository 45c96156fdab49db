"""Run by each interpreter that finds this folder in PYTHONPATH, before anything else."""

import os

if told := os.environ.get("RECALL_TEST_OPENED"):
    from tests.opening import listen, told_into

    listen(told_into(told))
