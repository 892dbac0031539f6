// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/scanner/michelogram.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Geometric efficiencies of the crystal pairs of GE RDF 9, of a normalisation or a geometry (UCL/STIR,
/// BinNormalisationFromGEHDF5.cxx and GEHDF5Wrapper.cxx).
class Rdf9Geometry {
  public:
    /// Nothing for files without factors. Throws BadInput.
    [[nodiscard]] static std::optional<Rdf9Geometry> read(const std::string& path);

    /// The efficiency of a pair of crystals, numbered as coincidences of lists are, in STIR's scale; 0 for
    /// pairs beyond the table.
    [[nodiscard]] double of(std::uint32_t crystal1, std::uint32_t crystal2) const;

  private:
    Rdf9Geometry(int rings, int places) : rings_(rings), places_(places) {}
    /// Row of a table for rings as the file counts them, of the crystals that STIR calls first and second.
    [[nodiscard]] std::size_t rowOf(int ring1, int ring2) const;
    /// Planes of the segment of ring differences 2 k and 2 k + 1; of -1 to 1 where k is 0.
    [[nodiscard]] int planesOf(int k) const { return 2 * rings_ - 1 - 4 * k; }

    int rings_;
    int places_;
    std::array<std::uint64_t, 2> size_{};  ///< rows and radial bins of a table
    bool alike_ = false;                   ///< rows are views, and all planes are alike
    std::vector<std::vector<float>> tables_;
};

struct Rdf9BinEfficiencies {
    std::vector<float> values;  ///< by bin of the michelogram, the same in all of its time bins
    std::string note;           ///< what is not applied
};

/// Efficiency of every bin: the sum over its crystal pairs of both crystals' efficiencies x the geometric one
/// of the pair. `scanner`: that of the list, whose crystals are numbered as GE's are. Throws BadInput for
/// files that are no normalisation of GE, and for another scanner's.
[[nodiscard]] Rdf9BinEfficiencies rdf9BinEfficiencies(const std::string& path, const Michelogram& m,
                                                      const Scanner& scanner, const ThreadPool& pool);

}  // namespace tof
