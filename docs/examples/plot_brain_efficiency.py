"""
Efficiency of brain networks
============================

The global efficiency of a network is the mean of 1 / distance over all pairs of vertices (Latora and Marchiori
2001). Studies of brain networks compute it for each subject and for many thresholds on the strength of
connections: thousands of small graphs. :func:`apsp.solve_batch` computes the distances of all of them in one
call.

The networks here are simulated: 90 regions in two hemispheres, with connections that are weaker the farther two
regions are apart. Measured connectomes are used in the same way, as an array of shape (subjects, regions,
regions).
"""

import matplotlib.pyplot as plt
import numpy as np

import apsp

random = np.random.default_rng(3)
subjects, regions = 40, 90
places = random.normal(size=(regions, 3)) * [1, 2, 1.2]
places[:, 0] = np.abs(places[:, 0]) + 0.3
places[regions // 2 :] = places[: regions // 2] * [-1, 1, 1]
apart = np.linalg.norm(places[:, None] - places[None], axis=2)
noise = random.lognormal(sigma=0.8, size=(subjects, regions, regions))
strength = np.exp(-apart / 1.2) * (noise + noise.transpose(0, 2, 1))
strength[:, np.arange(regions), np.arange(regions)] = 0

# %%
# For each density the strongest connections are kept. A connection of strength w has length 1 / w; infinity
# means that there is none. The graphs of all subjects and all densities form one batch.

densities = np.array([0.02, 0.03, 0.05, 0.08, 0.12, 0.18, 0.25, 0.35, 0.5])
upper = strength[:, *np.triu_indices(regions, 1)]
thresholds = np.quantile(upper, 1 - densities, axis=1).T
kept = strength[:, None] >= thresholds[:, :, None, None]
lengths = np.where(kept, 1 / np.maximum(strength[:, None], 1e-300), np.inf)
batch = lengths.reshape(-1, regions, regions)
distances = apsp.solve_batch(batch)
print(f"{len(batch)} graphs of {regions} vertices")

# %%
# The efficiency of each graph. The diagonal does not count, and pairs without a path count 0. It is divided by
# the efficiency of the complete graph with the same weights, in which every pair is connected.


def efficiency(distances):
    """Return the mean of 1 / distance over ordered pairs, for each matrix of a batch."""
    with np.errstate(divide="ignore"):
        reciprocal = 1 / distances
    reciprocal[:, np.arange(regions), np.arange(regions)] = 0
    return reciprocal.sum(axis=(1, 2)) / (regions * (regions - 1))


with np.errstate(divide="ignore"):
    complete = efficiency(apsp.solve_batch(1 / strength))
relative = efficiency(distances).reshape(subjects, len(densities)) / complete[:, None]

figure, axes = plt.subplots(figsize=(8, 4.5), layout="constrained")
axes.plot(densities, relative.T, color="0.8", linewidth=0.8)
axes.plot(densities, relative.mean(axis=0), "o-", color="C0", linewidth=2, label=f"mean of {subjects} subjects")
axes.set_xlabel("share of the connections that are kept")
axes.set_ylabel("global efficiency, of the complete graph's")
axes.set_ylim(0, 1.05)
axes.legend(loc="lower right")
plt.show()

# %%
# For a single graph, :func:`apsp.global_efficiency` gives the same number.

one = apsp.global_efficiency(apsp.from_dense(batch[4]))
print(np.isclose(one, efficiency(distances[4:5])[0]))
