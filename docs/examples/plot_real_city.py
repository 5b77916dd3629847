"""
A real city: driving times with turn restrictions
=================================================

The streets in the centre of Helsinki, read from an extract of OpenStreetMap with the turns that are forbidden there:
the times of the fastest drives from the main station, and where restrictions make them longer.

The data are © OpenStreetMap contributors, under the `Open Database License 1.0
<https://opendatacommons.org/licenses/odbl/1-0/>`_ (`openstreetmap.org/copyright
<https://www.openstreetmap.org/copyright>`_), of April 2019. The file, ``helsinki.osm.pbf``, lies beside this program in
the repository; to read it takes ``pip install 'apsp[osm]'``.
"""

import matplotlib.pyplot as plt
import numpy as np

import apsp

notes = []
city = apsp.read("helsinki.osm.pbf", mode="car", turns=True, notes=notes)
print(city)
print(*notes, sep="\n")

# %%
# Notes tell which streets leave the extract, and which restrictions are not applied. Vertices are labelled with the
# numbers of their nodes in OpenStreetMap. ``city.graph`` is the graph without turns.

station, target = 1369465822, 292551079
path = apsp.shortest_path(city, station, target)
print(f"{apsp.distance(city, station, target):.0f} s with the restrictions, over {len(path)} crossings")
print(f"{apsp.distance(city.graph, station, target):.0f} s if all turns were allowed")

# %%
# A row of distances has no path to crossings that cars cannot reach from here within the extract; they are grey. On
# the right, the restrictions alone: the seconds that they add.

seconds = apsp.solve(city, sources=[station]).to_numpy()[0]
free = apsp.solve(city.graph, sources=[station]).to_numpy()[0]
reached = np.isfinite(seconds)
added = np.full(city.n, np.nan)
added[reached] = seconds[reached] - free[reached]
print(f"{reached.sum()} of {city.n} crossings are reached, {(added > 1).sum()} of them later by more than a second")

figure, (left, right) = plt.subplots(1, 2, figsize=(13, 8), layout="constrained")
city.graph.plot(
    seconds, route=path, title="The fastest drives from the station, and one of them", label="driving time (s)",
    scale="degrees", ax=left,
)  # fmt: skip
city.graph.plot(added, title="What turn restrictions add", label="seconds", scale="degrees", ax=right)
figure.supxlabel("© OpenStreetMap contributors, ODbL 1.0", x=0.99, ha="right", fontsize=9)
plt.show()
