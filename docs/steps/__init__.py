"""One small graph, solved step by step by the methods of the papers: `python -m docs.steps` writes traces.json.

The steps are launches of the kernels of this package on the emulated GPU; the page shows them one by one.
"""
