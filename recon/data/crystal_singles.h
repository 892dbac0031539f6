// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace tof {

/// How much photons leave in a block when no others come, in even bins of energy.
struct BlockSpectra {
    double bin_keV = 0;            ///< width of a bin; the first one begins at 0
    std::vector<double> deposits;  ///< by bin: photons that make a block busy; the last bin has all above
    /// By bin, as many as deposits: photons whose partner is within the energy window, of pairs that did not
    /// scatter on lines that the scanner takes.
    std::vector<double> partners;

    [[nodiscard]] bool known() const { return bin_keV > 0; }
    void add(const BlockSpectra& other) {
        bin_keV = other.bin_keV;
        deposits.resize(other.deposits.size());
        partners.resize(other.partners.size());
        for (std::size_t i = 0; i < other.deposits.size(); ++i) {
            deposits[i] += other.deposits[i];
            partners[i] += other.partners[i];
        }
    }
};

/// Photons that the crystals of a scanner saw one by one, as its singles counters say.
struct CrystalSingles {
    std::vector<double> recorded;  ///< by crystal: within the energy window, while its block was alive
    /// By block (CrystalModule::group): photons that it took time for, whatever their energy; empty: not
    /// known.
    std::vector<double> busy;
    double duration_s = 0;    ///< that they were counted for
    std::string scannerJson;  ///< description of the scanner
    BlockSpectra spectra{};   ///< not known unless photons pile up in blocks
};

}  // namespace tof
