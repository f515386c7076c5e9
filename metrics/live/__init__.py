"""Figures over a window of the live stream, from sums that a store gives.

Not here: an estimator of its own.
"""
