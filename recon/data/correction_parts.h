// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recon/base/lattice.h"

namespace tof {

/// What a part of corrections is.
enum class PartName {
    Attenuation,   ///< share of pairs that survive, or the volume that attenuates
    Geometry,      ///< mult without the other factors
    Efficiencies,  ///< how well crystals record
    Delayeds,      ///< randoms, from coincidences of a delayed window
    Singles,       ///< randoms, from the crystals' singles
    DeadTime,      ///< share of photons that dead time and pile-up of blocks leave
    Scatter
};

/// What files call it: "randoms-delayeds".
[[nodiscard]] const char* partText(PartName name);
/// The part that files call so; none for any other word.
[[nodiscard]] std::optional<PartName> partNamed(std::string_view text);

/// What was found with a part; each figure only where it was found.
struct PartFigures {
    std::string from{};                     ///< the file or phantom that it was found from
    std::optional<double> efficiencySd{};   ///< standard deviation of the crystals', over their mean
    std::optional<double> alive{};          ///< mean share of a block's photons that are kept
    std::optional<double> randoms{};        ///< expected counts
    std::optional<double> scatter{};        ///< expected counts
    std::optional<double> singleScatter{};  ///< those scattered once, before they were scaled
    std::optional<double> scatterScale{};

    bool operator==(const PartFigures&) const = default;
};

/// A part of corrections, kept beside the sum that a reconstruction takes, so that it can be left out and
/// taken back without being found again.
struct CorrectionPart {
    PartName name = PartName::Geometry;
    std::string key{};  ///< hash of all that it was made from; equal keys, equal parts
    bool on = true;     ///< is in what a reconstruction takes
    PartFigures figures{};
    std::vector<float> values{};       ///< in the order of the counts: survival, factors of mult, or counts
    std::optional<Lattice> lattice{};  ///< that of a volume: what attenuates the lines of a list
    /// The factors of crystals that values are means of, where frames take means of their own; else empty.
    std::vector<float> crystals{};
};

struct CorrectionParts {
    std::vector<CorrectionPart> list;

    /// Null where there is none.
    [[nodiscard]] const CorrectionPart* find(PartName name) const;
    [[nodiscard]] CorrectionPart* find(PartName name);
};

}  // namespace tof
