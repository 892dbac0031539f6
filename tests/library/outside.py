#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""outside.py BUILD [CMAKE]: the examples build and work outside the tree, with what libtofscope-dev installs alone.

  BUILD   the build folder, whose library is installed into a folder that is removed again
"""
import array
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit("%s: exit %d\n%s%s" % (" ".join(map(str, words)), done.returncode, done.stdout[-4000:], done.stderr[-4000:]))
    return done.stdout


def refused(sentence, *words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 1 or sentence not in done.stderr:
        sys.exit("%s: exit %d, says %r, not %r" % (words, done.returncode, done.stderr, sentence))


def floats(path, offset):
    values = array.array("f")
    values.frombytes(path.read_bytes()[offset:])
    return values


def nifti(path):
    return floats(path, 352)


def roughness(image):
    """Sum of squared differences of neighbours along x over the sum of squares."""
    return sum((a - b) ** 2 for a, b in zip(image, image[1:])) / sum(value * value for value in image)


def expect(true, sentence):
    if not true:
        sys.exit(sentence)


def main():
    build = pathlib.Path(sys.argv[1])
    cmake = sys.argv[2] if len(sys.argv) > 2 else "cmake"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        run(cmake, "--install", build, "--prefix", folder / "usr", "--component", "library")
        examples = next(folder.glob("usr/share/doc/*/examples"))
        run(cmake, "-S", examples, "-B", folder / "build", "-DCMAKE_PREFIX_PATH=%s" % (folder / "usr"))
        run(cmake, "--build", folder / "build", "--parallel", "2")
        check(folder, folder / "build", build / "bin" / "tofscope-cli")
    print("the examples build outside the tree, and their images are right")


def check(folder, programs, cli):
    scan, data = folder / "helix.h5", folder / "data.h5"
    expect("200000 events" in run(programs / "phantom", scan, "labr3-ideal", 200000), "the phantom's list is another")
    run(cli, "bin", scan, data, "--views", "8x1", "--grid", "48x48x16", "--voxel", "8")

    # Without its prior the example is MLEM, which the program has, too; sums have other orders there.
    run(programs / "prior", data, folder / "own.nii", 0, 10, 4)
    run(cli, "reconstruct", data, "--algorithm", "mlem", "--iterations", 4, "--engine", "cpu", "--out", folder / "run.h5")
    run(cli, "convert", folder / "run.h5", folder / "program.nii")
    own, program = nifti(folder / "own.nii"), nifti(folder / "program.nii")
    largest = max(program)
    apart = max(abs(a - b) for a, b in zip(own, program)) / largest
    expect(len(own) == len(program) and apart < 1e-4, "an image without a prior is %g of its maximum off" % apart)
    run(programs / "prior", data, folder / "smooth.nii", 0.01, 10, 4)
    smooth = nifti(folder / "smooth.nii")
    expect(roughness(smooth) < 0.8 * roughness(own), "the prior smooths nothing: %g and %g" % (roughness(smooth), roughness(own)))

    slab = folder / "own.slab"
    run(programs / "format", folder / "own.nii", slab)
    line = b"SLAB 48 48 16 8\n"
    expect(slab.read_bytes().startswith(line) and floats(slab, len(line)) == own, "a slab holds another image")
    run(programs / "format", slab, folder / "back.nii")
    expect(nifti(folder / "back.nii") == own, "a slab is read as another image")
    cut = folder / "cut.slab"
    cut.write_bytes(slab.read_bytes()[:1000])
    refused("ends before its 36864 voxels", programs / "format", cut, folder / "cut.nii")
    refused("usage: prior DATA.h5", programs / "prior")


if __name__ == "__main__":
    main()
