"""From evaluations to pairs: reading, deduplication, pairing, and the systems that they belong to.

Not here: any figure.
"""
