"""Nodes and networks of OpenStreetMap from a server of the Overpass API, as `pandana.loaders.osm`."""

from __future__ import annotations

import importlib
import json
import urllib.parse
import urllib.request
from typing import Any

import pandas as pd

from apsp.compat.pandana.network import Network
from apsp.compat.pandana.refusing import NothingFoundError
from apsp.errors import MissingDependencyError, StoreAccessError

__all__ = ["build_node_query", "make_osm_query", "node_query", "pdna_network_from_bbox", "process_node"]

_SERVER = "https://overpass-api.de/api/interpreter"
_SECONDS = 60

_ABOUT_THE_MAP = frozenset(
    ["source", "source_ref", "source:ref", "history", "attribution", "created_by", "tiger:tlid", "tiger:upload_uuid"]
)
"""Tags that tell who drew a node, not what it is."""


def pdna_network_from_bbox(
    lat_min: float | None = None,
    lng_min: float | None = None,
    lat_max: float | None = None,
    lng_max: float | None = None,
    bbox: Any = None,
    network_type: str = "walk",
    two_way: bool = True,
    timeout: float = 180,
    memory: int | None = None,
    max_query_area_size: float = 50_000**2,
) -> Network:
    """Download the streets of a box with the package osmnet, whose arguments these are; lengths are metres."""
    try:
        download = importlib.import_module("osmnet.load").network_from_bbox
    except ModuleNotFoundError as error:
        raise MissingDependencyError("osmnet", "pandana.loaders.osm.pdna_network_from_bbox") from error
    nodes, edges = download(
        lat_min=lat_min, lng_min=lng_min, lat_max=lat_max, lng_max=lng_max, bbox=bbox, network_type=network_type,
        two_way=two_way, timeout=timeout, memory=memory, max_query_area_size=max_query_area_size,
    )  # fmt: skip
    return Network(nodes["x"], nodes["y"], edges["from"], edges["to"], edges[["distance"]])


def node_query(lat_min: float, lng_min: float, lat_max: float, lng_max: float, tags: Any = None) -> Any:
    """Download the nodes of a box that have some tags: a table by node ID, with columns lat, lon and the tags."""
    elements = make_osm_query(build_node_query(lat_min, lng_min, lat_max, lng_max, tags))["elements"]
    if not elements:
        raise NothingFoundError("OpenStreetMap has no such nodes: take a larger box, or other tags")
    return pd.DataFrame.from_records([process_node(element) for element in elements], index="id")


def build_node_query(lat_min: float, lng_min: float, lat_max: float, lng_max: float, tags: Any = None) -> str:
    """Return the text of a request for nodes. `tags` is a condition such as '"amenity"="cafe"', or a list of them."""
    conditions = [] if tags is None else [tags] if isinstance(tags, str) else tags
    words = "".join(f"[{condition}]" for condition in conditions)
    return f"[out:json];(  node  {words}  ({lat_min},{lng_min},{lat_max},{lng_max}););out;"


def make_osm_query(query: str) -> Any:
    """Send a request, in the language of Overpass, and return the parsed answer."""
    request = urllib.request.Request(_SERVER, urllib.parse.urlencode({"data": query}).encode(), {"User-Agent": "apsp"})
    try:
        with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
            return json.load(answer)
    except (OSError, ValueError) as error:
        raise StoreAccessError(f"{_SERVER} did not answer: {error}") from error


def process_node(e: Any) -> dict[str, Any]:
    """Return the number, the place and the tags of a node, except those that tell who drew it."""
    tags = {name: value for name, value in e.get("tags", {}).items() if name not in _ABOUT_THE_MAP}
    return {"id": e["id"], "lat": e["lat"], "lon": e["lon"], **tags}
