"""The demo: the whole app on embedded parts, real transcripts and a simulated judge.

Not here: anything that production runs.
"""
