"""Calibration: of all predictions of 30%, how many came true."""

from dataclasses import dataclass

import numpy as np

from franchise.training.games import Array

BINS = 10


@dataclass(frozen=True)
class Calibration:
    """Predicted chances compared with results, over every seat of every position."""

    brier: float  # mean square of the error
    error: float  # expected calibration error: how far off each bin is, weighted by its size
    announced: list[float]  # mean of each bin that is not empty
    happened: list[float]
    counts: list[int]


def calibration(chances: Array, won: Array) -> Calibration:
    """Both arguments are positions x seats; a shared victory is divided."""
    announced, happened = chances.ravel().astype(np.float64), won.ravel().astype(np.float64)
    bins = np.minimum((announced * BINS).astype(np.int64), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    there = counts > 0
    predicted = np.bincount(bins, announced, BINS)[there] / counts[there]
    came = np.bincount(bins, happened, BINS)[there] / counts[there]
    off = float((np.abs(predicted - came) * counts[there]).sum() / counts.sum())
    brier = float(((announced - happened) ** 2).mean())
    return Calibration(brier, off, predicted.tolist(), came.tolist(), counts[there].tolist())
