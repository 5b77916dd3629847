"""The three services as tools of language models: a server of the Model Context Protocol (MCP)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from apsp.serving.application import Service
from apsp.serving.osrm import RefusedError
from apsp.system.optional import needed

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

__all__ = ["tools"]

Point = list[float]
Measured = Literal["duration", "distance", "duration,distance"]


def tools(service: Service) -> MCPServer:
    """Return a server with the tools nearest, table and route; its `run` talks over standard input and output."""
    server: MCPServer = needed("mcp.server.mcpserver", "apsp serve --mcp").MCPServer(
        "apsp",
        instructions="Exact shortest paths on a street network. Points are [longitude, latitude] in degrees, or [x, y] "
        "in the plane of the network.",
    )  # fmt: skip
    errors = needed("mcp.server.mcpserver.exceptions", "apsp serve --mcp")

    async def answered(name: str, points: list[Point], **options: str) -> dict[str, Any]:
        text = ";".join(",".join(map(repr, map(float, point))) for point in points)
        try:
            found: dict[str, Any] = _plain(await service.answer(name, text, options))
            return found
        except RefusedError as error:
            raise errors.ToolError(f"{error.code}: {error}") from error

    @server.tool()
    async def nearest(point: Point) -> dict[str, Any]:
        """Find the nearest point of a street."""
        return await answered("nearest", [point])

    @server.tool()
    async def table(
        origins: list[Point], destinations: list[Point], annotations: Measured | None = None
    ) -> dict[str, Any]:
        """Compute the durations in seconds, or the distances in metres, from all origins to all destinations.

        annotations: "duration", "distance" or "duration,distance", where the network has both. Distances are those
        along the fastest paths.
        """
        count = len(origins), len(origins) + len(destinations)
        return await answered(
            "table", [*origins, *destinations], sources=";".join(map(str, range(count[0]))),
            destinations=";".join(map(str, range(*count))),
            **({} if annotations is None else {"annotations": annotations}),
        )  # fmt: skip

    @server.tool()
    async def route(points: list[Point], steps: bool = False, alternatives: int = 0) -> dict[str, Any]:
        """Find a shortest path through points in their order, with its line as GeoJSON.

        steps: also the turns on the way. alternatives: at most so many other routes between two points.
        """
        return await answered(
            "route", points, geometries="geojson", steps=str(steps).lower(), alternatives=str(alternatives)
        )

    return server


def _plain(reply: Any) -> Any:
    """Lists instead of arrays, and None where there is no path."""
    import json

    orjson = needed("orjson", "apsp serve --mcp")
    return json.loads(orjson.dumps(reply, option=orjson.OPT_SERIALIZE_NUMPY, default=str))
