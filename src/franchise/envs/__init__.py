"""Reinforcement learning environments: `Batch`, PettingZoo (`franchise_v2`), Gymnasium and OpenSpiel."""

from franchise.envs.batch import Batch, Buffers

__all__ = ["Batch", "Buffers"]
