"""The search index: disposable, rebuilt from what it indexes."""
