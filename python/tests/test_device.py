# SPDX-License-Identifier: Apache-2.0
"""Arrays stay on a CUDA device: what is made there is what this machine makes."""

import numpy
import pytest

import tofscope

pytestmark = pytest.mark.skipif(not tofscope.engines()["cuda"], reason="there is no CUDA device")


@pytest.fixture(scope="module")
def A(histo):
    return tofscope.model(histo, engine="cuda")


@pytest.fixture(scope="module")
def host(histo):
    return tofscope.model(histo, engine="cpu")


class Foreign:
    """An array of the device as another library hands it over, which counts how often it is asked."""

    def __init__(self, array):
        self.array, self.streams = array, []

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def test_copies_go_there_and_back(A, random):
    x = random.random(A.image_shape, dtype="float32")
    there = A.to_device(x)
    assert there.shape == x.shape and there.__dlpack_device__() == (2, 0)
    numpy.testing.assert_array_equal(A.to_host(there), x)


def test_device_arrays_make_device_arrays(A, host, random):
    x = random.random(A.image_shape, dtype="float32")
    y = A.forward(A.to_device(x))
    assert isinstance(y, tofscope.DeviceArray) and y.shape == A.data_shape
    image = A.to_host(A.back(y))
    for expected in (A.back(A.forward(x)), host.back(host.forward(x))):
        numpy.testing.assert_allclose(image, expected, atol=1e-5 * expected.max())


def test_other_librarys_arrays_are_ordered_before_ours(A, random):
    x = random.random(A.image_shape, dtype="float32")
    foreign = Foreign(A.to_device(x))
    numpy.testing.assert_array_equal(A.to_host(A.forward(foreign)), A.forward(x))
    assert foreign.streams == [1]  # the default stream, which is waited for


def test_out_is_filled_on_the_device(A, random):
    x = A.to_device(random.random(A.image_shape, dtype="float32"))
    out = A.to_device(numpy.zeros(A.data_shape, "float32"))
    assert A.forward(x, out) is out
    numpy.testing.assert_array_equal(A.to_host(out), A.to_host(A.forward(x)))


def test_back_is_the_adjoint_there(A, random):
    x = random.random(A.image_shape, dtype="float32")
    y = random.random(A.data_shape, dtype="float32")
    ahead = numpy.vdot(A.to_host(A.forward(A.to_device(x))).astype(float), y)
    assert numpy.vdot(x.astype(float), A.to_host(A.back(A.to_device(y)))) == pytest.approx(ahead, rel=2e-6)


def test_gradients_are_those_of_the_host(A, host, random):
    x = host.start() * (0.5 + random.random(A.image_shape, dtype="float32"))
    expected = host.gradient(x)
    numpy.testing.assert_allclose(A.to_host(A.gradient(A.to_device(x))), expected, atol=1e-5 * abs(expected).max())
    assert A.log_likelihood(A.to_device(x)) == pytest.approx(host.log_likelihood(x), rel=1e-6)
    ours, theirs = (one.prior("relative-difference", beta=0.1).gradient(x) for one in (A, host))
    numpy.testing.assert_allclose(ours, theirs, atol=1e-5 * abs(theirs).max())


def test_arrays_of_a_device_are_refused_by_this_machine(A, host):
    with pytest.raises(tofscope.errors.WrongUse, match="device 0"):
        host.forward(A.to_device(host.start()))


def test_an_array_outlives_its_operator(histo, random):
    A = tofscope.model(histo, engine="cuda")
    other = tofscope.model(histo, engine="cuda")
    x = random.random(A.image_shape, dtype="float32")
    there = A.to_device(x)
    del A
    numpy.testing.assert_array_equal(other.to_host(there), x)


def test_torch_stays_on_the_card(A, host):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    x = torch.tensor(host.start(), device="cuda", requires_grad=True)
    y = A.as_torch_function()(2 * x)
    assert y.is_cuda and tuple(y.shape) == A.data_shape
    expected = host.forward(2 * host.start())
    numpy.testing.assert_allclose(y.detach().cpu().numpy(), expected, atol=1e-5 * expected.max())
    y.sum().backward()
    s = 2 * host.sensitivity()
    numpy.testing.assert_allclose(x.grad.cpu().numpy(), s, atol=1e-5 * s.max())
    # What torch has just been given to do on its stream comes before the projection.
    for factor in (1.0, 3.0):
        busy = torch.rand(4096, 4096, device="cuda")
        for _ in range(20):
            busy = busy @ busy
            busy = busy / busy.max()
        late = x.detach() * factor + 0 * busy.sum()
        made = torch.from_dlpack(A.forward(late))
        numpy.testing.assert_allclose(made.cpu().numpy(), expected * factor / 2, atol=1e-5 * expected.max() * factor)
