"""The journal: every change to a user's file, recorded so that it can be undone."""
