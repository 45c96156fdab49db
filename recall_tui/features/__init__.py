"""What happens to a memory. Verbs: each reads and returns a plan, and writes nothing."""
