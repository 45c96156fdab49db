"""Health of a memory: report, checks, repairs, restored backups and use of models."""
