// SPDX-License-Identifier: Apache-2.0
// Figures that NEMA's standards define, and those that a scanner's description says were published.
#pragma once

#include <string>
#include <vector>

#include "recon/scanner/scanner.h"

namespace tof {

/// A figure of the standard; `key` as descriptions have it.
struct NemaFigure {
    const char* key;
    const char* words;
    const char* unit;
};
[[nodiscard]] const std::vector<NemaFigure>& nemaFigures();
/// Throws WrongUse with the keys and what was meant.
[[nodiscard]] const NemaFigure& nemaFigure(const std::string& key);

struct PublishedFigure {
    std::string key;
    double value = 0;    ///< in the figure's unit
    std::string source;  ///< paper, page or table
};
/// "published" of a scanner's description: [{"figure", "value", "source"}]; empty where there is none. Throws
/// BadInput.
[[nodiscard]] std::vector<PublishedFigure> publishedFigures(const Scanner& scanner);

}  // namespace tof
