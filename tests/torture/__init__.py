"""The torture of apsp: random graphs, damaged files, kills and limits, judged from outside. See docs/torture.md."""
