"""The context rows: metadata headers and the words that they are filled with.

Not here: any change of a turn's text.
"""
