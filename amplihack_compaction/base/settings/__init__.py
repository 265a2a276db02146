"""The settings: where each value comes from, which is in force, their published schema and table.

Files and environment in, one `Settings` out, and a sentence for each value that was refused.
"""
