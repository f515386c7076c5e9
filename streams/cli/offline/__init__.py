"""Commands that work on files: perturb, evaluate, measure, plan, costs.

Not here: a broker.
"""
