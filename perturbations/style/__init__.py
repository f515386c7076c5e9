"""The style rows: markers of a style taken out of agent turns or put in, by rules of one data file a row.

Not here: words of an identity.
"""
