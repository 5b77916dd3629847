"""Exact all-pairs shortest paths on CPUs and GPUs."""

import importlib
from typing import TYPE_CHECKING

from apsp import _cpu as _cpu  # first, since it reports an unsupported platform
from apsp.api import Block, plan, reachable, solve, stream
from apsp.errors import (
    ApspError,
    ApspWarning,
    DeviceError,
    DtypeRangeError,
    ExecutorError,
    FileFormatError,
    GraphError,
    MemoryLimitError,
    MethodRefusedError,
    MissingDependencyError,
    MissingFileError,
    NegativeCycleError,
    NoArcError,
    NoPathError,
    OutputError,
    PathsNotKeptError,
    RequestError,
    RowsMissingError,
    StoreAccessError,
    UnknownArgumentError,
    UnknownMethodError,
    VerificationError,
)
from apsp.graph.accept import as_graph
from apsp.graph.components import Components, components
from apsp.graph.convert import from_edges, from_scipy
from apsp.graph.dense import from_dense
from apsp.graph.files import read, write
from apsp.graph.generate import generate
from apsp.graph.model import Graph
from apsp.graph.networkx_graph import from_networkx
from apsp.graph.places import Places
from apsp.methods.closure.closure import Reachability
from apsp.methods.method import Method
from apsp.methods.registry import automatic as _automatic
from apsp.methods.registry import costs as _costs
from apsp.methods.registry import list_methods
from apsp.planning.planner import Plan
from apsp.result.result import Result
from apsp.semiring import unreachable

if TYPE_CHECKING:
    from apsp import csgraph as csgraph
    from apsp import pandana as pandana
    from apsp import sklearn as sklearn
    from apsp import spmd as spmd
    from apsp import torch as torch
    from apsp.api.alternatives import alternatives
    from apsp.api.arc_flows import ArcFlows, arc_flows
    from apsp.api.batch.solving import solve_batch
    from apsp.api.departures.arrival_profiles import arrival_profiles
    from apsp.api.departures.arrivals import Arrivals
    from apsp.api.departures.earliest import earliest_arrivals
    from apsp.api.oracle.oracle import Oracle
    from apsp.api.oracle.period_oracle import PeriodOracle
    from apsp.api.oracle.preparing import prepare
    from apsp.api.pareto import pareto
    from apsp.api.places.tables import table
    from apsp.api.product import product
    from apsp.api.profiling import profile
    from apsp.api.questions import distance, distances, matrix, shortest_path
    from apsp.api.simple_paths import shortest_simple_paths, shortest_walks
    from apsp.api.skims.skims import skim
    from apsp.api.stored.loading import load
    from apsp.api.stored.stored_near_pairs import StoredNearPairs
    from apsp.api.stored.stored_result import StoredResult
    from apsp.api.within.finding import within
    from apsp.api.within.streaming import NearPairBlocks, stream_within
    from apsp.figures.explored_map import Map
    from apsp.graph.periods import Periods
    from apsp.graph.shapes import Features
    from apsp.graph.turns.line_graph import LineGraph, line_graph
    from apsp.graph.turns.making import with_turns
    from apsp.graph.turns.turn_graph import TurnGraph
    from apsp.layouts.layout import layout
    from apsp.measures.accessibility import Accessibility, accessibility
    from apsp.measures.betweenness import (
        BetweennessEstimate,
        approximate_betweenness_centrality,
        betweenness_centrality,
        edge_betweenness_centrality,
    )
    from apsp.measures.closeness import closeness_centrality, farness, harmonic_centrality
    from apsp.measures.distance_statistics import distance_statistics
    from apsp.measures.eccentricities import center, diameter, eccentricity, extremes, periphery, radius
    from apsp.measures.facilities import NearestFacilities, nearest
    from apsp.measures.isochrones import Isochrones, isochrone
    from apsp.measures.local import local_efficiencies, local_efficiency
    from apsp.measures.neighbours import k_nearest
    from apsp.measures.straightness import straightness_centrality
    from apsp.measures.stream_isochrones import IsochroneBlocks, stream_isochrones
    from apsp.measures.summary import summary
    from apsp.measures.sums import (
        average_shortest_path_length,
        barycenter,
        distance_histogram,
        global_efficiency,
        wiener_index,
    )
    from apsp.measures.wiener import gutman_index, hyper_wiener_index, schultz_index
    from apsp.reductions.central import MostCentral
    from apsp.reductions.distance_statistics import DistanceStatistics
    from apsp.reductions.extreme import Extreme, Extremes
    from apsp.reductions.histogram import Histogram
    from apsp.reductions.nearest import Nearest
    from apsp.reductions.summary import Summary
    from apsp.result.arrival_profiles import ArrivalProfiles
    from apsp.result.batch_paths import BatchPaths
    from apsp.result.isochrone_areas import IsochroneAreas
    from apsp.result.many_paths import ManyPaths
    from apsp.result.near_pairs import NearPairs
    from apsp.result.pareto_paths import ParetoPaths
    from apsp.result.place_matrix import PlaceMatrix
    from apsp.result.profile import Profile
    from apsp.result.skims.matrices import Skims
    from apsp.result.skims.omx_reading import read_omx
    from apsp.result.skims.period_skims import PeriodSkims
else:
    # Names that not all programs use are imported at their first use: `import apsp` stays quick.
    _AT_FIRST_USE = {
        "Accessibility": "apsp.measures.accessibility",
        "ArcFlows": "apsp.api.arc_flows",
        "ArrivalProfiles": "apsp.result.arrival_profiles",
        "Arrivals": "apsp.api.departures.arrivals",
        "BatchPaths": "apsp.result.batch_paths",
        "BetweennessEstimate": "apsp.measures.betweenness",
        "DistanceStatistics": "apsp.reductions.distance_statistics",
        "Extreme": "apsp.reductions.extreme",
        "Extremes": "apsp.reductions.extreme",
        "Features": "apsp.graph.shapes",
        "Histogram": "apsp.reductions.histogram",
        "IsochroneAreas": "apsp.result.isochrone_areas",
        "IsochroneBlocks": "apsp.measures.stream_isochrones",
        "Isochrones": "apsp.measures.isochrones",
        "LineGraph": "apsp.graph.turns.line_graph",
        "ManyPaths": "apsp.result.many_paths",
        "Map": "apsp.figures.explored_map",
        "MostCentral": "apsp.reductions.central",
        "NearPairBlocks": "apsp.api.within.streaming",
        "NearPairs": "apsp.result.near_pairs",
        "Nearest": "apsp.reductions.nearest",
        "NearestFacilities": "apsp.measures.facilities",
        "Oracle": "apsp.api.oracle.oracle",
        "ParetoPaths": "apsp.result.pareto_paths",
        "PeriodOracle": "apsp.api.oracle.period_oracle",
        "PeriodSkims": "apsp.result.skims.period_skims",
        "Periods": "apsp.graph.periods",
        "PlaceMatrix": "apsp.result.place_matrix",
        "Profile": "apsp.result.profile",
        "Skims": "apsp.result.skims.matrices",
        "StoredNearPairs": "apsp.api.stored.stored_near_pairs",
        "StoredResult": "apsp.api.stored.stored_result",
        "StoredPeriodSkims": "apsp.methods.skims.stored_skims",
        "StoredSkims": "apsp.methods.skims.stored_skims",
        "Summary": "apsp.reductions.summary",
        "TurnGraph": "apsp.graph.turns.turn_graph",
        "accessibility": "apsp.measures.accessibility",
        "alternatives": "apsp.api.alternatives",
        "approximate_betweenness_centrality": "apsp.measures.betweenness",
        "arc_flows": "apsp.api.arc_flows",
        "arrival_profiles": "apsp.api.departures.arrival_profiles",
        "average_shortest_path_length": "apsp.measures.sums",
        "barycenter": "apsp.measures.sums",
        "betweenness_centrality": "apsp.measures.betweenness",
        "center": "apsp.measures.eccentricities",
        "closeness_centrality": "apsp.measures.closeness",
        "diameter": "apsp.measures.eccentricities",
        "distance": "apsp.api.questions",
        "distance_histogram": "apsp.measures.sums",
        "distance_statistics": "apsp.measures.distance_statistics",
        "distances": "apsp.api.questions",
        "earliest_arrivals": "apsp.api.departures.earliest",
        "eccentricity": "apsp.measures.eccentricities",
        "edge_betweenness_centrality": "apsp.measures.betweenness",
        "extremes": "apsp.measures.eccentricities",
        "farness": "apsp.measures.closeness",
        "global_efficiency": "apsp.measures.sums",
        "gutman_index": "apsp.measures.wiener",
        "harmonic_centrality": "apsp.measures.closeness",
        "hyper_wiener_index": "apsp.measures.wiener",
        "isochrone": "apsp.measures.isochrones",
        "k_nearest": "apsp.measures.neighbours",
        "layout": "apsp.layouts.layout",
        "line_graph": "apsp.graph.turns.line_graph",
        "load": "apsp.api.stored.loading",
        "local_efficiencies": "apsp.measures.local",
        "local_efficiency": "apsp.measures.local",
        "matrix": "apsp.api.questions",
        "nearest": "apsp.measures.facilities",
        "pareto": "apsp.api.pareto",
        "periphery": "apsp.measures.eccentricities",
        "prepare": "apsp.api.oracle.preparing",
        "product": "apsp.api.product",
        "profile": "apsp.api.profiling",
        "radius": "apsp.measures.eccentricities",
        "read_omx": "apsp.result.skims.omx_reading",
        "schultz_index": "apsp.measures.wiener",
        "shortest_path": "apsp.api.questions",
        "shortest_simple_paths": "apsp.api.simple_paths",
        "shortest_walks": "apsp.api.simple_paths",
        "skim": "apsp.api.skims.skims",
        "solve_batch": "apsp.api.batch.solving",
        "straightness_centrality": "apsp.measures.straightness",
        "stream_isochrones": "apsp.measures.stream_isochrones",
        "stream_within": "apsp.api.within.streaming",
        "summary": "apsp.measures.summary",
        "table": "apsp.api.places.tables",
        "with_turns": "apsp.graph.turns.making",
        "wiener_index": "apsp.measures.sums",
        "within": "apsp.api.within.finding",
    }

    _MODULES, _OPTIONAL_MODULES = ("csgraph", "spmd"), ("pandana", "sklearn", "torch")

    def __getattr__(name):
        if name in _MODULES or name in _OPTIONAL_MODULES:
            return importlib.import_module(f"apsp.{name}")
        if name not in _AT_FIRST_USE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = globals()[name] = getattr(importlib.import_module(_AT_FIRST_USE[name]), name)
        return value

    def __dir__():
        loaded = (name for name in _OPTIONAL_MODULES if name in globals())  # others may need packages that are missing
        return sorted([*__all__, *_MODULES, *loaded])


# Imported here, not when the first request is planned: a fork at that moment would leave the child with a
# half-imported module. The cost models of methods that run only by name are imported when they are named.
for _method in _automatic():
    _costs(_method)

__version__ = "0.1.0"

__all__ = [
    "Accessibility",
    "ApspError",
    "ApspWarning",
    "ArcFlows",
    "ArrivalProfiles",
    "Arrivals",
    "BatchPaths",
    "BetweennessEstimate",
    "Block",
    "Components",
    "DeviceError",
    "DistanceStatistics",
    "DtypeRangeError",
    "ExecutorError",
    "Extreme",
    "Extremes",
    "Features",
    "FileFormatError",
    "Graph",
    "GraphError",
    "Histogram",
    "IsochroneAreas",
    "IsochroneBlocks",
    "Isochrones",
    "LineGraph",
    "ManyPaths",
    "Map",
    "MemoryLimitError",
    "Method",
    "MethodRefusedError",
    "MissingDependencyError",
    "MissingFileError",
    "MostCentral",
    "NearPairBlocks",
    "NearPairs",
    "Nearest",
    "NearestFacilities",
    "NegativeCycleError",
    "NoArcError",
    "NoPathError",
    "Oracle",
    "OutputError",
    "ParetoPaths",
    "PathsNotKeptError",
    "PeriodOracle",
    "PeriodSkims",
    "Periods",
    "PlaceMatrix",
    "Places",
    "Plan",
    "Profile",
    "Reachability",
    "RequestError",
    "Result",
    "RowsMissingError",
    "Skims",
    "StoreAccessError",
    "StoredNearPairs",
    "StoredPeriodSkims",
    "StoredResult",
    "StoredSkims",
    "Summary",
    "TurnGraph",
    "UnknownArgumentError",
    "UnknownMethodError",
    "VerificationError",
    "__version__",
    "accessibility",
    "alternatives",
    "approximate_betweenness_centrality",
    "arc_flows",
    "arrival_profiles",
    "as_graph",
    "average_shortest_path_length",
    "barycenter",
    "betweenness_centrality",
    "center",
    "closeness_centrality",
    "components",
    "diameter",
    "distance",
    "distance_histogram",
    "distance_statistics",
    "distances",
    "earliest_arrivals",
    "eccentricity",
    "edge_betweenness_centrality",
    "extremes",
    "farness",
    "from_dense",
    "from_edges",
    "from_networkx",
    "from_scipy",
    "generate",
    "global_efficiency",
    "gutman_index",
    "harmonic_centrality",
    "hyper_wiener_index",
    "isochrone",
    "k_nearest",
    "layout",
    "line_graph",
    "list_methods",
    "load",
    "local_efficiencies",
    "local_efficiency",
    "matrix",
    "nearest",
    "pareto",
    "periphery",
    "plan",
    "prepare",
    "product",
    "profile",
    "radius",
    "reachable",
    "read",
    "read_omx",
    "schultz_index",
    "shortest_path",
    "shortest_simple_paths",
    "shortest_walks",
    "skim",
    "solve",
    "solve_batch",
    "straightness_centrality",
    "stream",
    "stream_isochrones",
    "stream_within",
    "summary",
    "table",
    "unreachable",
    "wiener_index",
    "with_turns",
    "within",
    "write",
]
