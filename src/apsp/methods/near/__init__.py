"""Pairs within a cutoff: what a method has to provide (solver.py), those of the CPU, and their costs.

A method is a row of the registry, of the purpose 'within'. Its module has `prepare(problem, choice, **options)`, which
returns a `NearSolver`; its cost model (cost.py) offers it for a `NearWork`.
"""
