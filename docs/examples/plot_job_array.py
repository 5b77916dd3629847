"""
A job array
===========

The rows of the matrix of distances are independent. A cluster therefore computes them as a job array: each job
reads the same graph, computes the rows of its share of the sources, and writes one file. Here four processes on one
machine take the place of the jobs.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import apsp

JOBS = 4
folder = Path(tempfile.mkdtemp())
apsp.write(apsp.generate("city", 1200, seed=6), folder / "city.gr")

# %%
# The program of a job. With a scheduler, number and count come from its environment, such as
# ``SLURM_ARRAY_TASK_ID`` and ``SLURM_ARRAY_TASK_COUNT``. A fixed ``dtype`` gives all files the same type.

PROGRAM = """
import sys
import numpy as np
import apsp

job, jobs = int(sys.argv[1]), int(sys.argv[2])
graph = apsp.read("city.gr")
share = np.array_split(np.array(graph.labels), jobs)[job]
apsp.solve(graph, sources=share, dtype="int32", threads=1).save(f"rows-{job:04}.npz")
"""
for job in range(JOBS):
    subprocess.run([sys.executable, "-c", PROGRAM, str(job), str(JOBS)], cwd=folder, check=True)

# %%
# A file appears complete or not at all, so after a failure the missing files show which jobs to submit again.

missing = [job for job in range(JOBS) if not (folder / f"rows-{job:04}.npz").exists()]
print("missing:", missing)

# %%
# ``apsp.load`` maps the files: distances are read from disk when they are used. Each file holds the graph, so
# ``verify`` compares its distances with it.

parts = [apsp.load(folder / f"rows-{job:04}.npz") for job in range(JOBS)]
for part in parts:
    part.verify()
    print(part, "vertices", part.sources[0], "to", part.sources[-1])

# %%
# The rows together are the whole matrix.

distances = np.vstack([part.distances for part in parts])
assert np.array_equal(distances, apsp.solve(apsp.read(folder / "city.gr"), dtype="int32").distances)

figure, axes = plt.subplots(figsize=(6.6, 5.4), layout="constrained")
image = axes.imshow(distances / 60, cmap="viridis_r")
for job in range(1, JOBS):
    axes.axhline(job * len(distances) / JOBS, color="white", linewidth=1.5)
for job in range(JOBS):
    axes.text(20, (job + 0.5) * len(distances) / JOBS, f"job {job}", color="white", weight="bold", va="center")
axes.set_xlabel("target")
axes.set_ylabel("source")
figure.colorbar(image, ax=axes, label="minutes")
plt.show()
