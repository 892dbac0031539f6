// SPDX-License-Identifier: Apache-2.0
// Fourier rebinning: lines of every tilt become sinograms of slices (Defrise, Kinahan, Townsend, Michel,
// Sibomana and Newport, IEEE Trans. Med. Imaging 16 (1997) 145).
#pragma once

#include "recon/base/parallel.h"
#include "recon/nema/oblique_lines.h"
#include "recon/nema/slice_sinograms.h"

namespace tof {

/// Adds to `into`, whose bins are those of the lines' field, what flat lines of all sources would have
/// counted; the sum is that of the lines where all of them could be recorded.
///
/// Lines of one tilt, whose tangent is t, at the height z are a sinogram over s and phi. Its Fourier
/// transform at (omega, k) comes from where lines are k / omega beyond their middle, by the principle of
/// stationary phase, so that it belongs to the slice at z + t k / omega. Heights between slices are
/// interpolated straight. Every (omega, k) is the mean over all groups of lines that can be recorded at that
/// height, weighted by the solid angle of their tilts, which is what groups count of one source. Beyond |k| =
/// omega r, r the farthest source, there are none, and nothing is kept. Waves longer than the field is wide,
/// and the shortest one, whose sign is not known, come from lines whose middles lie within a slice of any
/// source.
///
/// The method is exact to first order in t times the ratio of a source's frequency along z to that across it:
/// what is small along z, far off the axis and seen by steep lines is widened along z.
///
/// Memory: a complex float for every slice that the steepest lines reach, half a window's bins and angle of
/// the lines, and a half more for the grid's own. The pool is asked whether to go on between slices.
/// Throws WrongUse where bins differ.
void rebinFourier(const ObliqueLines& lines, const ThreadPool& pool, SliceSinograms& into);

}  // namespace tof
