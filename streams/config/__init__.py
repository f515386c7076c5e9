"""The configuration: one file with overrides from the environment, and what the other packages are handed from it.

Not here: a client, a connection, Faust.
"""
