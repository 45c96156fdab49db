"""Language models and embedders, and a fallback without a model wherever none is configured."""
