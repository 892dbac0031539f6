// SPDX-License-Identifier: Apache-2.0
#include "recon/frames/gates.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/text_file.h"
#include "recon/base/words.h"

namespace tof {

namespace {

constexpr int kMostGates = 100;

struct Sample {
    double time_s = 0;
    double value = 0;
};

/// Where the first of these names stands in a line of names.
std::size_t columnOf(const std::vector<std::string>& names, std::initializer_list<std::string_view> wanted) {
    const auto found = std::find_if(names.begin(), names.end(), [&](const std::string& name) {
        return std::any_of(wanted.begin(), wanted.end(),
                           [&](std::string_view one) { return name.find(one) != std::string::npos; });
    });
    return static_cast<std::size_t>(found - names.begin());
}

/// Rows of the file; a trigger has no value.
std::vector<Sample> samplesOf(const GateRequest& request) {
    const std::size_t needed = request.by == GateBy::Phase ? 1 : 2;
    const char* const what =
        request.by == GateBy::Phase ? "the time of a trigger in s" : "a time in s and a value";
    std::vector<Sample> samples;
    std::size_t time = 0;
    std::size_t value = 1;
    std::size_t number = 0;
    for (const std::string& line : parts(readTextFile(request.file), '\n')) {
        ++number;
        const std::vector<std::string> words = tof::words(line);
        if (words.empty() || words.front().starts_with('#')) {
            continue;
        }
        if (samples.empty() && !numberFrom<double>(words.front())) {  // names of columns
            time = columnOf(words, {"time", "onset", "trigger"});
            value = columnOf(words, {"value", "amplitude"});
            if (time < words.size() && (needed == 1 || value < words.size())) {
                continue;
            }
        }
        const auto numberAt = [&](std::size_t column) {
            return column < words.size() ? numberFrom<double>(words[column]) : std::nullopt;
        };
        const std::optional<double> at = numberAt(time);
        const std::optional<double> level = needed == 1 ? 0.0 : numberAt(value);
        if (!at || !level || !std::isfinite(*at) || !std::isfinite(*level)) {
            throw BadInput("{}: line {} ('{}') is not {}; correct it", request.file, number,
                           line.substr(0, 40), what);
        }
        if (!samples.empty() && *at <= samples.back().time_s) {
            throw BadInput("{}: line {} is at {:g} s, not after the {:g} s before it; sort the lines by time",
                           request.file, number, *at, samples.back().time_s);
        }
        samples.push_back({*at, *level});
    }
    if (samples.size() < 2) {
        throw BadInput("{}: has {} lines of {}; at least two are needed", request.file, samples.size(), what);
    }
    return samples;
}

std::vector<Sample> triggersOfList(const GateRequest& request, const std::string& list) {
    if (!request.triggers_s) {
        throw WrongUse(
            "{}: triggers are read from the tags of Siemens 32-bit lists alone; give --gates a file of times",
            list);
    }
    if (request.by != GateBy::Phase) {
        throw WrongUse("--gates {} are triggers, which have no amplitude; leave --gate-by out", request.file);
    }
    if (request.triggers_s->size() < 2) {
        throw BadInput("{}: has {} {} triggers in its tags; at least two are needed, give --gates a file",
                       list, request.triggers_s->size(), request.file);
    }
    std::vector<Sample> samples;
    for (const double time_s : *request.triggers_s) {
        samples.push_back({time_s, 0});
    }
    return samples;
}

/// Adds to the last time where it goes on.
void append(std::vector<GateTime>& gates, const GateTime& next) {
    if (!(next.end_s > next.begin_s)) {
        return;
    }
    if (!gates.empty() && gates.back().gate == next.gate && gates.back().end_s == next.begin_s) {
        gates.back().end_s = next.end_s;
    } else {
        gates.push_back(next);
    }
}

std::vector<GateTime> byPhase(const std::vector<Sample>& triggers, int count) {
    std::vector<GateTime> gates;
    for (std::size_t i = 0; i + 1 < triggers.size(); ++i) {
        const double begin_s = triggers[i].time_s;
        const double step_s = (triggers[i + 1].time_s - begin_s) / count;
        for (int gate = 0; gate < count; ++gate) {
            const double end_s = gate + 1 < count ? begin_s + (gate + 1) * step_s : triggers[i + 1].time_s;
            append(gates, {begin_s + gate * step_s, end_s, gate + 1});
        }
    }
    return gates;
}

std::vector<GateTime> byAmplitude(const std::vector<Sample>& signal, int count, const std::string& file) {
    std::vector<double> values(signal.size());
    std::transform(signal.begin(), signal.end(), values.begin(), [](const Sample& one) { return one.value; });
    std::sort(values.begin(), values.end());
    std::vector<double> edges;  // between bands
    for (int k = 1; k < count; ++k) {
        const double place = static_cast<double>(k) / count * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(place);
        const double above = values[std::min(below + 1, values.size() - 1)];
        edges.push_back(values[below] + (place - std::floor(place)) * (above - values[below]));
    }
    if (std::adjacent_find(edges.begin(), edges.end()) != edges.end()) {
        throw BadInput("{}: its values are too alike for {} bands; give fewer gates", file, count);
    }
    std::vector<GateTime> gates;
    for (std::size_t i = 0; i + 1 < signal.size(); ++i) {
        const Sample& a = signal[i];
        const Sample& b = signal[i + 1];
        std::vector<double> times{a.time_s};  // of crossings
        for (const double edge : edges) {
            if ((a.value < edge) != (b.value < edge)) {
                times.push_back(a.time_s + (b.time_s - a.time_s) * ((edge - a.value) / (b.value - a.value)));
            }
        }
        std::sort(times.begin(), times.end());
        times.push_back(b.time_s);
        for (std::size_t k = 0; k + 1 < times.size(); ++k) {
            const double share = (0.5 * (times[k] + times[k + 1]) - a.time_s) / (b.time_s - a.time_s);
            const double middle = a.value + share * (b.value - a.value);
            const auto band = std::upper_bound(edges.begin(), edges.end(), middle) - edges.begin();
            append(gates, {times[k], times[k + 1], static_cast<int>(band) + 1});
        }
    }
    return gates;
}

}  // namespace

std::vector<GateTime> gatesFrom(const GateRequest& request, const std::string& list) {
    if (request.count < 2 || request.count > kMostGates) {
        throw WrongUse("--gate-count is {}; 2 to {} gates can be made", request.count, kMostGates);
    }
    const std::vector<Sample> samples = request.ofList() ? triggersOfList(request, list) : samplesOf(request);
    return request.by == GateBy::Phase ? byPhase(samples, request.count)
                                       : byAmplitude(samples, request.count, request.file);
}

}  // namespace tof
