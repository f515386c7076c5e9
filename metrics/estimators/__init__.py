"""Estimators over sums by cluster: intervals of rates and means, paired differences. Pure arithmetic.

Not here: rows, judges, thresholds of when a figure is given.
"""
