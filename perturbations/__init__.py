"""Transcripts in, counterfactual variants out: pure functions of the record and a seed.

Not here: a clock, a network, the environment, a judge.
"""
