"""Skims: matrices of several costs along shortest paths between zones."""

from apsp.api.skims.skims import skim
from apsp.result.skims.matrices import Skims
from apsp.result.skims.omx_reading import read_omx
from apsp.result.skims.period_skims import PeriodSkims

__all__ = ["PeriodSkims", "Skims", "read_omx", "skim"]
