"""A memory made, configured and migrated."""
