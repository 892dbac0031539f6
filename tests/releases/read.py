#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""read.py PROGRAMS [--write FOLDER]: this build reads what every release wrote (docs/releases.md).

Each folder tests/releases/VERSION has files that tests/releases/make wrote with that version, and `expected.json`: what `info`
said of each, and the SHA-256 of the images' voxels. Every field must be told again, though there may be new ones; voxels must be
the same to the bit; and the files must serve the commands that they were made for, a run its continuation, too.
  --write FOLDER   writes expected.json for the files there, once for a release
"""
import argparse
import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
IMAGES = ("run.h5", "dynamic.h5")
# Told by their own command alone.
NO_INFO = ("singles.h5",)
# Commands that must serve, in this order: they are given in a copy of the folder, and OUT stands for a new file.
COMMANDS = (
    "bin list.h5 OUT.h5 --views 3x1 --grid 8x8x4 --voxel 40 --mu none",
    "bin list.h5 OUT.h5 --to lors --grid 8x8x4 --voxel 40",
    "bin panel-list.h5 OUT.h5 --to panel",
    "correct histo.h5 OUT.h5 --singles singles.h5",
    "reconstruct histo.h5 --out OUT.h5 --iterations 1 --kernel kernel.json",
    "reconstruct frames.h5 --out OUT.h5 --iterations 1 --kernel invariant",
    "reconstruct sinograms.h5 --out OUT.h5 --iterations 1",
    "reconstruct lines.h5 --out OUT.h5 --iterations 1",
    "reconstruct panel.h5 --out OUT.h5 --iterations 1 --algorithm osem",
    "analyze run.h5 --rois rois.json",
    "reconstruct histo.h5 --out run.h5 --iterations 2 --kernel invariant --resume",
)


class Cli:
    def __init__(self, programs):
        self.program = str(pathlib.Path(programs).resolve() / "tofscope-cli")

    def __call__(self, words, folder):
        """(standard output, fault): the fault is empty where the command succeeded."""
        done = subprocess.run([self.program, *words], cwd=folder, capture_output=True, text=True, check=False)
        return done.stdout, "" if done.returncode == 0 else done.stderr.strip()

    def info(self, folder, name):
        said, fault = self(["info", "--json", name], folder)
        return json.loads(said) if not fault else {"fault": fault}

    def voxels(self, folder, name):
        """SHA-256 of the image as NIfTI without its header, which may tell more one day."""
        fault = self(["convert", name, "voxels.nii"], folder)[1]
        if fault:
            return fault
        image = folder / "voxels.nii"
        digest = hashlib.sha256(image.read_bytes()[352:]).hexdigest()
        for file in folder.glob("voxels*"):
            file.unlink()
        return digest


def told(cli, folder):
    names = sorted(file.name for file in folder.glob("*.h5") if file.name not in NO_INFO)
    return {"info": {name: cli.info(folder, name) for name in names},
            "voxels": {name: cli.voxels(folder, name) for name in IMAGES}}


def faults_of(cli, folder, version):
    expected = json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    now = told(cli, folder)
    for name, fields in expected["info"].items():
        for key, value in fields.items():
            if now["info"][name].get(key) != value:
                yield "%s/%s: %s is %r, not %r" % (version, name, key, now["info"][name].get(key, now["info"][name]), value)
    for name, digest in expected["voxels"].items():
        if now["voxels"][name] != digest:
            yield "%s/%s: voxels are not those that were written: %s" % (version, name, now["voxels"][name])
    for number, command in enumerate(COMMANDS):
        fault = cli(command.replace("OUT", "new-%d" % number).split(), folder)[1]
        if fault:
            yield "%s: %s: %s" % (version, command, fault)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("programs")
    arguments.add_argument("--write", type=pathlib.Path)
    given = arguments.parse_args()
    cli = Cli(given.programs)
    if given.write:
        (given.write / "expected.json").write_text(json.dumps(told(cli, given.write), indent=1) + "\n", encoding="utf-8")
        return 0
    releases = sorted(folder for folder in HERE.iterdir() if (folder / "expected.json").exists())
    faults = [] if releases else ["no release has files"]
    for release in releases:
        with tempfile.TemporaryDirectory() as temporary:
            copy = pathlib.Path(temporary) / release.name
            shutil.copytree(release, copy)
            faults += faults_of(cli, copy, release.name)
    print("\n".join("FAULT " + fault for fault in faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
