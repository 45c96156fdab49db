"""The first run, before there is a memory."""
