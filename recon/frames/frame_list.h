// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "recon/data/time_frame.h"

namespace tof {

/// A time with its unit, in s: "10s", "1.5min", "200ms", "2h"; nothing where it is none.
[[nodiscard]] std::optional<double> secondsFrom(std::string_view text);

/// The frames that a person writes: "12x10s,8x30s,5x5min", one after the other from the start of the scan, in
/// ms, s, min or h; or the name of a file: the sidecar of a BIDS image (.json: FrameTimesStart and
/// FrameDuration), or a table whose columns are start and duration in s (.tsv, with a line of names or
/// without). Throws WrongUse for text that is neither, BadInput for files that say no frames.
[[nodiscard]] std::vector<TimeFrame> framesFrom(const std::string& text);

/// Throws BadInput, naming `source`, unless frames follow one another from 0 on, without overlap, each at
/// least 1 ms long, and there are 1 to 10,000.
void requireFrames(const std::vector<TimeFrame>& frames, const std::string& source);

/// "3 (20 to 30 s)", for sentences; `index` counts from 0.
[[nodiscard]] std::string frameText(const std::vector<TimeFrame>& frames, std::size_t index);

/// The numbers, from 1 to `count`, that "3-10" or "1,4-6" names, ascending; all of them for an empty text.
/// Throws WrongUse naming `option`.
[[nodiscard]] std::vector<int> frameNumbers(const std::string& option, const std::string& text, int count);

}  // namespace tof
