"""Functions of tables, as `pandana.utils`."""

from __future__ import annotations

from typing import Any

import pandas as pd

__all__ = ["adjacency_matrix", "reindex"]


def reindex(series1: Any, series2: Any) -> Any:
    """Look up the values of one series in the index of another.

    Parameters
    ----------
    series1 : pandas.Series
        What is looked up in.
    series2 : pandas.Series
        Entries of the index of `series1`.

    Returns
    -------
    pandas.Series
        For every entry of `series2`, with its index, the value; missing if it is not in the index.

    Examples
    --------
    >>> import pandas as pd
    >>> from apsp import pandana
    >>> rents = pd.Series([700, 900], index=["north", "south"])
    >>> pandana.utils.reindex(rents, pd.Series(["south", "north"], index=[5, 6])).to_dict()
    {5: 900, 6: 700}
    """
    return pd.DataFrame({"left": series2}).join(pd.Series(series1).rename("right"), on="left")["right"]


def adjacency_matrix(edges_df: Any, plot_matrix: bool = False) -> Any:  # noqa: ARG001 - pandana ignores it, too
    """Count the edges between every two nodes.

    Parameters
    ----------
    edges_df : pandas.DataFrame
        Columns 'from' and 'to'.
    plot_matrix : bool
        Has no effect.

    Returns
    -------
    pandas.DataFrame
        A row and a column per node.

    Examples
    --------
    >>> import pandas as pd
    >>> from apsp import pandana
    >>> pandana.utils.adjacency_matrix(pd.DataFrame({"from": [1, 1], "to": [2, 2]})).values.tolist()
    [[0, 2], [0, 0]]
    """
    counts = pd.crosstab(edges_df["from"], edges_df["to"])
    nodes = counts.index.union(counts.columns)
    return counts.reindex(index=nodes, columns=nodes, fill_value=0)
