"""
Distances in random graphs
==========================

How far apart are two vertices? The histogram of all distances distinguishes families of graphs. Here are a ring
in which each vertex is joined to its nearest neighbours, the small world of Watts and Strogatz (1998), which
replaces some of these edges by random ones, and a random graph with as many edges.
"""

import matplotlib.pyplot as plt
import networkx as nx

import apsp

n, degree = 2000, 8
families = {
    "ring": nx.watts_strogatz_graph(n, degree, 0, seed=1),
    "small world, 2% of the edges random": nx.watts_strogatz_graph(n, degree, 0.02, seed=1),
    "random graph": nx.gnm_random_graph(n, n * degree // 2, seed=1),
}

# %%
# One pass over all distances gives every measure. The graphs have no weights, so distances count edges.

summaries = {name: apsp.summary(graph, bins=512) for name, graph in families.items()}
for name, summary in summaries.items():
    print(f"{name:36} mean {summary.average_shortest_path_length:6.2f}   diameter {summary.diameter:4}")

# %%
# The small world keeps most edges of the ring, but its distances are nearly those of the random graph.

figure, panels = plt.subplots(3, 1, figsize=(8, 7), layout="constrained")
for axes, (name, summary) in zip(panels, summaries.items(), strict=True):
    histogram = summary.histogram()
    axes.bar(histogram.edges[:-1], histogram.counts / (n * (n - 1)), width=1, edgecolor="white", linewidth=0.3)
    axes.axvline(summary.average_shortest_path_length, color="crimson", linewidth=1.2)
    axes.set_title(name, loc="left")
    axes.set_ylabel("share of pairs")
panels[-1].set_xlabel("distance (edges); the line marks the mean")
plt.show()
