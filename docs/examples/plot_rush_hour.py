"""
Rush hour: new weights on the same network
==========================================

Travel times change during the day, the streets do not. ``apsp.prepare`` orders the vertices of the network once;
``Oracle.update`` then replaces the weights, and all queries use the new ones. This program slows the streets near
the centre and compares the travel times from the north-west corner.
"""

import time

import matplotlib.pyplot as plt
import numpy as np

import apsp

city = apsp.generate("city", 8000, seed=21)

started = time.perf_counter()
oracle = apsp.prepare(city)
print(f"prepared in {time.perf_counter() - started:.2f} s: {oracle.nbytes / 2**20:.1f} MiB")
print(f"the matrix of all distances would take {city.n**2 * oracle.dtype.itemsize / 2**20:.0f} MiB")

# %%
# The rush hour makes streets up to four times as slow, the nearer to the centre the slower.

middle = city.coordinates.mean(axis=0)
ends = (city.coordinates[city.tails()] + city.coordinates[city.indices]) / 2
distance = np.linalg.norm(ends - middle, axis=1)
slower = 1 + 3 * np.exp(-((distance / (0.35 * distance.max())) ** 2))
rush_hour = np.rint(city.weights * slower).astype(np.int32)

corner = int((city.coordinates @ [-1, 1]).argmax())
free = oracle.rows(corner)[0].astype(float)
started = time.perf_counter()
oracle.update(rush_hour)
print(f"updated in {time.perf_counter() - started:.2f} s")
busy = oracle.rows(corner)[0].astype(float)

# %%
# Quickest paths avoid the centre if a detour is quicker, so no travel time is four times as long.

print(f"largest ratio: {np.max(busy[free > 0] / free[free > 0]):.2f}")

figure, panels = plt.subplots(1, 2, figsize=(12, 5.4), layout="constrained")
largest = busy.max() / 60
for axes, seconds, title in zip(panels, (free, busy), ("at night", "in the rush hour"), strict=True):
    points = axes.scatter(*city.coordinates.T, c=seconds / 60, s=3, cmap="viridis_r", vmin=0, vmax=largest)
    axes.plot(*city.coordinates[corner], "r^", markersize=10)
    axes.set_title(title)
    axes.set_aspect("equal")
    axes.set_axis_off()
figure.colorbar(points, ax=panels, label="minutes from the corner", shrink=0.8)
plt.show()
