"""The digest of a session: what somebody who takes the project over would keep, in the session's own words."""
