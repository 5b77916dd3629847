# The command `apsp` in a container, built from the source distribution: `python -m build --sdist`, `docker build -t apsp .`,
# then for example `docker run --rm -v "$PWD:/data" apsp solve roads.gr -o distances.npz`.
FROM python:3.13-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends g++
COPY dist/apsp-*.tar.gz /source/
RUN python -m pip wheel --no-deps --wheel-dir /wheels /source/apsp-*.tar.gz

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir "$(ls /wheels/apsp-*.whl)[networkx,osm,parquet,serve,store]" && rm -r /wheels
RUN useradd --create-home apsp
USER apsp
WORKDIR /data
ENTRYPOINT ["apsp"]
