"""Skims: matrices of several costs along shortest paths between zones."""

from apsp.api.skims.skims import skim
from apsp.result.skims.matrices import Skims
from apsp.result.skims.omx_reading import read_omx

__all__ = ["Skims", "read_omx", "skim"]
