"""Alarms that may be looked at all day: e-processes over transcripts, and what is made of them.

Not here: reading a store.
"""
