"""One module a command: what it takes, its help, and what it does.

Each has a `commands`, which `cli.app` adds when one of its commands is called; a group of small
siblings, as `store`, is one module.
"""
