"""Where a transcript names its agent or tells their gender: read once, decided once.

Not here: what is written in those places instead (`identity`).
"""
