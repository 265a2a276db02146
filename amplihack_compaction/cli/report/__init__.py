"""`report`: what happened in sessions, measured and drawn as one page.

Sessions in, HTML out.
"""
