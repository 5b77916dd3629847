"""Points in the plane for the vertices of a graph, whose distances are nearly those of the graph."""
