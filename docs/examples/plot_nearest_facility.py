"""
Nearest facility
================

Which fire station is nearest to each crossing, and how long does it take to get there? The distances from the stations
to all crossings answer both questions: one row per station. Then the program searches for the place of a further
station that reduces the mean response time the most, which needs the distances from every candidate.
"""

import matplotlib.pyplot as plt
import numpy as np

import apsp

city = apsp.generate("city", 4000, seed=9)
random = np.random.default_rng(4)
stations = np.sort(random.choice(city.n, 6, replace=False))

# %%
# Fire engines drive from the station to the crossing, so the stations are the sources. To reach a hospital the
# crossings would be the sources: ``apsp.solve(city.reversed(), sources=hospitals)`` gives these distances with
# one row per hospital.

seconds = apsp.solve(city, sources=stations, dtype="int32").distances
nearest = seconds.argmin(axis=0)
response = seconds.min(axis=0)
print(f"mean response {response.mean():.0f} s, longest {response.max()} s")

# %%
# A further station at vertex c would give each crossing v the response min(response[v], d(c, v)). The mean over
# v is computed for every c in one pass over blocks of rows.

mean_response = np.empty(city.n)
for block in apsp.stream(city, rows=1000, dtype="int32"):
    mean_response[block.source_positions] = np.minimum(block.distances, response).mean(axis=1)
best = int(mean_response.argmin())
print(f"a further station at vertex {best}: mean response {mean_response[best]:.0f} s")

# %%

figure, (left, right) = plt.subplots(1, 2, figsize=(12, 5.6), layout="constrained")
left.scatter(*city.coordinates.T, c=nearest, s=4, cmap="Set2")
left.plot(*city.coordinates[stations].T, "k^", markersize=10)
left.set_title("nearest station")
points = right.scatter(*city.coordinates.T, c=mean_response, s=4, cmap="viridis")
right.plot(*city.coordinates[stations].T, "k^", markersize=10)
right.plot(*city.coordinates[best], "r*", markersize=18, label="best place")
right.set_title("mean response with a further station here")
right.legend(loc="lower right")
figure.colorbar(points, ax=right, label="seconds", shrink=0.8)
for axes in (left, right):
    axes.set_aspect("equal")
    axes.set_axis_off()
plt.show()
