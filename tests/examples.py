"""How many examples a test of Hypothesis tries."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["examples"]

# An example that takes 0.3 s on a machine that has other work is no defect: no deadline.
settings.register_profile("thorough", deadline=None)
settings.register_profile("quick", deadline=None, max_examples=20)
settings.load_profile("quick")


def examples(count: int) -> int:
    """Return COUNT with `--hypothesis-profile thorough`, as scripts/test --slow says, and a fifth of it otherwise."""
    return max(count * settings.default.max_examples // 100, 5)
