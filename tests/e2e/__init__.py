"""End-to-end tests: the real client, offline, against a scripted Messages API."""
