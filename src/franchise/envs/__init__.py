"""Environments for learning: `Batch` here, PettingZoo in `franchise_v2`, Gymnasium and OpenSpiel in their modules."""

from franchise.envs.batch import Batch, Buffers

__all__ = ["Batch", "Buffers"]
