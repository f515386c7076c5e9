"""The records that variants are made of, and how they are read: transcript, variant, edits, hashes of ids.

Not here: what a variant changes, and why.
"""
