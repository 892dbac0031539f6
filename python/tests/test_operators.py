# SPDX-License-Identifier: Apache-2.0
"""Operators against mathematics: adjoints, derivatives, and the program's own runs."""

import numpy
import pytest

import tofscope

# A sum of n float products errs by some roots of n times 2^-24; the projections themselves add a few hundred.
ADJOINT = 2e-6


@pytest.fixture(scope="session", params=["histo", "lines"])
def data(request):
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def model(data):
    return tofscope.model(data, engine="cpu")


def dot(a, b):
    return float(numpy.vdot(a.astype(float), b.astype(float)))


@pytest.mark.parametrize("corrected", [True, False])
def test_back_is_the_adjoint(model, random, corrected):
    for A in (model, model.subset(1, 4), model.part(0)):
        x = random.random(A.image_shape, dtype="float32")
        y = random.random(A.data_shape, dtype="float32")
        ahead = dot(A.forward(x, corrected=corrected), y)
        assert dot(x, A.back(y, corrected=corrected)) == pytest.approx(ahead, rel=ADJOINT)


def test_subsets_are_the_parts_of_the_whole(model, random):
    x = random.random(model.image_shape, dtype="float32")
    y = numpy.ones(model.data_shape, "float32")
    whole = model.back(y)
    parts = sum(model.subset(b, 3).back(numpy.ones(model.subset(b, 3).data_shape, "float32")).astype(float)
                for b in range(3))
    numpy.testing.assert_allclose(parts, whole, rtol=2e-6, atol=2e-6 * whole.max())
    assert sorted(p for b in range(3) for p in model.subset(b, 3).parts) == model.parts
    assert model.forward(x).dtype == numpy.float32


def test_sensitivity_is_the_projection_of_ones(histo):
    A = tofscope.model(histo, engine="cpu")
    numpy.testing.assert_allclose(A.sensitivity(), A.back(numpy.ones(A.data_shape, "float32")), rtol=1e-5)


def test_forward_is_linear_and_expects_the_counts(histo):
    A = tofscope.model(histo, engine="cpu")
    x = A.start()
    numpy.testing.assert_allclose(A.forward(2 * x), 2 * A.forward(x), rtol=1e-6)
    expected = A.forward(x).sum(dtype=float) + A.background().sum(dtype=float)
    assert expected == pytest.approx(A.counts().sum(dtype=float), rel=1e-3)


def test_gradient_is_the_derivative(model, random):
    # Far below the best image, so that the slope upwards is no small difference of large terms.
    x = model.start() * (0.3 + 0.4 * random.random(model.image_shape, dtype="float32"))
    direction = model.start() * (0.5 + random.random(model.image_shape, dtype="float32"))
    step = numpy.float32(0.02)
    ahead, behind = (model.log_likelihood(x + sign * step * direction) for sign in (1, -1))
    # The slope is that of y log(e) less that of e. What the third derivative adds to the first is a share of
    # (step / 0.5)^2 / 3 of it, 5e-4.
    slope = dot(model.gradient(x), direction)
    first = slope + dot(model.sensitivity(), direction)
    assert slope == pytest.approx((ahead - behind) / (2 * float(step)), abs=1e-3 * first)


def test_median_root_has_a_gradient_alone(histo):
    A = tofscope.model(histo, engine="cpu")
    prior = A.prior("median-root", beta=0.3)
    x = A.start()
    x[4, 12, 12] *= 2  # its median is the others' value, so it is pulled down, and nobody else
    pull = prior.gradient(x)
    assert pull[4, 12, 12] > 0 and (numpy.delete(pull.ravel(), numpy.ravel_multi_index((4, 12, 12), x.shape)) == 0).all()
    with pytest.raises(tofscope.errors.WrongUse, match="gradient alone"):
        prior.value(x)


@pytest.mark.parametrize("name", ["relative-difference", "quadratic", "huber", "log-cosh", "total-variation"])
def test_prior_has_its_gradient_and_curvature(histo, random, name):
    A = tofscope.model(histo, engine="cpu")
    prior = A.prior(name, beta=0.3)
    x = A.start() * (0.5 + random.random(A.image_shape, dtype="float32"))
    direction = A.start() * random.random(A.image_shape, dtype="float32")
    step = numpy.float32(0.01)
    slope = (prior.value(x + step * direction) - prior.value(x - step * direction)) / (2 * float(step))
    assert dot(prior.gradient(x), direction) == pytest.approx(slope, rel=1e-2)
    assert (prior.curvature(x) >= 0).all()
    difference = prior.gradient(x + step * direction) - prior.gradient(x - step * direction)
    along = dot(prior.product(x, direction), direction)
    assert along == pytest.approx(dot(difference, direction) / (2 * float(step)), rel=5e-2)


def test_out_is_filled_without_a_copy(histo):
    A = tofscope.model(histo, engine="cpu")
    out = numpy.full(A.data_shape, numpy.nan, "float32")
    assert A.forward(A.start(), out) is out
    numpy.testing.assert_array_equal(out, A.forward(A.start()))


@pytest.mark.parametrize("wrong", [
    lambda A: A.forward(numpy.zeros((2, 2, 2))),
    lambda A: A.back(numpy.zeros(3)),
    lambda A: A.forward(A.start(), numpy.zeros(A.data_shape)),
    lambda A: A.forward(A.start(), numpy.zeros(5, "float32")),
    lambda A: A.subset(4, 4),
    lambda A: A.prior().gradient(numpy.zeros((2, 2, 2))),
    lambda A: A.prior().product(A.start(), numpy.zeros(3)),
])
def test_arrays_that_do_not_fit_are_refused(histo, wrong):
    with pytest.raises(ValueError):
        wrong(tofscope.model(histo, engine="cpu"))


def test_one_view_is_that_of_the_command(tmp_path, histo, random):
    image = tofscope.Image(random.random(histo.image_shape, dtype="float32"), histo.spacing_mm)
    image.save(str(tmp_path / "x.h5"))
    A = tofscope.model(histo, engine="cpu", kernel="variant1")
    tofscope.commands.run("project", tmp_path / "x.h5", tmp_path / "p.h5", op="forward", engine="cpu", azimuth=0, tilt=0)
    ours = A.part(0).forward(image.array, corrected=False)[0]
    numpy.testing.assert_allclose(ours, tofscope.open(tmp_path / "p.h5").array, rtol=1e-5, atol=1e-6)


def test_scipy_solves_with_it(histo, random):
    linalg = pytest.importorskip("scipy.sparse.linalg")
    A = tofscope.model(histo, engine="cpu")
    L = A.as_linear_operator()
    x = random.random(L.shape[1], dtype="float32")
    y = random.random(L.shape[0], dtype="float32")
    assert numpy.dot(L.matvec(x).astype(float), y) == pytest.approx(numpy.dot(x.astype(float), L.rmatvec(y)), rel=ADJOINT)
    solved = linalg.lsqr(L, L.matvec(numpy.ones(L.shape[1], "float32")), iter_lim=30)[0]
    assert numpy.abs(solved - 1).mean() < 0.1


def test_torch_differentiates_it(histo):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    A = tofscope.model(histo, engine="cpu")
    x = torch.tensor(A.start(), requires_grad=True)
    A.as_torch_function()(x).sum().backward()
    numpy.testing.assert_allclose(x.grad.numpy(), A.sensitivity(), rtol=1e-5)
