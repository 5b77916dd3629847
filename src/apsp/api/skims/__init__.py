"""Skims: matrices of several costs along shortest paths between zones."""

from apsp.api.skims.matrices import Skims
from apsp.api.skims.omx_reading import read_omx
from apsp.api.skims.skims import skim

__all__ = ["Skims", "read_omx", "skim"]
