"""What is old of a feature or of the project's memory goes to its archive.

A folder and an age in, a plan and its result out.
"""
