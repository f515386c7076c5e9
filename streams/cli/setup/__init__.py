"""Commands for set-up and diagnosis: check, topics, migrate, schema.

Not here: records.
"""
