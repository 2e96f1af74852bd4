"""What a kernel computes with: addresses, f64 side by side, and truth values.

Arithmetic on them writes instructions into the kernel. None has a fast-math flag, so that every
result has the same bits at every optimisation level.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mgc.lower.kernel_text import KernelText

BYTES = 8
"""Of one f64; nothing more is known of how values are aligned."""


def f64_text(value: float) -> str:
    """Return the LLVM constant that has exactly the bits of `value`."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


def lanes_type(width: int) -> str:
    """Return the LLVM type of `width` f64 side by side."""
    return "double" if width == 1 else f"<{width} x double>"


@dataclass(frozen=True, slots=True, eq=False)
class Pointer:
    """An address."""

    kernel: KernelText
    name: str

    def at(self, offset: int) -> Pointer:
        """Return the address `offset` bytes further on."""
        return self.kernel.offset(self, offset) if offset else self

    def load(self, width: int) -> Lanes:
        """Read the `width` f64 that begin here."""
        name = self.kernel.assign(f"load {lanes_type(width)}, ptr {self.name}, align {BYTES}")
        return Lanes(self.kernel, name, width)

    def store(self, lanes: Lanes) -> None:
        """Write the lanes from here on."""
        kind = lanes_type(lanes.width)
        self.kernel.write(f"store {kind} {lanes.name}, ptr {self.name}, align {BYTES}")


@dataclass(frozen=True, slots=True, eq=False)
class Lanes:
    """`width` f64 side by side; a single one counts for every lane of a wider operand."""

    kernel: KernelText
    name: str
    width: int

    def __add__(self, other: Lanes) -> Lanes:
        return self._arithmetic("fadd", other)

    def __sub__(self, other: Lanes) -> Lanes:
        return self._arithmetic("fsub", other)

    def __mul__(self, other: Lanes) -> Lanes:
        return self._arithmetic("fmul", other)

    def __truediv__(self, other: Lanes) -> Lanes:
        return self._arithmetic("fdiv", other)

    def __neg__(self) -> Lanes:
        return self._result(f"fneg {lanes_type(self.width)} {self.name}")

    def __gt__(self, other: Lanes) -> Mask:
        return self._compare("ogt", other)

    def __ge__(self, other: Lanes) -> Mask:
        return self._compare("oge", other)

    def above_or_nan(self, number: float) -> Mask:
        """Tell where a lane is more than `number`, or NaN."""
        return self._compare("ugt", self.kernel.number(number, self.width))

    def is_nan(self) -> Mask:
        """Tell where a lane is NaN."""
        return self._compare("uno", self)

    def sqrt(self) -> Lanes:
        """Return the correctly rounded square roots."""
        kind = lanes_type(self.width)
        function = "llvm.sqrt." + ("f64" if self.width == 1 else f"v{self.width}f64")
        self.kernel.declare(f"declare {kind} @{function}({kind})")
        return self._result(f"call {kind} @{function}({kind} {self.name})")

    def call(self, function: str) -> Lanes:
        """Apply a function of libm to a single f64."""
        assert self.width == 1
        self.kernel.declare(f"declare double @{function}(double)")
        return self._result(f"call double @{function}(double {self.name})")

    def repeated(self, width: int) -> Lanes:
        """Return this single f64 in each of `width` lanes; lanes that are so many as they are."""
        if width == self.width:
            return self
        assert self.width == 1
        kind = lanes_type(width)
        first = self._result(f"insertelement {kind} poison, double {self.name}, i64 0").name
        zeros = f"<{width} x i32> zeroinitializer"
        name = self.kernel.assign(f"shufflevector {kind} {first}, {kind} poison, {zeros}")
        return Lanes(self.kernel, name, width)

    def _arithmetic(self, instruction: str, other: Lanes) -> Lanes:
        width = max(self.width, other.width)
        left, right = self.repeated(width), other.repeated(width)
        text = f"{instruction} {lanes_type(width)} {left.name}, {right.name}"
        return Lanes(self.kernel, self.kernel.assign(text), width)

    def _compare(self, condition: str, other: Lanes) -> Mask:
        text = f"fcmp {condition} {lanes_type(self.width)} {self.name}, {other.name}"
        return Mask(self.kernel, self.kernel.assign(text), self.width)

    def _result(self, text: str) -> Lanes:
        return Lanes(self.kernel, self.kernel.assign(text), self.width)


def beside(singles: list[Lanes]) -> Lanes:
    """Return single f64s side by side."""
    kernel, width = singles[0].kernel, len(singles)
    if width == 1:
        return singles[0]
    name = "poison"
    for i, single in enumerate(singles):
        text = f"insertelement {lanes_type(width)} {name}, double {single.name}, i64 {i}"
        name = kernel.assign(text)
    return Lanes(kernel, name, width)


@dataclass(frozen=True, slots=True, eq=False)
class Mask:
    """A truth value in each of `width` lanes."""

    kernel: KernelText
    name: str
    width: int

    def __or__(self, other: Mask) -> Mask:
        text = f"or {self._type} {self.name}, {other.name}"
        return Mask(self.kernel, self.kernel.assign(text), self.width)

    def choose(self, yes: Lanes | float, no: Lanes | float) -> Lanes:
        """Take the lane of `yes` where true, that of `no` elsewhere."""
        kind = lanes_type(self.width)
        first, second = (
            lanes if isinstance(lanes, Lanes) else self.kernel.number(lanes, self.width)
            for lanes in (yes, no)
        )
        text = f"select {self._type} {self.name}, {kind} {first.name}, {kind} {second.name}"
        return Lanes(self.kernel, self.kernel.assign(text), self.width)

    @property
    def _type(self) -> str:
        return "i1" if self.width == 1 else f"<{self.width} x i1>"
