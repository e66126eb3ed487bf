"""Turns the published int8 graph of Kokoro into a float32 graph, once, at set-up.

The int8 file quantises every activation again at run time; on a CPU the same weights as plain float32 are faster
and sound a little better. What the recipe does, exactly (`RECIPE` changes when it does):

- a weight is `(quantised - zero_point) * scale`, per tensor or per output channel;
- `MatMulInteger`/`ConvInteger` take the float input that fed their `DynamicQuantizeLinear` and end at the `Mul`
  that rescales; a convolution's bias is the first input of the `Div` in its bias branch;
- `DynamicQuantizeLSTM` weights are transposed to ONNX's `[directions, 4 * hidden, input]`;
- embedding tables are de-quantised before their `Gather`.

Weights go to a side file that onnxruntime maps into memory, so worker processes share one copy.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dtbuild.errors import AssetError, MissingExtra

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RECIPE = "dequantise-1"
GRAPH, WEIGHTS = "kokoro-float.onnx", "kokoro-float.bin"


def dequantise(source: Path, folder: Path) -> None:
    """Read the int8 graph `source`; write `GRAPH` and `WEIGHTS` into `folder`.

    Raises `MissingExtra` without the package onnx, `AssetError` when the graph is not the one the recipe knows.
    """
    try:
        import onnx
    except ImportError as error:
        raise MissingExtra("onnx", expected="the extra `speech`", fix="pip install 'dtbuild[speech]'") from error
    model = onnx.load(str(source))
    _Recipe(model.graph).apply()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).unlink(missing_ok=True)  # onnx appends to an existing side file
    onnx.save_model(
        model,
        str(folder / GRAPH),
        save_as_external_data=True,
        all_tensors_to_one_file=True,
        location=WEIGHTS,
        size_threshold=1024,
    )


class _Recipe:
    """The graph with the indexes that the rewriting needs."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self.tensors = {tensor.name: tensor for tensor in graph.initializer}
        self.producer = {output: node for node in graph.node for output in node.output}
        self.consumers: dict[str, list[Any]] = defaultdict(list)
        for node in graph.node:
            for name in node.input:
                self.consumers[name].append(node)
        self.floats: dict[str, Any] = {}

    def apply(self) -> None:
        random = sorted({node.op_type for node in self.graph.node if node.op_type.startswith("Random")})
        if random:
            raise AssetError(
                "the Kokoro graph draws random numbers",
                expected="a graph that is a function of its inputs",
                found=", ".join(random),
            )
        swap: dict[str, Any] = {}
        for node in self.graph.node:
            if node.op_type in ("MatMulInteger", "ConvInteger"):
                end, fresh = self._linear(node)
                swap[end] = fresh
            elif node.op_type == "DynamicQuantizeLSTM":
                swap[node.output[0]] = self._lstm(node)
            elif node.op_type == "DequantizeLinear":
                swap[node.output[0]] = self._gather(node)
        nodes = [swap.get(node.output[0], node) for node in self.graph.node]
        self.graph.initializer.extend(self.floats.values())
        keep = _needed(nodes, {output.name for output in self.graph.output})
        kept = [node for index, node in enumerate(nodes) if index in keep]
        del self.graph.node[:]
        self.graph.node.extend(_in_order(kept, {t.name for t in self.graph.initializer}))
        used = {name for node in kept for name in node.input}
        tensors = [tensor for tensor in self.graph.initializer if tensor.name in used]
        del self.graph.initializer[:]
        self.graph.initializer.extend(tensors)
        del self.graph.value_info[:]
        left = {node.op_type for node in kept} & {"MatMulInteger", "ConvInteger", "DynamicQuantizeLinear"}
        if left:
            raise AssetError("the Kokoro graph", expected="no quantised node left", found=", ".join(sorted(left)))

    def _linear(self, node: Any) -> tuple[str, Any]:
        """The float node for one integer product, and the name of the value it makes."""
        from onnx import helper

        source = self.producer[node.input[0]].input[0]
        bias: list[str] = []
        step = self._only(node)
        if step.op_type == "Add":
            branch = next(name for name in step.input if name != node.output[0])
            while (made := self.producer[branch]).op_type != "Div":
                branch = made.input[0]
            bias = [made.input[0]]
            step = self._only(step)
        scale_mul = self._only(step)
        if step.op_type != "Cast" or scale_mul.op_type != "Mul":
            raise AssetError(f"node {node.name}", expected="Cast and Mul after it", found=step.op_type)
        scales = next(name for name in scale_mul.input if name != step.output[0])
        weight_scale = next(name for name in self.producer[scales].input if name in self.tensors)
        per_row = node.op_type == "ConvInteger"
        weight = self._weight(node.input[1], weight_scale, node.input[3], per_row)
        kind = "Conv" if per_row else "MatMul"
        attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
        end = scale_mul.output[0]
        return end, helper.make_node(kind, [source, weight, *bias], [end], name=f"{node.name}_float", **attributes)

    def _lstm(self, node: Any) -> Any:
        from onnx import helper

        x, w, r, b, lengths, h0, c0, peephole, w_scale, w_zero, r_scale, r_zero = node.input
        weights = [
            self._weight(w, w_scale, w_zero, False, transpose=True),
            self._weight(r, r_scale, r_zero, False, transpose=True),
        ]
        attributes = {item.name: helper.get_attribute_value(item) for item in node.attribute}
        inputs = [x, *weights, b, lengths, h0, c0, peephole]
        return helper.make_node("LSTM", inputs, list(node.output), name=f"{node.name}_float", **attributes)

    def _gather(self, node: Any) -> Any:
        from onnx import helper

        gather = self.producer[node.input[0]]
        table = self._weight(gather.input[0], node.input[1], node.input[2], False)
        return helper.make_node(
            "Gather", [table, gather.input[1]], list(node.output), name=f"{gather.name}_float", axis=0
        )

    def _weight(self, name: str, scale: str, zero: str, per_row: bool, transpose: bool = False) -> str:
        from onnx import numpy_helper

        fresh = f"{name}_float"
        if fresh not in self.floats:
            weight = self._array(name).astype("int32")
            factor, offset = self._array(scale), self._array(zero).astype("int32")
            shape: tuple[int, ...]
            if transpose:  # one scale for each direction
                shape = (-1, 1, 1)
            elif per_row and factor.size > 1:
                shape = (-1,) + (1,) * (weight.ndim - 1)
            else:
                shape = (1,) * (weight.ndim - 1) + (-1,)
            value = ((weight - offset.reshape(shape)) * factor.reshape(shape)).astype("float32")
            value = value.transpose(0, 2, 1).copy() if transpose else value
            self.floats[fresh] = numpy_helper.from_array(value, fresh)
        return fresh

    def _array(self, name: str) -> NDArray[np.generic]:
        from onnx import numpy_helper

        array: NDArray[np.generic] = numpy_helper.to_array(self.tensors[name])
        return array

    def _only(self, node: Any) -> Any:
        after = self.consumers[node.output[0]]
        if len(after) != 1:
            raise AssetError(f"node {node.name}", expected="one consumer", found=str(len(after)))
        return after[0]


def _needed(nodes: list[Any], outputs: set[str]) -> set[int]:
    makers = {name: index for index, node in enumerate(nodes) for name in node.output if name}
    keep: set[int] = set()
    open_names = list(outputs)
    while open_names:
        index = makers.get(open_names.pop())
        if index is not None and index not in keep:
            keep.add(index)
            open_names.extend(nodes[index].input)
    return keep


def _in_order(nodes: list[Any], known: set[str]) -> list[Any]:
    """Topological order: a rewritten node may need a bias that used to be made later."""
    makers = {name: node for node in nodes for name in node.output if name}
    done: set[str] = set(known)
    result: list[Any] = []
    for first in nodes:
        stack = [first]
        while stack:
            node = stack[-1]
            if node.output[0] in done:
                stack.pop()
                continue
            missing = [name for name in node.input if name in makers and name not in done]
            if missing:
                stack.extend(makers[name] for name in missing)
                continue
            result.append(stack.pop())
            done.update(name for name in node.output if name)
    return result
