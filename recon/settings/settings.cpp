// SPDX-License-Identifier: Apache-2.0
#include "recon/settings/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "recon/base/built_in.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/option_values.h"
#include "recon/base/suggestion.h"
#include "recon/settings/image_grid.h"

namespace tof {

namespace {

// ---- values as text ----

std::string paddingText(const Padding& padding) {
    switch (padding.mode) {
        case Padding::Mode::Off: return "off";
        case Padding::Mode::Auto: return "auto";
        case Padding::Mode::ByHand: break;
    }
    return fmt::format("{}", fmt::join(padding.voxels, ","));
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

/// Padding has a text of its own, all else is as in any table of options.
template <typename T>
std::string settingText(const T& value, const std::vector<std::string>& choices) {
    if constexpr (std::is_same_v<T, Padding>) {
        return paddingText(value);
    } else {
        return textOf(value, choices);
    }
}

template <typename T>
T settingValue(const std::string& text, const std::vector<std::string>& choices) {
    if constexpr (std::is_same_v<T, Padding>) {
        return parsePadding(text);
    } else {
        return valueOf<T>(text, choices);
    }
}

/// The row of a member: what kind it is and where it starts follow from the struct.
template <typename T, typename Owner>
SettingInfo row(T Owner::*member, OptionInfo info, SettingRole role = {}) {
    info.kind = info.choices.empty() ? kKindOf<T> : OptionKind::Choice;
    info.fallback = settingText(RunSettings().*member, info.choices);
    SettingInfo setting{std::move(info), std::move(role), {}, {}};
    setting.read = [member, choices = setting.choices](const RunSettings& s) {
        return settingText(s.*member, choices);
    };
    setting.write = [member, choices = setting.choices](RunSettings& s, const std::string& text) {
        s.*member = settingValue<T>(text, choices);
    };
    return setting;
}

// ---- the table ----

std::map<std::string, std::string> aboutAlgorithms() {
    std::map<std::string, std::string> about;
    for (const Algorithm* const algorithm : algorithms()) {
        about[algorithm->name] = algorithm->about;
    }
    return about;
}

std::map<std::string, std::string> aboutPriors() {
    std::map<std::string, std::string> about;
    for (const Prior* const prior : priors()) {
        about[prior->name] = prior->about;
    }
    return about;
}

std::vector<SettingInfo> makeTable() {
    using S = RunSettings;
    const SettingRole histo{.system = "histo"};
    const SettingRole lines{.system = "lines"};
    const SettingRole common{.common = true};
    const SettingRole mayDiffer{.mayDiffer = true};
    return {
        row(&S::algorithmName,
            {.key = "algorithm",
             .label = toTranslate("Word", "Algorithm"),
             .choices = algorithmNames(),
             .about = aboutAlgorithms(),
             .help =
                 toTranslate("Word",
                             "How the image is updated: RAMLA, OSEM and MLEM go by the counts alone, NEGML, "
                             "AML and analytic without a floor at zero, the others by a prior as well.")},
            common),
        row(&S::engine,
            {.key = "engine",
             .label = toTranslate("Word", "Engine"),
             .choices = {"auto", "cpu", "fftw", "cuda", "cufft"},
             .about =
                 {{"auto",
                   toTranslate("Word",
                               "cuda where there is a device, else cpu, or fftw where it is much faster")},
                  {"cpu", toTranslate("Word", "this computer's cores; every system and kernel")},
                  {"fftw", toTranslate("Word", "Fourier transforms; any kernel, as a sum of invariant ones")},
                  {"cuda", toTranslate("Word", "an NVIDIA device; every system and kernel")},
                  {"cufft", toTranslate("Word",
                                        "Fourier transforms on an NVIDIA device; any kernel, as a sum of "
                                        "invariant ones")}},
             .help = toTranslate("Word",
                                 "Where projections are computed; auto takes cuda when there is a device, "
                                 "else cpu, or fftw for kernels that it takes much faster.")},
            common),
        row(&S::strategy,
            {.key = "strategy",
             .label = toTranslate("Word", "Strategy"),
             .help = toTranslate(
                 "Word", "Which of the engine's projection kernels is used; empty takes its default.")}),
        row(&S::kernelText,
            {.key = "kernel",
             .label = toTranslate("Word", "Kernel"),
             .help = toTranslate(
                 "Word", "SR kernel: a preset name (one's own: preset:NAME), a JSON file, or JSON text.")},
            histo),
        row(&S::iterations,
            {.key = "iterations",
             .label = toTranslate("Word", "Iterations"),
             .low = 1,
             .high = 100000,
             .help = toTranslate("Word", "Passes through all the data.")},
            {.common = true, .mayDiffer = true}),
        row(&S::relaxation,
            {.key = "relaxation",
             .label = toTranslate("Word", "Relaxation λ₀"),
             .low = 1e-6,
             .high = 10,
             .help = toTranslate("Word",
                                 "RAMLA's first step size lambda0; 1 would be a full OSEM step per view.")},
            common),
        row(&S::gamma,
            {.key = "gamma",
             .label = toTranslate("Word", "Decay γ"),
             .high = 1000,
             .help = toTranslate("Word", "RAMLA's step in pass k (from 0) is lambda0 / (1 + gamma k).")}),
        row(&S::subsets,
            {.key = "subsets",
             .label = toTranslate("Word", "Subsets"),
             .high = 100000,
             .help =
                 toTranslate("Word",
                             "Blocks per pass; with 0 RAMLA has one for every view, the others as many as "
                             "the counts allow. MLEM always has one.")},
            common),
        row(&S::priorName,
            {.key = "prior",
             .label = toTranslate("Word", "Prior"),
             .choices = priorNames(),
             .about = aboutPriors(),
             .help = toTranslate("Word",
                                 "With a prior: which differences between neighbours cost, and how much.")},
            common),
        row(&S::beta,
            {.key = "beta",
             .label = toTranslate("Word", "Strength β"),
             .high = 1e6,
             .help = toTranslate(
                 "Word",
                 "With a prior: its weight beside the data, the same at any number of counts; 0 is none.")},
            {.common = true, .slideLow = 1e-4, .slideHigh = 1}),
        row(&S::kappa,
            {.key = "kappa",
             .label = toTranslate("Word", "Even resolution κ"),
             .choices = {"on", "off"},
             .help = toTranslate(
                 "Word",
                 "Makes the prior as strong in each voxel as its sensitivity, for a resolution that is "
                 "alike everywhere.")}),
        row(&S::priorGamma,
            {.key = "prior-gamma",
             .label = toTranslate("Word", "Edges γ"),
             .high = 1000,
             .help = toTranslate(
                 "Word", "Relative difference: how far large differences are let be; 0 not at all.")}),
        row(&S::priorEpsilon,
            {.key = "prior-epsilon",
             .label = toTranslate("Word", "Smoothness ε"),
             .low = 1e-9,
             .high = 1000,
             .help = toTranslate(
                 "Word",
                 "Relative difference: values that are small beside it have no relation; counted in "
                 "the mean of the image.")}),
        row(&S::priorDelta,
            {.key = "prior-delta",
             .label = toTranslate("Word", "Edges from δ"),
             .low = 1e-9,
             .high = 1e6,
             .help =
                 toTranslate("Word",
                             "Huber, log-cosh, total variation: the difference from which on it is an edge; "
                             "counted in the mean of the image.")}),
        row(&S::anatomy,
            {.key = "anatomy",
             .label = toTranslate("Word", "Anatomy"),
             .help = toTranslate(
                 "Word",
                 "Image file (CT, MR, label map) on the lattice of the reconstruction, or several with "
                 "a ; between: a prior smooths between voxels that are alike there; empty is none.")}),
        row(&S::bowsher,
            {.key = "bowsher",
             .label = toTranslate("Word", "Neighbours kept"),
             .low = 1,
             .high = 26,
             .help = toTranslate("Word",
                                 "Anatomy: of the 26 neighbours of a voxel so many that are most alike there "
                                 "count (Bowsher).")}),
        row(&S::step, {.key = "step",
                       .label = toTranslate("Word", "Step"),
                       .low = 1e-6,
                       .high = 10,
                       .help = toTranslate(
                           "Word", "BSREM, SVRG: the first iteration's size of step; 1 is that of OSEM.")}),
        row(&S::stepDecay,
            {.key = "step-decay",
             .label = toTranslate("Word", "Decay of steps"),
             .high = 1000,
             .help = toTranslate("Word",
                                 "BSREM, SVRG: the step in iteration k (from 0) is step / (1 + decay k).")}),
        row(&S::psi,
            {.key = "psi",
             .label = toTranslate("Word", "Least variance ψ"),
             .low = 1e-6,
             .high = 1e9,
             .help = toTranslate("Word",
                                 "NEGML: counts of a datum below which it is weighed as if so many were "
                                 "expected; more takes more bias from cold regions and adds noise.")}),
        row(&S::lowerBound,
            {.key = "lower-bound",
             .label = toTranslate("Word", "Lower bound"),
             .low = 1e-6,
             .high = 1e6,
             .help = toTranslate("Word",
                                 "AML: no value is below minus so many times that of a uniform image; more "
                                 "takes more bias from cold regions and adds noise.")}),
        row(&S::filterSteps,
            {.key = "filter-steps",
             .label = toTranslate("Word", "Filter's steps"),
             .low = 1,
             .high = 1e6,
             .help = toTranslate("Word",
                                 "Analytic: as many steps of Landweber's method as the filter does at once; "
                                 "more is sharper and noisier.")}),
        row(&S::resolution_mm,
            {.key = "resolution",
             .label = toTranslate("Word", "Blur"),
             .unit = "mm",
             .high = 1000,
             .help = toTranslate("Word", "Analytic: the FWHM of a Gaussian beside the filter; 0 is none.")}),
        row(&S::objective,
            {.key = "objective",
             .label = toTranslate("Word", "Objective"),
             .choices = {"off", "on"},
             .help =
                 toTranslate("Word",
                             "Tells log-likelihood and prior of every iterate, for another projection of all "
                             "data; kept in the run file.")}),
        row(&S::stop,
            {.key = "stop",
             .label = toTranslate("Word", "Stop at change"),
             .high = 1,
             .help = toTranslate("Word",
                                 "The run ends once no voxel changes by more than this share of the largest "
                                 "value in an iteration; 0 makes all iterations.")},
            mayDiffer),
        row(&S::seed, {.key = "seed",
                       .label = toTranslate("Word", "Seed"),
                       .high = 2147483647,
                       .help = toTranslate("Word", "Chooses the first view of the geometric block order.")}),
        row(&S::threads,
            {.key = "threads",
             .label = toTranslate("Word", "Threads"),
             .high = 1024,
             .help = toTranslate("Word", "Compute threads of host engines; 0 takes every core.")},
            mayDiffer),
        row(&S::memoryLimit_GiB,
            {.key = "memory-limit",
             .label = toTranslate("Word", "Memory limit"),
             .unit = "GiB",
             .high = 65536,
             .help = toTranslate("Word", "Most memory the engine may take; 0 leaves it to the machine.")},
            mayDiffer),
        row(&S::device,
            {.key = "device",
             .label = toTranslate("Word", "Device"),
             .high = 255,
             .help = toTranslate("Word", "Index of the CUDA device.")},
            mayDiffer),
        row(&S::projector,
            {.key = "projector",
             .label = toTranslate("Word", "Line projector"),
             .choices = {"siddon", "joseph"},
             .about = {{"siddon", toTranslate("Word", "exact lengths of the line in each voxel")},
                       {"joseph",
                        toTranslate("Word", "interpolation between voxels, plane by plane; smoother")}},
             .help = toTranslate("Word",
                                 "Ring data: how lines cross voxels, by exact lengths or by interpolation.")},
            lines),
        row(&S::rays,
            {.key = "rays",
             .label = toTranslate("Word", "Rays per bin"),
             .low = 1,
             .high = 16,
             .help =
                 toTranslate("Word", "Ring data: lines across the width of a radial bin that are averaged.")},
            lines),
        row(&S::axialRays,
            {.key = "axial-rays",
             .label = toTranslate("Word", "Axial rays per bin"),
             .choices = {"1", "2", "3", "4", "5", "6", "8", "12", "16", "planes"},
             .about = {{"planes", toTranslate("Word", "one for each image plane, as STIR does")}},
             .help = toTranslate("Word",
                                 "Ring data: lines across the width of a ring that are averaged; planes "
                                 "takes one per image plane, as STIR does.")},
            lines),
        row(&S::grid,
            {.key = "grid",
             .label = toTranslate("Word", "Image grid"),
             .unit = toTranslate("Word", "voxels"),
             .help = toTranslate(
                 "Word", "Ring data: voxels of the image, as in 128x128x63; empty takes the data's grid.")},
            lines),
        row(&S::voxel,
            {.key = "voxel",
             .label = toTranslate("Word", "Voxel size"),
             .unit = "mm",
             .help = toTranslate(
                 "Word", "Ring data: edge of the image's voxels, as 4 or 4x4x2; empty takes the data's.")},
            lines),
        row(&S::psf_mm,
            {.key = "psf",
             .label = toTranslate("Word", "PSF FWHM"),
             .unit = "mm",
             .high = 100,
             .help =
                 toTranslate("Word", "Ring data: FWHM of the Gaussian blur in the image model; 0 is none.")},
            lines),
        row(&S::psfModel,
            {.key = "psf-model",
             .label = toTranslate("Word", "PSF model"),
             .choices = {"even", "scanner"},
             .about = {{"even", toTranslate("Word", "the PSF FWHM everywhere")},
                       {"scanner",
                        toTranslate("Word", "widths by place, as photons in the scanner's crystals say")}},
             .help =
                 toTranslate("Word",
                             "Ring data: even blurs the image alike everywhere; scanner blurs it by place, "
                             "as the crystals of the list's scanner do, and by the PSF besides.")},
            lines),
        row(&S::fovRadius_mm,
            {.key = "fov-radius",
             .label = toTranslate("Word", "FOV radius"),
             .unit = "mm",
             .high = 10000,
             .help = toTranslate("Word",
                                 "Ring data: lines are followed only this near the axis; 0 is no limit.")},
            lines),
        row(&S::spectrum,
            {.key = "spectrum",
             .label = toTranslate("Word", "Spectrum"),
             .choices = {"sampled", "analytic"},
             .about = {{"sampled",
                        toTranslate("Word",
                                    "transform of the kernel as its table has it; equals the other engines")},
                       {"analytic", toTranslate("Word", "transform of the Gaussian itself, not cut off")}},
             .help = toTranslate(
                 "Word",
                 "Fourier engines: transform of the truncated sampled kernel, or the Gaussian's own.")},
            histo),
        row(&S::padding,
            {.key = "pad",
             .label = toTranslate("Word", "Zero padding"),
             .unit = toTranslate("Word", "voxels"),
             .help = toTranslate(
                 "Word",
                 "Fourier engines: off (wraps round), auto, or voxels added along x,y,z, as in 16,16,8.")},
            histo),
        row(&S::kernelError,
            {.key = "kernel-error",
             .label = toTranslate("Word", "Kernel error"),
             .low = 1e-6,
             .high = 1,
             .help = toTranslate("Word",
                                 "Fourier engines: largest error of a spatially variant kernel, a sum of "
                                 "invariant ones there, as a share of its peak.")},
            histo),
    };
}

void check(const SettingInfo& info, const std::string& value) {
    const std::optional<Refusal> refusal = refusalOf(info, value);
    if (!refusal) {
        return;
    }
    switch (*refusal) {
        case Refusal::NoChoice:
            throw WrongUse(fmt::format("setting '{}' is '{}'{} (choices: {})", info.key, value,
                                       suggestion(value, info.choices), fmt::join(info.choices, ", ")));
        case Refusal::OutOfRange:
            throw WrongUse(fmt::format("setting '{}' is {}; it must lie between {:g} and {:g}{}{}", info.key,
                                       value, info.low, info.high, info.unit.empty() ? "" : " ", info.unit));
        case Refusal::NoNumber:
        case Refusal::NotWhole: break;
    }
    throw WrongUse(fmt::format("setting '{}' is '{}'; it must be a {}", info.key, value,
                               info.kind == OptionKind::Integer ? "whole number" : "number"));
}

}  // namespace

bool appliesTo(const SettingInfo& info, const std::string& system) {
    return info.system.empty() || info.system == system;
}

bool isUsed(const SettingInfo& info, const RunSettings& settings) {
    const auto names = [&](const auto* row) {
        return std::find(row->settings.begin(), row->settings.end(), info.key) != row->settings.end();
    };
    const auto ofAny = [&](const auto& rows) { return std::any_of(rows.begin(), rows.end(), names); };
    const Algorithm& algorithm = algorithmNamed(settings.algorithmName);
    if (ofAny(algorithms()) && !names(&algorithm)) {
        return false;
    }
    if (info.key == "bowsher" && settings.anatomy.empty()) {
        return false;
    }
    return !ofAny(priors()) || names(&priorNamed(settings.priorName));
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
        throw WrongUse("no setting '{}'{}", key, suggestion(key, namesOf(table, &SettingInfo::key)));
    }
    return *it;
}

void RunSettings::set(const std::string& key, const std::string& value) {
    const SettingInfo& info = settingInfo(key);
    check(info, value);
    RunSettings changed = *this;
    info.write(changed, value);
    if (key == "grid" || key == "voxel") {
        static_cast<void>(imageLattice(changed.grid, changed.voxel, Lattice::centred({1, 1, 1}, {1, 1, 1})));
    }
    *this = std::move(changed);
}

std::string RunSettings::get(const std::string& key) const {
    return settingInfo(key).read(*this);
}

bool RunSettings::isDefault(const std::string& key) const {
    return get(key) == settingInfo(key).fallback;
}

AlgorithmSettings RunSettings::algorithm() const {
    AlgorithmSettings settings{*this, &algorithmNamed(algorithmName), &priorNamed(priorName)};
    requirePrior(settings);
    const UsesAnatomy uses = settings.algorithm->anatomy;
    if (uses == UsesAnatomy::Always && anatomy.empty()) {
        throw WrongUse("algorithm '{}' goes by an anatomy; name its image with 'anatomy'", algorithmName);
    }
    if (uses != UsesAnatomy::No && anatomy.empty() && bowsher != PriorParameters().bowsher) {
        throw WrongUse("bowsher {} chooses neighbours by an anatomy; name its image with 'anatomy'", bowsher);
    }
    if (uses == UsesAnatomy::IfThere && !anatomy.empty() && settings.prior->kind == PriorKind::OneStepLate) {
        throw WrongUse("prior '{}' is of all neighbours; leave 'anatomy' empty or take another prior",
                       settings.prior->name);
    }
    return settings;
}

bool RunSettings::usesAnatomy() const {
    return !anatomy.empty() && algorithmNamed(algorithmName).anatomy != UsesAnatomy::No;
}

EngineOptions RunSettings::engineOptions() const {
    EngineOptions out;
    out.strategy = strategy;
    out.threads = threads;
    out.spectrum = spectrum;
    out.padding = padding;
    out.kernelError = kernelError;
    out.memoryLimitBytes = static_cast<std::size_t>(memoryLimit_GiB * 1024 * 1024 * 1024);
    out.device = device;
    return out;
}

KernelSpec RunSettings::kernel() const {
    const bool kept = keptKernel.spec != nullptr && keptKernel.text == kernelText;
    return kept ? *keptKernel.spec : KernelSpec::parse(kernelText, "setting 'kernel'");
}

void RunSettings::keepKernel(const std::string& system) {
    static_cast<void>(algorithm());
    if (appliesTo(settingInfo("kernel"), system)) {
        keptKernel = {kernelText, std::make_shared<const KernelSpec>(kernel())};
    }
}

nlohmann::ordered_json RunSettings::json() const {
    nlohmann::ordered_json out;
    for (const SettingInfo& info : settingsTable()) {
        const std::string value = info.read(*this);
        if (info.kind == OptionKind::Integer) {
            out[info.key] = numberFrom<std::int64_t>(value).value();
        } else if (info.kind == OptionKind::Number) {
            out[info.key] = numberFrom<double>(value).value();
        } else {
            out[info.key] = value;
        }
    }
    return out;
}

std::string RunSettings::toJson() const {
    return jsonText(json());
}

RunSettings RunSettings::fromJson(const nlohmann::json& root, const std::string& source) {
    if (!root.is_object()) {
        throw BadInput(fmt::format("{}: expected an object in braces", source));
    }
    RunSettings settings;
    for (const auto& [key, value] : root.items()) {
        try {
            settings.set(key, value.is_string() ? value.get<std::string>() : jsonText(value));
        } catch (const WrongUse& fault) {
            throw BadInput(fmt::format("{}: {}", source, fault.what()));
        }
    }
    return settings;
}

}  // namespace tof
