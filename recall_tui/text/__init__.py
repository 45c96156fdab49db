"""Words in, words out; no files, no clock."""
