"""The verdict of a row: what its figures come to, in one word.

Not here: the figures themselves.
"""
