"""Evaluations in, pairs and fairness figures out.

Not here: calls of a judge, Faust, the environment.
"""
