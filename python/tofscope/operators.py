# SPDX-License-Identifier: Apache-2.0
"""Data as a linear map with its exact adjoint, for iterations of your own.

An operator A takes an image x, float32 [z][y][x] in the units of the data, to what the data expect of it:
A x = mult F att x, where F is the projection by the kernel, att what attenuates the image on a part's way and
mult the factors of each bin. With `background` b the data expect A x + b. Data come in parts (views of
histo-images, subsets of lines); an operator has all of them or those of a subset.

NumPy's arrays are used without a copy by engines on this machine. An engine on a CUDA device also takes arrays of
that device which know DLPack (PyTorch, CuPy) and returns such, without leaving the card.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

import numpy as np

from . import _tofscope
from ._program import program, settings_of


class Operator:
    """The linear map of some data by one model on one engine. One thread at a time works; others wait."""

    def __init__(self, inner: "_tofscope.Operator", parts: Sequence[int]):
        self._inner = inner
        self._parts = [int(part) for part in parts]

    @classmethod
    def of(cls, data: "_tofscope.Data", **settings: Any) -> "Operator":
        """The operator of all data; settings are those of a run: kernel, engine, device, projector, psf, ..."""
        inner = _tofscope.Operator(program(), data, settings_of(settings))
        return cls(inner, range(inner.parts))

    @property
    def engine(self) -> str:
        """The engine that projects, with its device."""
        return self._inner.engine

    @property
    def parts(self) -> list[int]:
        """Numbers of the parts, in the order in which they stand in arrays of data."""
        return list(self._parts)

    @property
    def image_shape(self) -> tuple[int, ...]:
        """Shape of an image, [z][y][x]."""
        return self._inner.image_shape

    @property
    def data_shape(self) -> tuple[int, ...]:
        """Shape of the data: [part][z][y][x] of histo-images, one axis of others."""
        return self._inner.data_shape(self._parts)

    @property
    def list_mode(self) -> bool:
        """Whether every line is an event of a list, so that lines without events are in no part."""
        return self._inner.list_mode

    def subset(self, index: int, of: int) -> "Operator":
        """Part ``index``, from 0, of ``of`` subsets: what a run with so many subsets takes as one block."""
        if not 0 <= index < of <= len(self._inner.order):
            raise ValueError(f"subset {index} of {of}: choose 0 to {of - 1} of at most {len(self._inner.order)}")
        mine = set(self._parts)
        return Operator(self._inner, [part for part in self._inner.order[index::of] if part in mine])

    def part(self, index: int) -> "Operator":
        """One part alone."""
        return Operator(self._inner, [self._parts[index]])

    def forward(self, x: Any, out: Any = None, *, corrected: bool = True) -> Any:
        """A x, or F x where ``corrected`` is False. Returns an array of data_shape, ``out`` if it is given."""
        return self._inner.forward(x, self._parts, corrected, out)

    def back(self, y: Any, out: Any = None, *, corrected: bool = True) -> Any:
        """The adjoint: A^T y, or F^T y where ``corrected`` is False. Returns an image."""
        return self._inner.back(y, self._parts, corrected, out)

    def gradient(self, x: Any, out: Any = None) -> Any:
        """Gradient of the log-likelihood at x: A^T (y / (A x + b) - 1)."""
        return self._inner.gradient(x, self._parts, out)

    def log_likelihood(self, x: Any) -> float:
        """Sum of y log(A x + b) - (A x + b), in double precision."""
        return self._inner.log_likelihood(x, self._parts)

    def sensitivity(self) -> np.ndarray:
        """A^T 1; of a list that of all lines that could have had an event."""
        return self._inner.sensitivity(self._parts)

    def counts(self) -> np.ndarray:
        """The counts y, of data_shape."""
        return self._inner.counts(self._parts)

    def background(self) -> np.ndarray:
        """What is expected beside the image, of data_shape: scatter and randoms."""
        return self._inner.background(self._parts)

    def to_device(self, array: Any) -> "_tofscope.DeviceArray":
        """A copy of an array of this machine on the operator's device, for calls that stay there."""
        return self._inner.to_device(array)

    def to_host(self, array: Any) -> np.ndarray:
        """The values of an array of the operator's device as NumPy's."""
        return self._inner.to_host(array)

    @property
    def on_device(self) -> bool:
        """Whether the engine works on a CUDA device, whose arrays it takes and returns."""
        return self._inner.on_device

    def start(self) -> np.ndarray:
        """The image that runs begin with: uniform where anything is seen, with the total of the counts."""
        return self._inner.start()

    def unit(self) -> float:
        """Value of a uniform image with the counts of the data; parameters of priors count in it."""
        return self._inner.unit()

    def prior(self, name: str = "relative-difference", **settings: Any) -> "_tofscope.Prior":
        """A prior as runs of these data have it, with beta and kappa by their sensitivity.

        Settings: beta, prior_gamma, prior_epsilon, prior_delta, kappa. The objective that runs make largest is
        ``log_likelihood(x) - prior.value(x)``, its gradient ``gradient(x) - prior.gradient(x)``.
        """
        return _tofscope.Prior(self._inner, settings_of({"prior": name, **settings}))

    def as_linear_operator(self, *, corrected: bool = True) -> Any:
        """A scipy.sparse.linalg.LinearOperator of this map on flat arrays."""
        from scipy.sparse.linalg import LinearOperator

        image, data = self.image_shape, self.data_shape
        return LinearOperator(
            shape=(int(np.prod(data)), int(np.prod(image))), dtype=np.float32,
            matvec=lambda x: self.forward(np.reshape(x, image), corrected=corrected).ravel(),
            rmatvec=lambda y: self.back(np.reshape(y, data), corrected=corrected).ravel())

    def as_torch_function(self, *, corrected: bool = True) -> Any:
        """A differentiable function of a torch tensor: x to A x, whose backward is the exact adjoint."""
        import torch

        def applied(method: Any, tensor: Any) -> Any:
            source = tensor.detach().contiguous()
            if source.is_cuda and self.on_device:
                return torch.from_dlpack(method(source, corrected=corrected))
            made = method(source.cpu().numpy(), corrected=corrected)
            return torch.from_numpy(made).to(tensor.device)

        class Project(torch.autograd.Function):
            """A x, and A^T for its gradient."""

            @staticmethod
            def forward(_ctx: Any, x: Any) -> Any:
                return applied(self.forward, x)

            @staticmethod
            def backward(_ctx: Any, y: Any) -> Any:
                return applied(self.back, y)

        return Project.apply

    def __repr__(self) -> str:
        return f"<tofscope.Operator {self.image_shape} to {self.data_shape}, {self.engine}>"


def model(data: "_tofscope.Data", **settings: Any) -> Operator:
    """The operator of ``data`` by the kernel and the engine of ``settings`` (see tofscope.settings())."""
    return Operator.of(data, **settings)
