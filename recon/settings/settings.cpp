// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/suggestion.h"

namespace tof {

namespace {

using Kind = SettingKind;

std::vector<SettingInfo> makeTable() {
    return {
        {"algorithm",
         Kind::Choice,
         "ramla",
         "Algorithm",
         "",
         0,
         0,
         {"ramla", "osem", "mlem"},
         "How the image is updated: RAMLA with relaxation, OSEM, or MLEM (all views at once)."},
        {"engine",
         Kind::Choice,
         "auto",
         "Engine",
         "",
         0,
         0,
         {"auto", "cpu", "fftw", "cuda", "cufft"},
         "Where projections are computed; auto takes cuda when there is a device, else cpu."},
        {"strategy",
         Kind::Text,
         "",
         "Strategy",
         "",
         0,
         0,
         {},
         "Which of the engine's projection kernels is used; empty takes its default."},
        {"kernel",
         Kind::Text,
         "variant1",
         "Kernel",
         "",
         0,
         0,
         {},
         "SR kernel: a preset name (one's own: preset:NAME), a JSON file, or JSON text.",
         DataKind::HistoImages},
        {"iterations", Kind::Integer, "20", "Iterations", "", 1, 100000, {}, "Passes through all the data."},
        {"relaxation",
         Kind::Number,
         "0.03",
         "Relaxation \u03bb\u2080",
         "",
         1e-6,
         10,
         {},
         "RAMLA's first step size lambda0; 1 would be a full OSEM step per view."},
        {"gamma",
         Kind::Number,
         "0",
         "Decay \u03b3",
         "",
         0,
         1000,
         {},
         "RAMLA's step in pass k (from 0) is lambda0 / (1 + gamma k)."},
        {"subsets",
         Kind::Integer,
         "0",
         "Subsets",
         "",
         0,
         100000,
         {},
         "Blocks per pass; 0 makes every view a block. MLEM always has one."},
        {"seed",
         Kind::Integer,
         "1",
         "Seed",
         "",
         0,
         2147483647,
         {},
         "Chooses the first view of the geometric block order."},
        {"threads",
         Kind::Integer,
         "0",
         "Threads",
         "",
         0,
         1024,
         {},
         "Compute threads of host engines; 0 takes every core."},
        {"memory-limit",
         Kind::Number,
         "0",
         "Memory limit",
         "GiB",
         0,
         65536,
         {},
         "Most memory the engine may take; 0 leaves it to the machine."},
        {"device", Kind::Integer, "0", "Device", "", 0, 255, {}, "Index of the CUDA device."},
        {"projector",
         Kind::Choice,
         "siddon",
         "Line projector",
         "",
         0,
         0,
         {"siddon", "joseph"},
         "Ring data: how lines cross voxels, by exact lengths or by interpolation.",
         DataKind::Lines},
        {"rays",
         Kind::Integer,
         "1",
         "Rays per bin",
         "",
         1,
         16,
         {},
         "Ring data: lines across the width of a radial bin that are averaged.",
         DataKind::Lines},
        {"psf",
         Kind::Number,
         "0",
         "PSF FWHM",
         "mm",
         0,
         100,
         {},
         "Ring data: FWHM of the Gaussian blur in the image model; 0 is none.",
         DataKind::Lines},
        {"fov-radius",
         Kind::Number,
         "0",
         "FOV radius",
         "mm",
         0,
         10000,
         {},
         "Ring data: lines are followed only this near the axis; 0 is no limit.",
         DataKind::Lines},
        {"spectrum",
         Kind::Choice,
         "sampled",
         "Spectrum",
         "",
         0,
         0,
         {"sampled", "analytic"},
         "Fourier engines: transform of the truncated sampled kernel, or the Gaussian's own.",
         DataKind::HistoImages},
        {"pad",
         Kind::Text,
         "auto",
         "Zero padding",
         "voxels",
         0,
         0,
         {},
         "Fourier engines: off (wraps round), auto, or voxels added along x,y,z, as in 16,16,8.",
         DataKind::HistoImages},
    };
}

double parseNumber(const SettingInfo& info, const std::string& value) {
    double result = 0;
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), result);
    const bool whole = fault == std::errc() && end == value.data() + value.size() && std::isfinite(result);
    if (!whole || (info.kind == Kind::Integer && result != std::floor(result))) {
        throw WrongUse(fmt::format("setting '{}' is '{}'; it must be a {}", info.key, value,
                                   info.kind == Kind::Integer ? "whole number" : "number"));
    }
    if (result < info.low || result > info.high) {
        throw WrongUse(fmt::format("setting '{}' is {}; it must lie between {:g} and {:g}{}{}", info.key,
                                   value, info.low, info.high, info.unit.empty() ? "" : " ", info.unit));
    }
    return result;
}

Padding parsePadding(const std::string& value) {
    Padding padding;
    if (value == "off" || value == "auto") {
        padding.mode = value == "off" ? Padding::Mode::Off : Padding::Mode::Auto;
        return padding;
    }
    padding.mode = Padding::Mode::ByHand;
    const char* at = value.data();
    const char* const end = at + value.size();
    for (int axis = 0; axis < 3; ++axis) {
        const auto [next, fault] = std::from_chars(at, end, padding.voxels[axis]);
        const bool separated = axis == 2 ? next == end : next != end && *next == ',';
        if (fault != std::errc() || !separated || padding.voxels[axis] < 0 || padding.voxels[axis] > 4096) {
            throw WrongUse(
                fmt::format("setting 'pad' is '{}'; it must be off, auto, or three numbers of voxels "
                            "(0 to 4096) as in 16,16,8",
                            value));
        }
        at = next + 1;
    }
    return padding;
}

/// The value in its one spelling ("0.50" becomes "0.5"); throws WrongUse unless it is allowed for the row.
std::string canonical(const SettingInfo& info, const std::string& value) {
    if (info.kind == Kind::Integer || info.kind == Kind::Number) {
        return fmt::format("{}", parseNumber(info, value));
    }
    if (info.kind == Kind::Choice &&
        std::find(info.choices.begin(), info.choices.end(), value) == info.choices.end()) {
        throw WrongUse(fmt::format("setting '{}' is '{}'{} (choices: {})", info.key, value,
                                   suggestion(value, info.choices), fmt::join(info.choices, ", ")));
    }
    if (info.key == "pad") {
        static_cast<void>(parsePadding(value));
    }
    return value;
}

}  // namespace

bool appliesTo(const SettingInfo& info, DataKind data) {
    return !info.only || *info.only == data;
}

const std::vector<SettingInfo>& settingsTable() {
    static const std::vector<SettingInfo> table = makeTable();
    return table;
}

const SettingInfo& settingInfo(const std::string& key) {
    const auto& table = settingsTable();
    const auto it =
        std::find_if(table.begin(), table.end(), [&](const SettingInfo& s) { return s.key == key; });
    if (it == table.end()) {
        std::vector<std::string> keys;
        std::transform(table.begin(), table.end(), std::back_inserter(keys),
                       [](const auto& s) { return s.key; });
        throw WrongUse(fmt::format("no setting '{}'{}", key, suggestion(key, keys)));
    }
    return *it;
}

RunSettings::RunSettings() {
    for (const SettingInfo& info : settingsTable()) {
        values_[info.key] = info.fallback;
    }
}

void RunSettings::set(const std::string& key, const std::string& value) {
    values_[key] = canonical(settingInfo(key), value);
}

const std::string& RunSettings::get(const std::string& key) const {
    return values_.at(settingInfo(key).key);
}

double RunSettings::number(const std::string& key) const {
    return parseNumber(settingInfo(key), get(key));
}

int RunSettings::integer(const std::string& key) const {
    return static_cast<int>(number(key));
}

std::uint64_t RunSettings::seed() const {
    return static_cast<std::uint64_t>(number("seed"));
}

bool RunSettings::isDefault(const std::string& key) const {
    return get(key) == settingInfo(key).fallback;
}

AlgorithmSettings RunSettings::algorithm() const {
    AlgorithmSettings out;
    out.kind = algorithmFromName(get("algorithm"));
    out.iterations = integer("iterations");
    out.relaxation = number("relaxation");
    out.gamma = number("gamma");
    out.subsets = integer("subsets");
    return out;
}

EngineOptions RunSettings::engineOptions() const {
    EngineOptions out;
    out.strategy = get("strategy");
    out.threads = integer("threads");
    out.spectrum = get("spectrum") == "analytic" ? Spectrum::Analytic : Spectrum::Sampled;
    out.padding = parsePadding(get("pad"));
    out.memoryLimitBytes = static_cast<std::size_t>(number("memory-limit") * 1024 * 1024 * 1024);
    out.device = integer("device");
    return out;
}

KernelSpec RunSettings::kernel() const {
    return KernelSpec::parse(get("kernel"), "setting 'kernel'");
}

std::string RunSettings::toJson() const {
    nlohmann::ordered_json out;
    for (const SettingInfo& info : settingsTable()) {
        const std::string& value = get(info.key);
        if (info.kind == Kind::Integer) {
            out[info.key] = integer(info.key);
        } else if (info.kind == Kind::Number) {
            out[info.key] = number(info.key);
        } else {
            out[info.key] = value;
        }
    }
    return out.dump();
}

RunSettings RunSettings::fromJson(const std::string& text, const std::string& source) {
    const nlohmann::json root = parseJson(text, source);
    if (!root.is_object()) {
        throw BadInput(fmt::format("{}: expected an object in braces", source));
    }
    RunSettings settings;
    for (const auto& [key, value] : root.items()) {
        try {
            settings.set(key, value.is_string() ? value.get<std::string>() : value.dump());
        } catch (const WrongUse& fault) {
            throw BadInput(fmt::format("{}: {}", source, fault.what()));
        }
    }
    return settings;
}

}  // namespace tof
