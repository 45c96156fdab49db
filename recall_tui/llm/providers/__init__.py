"""Model providers: HTTP endpoints and command-line programs."""
