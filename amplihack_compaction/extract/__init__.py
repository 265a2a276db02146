"""What one window says that may still matter: rules, decisions, work, values, checks, failures.

A `Window` in, a `WindowState` out. Each kind has its own module; none looks at another window.
"""
