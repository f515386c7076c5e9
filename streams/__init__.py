"""Wiring: the Faust app, the command line, the configuration and the embedded parts.

Not here: fairness: what a variant, a verdict or a figure is.
"""
