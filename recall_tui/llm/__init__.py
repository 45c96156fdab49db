"""Language models: text in, text out, and an answer without one wherever there is none."""
