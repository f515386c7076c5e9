"""From pairs to figures: cluster sums, the figures of each row, a whole measurement, comparisons of two.

Not here: terminals and stores.
"""
