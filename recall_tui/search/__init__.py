"""One question in, ranked hits out, each with its reasons."""
