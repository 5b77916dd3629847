"""The algorithms of the literature as published: correct but not tuned. They are the baselines of the tuned methods."""

from apsp.methods.registry import register, register_closure
from apsp.published.rows import PUBLISHED

register(*PUBLISHED)
register_closure("katz-kider-closure", "apsp.published.katz_kider_closure")
