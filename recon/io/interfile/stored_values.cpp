// SPDX-License-Identifier: Apache-2.0
#include "recon/io/interfile/stored_values.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "recon/base/error.h"
#include "recon/io/interfile/interfile_header.h"

namespace tof {

namespace {

/// Keys of other writers for slope and intercept; at most one pair may say something.
constexpr std::array<std::pair<const char*, const char*>, 4> kScales{{
    {"data rescale slope", "data rescale offset"},  // CASToR
    {"rescale slope", "rescale intercept"},         // as in DICOM
    {"%image slope", "%image intercept"},           // Siemens
    {"scale factor", "scale factor offset"},        // Siemens e7
}};

void readScale(const InterfileHeader& header, int frame, StoredValues& values) {
    const char* used = nullptr;
    for (const auto& [slopeKey, interceptKey] : kScales) {
        const auto number = [&, frame](const char* key, double fallback) {
            const bool own = header.find(key, frame).has_value();
            return header.number(key, own ? frame : 0, fallback);
        };
        const double slope = number(slopeKey, 1);
        const double intercept = number(interceptKey, 0);
        if (slope == 1 && intercept == 0) {
            continue;
        }
        if (slope == 0) {
            header.fail(slopeKey, "is 0, which leaves no values; correct it");
        }
        if (used != nullptr) {
            header.fail(slopeKey,
                        fmt::format("stands beside '{}'; leave the one that is not meant out", used));
        }
        used = slopeKey;
        values.slopes = {slope};
        values.intercept = intercept;
    }
}

/// One factor, or one per slice.
std::vector<double> factorsOf(const InterfileHeader& header, int frame, std::uint64_t slices) {
    std::vector<double> factors = header.list("image scaling factor", frame);
    if (factors.empty()) {
        factors = header.list("image scaling factor", 0);
    }
    if (factors.size() > 1 && factors.size() != slices) {
        header.fail(
            "image scaling factor",
            fmt::format("has {} values for {} slices; give one, or one per slice", factors.size(), slices));
    }
    return factors.empty() ? std::vector<double>{1.0} : factors;
}

/// Bytes before a frame: as said, or behind the frames before it.
std::uint64_t offsetOf(const InterfileHeader& header, int frame, std::uint64_t bytes) {
    constexpr std::uint64_t kBlock = 2048;  // Interfile 3.3 says so
    const std::uint64_t blocks = header.whole("data starting block", 0, 0);
    if (header.find("data offset in bytes", frame)) {
        return header.whole("data offset in bytes", frame);
    }
    const std::uint64_t before =
        header.whole("data offset in bytes", header.find("data offset in bytes", 1) ? 1 : 0, kBlock * blocks);
    return before + static_cast<std::uint64_t>(frame - 1) * bytes;
}

/// Keys that would have to be undone before the values can be read.
void refusePacked(const InterfileHeader& header) {
    for (const char* key : {"data compression", "data encode", "%compression"}) {
        const std::string value = normalKey(header.text(key, "none"));
        if (value != "none" && value != "off" && value != "no") {
            header.fail(key, fmt::format("is '{}'; store the values as they are", value));
        }
    }
}

}  // namespace

int frameCount(const InterfileHeader& header) {
    constexpr std::uint64_t kMost = 100000;
    std::string several;
    std::uint64_t frames = 1;
    for (const char* key :
         {"number of time frames", "number of frames", "number of frame groups", "number of image data types",
          "number of energy windows", "number of time gates", "number of gates",
          "number of respiratory gates", "number of cardiac gates", "number of detector heads"}) {
        const std::uint64_t count = header.whole(key, 0, 1);
        if (count <= 1 || key == several) {
            continue;
        }
        if (!several.empty()) {
            header.fail(
                key, fmt::format("is {} beside '{}': a file of frames of frames is not read; split it", count,
                                 several));
        }
        if (count > kMost) {
            header.fail(key, fmt::format("is {}; correct it", count));
        }
        several = key;
        frames = count;
    }
    return static_cast<int>(frames);
}

int chosenFrame(const InterfileHeader& header, int asked, ChoiceBy by) {
    const int frames = frameCount(header);
    if (asked == 0 && frames > 1) {
        throw BadInput("{}: holds {} frames, --frame 1 to --frame {}; {}", header.path(), frames, frames,
                       choiceRemedy(by, "--frame"));
    }
    if (asked > frames) {
        throw BadInput("{}: has no frame {}, it holds {}; choose one of these with --frame", header.path(),
                       asked, frames);
    }
    return asked == 0 ? 1 : asked;
}

StoredValues storedValues(const InterfileHeader& header, int frame, std::uint64_t slices, std::uint64_t count,
                          StatedFactor use) {
    refusePacked(header);
    StoredValues values;
    values.file = header.dataFile();
    values.type = header.numberType();
    values.order = header.byteOrder();
    values.offset = offsetOf(header, frame, count * numberBytes(values.type));
    readScale(header, frame, values);
    std::vector<double> factors = factorsOf(header, frame, slices);
    const std::string units = header.text("quantification units", "1");
    const std::optional<double> unitFactor = parseNumber(units);
    if (unitFactor && !(*unitFactor > 0)) {
        header.fail("quantification units", fmt::format("is {}; a factor is above 0, correct it", units));
    }
    if (!unitFactor) {
        values.units = units;
    }
    if (unitFactor && use == StatedFactor::Applied) {
        values.statedFactor = *unitFactor;
    }
    bool factored = false;
    for (double& factor : factors) {
        if (!(factor > 0)) {
            header.fail("image scaling factor",
                        fmt::format("is {:g}; values are scaled by what is above 0, correct it", factor));
        }
        factor *= values.statedFactor;
        factored = factored || factor != 1;
        factor *= values.slopes.front();
    }
    if (factored && values.intercept != 0) {
        header.fail(
            "image scaling factor",
            "stands beside an offset of the values, and which comes first is not said; apply one of them");
    }
    values.slopes = std::move(factors);
    return values;
}

std::string quantificationNote(const InterfileHeader& header, const char* what, StatedFactor use) {
    const char* const key = "quantification units";
    const double factor = parseNumber(header.text(key, "")).value_or(1);
    if (factor == 1 && use == StatedFactor::Left) {
        refuseNoFactor(header.path());
    }
    return factor == 1 ? "" : header.path() + ": " + statedFactorNote(what, key, factor, use);
}

}  // namespace tof
