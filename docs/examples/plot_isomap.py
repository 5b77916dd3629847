"""
Isomap
======

Isomap (Tenenbaum, de Silva and Langford 2000) finds the low-dimensional structure of a cloud of points. It joins
each point to its nearest neighbours, takes the shortest paths of that graph as distances along the shape, and
looks for points in the plane with these distances. Computing all pairs of shortest paths is the step that takes the
most time.
"""

import matplotlib.pyplot as plt
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.linalg import eigsh
from scipy.spatial import cKDTree

import apsp

# %%
# A rolled-up strip in three dimensions.

random = np.random.default_rng(0)
n = 1200
turn = 1.5 * np.pi * (1 + 2 * random.random(n))
width = 21 * random.random(n)
cloud = np.column_stack([turn * np.cos(turn), width, turn * np.sin(turn)])

# %%
# The graph of the ten nearest neighbours, with Euclidean lengths, as a sparse array.

lengths, neighbours = cKDTree(cloud).query(cloud, k=11)
tails = np.repeat(np.arange(n), 10)
arcs = coo_array((lengths[:, 1:].ravel(), (tails, neighbours[:, 1:].ravel())), shape=(n, n))
graph = apsp.from_scipy(arcs, directed=False)
distances = apsp.solve(graph).distances
print(graph)

# %%
# Classical multidimensional scaling: the eigenvectors of the doubly centred squares of the distances.

squares = distances**2
centred = squares - squares.mean(axis=0) - squares.mean(axis=1, keepdims=True) + squares.mean()
values, vectors = eigsh(-centred / 2, k=2)
flat = (vectors * np.sqrt(values))[:, ::-1]

# %%
# The first coordinate of the result follows the length of the spiral, the second the width of the strip.

spiral = (turn * np.sqrt(1 + turn**2) + np.arcsinh(turn)) / 2
print(f"correlation with the spiral: {abs(np.corrcoef(flat[:, 0], spiral)[0, 1]):.4f}")
print(f"correlation with the width:  {abs(np.corrcoef(flat[:, 1], width)[0, 1]):.4f}")

figure = plt.figure(figsize=(11, 4.2), layout="constrained")
rolled = figure.add_subplot(1, 2, 1, projection="3d")
rolled.scatter(*cloud.T, c=turn, s=6, cmap="Spectral")
rolled.view_init(elev=8, azim=-75)
rolled.set_box_aspect(None, zoom=1.2)
rolled.set_title("points in three dimensions")
unrolled = figure.add_subplot(1, 2, 2)
unrolled.scatter(*flat.T, c=turn, s=6, cmap="Spectral")
unrolled.set_aspect("equal")
unrolled.set_title("unrolled by Isomap")
plt.show()
