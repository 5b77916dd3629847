"""
Who connects a social network?
==============================

Betweenness counts the shortest paths through a person: those who stand between groups have a high value, even if they
know few people. Here are the characters of Victor Hugo's *Les Misérables*, joined where they appear in the same
chapter (Knuth, "The Stanford GraphBase", 1993).
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import apsp

novel = nx.les_miserables_graph()
graph = apsp.from_networkx(novel, weight=None)
values = apsp.betweenness_centrality(graph)
degrees = np.diff(graph.indptr)

# %%
# The order by betweenness is not that by the number of acquaintances: bishop Myriel is known to few, but leads to all
# characters of the first chapters.

top = np.argsort(-values)[:10]
for person in top:
    print(f"{graph.labels[person]:16} {values[person]:.3f}   {degrees[person]:2} acquaintances")

# %%
# The ten highest values, and where they stand in the network.

places = nx.spring_layout(novel, seed=2, k=0.35)
points = np.array([places[label] for label in graph.labels])
figure, (bars, network) = plt.subplots(1, 2, figsize=(12, 5.4), layout="constrained", width_ratios=(2, 3))
bars.barh([graph.labels[person] for person in top[::-1]], values[top[::-1]], color="firebrick")
bars.set_xlabel("betweenness")
for tail, head in zip(graph.tails(), graph.indices, strict=True):
    network.plot(*points[[tail, head]].T, color="0.85", linewidth=0.6, zorder=1)
network.scatter(*points.T, s=12 + 1200 * values, c=values, cmap="Reds", edgecolors="0.3", linewidths=0.5, zorder=2)
for person in top:
    network.annotate(graph.labels[person], points[person], fontsize=8, ha="center", va="bottom")
network.set_axis_off()
plt.show()

# %%
# Edges have a betweenness, too. The highest are bridges between groups.

along = apsp.edge_betweenness_centrality(graph)
once = np.flatnonzero(graph.tails() < graph.indices)
for arc in once[np.argsort(-along[once])[:3]]:
    print(graph.labels[graph.tails()[arc]], "-", graph.labels[graph.indices[arc]], f"{along[arc]:.3f}")

# %%
# Networks of thousands of people take a fraction of a second: the 4,039 people and 88,234 friendships of SNAP's
# `ego-Facebook <https://snap.stanford.edu/data/ego-Facebook.html>`_ take 0.3 s on two cores. The command line reads the
# file as it is: ``apsp betweenness facebook_combined.txt.gz --undirected --top 5``.
