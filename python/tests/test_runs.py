# SPDX-License-Identifier: Apache-2.0
"""Reconstructions: the program's own, and the same written with operators."""

import os
import signal
import threading
import time

import numpy
import pytest

import tofscope
from svrg import svrg  # python/examples


@pytest.mark.parametrize("prior", [{"name": "relative-difference", "beta": 0.05}, {"name": "quadratic", "beta": 0.5}])
def test_svrg_of_operators_is_the_programs(histo, prior):
    A = tofscope.model(histo, engine="cpu")
    ours = svrg(A, A.prior(**prior), 4, 4)
    run = tofscope.reconstruct(histo, algorithm="svrg", subsets=4, iterations=4, engine="cpu", prior=prior["name"],
                               beta=prior["beta"])
    assert numpy.abs(ours - run.image.array).max() <= 1e-5 * run.image.array.max()


def test_run_tells_and_keeps(tmp_path, histo):
    seen, shares = [], []
    run = tofscope.reconstruct(histo, algorithm="osem", subsets=3, iterations=3, engine="cpu", out=tmp_path / "run.h5",
                               iterate=lambda number, image: seen.append((number, float(image.array.sum()))),
                               progress=lambda what, share: shares.append(share))
    assert [number for number, _ in seen] == [1, 2, 3]
    assert run.iterations == 3 and "cpu" in run.engine
    assert all(0 <= share <= 1 for share in shares)
    stored = tofscope.open(tmp_path / "run.h5")
    numpy.testing.assert_array_equal(stored.image().array, run.image.array)
    assert stored.image(2).array.sum() == pytest.approx(seen[1][1], rel=1e-6)
    # By memory alone it is the same image.
    again = tofscope.reconstruct(histo, algorithm="osem", subsets=3, iterations=3, engine="cpu")
    numpy.testing.assert_array_equal(again.image.array, run.image.array)


def test_run_goes_on_from_an_image(histo):
    first = tofscope.reconstruct(histo, algorithm="mlem", iterations=2, engine="cpu")
    more = tofscope.reconstruct(histo, algorithm="mlem", iterations=2, engine="cpu", start=first.image)
    whole = tofscope.reconstruct(histo, algorithm="mlem", iterations=4, engine="cpu")
    numpy.testing.assert_allclose(more.image.array, whole.image.array, rtol=1e-6)


def test_what_a_callback_raises_ends_the_run(histo):
    def stop(number, _image):
        if number == 2:
            raise RuntimeError("enough")
    with pytest.raises(RuntimeError, match="enough"):
        tofscope.reconstruct(histo, algorithm="mlem", iterations=50, engine="cpu", iterate=stop)


def test_ctrl_c_ends_a_run_and_python_goes_on(histo):
    before = signal.getsignal(signal.SIGINT)
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        tofscope.reconstruct(histo, algorithm="mlem", iterations=100000, engine="cpu")
    assert time.monotonic() - start < 5
    assert signal.getsignal(signal.SIGINT) is before


def test_lock_is_released(histo):
    ticks = []

    def tick():
        while not done.wait(0.005):
            ticks.append(time.monotonic())

    done = threading.Event()
    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    tofscope.reconstruct(histo, algorithm="mlem", iterations=60, engine="cpu", threads=1)
    took = time.monotonic() - start
    done.set()
    thread.join()
    assert len(ticks) > 0.1 * took / 0.005


@pytest.mark.parametrize("settings, said", [
    ({"algorithm": "osm"}, "osem"), ({"iterations": 0}, "iterations"), ({"betta": 1}, "beta"), ({"kernel": "none.json"}, "none")])
def test_settings_are_checked_by_their_table(histo, settings, said):
    with pytest.raises(tofscope.errors.Error) as raised:
        tofscope.reconstruct(histo, engine="cpu", **settings)
    assert said in str(raised.value)


def test_table_of_settings_is_there():
    keys = [row["key"] for row in tofscope.settings()]
    assert {"algorithm", "beta", "kernel", "engine"} <= set(keys)
