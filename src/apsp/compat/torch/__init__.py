"""PyTorch: functions on tensors.

`product` has the product of matrices over a semiring, with gradients; `encoding` distances and edges along paths for
graph transformers, `by_size` those of data sets, `transform` and `collate` those of PyTorch Geometric and DataLoaders.
"""
