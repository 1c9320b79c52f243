"""A policy of examples/clone.py as an ONNX file, which `franchise ladder` and `onnx:FILE` take.

Try it: python examples/to_onnx.py policy.npz policy.onnx. It needs the library onnx.
"""

import argparse

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from franchise.engine.observe import SIZE


def model(weights):
    """Observations (batch, SIZE) to a number for each action: a hidden layer with tanh between two matrices."""
    kept = {name: numpy_helper.from_array(weights[name].astype(np.float32), name) for name in ("into", "bias", "act")}
    steps = [
        helper.make_node("MatMul", ["observation", "into"], ["summed"]),
        helper.make_node("Add", ["summed", "bias"], ["shifted"]),
        helper.make_node("Tanh", ["shifted"], ["hidden"]),
        helper.make_node("MatMul", ["hidden", "act"], ["logits"]),
    ]
    seen = helper.make_tensor_value_info("observation", TensorProto.FLOAT, ["batch", SIZE])
    made = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", weights["act"].shape[1]])
    graph = helper.make_graph(steps, "policy", [seen], [made], list(kept.values()))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("policy")
    parser.add_argument("file")
    given = parser.parse_args()
    made = model(dict(np.load(given.policy)))
    onnx.checker.check_model(made)
    onnx.save(made, given.file)


if __name__ == "__main__":
    main()
