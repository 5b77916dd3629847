"""
Isochrones
==========

An isochrone joins the places that are reached in the same time. This program computes the travel times from one
crossing of a generated street network and colours the streets by them, in bands of two minutes. On top it draws
the quickest path to the crossing that takes longest.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import BoundaryNorm

import apsp

city = apsp.generate("city", 4000, seed=5)
print(city)

# %%
# The source is the crossing nearest to the middle of the map. One row of distances holds the travel times, in
# seconds.

middle = city.coordinates.mean(axis=0)
source = int(np.linalg.norm(city.coordinates - middle, axis=1).argmin())
result = apsp.solve(city, sources=source, paths=True)
minutes = result.distances[0] / 60
farthest = int(minutes.argmax())
route = result.path(source, farthest)
print(f"{len(route)} crossings on the path to the farthest one, {minutes.max():.1f} minutes")

# %%
# A street is drawn in the colour of the mean time of its two ends.

tails, heads = city.tails(), city.indices
streets = np.stack([city.coordinates[tails], city.coordinates[heads]], axis=1)
levels = np.arange(0, minutes.max() + 2, 2)

figure, axes = plt.subplots(figsize=(8, 7), layout="constrained")
lines = LineCollection(
    streets,
    array=(minutes[tails] + minutes[heads]) / 2,
    cmap="viridis_r",
    norm=BoundaryNorm(levels, 256),
    linewidths=1.2,
)
axes.add_collection(lines)
axes.plot(*city.coordinates[route].T, color="crimson", linewidth=2.5, label="path to the farthest")
axes.plot(*city.coordinates[source], "o", color="black", markersize=8, label="source")
axes.set_aspect("equal")
axes.set_xlabel("metres")
axes.legend(loc="lower right")
figure.colorbar(lines, ax=axes, label="minutes", shrink=0.7)
plt.show()

# %%
# ``cutoff`` bounds the search. The number of crossings within a time is then the number of distances that are
# not "no path".

for limit in (2, 4, 6, 8):
    near = apsp.solve(city, sources=source, cutoff=60 * limit).distances
    reached = int((near != apsp.unreachable(near.dtype)).sum())
    print(f"{reached:5} crossings within {limit} minutes")
