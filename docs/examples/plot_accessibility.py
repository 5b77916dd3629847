"""
Accessibility
=============

The accessibility of a place is the number of opportunities, such as jobs, within a given travel time. It needs
the distances between all pairs of places, but only their sums: ``apsp.accessibility`` adds up the jobs where the
distances are computed, and the n x n matrix is never stored.
"""

import matplotlib.pyplot as plt
import numpy as np

import apsp

city = apsp.generate("city", 6000, seed=11)
print(city)

# %%
# The jobs of this example are concentrated in a centre and a smaller business park.

x, y = (city.coordinates - city.coordinates.mean(axis=0)).T
radius = np.hypot(x, y).max()
centre = np.exp(-(x**2 + y**2) / (0.2 * radius) ** 2)
park = np.exp(-((x - 0.5 * radius) ** 2 + (y + 0.5 * radius) ** 2) / (0.12 * radius) ** 2)
jobs = np.random.default_rng(1).poisson(60 * (centre + park)).astype(float)
print(f"{jobs.sum():,.0f} jobs")

# %%
# One pass gives the number of jobs within each of several travel times.

limits = [120, 240, 480]  # seconds
found = apsp.accessibility(city, {"jobs": jobs}, cutoffs=limits)
print(found)

# %%
# The jobs that are reached in two minutes follow the two clusters; in eight minutes the position in the network
# matters.

figure, panels = plt.subplots(1, 3, figsize=(12, 4.4), layout="constrained", sharex=True, sharey=True)
for axes, limit, values in zip(panels, limits, found["jobs"].T, strict=True):
    points = axes.scatter(*city.coordinates.T, c=values / jobs.sum(), s=5, cmap="magma", vmin=0)
    axes.set_title(f"{limit // 60} minutes")
    axes.set_aspect("equal")
    axes.set_axis_off()
    figure.colorbar(points, ax=axes, label="share of all jobs", orientation="horizontal", shrink=0.8)
plt.show()

# %%
# A gradual decay in place of a limit gives near jobs more weight: the sum of jobs exp(-t / t0), with t0 = 200
# seconds.

gravity = apsp.accessibility(city, jobs, decay="exponential", beta=1 / 200).values
print(f"best crossing: {int(gravity.argmax())}, {gravity.max():,.0f} jobs, discounted by travel time")

# %%
# A table of the values for other programs; ``found.write("jobs.csv")`` makes a file of it.

print(found.to_pandas().describe().round())
