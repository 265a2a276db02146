"""OpenCode: its sessions out of its database into session lines, and its plugin.

It keeps no transcripts: what a session holds is written, as session lines, into a file of our own.
"""
