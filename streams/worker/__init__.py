"""The worker process: the table of stages, what they are built from, and how they run together until a signal.

Not here: what a stage does (`agents`), and how one is run (`runtime`).
"""
