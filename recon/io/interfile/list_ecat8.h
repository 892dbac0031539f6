// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "recon/data/line_data.h"

namespace tof {

class InterfileHeader;

/// What the words of a Siemens ECAT8 list-mode file are.
struct Ecat8Words {
    std::uint64_t words = 0;
    std::uint64_t prompts = 0;
    std::uint64_t delayeds = 0;
    std::uint64_t timeTags = 0;
    std::uint64_t otherTags = 0;
    std::uint64_t backwards = 0;  ///< times that lie before the one before them
    std::uint64_t announced = 0;  ///< words the header promises
    std::uint32_t firstTime_ms = 0;
    std::uint32_t lastTime_ms = 0;
};

/// What a tag says of a block of singles.
struct Ecat8Singles {
    std::uint32_t time_ms = 0;
    std::uint32_t block = 0;
    double rate = 0;  ///< photons a second
};

struct Ecat8Options {
    bool partial = false;     ///< read a truncated file as far as it goes
    int segments = 0;         ///< keep only the first segments of the header's table; 0: all
    double meanDepth_mm = 7;  ///< added to the header's crystal radius
    bool sinograms = true;    ///< fill counts and mult of Ecat8Result::data
    bool events = false;      ///< fill Ecat8Result::prompts
    /// Fill prompts_ms and delayeds_ms; prompts that none of the segments holds are in `prompts` as kNoCell
    /// (recon/data/framed_counts.h) then. Fill `singles`, too.
    bool moments = false;
    /// With moments: get bins and times of prompts and of delayeds, so many at a time, in the place of what
    /// Ecat8Result would have of them.
    std::function<void(std::span<const std::uint32_t> bins, std::span<const std::uint32_t> time_ms)>
        takePrompts{};
    std::function<void(std::span<const std::uint32_t> bins, std::span<const std::uint32_t> time_ms)>
        takeDelayeds{};
};

struct Ecat8Result {
    /// Prompts; mult is the number of crystal pairs of a bin. Places of a ring that no event met in a file of
    /// more than 50 events per place are the scanner's gaps.
    SinogramData data;
    std::vector<std::uint32_t> prompts;   ///< bin of each in the order of the file, when they are to be kept
    std::vector<std::uint32_t> delayeds;  ///< bin of each
    /// When each was, by the time tag before it, ms since the first one; where they are asked for.
    std::vector<std::uint32_t> prompts_ms;
    std::vector<std::uint32_t> delayeds_ms;
    /// Triggers in the tags, likewise: breathing's that turn a gate on, and R waves of the heart.
    std::vector<std::uint32_t> respiratory_ms;
    std::vector<std::uint32_t> cardiac_ms;
    Ecat8Words words;
    /// Photons a second of every block of singles, by its number, means over the list; empty where the header
    /// does not say their number and scale, or the list has none.
    std::vector<double> blockSingles;
    /// The tags that blockSingles are means of, in the order of the file; where moments are asked for.
    std::vector<Ecat8Singles> singles;
    std::string note;  ///< what a user should know of the header, one sentence, or empty
};

/// Photons a second of every block from `start_s` to `end_s` since the first time tag: the mean of its tags
/// then, else what the tag nearest to the middle says. Empty where blockSingles are.
[[nodiscard]] std::vector<double> ecat8SinglesBetween(const Ecat8Result& list, double start_s, double end_s);

/// A length of a scanner, in cm under `key`. Throws BadInput for one beyond the limits.
[[nodiscard]] double scannerLength_mm(const InterfileHeader& header, const char* key, double least_mm,
                                      double most_mm);

/// Segments of a span in the order in which Siemens counts planes, rings as its files count them: 0, -1, +1,
/// -2, ... of ring 2 - ring 1, where ring 1 is that of the crystal Michelogram::placesOf() names first.
/// (STIR: CListEventECAT8_32bit, InterfileHeaderSiemens; a list of an mMR of an object 26 mm off the axis
/// says so, too.) Throws WrongUse.
[[nodiscard]] std::vector<RingSegment> siemensSegments(int rings, int span, int maxDifference);

/// True for the header of Siemens list-mode, whatever its words are.
[[nodiscard]] bool isEcat8(const InterfileHeader& header);

/// Adds what the header tells; the words are not read.
void describeEcat8(const InterfileHeader& header, nlohmann::ordered_json& info);

/// Reads a Siemens 32-bit list-mode file through its header (`PETLINK bin address`): counts prompts in the
/// sinograms that the header describes, and delayeds. Throws BadInput, also when the file is shorter than
/// promised and `partial` is not set.
[[nodiscard]] Ecat8Result readEcat8(const std::string& headerPath, const Ecat8Options& options);

}  // namespace tof
