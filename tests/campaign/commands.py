"""What the campaigns share: small inputs, the commands that write from them, and how they are run.

Needs build/release, or the build folder that TOFSCOPE_BUILD names.
"""
import os
import pathlib
import shutil
import subprocess
import sys

BUILD = pathlib.Path(os.environ.get("TOFSCOPE_BUILD") or pathlib.Path(__file__).resolve().parents[2] / "build/release")
PROGRAM = BUILD / "bin/tofscope-cli"
SMALL = ("--views", "6x1", "--grid", "24x24x4", "--voxel", "16")
RINGS = ('{"kind":"rings","name":"small","rings":2,"crystals_per_ring":96,"radius_mm":300,"ring_spacing_mm":8,'
         '"segments":"ge","radial_bins":55,"angles_per_part":4}')
# Name of the command, its words; OUT is what it writes, and inputs() makes the rest.
ROWS = {
    "simulate": "simulate --scanner labr3 --phantom points --events 2000 --threads 2 OUT/list.h5",
    "simulate rings": "simulate --scanner rings.json --phantom spheres --events 2000 --grid 24x24x3 --voxel 16 OUT/s.h5",
    "bin": "bin list.h5 OUT/histo.h5 --views 6x1 --grid 24x24x4 --voxel 16 --threads 2",
    "bin frames": "bin list.h5 OUT/frames.h5 --views 6x1 --grid 24x24x4 --voxel 16 --frames 2x0.001s",
    "reconstruct frames": "reconstruct frames.h5 --out OUT/run.h5 --engine cpu --iterations 1 --threads 2",
    "bin lors": "bin list.h5 OUT/lines.h5 --to lors",
    "correct": "correct histo.h5 OUT/corrected.h5 --delayeds delayeds.h5",
    "reconstruct": "reconstruct histo.h5 --out OUT/run.h5 --engine cpu --iterations 2 --threads 2 --save-every 1",
    "reconstruct lines": "reconstruct lines.h5 --out OUT/run.h5 --engine cpu --iterations 1 --grid 24x24x4 --voxel 16",
    "reconstruct sinograms": "reconstruct sinograms.h5 --out OUT/run.h5 --engine cpu --iterations 1 --grid 24x24x4 --voxel 16",
    "study": "reconstruct OUT/a.tofstudy --engine cpu --iterations 2 --threads 2",
    "rois": "rois OUT/rois.json --phantom spheres",
    "convert hdf5": "convert image.nii.gz OUT/o.h5",
    "convert nifti": "convert image.h5 OUT/o.nii.gz",
    "convert interfile": "convert image.h5 OUT/o.hv",
    "convert dicom": "convert image.h5 OUT/o.dicom",
    "convert castor": "convert list.h5 OUT/o.cdh",
    "convert petsird": "convert list.h5 OUT/o.petsird",
    "read dicom": "convert image.dicom OUT/o.nii",
    "read interfile": "convert image.hv OUT/o.nii",
    "read castor": "convert events.cdh OUT/o.h5",
    "project": "project image.h5 OUT/forward.nii --op forward --engine cpu --kernel invariant",
    "measure-kernel": "measure-kernel list.h5 OUT/kernel.json --least-events 100",
    "kernel": "kernel variant1",
    "info": "info histo.h5",
    "analyze": "analyze run.h5 --rois rois.json",
}


def run(words, folder, **around):
    """Exit code (minus the signal where one ended it), output and errors."""
    done = subprocess.run([PROGRAM, *words], cwd=folder, capture_output=True, text=True, timeout=300,
                          env={**os.environ, "XDG_STATE_HOME": str(folder / "state"), **around})
    return done.returncode, done.stdout, done.stderr


def inputs(folder):
    """Makes what the rows read."""
    (folder / "rings.json").write_text(RINGS)
    for words in (
            "simulate --scanner labr3 --phantom points --events 3000 --delayeds delayeds.h5 list.h5",
            " ".join(("bin list.h5 histo.h5", *SMALL)), "bin list.h5 lines.h5 --to lors",
            ROWS["bin frames"].replace("OUT/", ""),
            "simulate --scanner rings.json --phantom spheres --events 2000 --grid 24x24x3 --voxel 16 sinograms.h5",
            "reconstruct histo.h5 --out run.h5 --engine cpu --iterations 1", "convert run.h5 image.h5",
            "convert image.h5 image.nii.gz", "convert image.h5 image.dicom", "convert image.h5 image.hv",
            "convert list.h5 events.cdh", "rois rois.json --phantom spheres"):
        code, _, said = run(words.split(), folder)
        if code != 0:
            sys.exit(f"tofscope-cli {words}: {said}")
    (folder / "a.tofstudy").mkdir()
    shutil.copy(folder / "histo.h5", folder / "a.tofstudy/data.h5")
    (folder / "a.tofstudy/study.json").write_text('{"version": 1, "settings": {}, "true_ratio": 6}')


def contents(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def left_in(folder):
    """Names of what commands that did not come to their end have left there."""
    return [p.name for p in pathlib.Path(folder).rglob("*") if p.name.endswith((".part", ".claim", ".kept", ".ckpt"))]
