"""Running text as text: words, phrases, letter case, articles, places between turns.

Not here: who is named in it (`finding`), and anything of one row.
"""
