// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "recon/io/bytes/random_file.h"
#include "recon/io/interfile/sinogram_counts.h"

namespace tof {

/// Sinograms of Interfile that are read a part at a time, however large the file is. Any number of threads
/// may read.
class SinogramStream {
  public:
    /// Looks at every count once. Null where the scanner is no cylinder or the numbers are packed: those are
    /// read whole. Throws as readInterfileSinograms() does, but for the memory.
    [[nodiscard]] static std::unique_ptr<SinogramStream> open(const std::string& path,
                                                              const SinogramReadOptions& options);

    /// All but counts and mult.
    [[nodiscard]] InterfileSinograms& outline() { return open_.result; }
    [[nodiscard]] bool narrow() const { return open_.narrow(); }
    /// Whether bins have factors.
    [[nodiscard]] bool weighs() const { return open_.weighs() || !open_.isWhole(); }
    /// The bins from `first` on in the michelogram's order: all radial and time bins of some planes.
    void counts(std::uint64_t first, std::span<float> out) const;
    void mult(std::uint64_t first, std::span<float> out) const;

  private:
    /// A plane of the michelogram in the file.
    struct Place {
        bool there = false;
        std::size_t before = 0;  ///< planes of the segments before its own
        std::size_t of = 0;      ///< planes of its segment
        std::size_t at = 0;      ///< its number in the segment
    };

    explicit SinogramStream(OpenSinograms open);
    /// Calls fill(slot, plane, bins) for each plane of the part.
    template <class Fill>
    void forPlanes(std::uint64_t first, std::span<float> out, const Fill& fill) const;
    /// Number of the first stored value of a row of radial bins.
    [[nodiscard]] std::size_t rowOf(const Place& place, int view, int timeBin) const;

    OpenSinograms open_;
    RandomFile file_;
    std::vector<Place> places_;
    std::vector<float> across_;  ///< [slot][radial]: pairs that mashing adds up
};

}  // namespace tof
