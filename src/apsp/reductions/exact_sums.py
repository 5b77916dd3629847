"""Sums of floats without rounding until the end, so that they depend on no order and no division of the work.

Source: Kulisch, "Computer Arithmetic and Validity", section 8 (a fixed-point register that holds every sum of floats);
in words of 32 bits as in Neal, "Fast exact summation using small and large superaccumulators", 2015, section 2.
Input: float64 numbers for each of many sums. Output: each sum, correctly rounded.

The idea: a float64 is a whole number times a power of two. Its bits are cut where multiples of 2^32 begin, and each
piece is added to an integer of 64 bits, which takes 2^31 pieces. Only words are kept that some number has touched.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["ExactSums", "words_between"]

_WORD = 32
_MASK = np.uint64(2**_WORD - 1)
_DIGITS = 53
_UNIT = 1152
"""Word k counts multiples of 2^(32 k - 1152): the last bit of every float64 is in a word from 0 on."""

_LAST, _HIGHEST = -1074, 1024
"""Every finite float64 is a multiple of 2^-1074 below 2^1024."""

_LEAST, _MOST = 2.0**-900, 2.0**900
"""Between them, powers of two and their reciprocals are ordinary floats."""

_LAST_WORD = 8
"""Of the largest number; 2^(32 * 8 - 1152) = 2^-896."""

_ORDINARY = -1022 - 53 + 12
"""A number of 64 bits times this power of two is no subnormal."""

_ROWS = 1 << (_DIGITS - _WORD)
"""So many pieces add up to a whole number that float64 holds."""


def words_between(least: float, largest: float) -> int:
    """The number of words of sums of multiples of the last bit of `least` that are at most `largest`; both positive."""
    low = max(math.frexp(least)[1] - _DIGITS, _LAST) + _UNIT
    high = (math.frexp(largest)[1] if largest < math.inf else _HIGHEST) + _UNIT
    return high // _WORD - low // _WORD + 1


class ExactSums:
    """A table of sums.

    Parameters
    ----------
    shape : (R, G)
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self._shape = shape
        self._words: npt.NDArray[np.int64] = np.zeros((0, *shape), dtype=np.int64)
        self._first = 0
        self._beyond: npt.NDArray[np.float64] | None = None  # sums of what is not finite

    def add(self, rows: npt.NDArray[np.integer[Any]], values: npt.NDArray[np.float64], first: Any) -> None:
        """Add (S, G) numbers: those from first[k] to first[k + 1] - 1 to row rows[k] of the table."""
        largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
        if _LEAST <= largest <= _MOST and len(values) <= _ROWS:
            self._add_ordinary(rows, values, first, math.frexp(largest)[1])
        else:
            self._add_any(rows, values, first)

    def _add_ordinary(self, rows: Any, values: npt.NDArray[np.float64], first: Any, exponent: int) -> None:
        """Cut the numbers by multiplications, which are exact; none reaches 2^exponent."""
        word, rest = (exponent - 1 + _UNIT) // _WORD, values
        while word >= _LAST_WORD and rest.any():
            scale = math.ldexp(1.0, word * _WORD - _UNIT)
            pieces = rest * (1 / scale)
            np.trunc(pieces, out=pieces)
            self._reach(word, word)
            self._words[word - self._first][rows] += np.add.reduceat(pieces, first).astype(np.int64)
            pieces *= scale
            rest = np.subtract(rest, pieces, out=pieces)
            word -= 1
        if rest.any():
            self._add_any(rows, rest, first)

    def _add_any(self, rows: Any, values: npt.NDArray[np.float64], first: Any) -> None:
        """The same for numbers of all sizes, and what is not finite."""
        finite = np.isfinite(values)
        if not finite.all():
            with np.errstate(invalid="ignore"):  # infinities of both signs
                self._add_beyond(rows, np.add.reduceat(np.where(finite, 0.0, values), first))
            values = np.where(finite, values, 0.0)
        some = values != 0
        if not some.any():
            return
        parts, exponents = np.frexp(np.abs(values))
        wholes = np.ldexp(parts, _DIGITS).astype(np.uint64)
        places = exponents.astype(np.int64) + (_UNIT - _DIGITS)
        used = places[some]
        low, high = int(used.min()) // _WORD, (int(used.max()) + _DIGITS - 1) // _WORD
        self._reach(low, high)
        for word in range(low, high + 1):
            left = places - word * _WORD
            up, down = np.clip(left, 0, 63).astype(np.uint64), np.clip(-left, 0, 63).astype(np.uint64)
            bits = np.where(left < _WORD, ((wholes << up) >> down) & _MASK, np.uint64(0)).astype(np.int64)
            self._words[word - self._first][rows] += np.add.reduceat(np.where(values < 0, -bits, bits), first)

    def _add_beyond(self, rows: Any, values: npt.NDArray[np.float64]) -> None:
        if self._beyond is None:
            self._beyond = np.zeros(self._shape)
        with np.errstate(invalid="ignore"):
            self._beyond[rows] += values

    def _reach(self, low: int, high: int) -> None:
        """Keep the words from low to high, too."""
        if not len(self._words):
            self._first, self._words = low, np.zeros((high + 1 - low, *self._shape), dtype=np.int64)
            return
        before, after = max(self._first - low, 0), max(high + 1 - self._first - len(self._words), 0)
        if before or after:
            self._words = np.pad(self._words, ((before, after), (0, 0), (0, 0)))
            self._first -= before

    def merge(self, rows: npt.NDArray[np.integer[Any]], other: ExactSums) -> None:
        """Add row k of another table to row rows[k]; rows are distinct."""
        if other._beyond is not None:
            self._add_beyond(rows, other._beyond)
        self._add_words(rows, other._first, other._words)

    def _add_words(self, rows: npt.NDArray[np.integer[Any]], first: int, words: npt.NDArray[np.int64]) -> None:
        if len(words):
            self._reach(first, first + len(words) - 1)
            start = first - self._first
            self._words[start : start + len(words), rows] += words

    def to_arrays(self, words: int) -> dict[str, npt.NDArray[Any]]:
        """The table as arrays of fixed shapes.

        Parameters
        ----------
        words : int
            At least as many as the sums have.

        Returns
        -------
        words : (words, R, G) int64
            Integers, to be multiplied by powers of 2^32.
        exponent : (1,) int64
            Of the first of these powers of two: 2^exponent.
        beyond : (R, G) float64
            The sums of what is not finite.
        """
        first, used = _used(self._first, self._words)
        found = np.zeros((words, *self._shape), dtype=np.int64)
        found[: len(used)] = used
        beyond = np.zeros(self._shape) if self._beyond is None else self._beyond
        return {"words": found, "exponent": np.array([first * _WORD - _UNIT]), "beyond": beyond}

    def add_arrays(self, arrays: dict[str, npt.NDArray[Any]]) -> None:
        """Add what `to_arrays` of another table of this shape has returned."""
        rows = np.arange(self._shape[0])
        self._add_words(rows, *_used((int(arrays["exponent"][0]) + _UNIT) // _WORD, arrays["words"]))
        if arrays["beyond"].any():
            self._add_beyond(rows, arrays["beyond"])

    def rounded(self) -> npt.NDArray[np.float64]:
        """The sums, each rounded once; infinite if they are beyond float64."""
        words = self._words.reshape(len(self._words), math.prod(self._shape))
        signed = _digits(words)
        is_negative = signed[-1] < 0
        digits = _digits(np.where(is_negative, -words, words)) if is_negative.any() else signed
        found, exponents = _leading(digits)
        exponents += self._first * _WORD - _UNIT
        with np.errstate(over="ignore"):
            sums = np.ldexp(np.where(is_negative, -found, found), exponents)
        for place in np.flatnonzero((found != 0) & (exponents < _ORDINARY)):  # ldexp would round again
            whole = sum(int(word) << _WORD * k for k, word in enumerate(words[:, place].tolist()))
            sums[place] = _float_of(whole, self._first * _WORD - _UNIT)
        sums = sums.reshape(self._shape)
        return sums if self._beyond is None else sums + self._beyond


def _digits(words: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Digits from 0 to 2^32 - 1 of the numbers (W, C), lowest first; and above them what is left, with the sign."""
    found = np.empty((len(words) + 1, words.shape[1]), dtype=np.int64)
    left = np.zeros(words.shape[1], dtype=np.int64)
    for k, word in enumerate(words):
        left += word
        found[k] = left & int(_MASK)
        left >>= _WORD
    found[-1] = left
    return found


def _leading(digits: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Each number of digits (D, C) rounded once, as a float64 and the exponent of its factor 2^exponent."""
    none = np.zeros((2, digits.shape[1]), dtype=np.int64)
    digits = np.concatenate([none, digits]).astype(np.uint64)  # so that there are three from the first one on
    some = digits != 0
    top = np.maximum(len(digits) - 1 - np.argmax(some[::-1], axis=0), 2)
    below = np.logical_or.accumulate(some, axis=0)
    high, middle, low = (np.take_along_axis(digits, (top - k)[None], axis=0)[0] for k in range(3))
    length = np.frexp(high.astype(np.float64))[1].astype(np.uint64)
    bits = (high << (64 - length)) | (middle << (_WORD - length)) | (low >> length)
    rest = (low & ((np.uint64(1) << length) - np.uint64(1))) != 0
    rest |= np.where(top >= 3, np.take_along_axis(below, np.maximum(top - 3, 0)[None], axis=0)[0], False)
    # A bit for all that is below the 64 decides a tie; the conversion rounds.
    return (bits | rest.astype(np.uint64)).astype(np.float64), (top - 2) * _WORD + length.astype(np.int64) - 64


def _used(first: int, words: npt.NDArray[np.int64]) -> tuple[int, npt.NDArray[np.int64]]:
    """The words without those that are zero everywhere before and after them, and the number of the first."""
    used = np.flatnonzero(words.any(axis=(1, 2)))
    start, stop = (int(used[0]), int(used[-1]) + 1) if len(used) else (0, 0)
    return first + start, words[start:stop]


def _float_of(whole: int, exponent: int) -> float:
    """The float64 next to whole * 2^exponent."""
    try:
        return float(whole << exponent) if exponent >= 0 else whole / (1 << -exponent)
    except OverflowError:
        return float("inf") if whole > 0 else float("-inf")
