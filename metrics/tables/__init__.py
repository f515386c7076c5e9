"""Figures, alarms and plans as tables for the terminal.

Not here: arithmetic.
"""
