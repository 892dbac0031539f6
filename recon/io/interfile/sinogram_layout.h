// SPDX-License-Identifier: Apache-2.0
// What the headers of STIR's projection data say of scanner, sampling and order. Internal to recon/io.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "recon/base/vec3.h"
#include "recon/scanner/michelogram.h"

namespace tof {

class InterfileHeader;

/// Bins of a file and where they are in ours.
struct SinogramLayout {
    /// It is in the patient's axes, but for scanners that are no cylinder: there it only orders the bins.
    MichelogramSpec spec;
    std::vector<int> planes;     ///< per segment, in the order of the file
    std::vector<int> timeBins;   ///< ours, in the order of the file
    bool viewsOutside = false;   ///< per segment: view, plane, bin; else plane, view, bin
    bool ringsReversed = false;  ///< the first plane of the file is the last of ours
    std::string note;            ///< what was assumed, or empty
    std::vector<Vec3> crystals;  ///< reference points where the scanner is no cylinder, in the patient's axes
};

/// True for the header of sinograms as Siemens' e7 writes them (.s.hdr).
[[nodiscard]] bool isSiemensSinograms(const InterfileHeader& header);

/// Throws BadInput naming key and remedy.
[[nodiscard]] SinogramLayout readSinogramLayout(const InterfileHeader& header);

/// Planes that the ring differences make, but the file does not have, at either end of each segment: STIR
/// centres a segment on the scanner. Throws BadInput when its planes do not fit so.
[[nodiscard]] std::vector<int> missingPlanes(const std::string& path, const Michelogram& michelogram,
                                             const SinogramLayout& layout);

/// Calls move(bin of ours) for every bin in the order of the file. `missing` is missingPlanes().
template <typename Move>
void forEachBin(const Michelogram& m, const SinogramLayout& layout, const std::vector<int>& missing,
                const Move& move) {
    std::vector<std::size_t> first{0};  // plane of every segment
    for (std::size_t plane = 1; plane < m.sinograms().size(); ++plane) {
        if (m.sinograms()[plane].segment != m.sinograms()[plane - 1].segment) {
            first.push_back(plane);
        }
    }
    first.push_back(m.sinograms().size());
    for (const int k : layout.timeBins) {
        for (std::size_t segment = 0; segment + 1 < first.size(); ++segment) {
            const auto skipped = static_cast<std::size_t>(missing[segment]);
            const std::size_t count = first[segment + 1] - first[segment] - 2 * skipped;
            const auto views = static_cast<std::size_t>(m.angles());
            for (std::size_t i = 0; i < count * views; ++i) {
                const std::size_t view = layout.viewsOutside ? i / count : i % views;
                const std::size_t place = layout.viewsOutside ? i % count : i / views;
                const std::size_t plane =
                    first[segment] + skipped + (layout.ringsReversed ? count - 1 - place : place);
                for (int bin = 0; bin < m.radialBins(); ++bin) {
                    move(m.index(m.slotOfAngle(static_cast<int>(view)), plane, bin, k));
                }
            }
        }
    }
}

}  // namespace tof
