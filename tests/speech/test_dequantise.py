"""The recipe on a small graph of our own, quantised by onnxruntime itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from dtbuild.errors import AssetError
from dtbuild.speech.dequantise import GRAPH, WEIGHTS, dequantise

FLOAT_NODES = ("Conv", "MatMul", "Relu", "Add", "Reshape")


def small_graph(path: Path, *, random: bool = False) -> None:
    """Convolution with bias, then a matrix product."""
    rng = np.random.default_rng(5)
    weight = numpy_helper.from_array(rng.normal(0, 0.3, (6, 4, 3)).astype(np.float32), "w")
    bias = numpy_helper.from_array(rng.normal(0, 1, 6).astype(np.float32), "b")
    matrix = numpy_helper.from_array(rng.normal(0, 0.3, (20, 5)).astype(np.float32), "m")
    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], kernel_shape=[3], pads=[1, 1], name="conv"),
        helper.make_node("MatMul", ["c", "m"], ["y0"], name="product"),
        helper.make_node("Relu", ["y0"], ["y"], name="end"),
    ]
    if random:
        nodes[-1] = helper.make_node("RandomNormalLike", ["y0"], ["y"], name="noise")
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 20])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 6, 5])],
        [weight, bias, matrix],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), str(path))


def run(path: Path, x: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    result: np.ndarray = session.run(None, {"x": x})[0]
    return result


def test_the_float_graph_says_what_the_int8_graph_meant(tmp_path: Path) -> None:
    small_graph(tmp_path / "float.onnx")
    quantize_dynamic(
        tmp_path / "float.onnx",
        tmp_path / "int8.onnx",
        weight_type=QuantType.QUInt8,
        op_types_to_quantize=["Conv", "MatMul"],
    )
    kinds = {node.op_type for node in onnx.load(str(tmp_path / "int8.onnx")).graph.node}
    assert {"ConvInteger", "MatMulInteger", "DynamicQuantizeLinear"} <= kinds
    dequantise(tmp_path / "int8.onnx", tmp_path / "out")
    model = onnx.load(str(tmp_path / "out" / GRAPH))
    assert {"Conv", "MatMul", "Relu"} <= {node.op_type for node in model.graph.node} <= {*FLOAT_NODES}
    x = np.random.default_rng(1).normal(0, 1, (1, 4, 20)).astype(np.float32)
    truth, ours, int8 = (run(tmp_path / name, x) for name in ("float.onnx", f"out/{GRAPH}", "int8.onnx"))
    assert np.abs(ours - truth).max() < 0.05
    assert np.abs(ours - truth).mean() < np.abs(int8 - truth).mean()


def test_a_bias_inside_the_integer_sum_comes_back_as_float(tmp_path: Path) -> None:
    """The published file adds `floor(bias / scale)` to the integer sum: the float bias is what fed the Div."""
    rng = np.random.default_rng(2)
    weight = rng.integers(0, 255, (6, 4, 3)).astype(np.uint8)
    tensors = {
        "w": weight,
        "w_scale": np.array(0.004, np.float32),
        "w_zero": np.array(128, np.uint8),
        "b": rng.normal(0, 1, 6).astype(np.float32),
        "shape": np.array([1, -1, 1], np.int64),
    }
    nodes = [
        helper.make_node("DynamicQuantizeLinear", ["x"], ["xq", "x_scale", "x_zero"]),
        helper.make_node("ConvInteger", ["xq", "w", "x_zero", "w_zero"], ["c"], kernel_shape=[3], pads=[1, 1]),
        helper.make_node("Mul", ["x_scale", "w_scale"], ["scale"]),
        helper.make_node("Div", ["b", "scale"], ["b1"]),
        helper.make_node("Floor", ["b1"], ["b2"]),
        helper.make_node("Cast", ["b2"], ["b3"], to=TensorProto.INT32),
        helper.make_node("Reshape", ["b3", "shape"], ["b4"]),
        helper.make_node("Add", ["c", "b4"], ["sum"]),
        helper.make_node("Cast", ["sum"], ["sum_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["sum_float", "scale"], ["y"]),
    ]
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1, 4, 20])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1, 6, 20])],
        [numpy_helper.from_array(value, name) for name, value in tensors.items()],
    )
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), tmp_path / "int8.onnx"
    )
    dequantise(tmp_path / "int8.onnx", tmp_path / "out")
    assert [node.op_type for node in onnx.load(str(tmp_path / "out" / GRAPH)).graph.node] == ["Conv"]
    x = rng.normal(0, 1, (1, 4, 20)).astype(np.float32)
    ours, int8 = run(tmp_path / "out" / GRAPH, x), run(tmp_path / "int8.onnx", x)
    assert np.abs(ours - int8).max() < 0.05
    floats = (weight.astype(np.float64) - 128) * 0.004
    padded = np.pad(x[0].astype(np.float64), ((0, 0), (1, 1)))
    truth = np.stack([(floats * padded[None, :, i : i + 3]).sum((1, 2)) + tensors["b"] for i in range(20)], 1)
    assert np.allclose(ours[0], truth, atol=1e-4)


def test_twice_gives_the_same_bytes(tmp_path: Path) -> None:
    small_graph(tmp_path / "float.onnx")
    quantize_dynamic(tmp_path / "float.onnx", tmp_path / "int8.onnx", op_types_to_quantize=["Conv", "MatMul"])
    for name in ("one", "two", "two"):
        dequantise(tmp_path / "int8.onnx", tmp_path / name)
    for name in (GRAPH, WEIGHTS):
        one, two = tmp_path / "one" / name, tmp_path / "two" / name
        assert one.exists() == two.exists()
        assert not one.exists() or one.read_bytes() == two.read_bytes()


def test_a_graph_that_draws_random_numbers_is_refused(tmp_path: Path) -> None:
    small_graph(tmp_path / "float.onnx", random=True)
    with pytest.raises(AssetError, match="RandomNormalLike"):
        dequantise(tmp_path / "float.onnx", tmp_path / "out")
