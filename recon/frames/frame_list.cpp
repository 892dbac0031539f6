// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/frame_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string_view>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/options.h"
#include "recon/base/text_file.h"
#include "recon/base/words.h"

namespace tof {

namespace {

constexpr std::size_t kMostFrames = 10000;
constexpr double kShortest_s = 1e-3;

/// Frames one after the other; nothing where the text is no list of them.
std::optional<std::vector<TimeFrame>> framesInTurn(const std::string& text) {
    std::vector<TimeFrame> frames;
    constexpr double kPerSecond = 1e6;  // so that sums of many frames stay the numbers that one writes
    double next_s = 0;
    for (const std::string& part : parts(text, ',')) {
        const std::size_t times = part.find('x');
        const std::optional<int> count =
            times == std::string::npos ? 1 : numberFrom<int>(std::string_view(part).substr(0, times));
        const std::optional<double> duration_s =
            secondsFrom(std::string_view(part).substr(times == std::string::npos ? 0 : times + 1));
        if (!count || !duration_s || *count < 1 ||
            static_cast<std::size_t>(*count) + frames.size() > kMostFrames) {
            return std::nullopt;
        }
        for (int i = 0; i < *count; ++i) {
            frames.push_back({next_s, *duration_s});
            next_s = std::round((next_s + *duration_s) * kPerSecond) / kPerSecond;
        }
    }
    return frames.empty() ? std::nullopt : std::optional(frames);
}

std::vector<TimeFrame> framesOfSidecar(const std::string& path) {
    const nlohmann::json sidecar = parseJson(readTextFile(path), path);
    const auto column = [&](const char* key) {
        const auto found = sidecar.is_object() ? sidecar.find(key) : sidecar.end();
        const bool numbers =
            found != sidecar.end() && found->is_array() &&
            std::all_of(found->begin(), found->end(), [](const auto& value) { return value.is_number(); });
        if (!numbers) {
            throw BadInput(
                "{}: '{}' is no list of numbers; give the sidecar of a dynamic BIDS image, times "
                "in s",
                path, key);
        }
        return found->template get<std::vector<double>>();
    };
    const std::vector<double> starts = column("FrameTimesStart");
    const std::vector<double> durations = column("FrameDuration");
    if (starts.size() != durations.size()) {
        throw BadInput("{}: has {} of 'FrameTimesStart' and {} of 'FrameDuration'; give one of each a frame",
                       path, starts.size(), durations.size());
    }
    std::vector<TimeFrame> frames;
    for (std::size_t i = 0; i < starts.size(); ++i) {
        frames.push_back({starts[i], durations[i]});
    }
    return frames;
}

std::vector<TimeFrame> framesOfTable(const std::string& path) {
    std::vector<TimeFrame> frames;
    std::size_t line = 0;
    std::array<std::size_t, 2> columns{0, 1};
    for (const std::string& row : parts(readTextFile(path), '\n')) {
        ++line;
        const std::vector<std::string> words = tof::words(row);
        if (words.empty() || words.front().starts_with('#')) {
            continue;
        }
        if (frames.empty() && !numberFrom<double>(words.front())) {  // names of columns
            const auto named = [&](std::initializer_list<const char*> names) {
                const auto found = std::find_if(words.begin(), words.end(), [&](const std::string& word) {
                    return std::any_of(names.begin(), names.end(), [&](const char* name) {
                        return word.find(name) != std::string::npos;
                    });
                });
                return static_cast<std::size_t>(found - words.begin());
            };
            columns = {named({"start", "onset"}), named({"duration"})};
            if (std::max(columns[0], columns[1]) < words.size()) {
                continue;
            }
        }
        std::array<std::optional<double>, 2> numbers;
        for (std::size_t i = 0; i < 2; ++i) {
            numbers[i] = columns[i] < words.size() ? numberFrom<double>(words[columns[i]]) : std::nullopt;
        }
        if (!numbers[0] || !numbers[1]) {
            throw BadInput("{}: line {} ('{}') says no frame; give its start and duration in s", path, line,
                           row.substr(0, 40));
        }
        frames.push_back({*numbers[0], *numbers[1]});
    }
    return frames;
}

}  // namespace

std::optional<double> secondsFrom(std::string_view text) {
    struct Unit {
        std::string_view name;
        double seconds;
    };
    static constexpr std::array<Unit, 4> kUnits{{{"ms", 1e-3}, {"min", 60}, {"h", 3600}, {"s", 1}}};
    for (const Unit& unit : kUnits) {
        if (text.ends_with(unit.name)) {
            const std::optional<double> number =
                numberFrom<double>(text.substr(0, text.size() - unit.name.size()));
            return number ? std::optional(*number * unit.seconds) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::vector<TimeFrame> framesFrom(const std::string& text) {
    const std::filesystem::path path(text);
    std::vector<TimeFrame> frames;
    if (std::optional<std::vector<TimeFrame>> inTurn = framesInTurn(text)) {
        frames = std::move(*inTurn);
    } else if (path.extension() == ".json") {
        frames = framesOfSidecar(text);
    } else if (std::error_code ignored; path.has_extension() && std::filesystem::exists(path, ignored)) {
        frames = framesOfTable(text);
    } else {
        throw WrongUse(
            "--frames: '{}' is neither frames, as 12x10s,8x30s,5x5min (ms, s, min or h; 10000 at "
            "most), nor a file (.tsv, .json)",
            text.substr(0, 80));
    }
    requireFrames(frames, text.substr(0, 80));
    return frames;
}

void requireFrames(const std::vector<TimeFrame>& frames, const std::string& source) {
    if (frames.empty() || frames.size() > kMostFrames) {
        throw BadInput("{}: names {} frames; 1 to {} can be made", source, frames.size(), kMostFrames);
    }
    if (const std::string fault = framesFault(frames); !fault.empty()) {
        throw BadInput("{}: {}; correct its times", source, fault);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
        if (!(frames[i].start_s >= 0) || !(frames[i].duration_s >= kShortest_s)) {
            throw BadInput(
                "{}: frame {} begins before the scan or is shorter than 1 ms; count from its start", source,
                frameText(frames, i));
        }
    }
}

std::string frameText(const std::vector<TimeFrame>& frames, std::size_t index) {
    const TimeFrame& frame = frames.at(index);
    return fmt::format("{} ({:g} to {:g} s)", index + 1, frame.start_s, frame.end_s());
}

std::vector<int> frameNumbers(const std::string& option, const std::string& text, int count) {
    std::vector<bool> chosen(static_cast<std::size_t>(count), text.empty());
    for (const std::string& part : parts(text, ',')) {
        const std::size_t dash = part.find('-');
        const std::optional<int> first = numberFrom<int>(std::string_view(part).substr(0, dash));
        const std::optional<int> last =
            dash == std::string::npos ? first : numberFrom<int>(std::string_view(part).substr(dash + 1));
        if (!first || !last || *first < 1 || *last < *first || *last > count) {
            throw WrongUse("{}: '{}' names no frames of these data; give numbers from 1 to {}, as 3-{}",
                           option, part, count, std::max(count, 3));
        }
        std::fill(chosen.begin() + (*first - 1), chosen.begin() + *last, true);
    }
    std::vector<int> numbers;
    for (int i = 0; i < count; ++i) {
        if (chosen[static_cast<std::size_t>(i)]) {
            numbers.push_back(i + 1);
        }
    }
    return numbers;
}

}  // namespace tof
