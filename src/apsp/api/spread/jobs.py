"""All kinds of jobs."""

from __future__ import annotations

from apsp.api.spread.flow_job import FlowJob
from apsp.api.spread.job import Job
from apsp.api.spread.skim_job import SkimJob

__all__ = ["AnyJob"]

AnyJob = Job | FlowJob | SkimJob
"""Rows of distances, flows, or skims."""
