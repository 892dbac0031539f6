// SPDX-License-Identifier: Apache-2.0
// Sinograms of Interfile, read whole.
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/interfile/sinogram_counts.h"

namespace tof {

namespace {

/// Bins of planes that the file does not have were not measured.
void maskMissing(const OpenSinograms& open, std::vector<float>& mult) {
    if (open.isWhole()) {
        return;
    }
    std::vector<float> seen(open.michelogram().bins(), 0.0F);
    forEachBin(open.michelogram(), open.layout, open.missing,
               [&](std::size_t ours) { seen[ours] = mult.empty() ? 1.0F : mult[ours]; });
    mult = std::move(seen);
}

/// Peak of reading, and of the data as they are afterwards.
std::uint64_t bytesToRead(const OpenSinograms& open, const SinogramReadOptions& options) {
    const Michelogram& m = open.michelogram();
    std::uint64_t perBin = sizeof(float) + options.moreBytesPerBin;
    perBin += open.hasSums() && options.multiplicity != Multiplicity::No ? sizeof(float) : 0;
    perBin +=
        open.layout.crystals.empty() ? 0 : 2 * sizeof(std::uint32_t) + (m.timeBins() > 1 ? sizeof(float) : 0);
    return m.bins() * perBin;
}

}  // namespace

InterfileSinograms readInterfileSinograms(const std::string& path, const SinogramReadOptions& options) {
    OpenSinograms open(path, options);
    requireMemory(path, bytesToRead(open, options));
    SinogramData& data = open.result.data;
    data.counts.assign(open.michelogram().bins(), 0.0F);
    open.scan(options, data.counts);
    if (open.weighs()) {
        data.mult = pairMultiplicity(open.michelogram());
    }
    maskMissing(open, data.mult);
    open.result.crystals = std::move(open.layout.crystals);
    return std::move(open.result);
}

}  // namespace tof
