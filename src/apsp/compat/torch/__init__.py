"""PyTorch: functions on tensors with gradients.

`product` has the product of matrices over a semiring.
"""
