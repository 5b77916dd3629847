"""
Isochrones
==========

An isochrone connects the places that are reached in the same time. This program computes the travel times from one
crossing of a generated street network and colours the streets by them, in bands of two minutes. On top it draws
the quickest path to the crossing that takes longest.
"""

import matplotlib.pyplot as plt
import numpy as np

import apsp

city = apsp.generate("city", 4000, seed=5)
print(city)

# %%
# The source is the crossing nearest to the middle of the map. One row of distances holds the travel times, in
# seconds.

middle = city.coordinates.mean(axis=0)
source = int(np.linalg.norm(city.coordinates - middle, axis=1).argmin())
result = apsp.solve(city, sources=source, paths=True)
farthest = int(result[source, :].argmax())
route = result.path(source, farthest)
print(f"{len(route)} crossings on the path to the farthest one, {result[source, farthest] / 60:.1f} minutes")

# %%
# :meth:`apsp.Result.plot` draws a street in the colour of the mean time of its two ends. Streets beyond the last level
# are grey. In a notebook ``result.plot(...)`` can be used without the axes of pyplot.

figure, axes = plt.subplots(figsize=(8, 8), layout="constrained")
result.plot(
    source,
    farthest,
    label="travel time",
    unit="s",
    levels=[120, 240, 360, 480, 600],
    scale="metres",
    ax=axes,
)
plt.show()

# %%
# ``cutoff`` bounds the search. The number of crossings within a time is then the number of distances that are
# not "no path".

for limit in (2, 4, 6, 8):
    near = apsp.solve(city, sources=source, cutoff=60 * limit).distances
    reached = int((near != apsp.unreachable(near.dtype)).sum())
    print(f"{reached:5} crossings within {limit} minutes")
