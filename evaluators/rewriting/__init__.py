"""Variants by an LLM: what it is asked to change, its reply as edits, validation by an LLM.

Not here: rules, which are in `perturbations`.
"""
