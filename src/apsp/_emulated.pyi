from collections.abc import Sequence
from typing import Any

def kernels(counted: bool) -> list[str]: ...
def launch(
    expression: str,
    grid: Sequence[int],
    block: Sequence[int],
    arguments: Sequence[Any],
    array_type: type,
    cores: int,
) -> None: ...
def launch_counted(
    expression: str,
    grid: Sequence[int],
    block: Sequence[int],
    arguments: Sequence[Any],
    array_type: type,
    order: str,
    seed: int,
) -> tuple[dict[str, int], list[tuple[tuple[int, int], tuple[int, int], int, int, str]]]: ...
def transactions(addresses: Sequence[int], size: int, active: int = 0xFFFFFFFF) -> dict[str, int]: ...
