"""What the judge is asked: rubrics and the prompts that carry them.

Not here: any provider's message type.
"""
