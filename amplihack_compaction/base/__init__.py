"""What everything else stands on: errors, limits, paths, files, locks, timestamps, the hook log.

In come bytes and names, out come the same, checked. It knows nothing of sessions, and what the
frequent hooks load of it imports next to nothing.
"""
