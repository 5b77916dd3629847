"""The names of methods that editors complete are those of the package."""

from __future__ import annotations

from typing import get_args

import apsp
from apsp._types import KnownMethod


def test_editors_complete_every_method_that_is_not_of_a_paper() -> None:
    own = {method.name for method in apsp.list_methods() if not method.module.startswith("apsp.published")}
    assert {"auto", *own} == set(get_args(KnownMethod))
