"""The command line, one command a file.

Not here: what a command runs.
"""
