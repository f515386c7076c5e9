"""Judges as data: configuration, the registry of known models, a local one, announced changes.

Not here: how a judge is called.
"""
