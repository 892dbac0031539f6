// SPDX-License-Identifier: Apache-2.0
// How the values of an Interfile header are stored and what they mean. Internal to recon/io.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/format/format.h"

namespace tof {

class InterfileHeader;

/// value = stored x slope + intercept.
struct StoredValues {
    std::string file;
    std::uint64_t offset = 0;  ///< bytes before the first value
    NumberType type = NumberType::Float32;
    ByteOrder order = ByteOrder::Big;
    std::vector<double> slopes{1.0};  ///< one, or one per slice
    double intercept = 0;
    std::string units;        ///< units of the header, where they are a text
    double statedFactor = 1;  ///< within the slopes: 'quantification units' that are a number
};

/// How many frames lie in the file one behind the other: time frames, or gates, or kinds of data, or energy
/// windows. Throws BadInput where two of these are several.
[[nodiscard]] int frameCount(const InterfileHeader& header);

/// The frame to read, from 1: `asked`, or the only one where that is 0. Throws BadInput naming the option.
[[nodiscard]] int chosenFrame(const InterfileHeader& header, int asked, ChoiceBy by);

/// The values of frame `frame` (from 1) with `count` values in `slices` slices. Throws BadInput for keys that
/// change values in a way that is not read, or that contradict each other.
[[nodiscard]] StoredValues storedValues(const InterfileHeader& header, int frame, std::uint64_t slices,
                                        std::uint64_t count, StatedFactor use = StatedFactor::Applied);

/// The sentence about 'quantification units' that are a number other than 1, or empty. Throws WrongUse where
/// there is none and it shall be left out.
[[nodiscard]] std::string quantificationNote(const InterfileHeader& header, const char* what,
                                             StatedFactor use);

}  // namespace tof
