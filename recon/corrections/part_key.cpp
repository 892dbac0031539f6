// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/part_key.h"

#include <algorithm>
#include <cstdint>

#include "recon/corrections/correct_scatter.h"

namespace tof {

PartKey& PartKey::bytes(std::span<const std::byte> all) {
    constexpr std::size_t kPiece = std::size_t{4} << 20U;
    if (all.size() <= kPiece) {
        hash_.add(all.data(), all.size());
        return *this;
    }
    std::vector<std::uint64_t> pieces((all.size() + kPiece - 1) / kPiece);
    pool_->forRange(pieces.size(), 1, [&](std::size_t i, std::size_t) {
        const auto piece = all.subspan(i * kPiece);
        pieces[i] = hashOf(piece.first(std::min(piece.size(), kPiece)));
    });
    hash_.add(pieces);
    return *this;
}

PartKey& PartKey::text(const std::string& words) {
    hash_.add(words.data(), words.size());
    return *this;
}

PartKey& PartKey::volume(const Volume& volume) {
    const Lattice& on = volume.lattice;
    values(volume.data).value(on.origin_mm.x).value(on.origin_mm.y).value(on.origin_mm.z);
    for (std::size_t k = 0; k < 3; ++k) {
        value(on.size[k]).value(on.spacing_mm[k]);
    }
    return *this;
}

PartKey& PartKey::of(const ScatterCorrection& settings) {
    const auto& [simulation, rounds, voxel_mm, fitTails, extension_mm] = settings;
    // Who adds up is no setting: all sums are the same.
    const auto& [detectorStep_mm, rowStep_mm, pointStep_mm, raySteps_mm, pairs, whoAddsUp] = simulation;
    static_cast<void>(whoAddsUp);
    return value(rounds)
        .value(voxel_mm)
        .value(fitTails)
        .value(extension_mm)
        .value(detectorStep_mm)
        .value(rowStep_mm)
        .value(pointStep_mm)
        .value(raySteps_mm)
        .value(pairs);
}

}  // namespace tof
