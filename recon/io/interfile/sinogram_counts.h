// SPDX-License-Identifier: Apache-2.0
// Sinograms of a file before and while their counts are read. Internal to recon/io.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "recon/io/interfile/sinogram_interfile.h"
#include "recon/io/interfile/sinogram_layout.h"
#include "recon/io/interfile/stored_values.h"

namespace tof {

class OpenSinograms {
  public:
    SinogramLayout layout;
    std::vector<int> missing;  ///< missingPlanes()
    StoredValues stored;
    InterfileSinograms result;  ///< without counts and mult; scan() says what the counts tell

    /// Throws as readInterfileSinograms() does, but for the memory.
    OpenSinograms(const std::string& path, const SinogramReadOptions& options);

    [[nodiscard]] const Michelogram& michelogram() const { return *result.data.michelogram; }
    /// Bins of the file, without those of planes that it does not have.
    [[nodiscard]] std::size_t storedBins() const;
    [[nodiscard]] bool isWhole() const { return storedBins() == michelogram().bins(); }
    /// True when bins are sums of different numbers of crystal pairs, or of several.
    [[nodiscard]] bool hasSums() const;
    /// Passes by every count of the file. `counts` gets them in the michelogram's order; nothing does where
    /// it is empty.
    void scan(const SinogramReadOptions& options, std::span<float> counts);
    /// Whether the number of crystal pairs is part of the efficiency, after scan().
    [[nodiscard]] bool weighs() const { return weighs_; }
    /// Whether counts are whole numbers of 16 bits, after scan().
    [[nodiscard]] bool narrow() const { return narrow_; }

  private:
    /// As the options or the numbers themselves say; tells what was taken.
    bool tellWeights(const SinogramReadOptions& options);

    bool weighs_ = false;
    bool narrow_ = false;
};

}  // namespace tof
