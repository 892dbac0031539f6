// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_edit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "recon/base/error.h"
#include "recon/base/options.h"
#include "recon/base/suggestion.h"

namespace tof {

namespace {

const KernelNumber& numberNamed(const std::string& key) {
    const auto& all = kernelNumbers();
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.key == key; });
    if (found == all.end()) {
        std::vector<std::string> keys;
        std::transform(all.begin(), all.end(), std::back_inserter(keys), [](const auto& n) { return n.key; });
        throw WrongUse(fmt::format("no number '{}' in a kernel{}; there are {}", key, suggestion(key, keys),
                                   fmt::join(keys, ", ")));
    }
    return *found;
}

/// Pieces of a text, empty ones included.
std::vector<std::string> pieces(const std::string& text, char separator) {
    std::vector<std::string> all;
    std::size_t from = 0;
    while (true) {
        const std::size_t to = text.find(separator, from);
        all.push_back(text.substr(from, to - from));
        if (to == std::string::npos) {
            return all;
        }
        from = to + 1;
    }
}

/// Without spaces at the ends, and with the minus sign that a computer reads.
std::string plain(std::string text) {
    const std::string minus = "\u2212";
    const std::size_t sign = text.find(minus);
    if (sign != std::string::npos) {
        text.replace(sign, minus.size(), "-");
    }
    const std::size_t first = text.find_first_not_of(' ');
    return first == std::string::npos ? std::string()
                                      : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

const std::vector<KernelNumber>& kernelNumbers() {
    using K = KernelSpec;
    using A = Asymmetry;
    static const std::vector<KernelNumber> all{
        {"tof", "ps", "Coincidence time resolution, FWHM; 1 ps is 0.15 mm along the line", &K::tof_ps},
        {"axial", "mm", "FWHM along the axial axis of the view", &K::axial_mm},
        {"cutoff", "sigma", "The kernel ends this many sigma away in every direction", &K::cutoff},
        {"step", "mm", "Width of a kernel-id bin in |s|: voxels within one share a kernel", &K::id_step_mm},
        {"ratio", "", "Asymmetric: width of the second Gaussian over that of the first", &A::ratio},
        {"shift", "sigma", "Asymmetric: of the second Gaussian towards the centre, in sigma of the first",
         &A::shift},
        {"weight", "", "Asymmetric: share of the first Gaussian's area", &A::weight}};
    return all;
}

void setKernelNumber(KernelSpec& kernel, const std::string& key, double value) {
    const KernelNumber& number = numberNamed(key);
    if (const auto* const member = std::get_if<double KernelSpec::*>(&number.member)) {
        kernel.** member = value;
    } else if (kernel.asymmetry) {
        (*kernel.asymmetry).*std::get<double Asymmetry::*>(number.member) = value;
    } else {
        throw WrongUse(fmt::format("the kernel is symmetric and has no '{}'; make it asymmetric first", key));
    }
}

double kernelNumber(const KernelSpec& kernel, const std::string& key) {
    const KernelNumber& number = numberNamed(key);
    if (const auto* const member = std::get_if<double KernelSpec::*>(&number.member)) {
        return kernel.**member;
    }
    return kernel.asymmetry.value_or(Asymmetry{1, 0, 1}).*std::get<double Asymmetry::*>(number.member);
}

RadialWidth widthsFromText(const std::string& text) {
    if (text.find(':') == std::string::npos) {
        return {WidthKnots{{0.0, numbersFromText("widths", text, ',').front()}}};
    }
    WidthKnots knots;
    for (const std::string& pair : pieces(text, ';')) {
        const std::vector<double> v = numbersFromText("widths", pair, ':');
        if (v.size() != 2) {
            throw WrongUse(fmt::format("widths '{}': one FWHM, or |s|:FWHM pairs with ; between them", text));
        }
        knots.emplace_back(v[0], v[1]);
    }
    return {knots};
}

void setKernelSymmetry(KernelSpec& kernel, const std::string& text) {
    if (text != "symmetric" && text != "asymmetric") {
        throw WrongUse(fmt::format("symmetry '{}': symmetric or asymmetric", text));
    }
    if (text == "symmetric") {
        kernel.asymmetry.reset();
    } else if (!kernel.asymmetry) {
        kernel.asymmetry = Asymmetry{};
    }
}

void setKernelSampling(KernelSpec& kernel, const std::string& text) {
    if (text != "centre" && text != "voxel") {
        throw WrongUse(fmt::format("sampling '{}': centre or voxel", text));
    }
    kernel.sampling = text == "voxel" ? KernelSampling::Voxel : KernelSampling::Centre;
}

std::vector<double> numbersFromText(const std::string& what, const std::string& text, char separator) {
    std::vector<double> values;
    for (const std::string& piece : pieces(text, separator)) {
        const std::optional<double> value = numberFrom<double>(plain(piece));
        if (!value) {
            throw WrongUse(fmt::format("{} '{}': '{}' is not a number", what, text, piece));
        }
        values.push_back(*value);
    }
    return values;
}

std::vector<Vec3> pointsFromText(const std::string& what, const std::string& text) {
    std::vector<Vec3> points;
    for (const std::string& triple : pieces(text, ';')) {
        if (plain(triple).empty()) {
            continue;
        }
        const std::vector<double> v = numbersFromText(what, triple, ',');
        if (v.size() != 3) {
            throw WrongUse(fmt::format("{} '{}': x,y,z triples in mm with ; between them", what, text));
        }
        points.push_back({v[0], v[1], v[2]});
    }
    return points;
}

const std::vector<std::string>& scannerPresets() {
    static const std::vector<std::string> names{"invariant", "variant1", "variant2", "variant3"};
    return names;
}

std::string widthsAsCsv(const KernelSpec& kernel, double end_mm) {
    std::vector<KernelSpec> presets;
    std::string text = "s_mm,kernel_fwhm_mm";
    for (const std::string& name : scannerPresets()) {
        presets.push_back(KernelSpec::preset(name));
        text += "," + name;
    }
    text += "\n";
    for (int s = 0; s <= end_mm; ++s) {
        text += kernel.measured.empty() ? fmt::format("{},{:.9g}", s, kernel.radial.at(s))
                                        : fmt::format("{},", s);
        for (const KernelSpec& preset : presets) {
            text += fmt::format(",{:.9g}", preset.radial.at(s));
        }
        text += "\n";
    }
    return text;
}

}  // namespace tof
