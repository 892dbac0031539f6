// SPDX-License-Identifier: Apache-2.0
#include "recon/kernel/kernel_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <map>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/suggestion.h"
#include "recon/base/text_file.h"
#include "recon/kernel/radial_model.h"

namespace tof {

namespace {

constexpr double kEdge_mm =
    288;  // half the transverse field of 144 voxels of 4 mm: where the presets are given

KernelSpec gaussian(double tof_ps, RadialWidth radial, double axial_mm) {
    KernelSpec spec;
    spec.tof_ps = tof_ps;
    spec.axial_mm = axial_mm;
    spec.radial = std::move(radial);
    return spec;
}

KernelSpec gaussian(double tof_ps, WidthKnots knots, double axial_mm) {
    return gaussian(tof_ps, RadialWidth{std::move(knots)}, axial_mm);
}

/// docs/model.md section 2, "Presets". Widths of variant1..3: paper 000, Fig. 8.
std::map<std::string, KernelSpec> makePresets() {
    std::map<std::string, KernelSpec> presets;
    presets["invariant"] = gaussian(400, {{0, 5.8}}, 5.8);
    presets["variant1"] = gaussian(400, {{0, 4.8}, {75, 5.8}, {kEdge_mm, 10}}, 5.8);
    presets["variant1-line"] = gaussian(400, RadialWidth{WidthFormula{4.85, 0.01264}}, 5.8);
    presets["variant2"] = gaussian(400, {{0, 5.8}, {kEdge_mm, 12}}, 5.8);
    presets["variant3"] = gaussian(400, RadialWidth{WidthFormula{5.8, 0, 5.37, kEdge_mm}}, 5.8);
    presets["cache"] = gaussian(300, {{0, 5}, {kEdge_mm, 6}}, 5);
    const std::map<std::string, KernelSpec> tests{
        {"ha-test", gaussian(900, {{0, 10}, {kEdge_mm, 100}}, 10)},
        {"ha-fig5", gaussian(900, {{0, 50}}, 10)},
        {"ha-fig7", gaussian(600, {{0, 50}}, 10)},
        {"ha-fig7-variant", gaussian(600, {{0, 10}, {kEdge_mm, 80}}, 10)}};
    for (const auto& [name, spec] : tests) {
        presets[name] = spec;
        presets[name + "-asymmetric"] = spec;
        presets[name + "-asymmetric"].asymmetry = Asymmetry{};
    }
    for (auto& [name, spec] : presets) {
        spec.name = name;
    }
    return presets;
}

RadialWidth readRadial(const JsonFields& fields) {
    const nlohmann::json& value = fields.raw("radial_mm");
    const auto refuse = [&] {
        throw BadInput(
            fmt::format("{}: field 'radial_mm' must be a number, a list of [|s|, FWHM] pairs or an "
                        "object with 'centre'",
                        fields.source()));
    };
    if (value.is_number()) {
        return {WidthKnots{{0.0, fields.number("radial_mm", 0.01, 1000)}}};
    }
    if (value.is_array()) {
        WidthKnots knots;
        for (const auto& knot : value) {
            if (!knot.is_array() || knot.size() != 2 || !knot[0].is_number() || !knot[1].is_number()) {
                refuse();
            }
            knots.emplace_back(knot[0].get<double>(), knot[1].get<double>());
        }
        return {knots};
    }
    if (!value.is_object()) {
        refuse();
    }
    const JsonFields form(value, fields.source() + ", radial_mm",
                          {"centre", "slope", "quadratic", "quadratic_radius"});
    return {WidthFormula{form.number("centre", 0.01, 1000), form.number("slope", 0, 0, 10),
                         form.number("quadratic", 0, 0, 1000),
                         form.number("quadratic_radius", kEdge_mm, 1, 10000)}};
}

double widthOf(const WidthKnots& knots, double s) {
    for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
        if (s < knots[i + 1].first) {
            const auto& [s0, w0] = knots[i];
            const auto& [s1, w1] = knots[i + 1];
            return w0 + (w1 - w0) * (s - s0) / (s1 - s0);
        }
    }
    return knots.back().second;
}

double widthOf(const WidthFormula& f, double s) {
    const double relative = s / f.quadratic_radius_mm;
    return f.centre_mm + f.slope * s + f.quadratic_mm * relative * relative;
}

bool flat(const WidthKnots& knots) {
    return std::all_of(knots.begin(), knots.end(),
                       [&](const auto& k) { return k.second == knots.front().second; });
}

bool flat(const WidthFormula& f) {
    return f.slope == 0 && f.quadratic_mm == 0;
}

std::vector<double> numbers(const JsonFields& fields, const char* key) {
    const nlohmann::json& list = fields.raw(key);
    if (!list.is_array() ||
        !std::all_of(list.begin(), list.end(), [](const auto& v) { return v.is_number(); })) {
        throw BadInput(fmt::format("{}: field '{}' must be a list of numbers", fields.source(), key));
    }
    return list.get<std::vector<double>>();
}

Asymmetry readAsymmetry(const nlohmann::json& form, const std::string& source) {
    const JsonFields fields(
        form, source + ", asymmetry",
        {"ratio", "shift", "weight", "ratio_slope", "shift_slope", "centre", "centre_slope"});
    Asymmetry result;
    result.ratio = fields.number("ratio", 2, 0.1, 10);
    result.shift = fields.number("shift", 1, -10, 10);
    result.weight = fields.number("weight", 0.5, 0, 1);
    result.ratio_slope = fields.number("ratio_slope", 0, -1, 1);
    result.shift_slope = fields.number("shift_slope", 0, -1, 1);
    if (fields.has("centre")) {
        result.centre_mm = fields.number("centre", -100, 100);
        result.centre_slope = fields.number("centre_slope", 0, -1, 1);
    }
    return result;
}

KernelSampling readSampling(const JsonFields& fields, bool measured) {
    const std::string text = fields.text("sampling", measured ? "voxel" : "centre");
    if (text != "voxel" && text != "centre") {
        throw BadInput(fmt::format("{}: field 'sampling' is \"{}\"; it must be \"centre\" or \"voxel\"",
                                   fields.source(), text));
    }
    return text == "voxel" ? KernelSampling::Voxel : KernelSampling::Centre;
}

std::vector<MeasuredProfile> readMeasured(const nlohmann::json& list, const std::string& source) {
    if (!list.is_array()) {
        throw BadInput(fmt::format("{}: field 'measured' must be a list of profiles", source));
    }
    std::vector<MeasuredProfile> profiles;
    for (const auto& item : list) {
        const JsonFields fields(item, source + ", measured", {"s", "q_mm", "w", "sd"});
        profiles.push_back({fields.number("s", 0, 10000), numbers(fields, "q_mm"), numbers(fields, "w"),
                            fields.has("sd") ? numbers(fields, "sd") : std::vector<double>()});
    }
    return profiles;
}

}  // namespace

double RadialWidth::at(double s_mm) const {
    return std::visit([s = std::abs(s_mm)](const auto& f) { return widthOf(f, s); }, form);
}

bool RadialWidth::invariant() const {
    return std::visit([](const auto& f) { return flat(f); }, form);
}

double Asymmetry::ratioAt(double s_mm) const {
    return asymmetryRatio(ratio, ratio_slope, s_mm);
}

double Asymmetry::shiftAt(double s_mm) const {
    return shift + shift_slope * s_mm;
}

double Asymmetry::firstAt(double s_mm, double sigma) const {
    return centre_mm ? *centre_mm + centre_slope * s_mm - (1 - weight) * shiftAt(s_mm) * sigma : 0;
}

double KernelSpec::sigmaTof_mm() const {
    return tof_ps * kMmPerPs / kFwhmPerSigma;
}
double KernelSpec::sigmaAxial_mm() const {
    return axial_mm / kFwhmPerSigma;
}

void KernelSpec::validate(const std::string& source) const {
    const std::string who = !source.empty() ? source
                            : name.empty()  ? "kernel"
                                            : fmt::format("kernel '{}'", name);
    const auto check = [&](const char* field, double value, double low, double high) {
        if (!std::isfinite(value) || value < low || value > high) {
            throw BadInput(fmt::format("{}: field '{}' is {:g}; it must lie between {:g} and {:g}", who,
                                       field, value, low, high));
        }
    };
    check("tof_ps", tof_ps, 1, 10000);
    check("axial_mm", axial_mm, 0.01, 1000);
    check("cutoff", cutoff, 0.5, 8);
    check("id_step_mm", id_step_mm, 0.01, 1000);
    if (const WidthKnots* const knots = radial.knots()) {
        if (knots->empty() || knots->front().first != 0) {
            throw BadInput(who + ": field 'radial_mm' must start with a width at |s| = 0");
        }
        for (std::size_t i = 0; i < knots->size(); ++i) {
            check("radial_mm", (*knots)[i].first, 0, 1e5);
            check("radial_mm", (*knots)[i].second, 0.01, 1000);
            if (i > 0 && !((*knots)[i].first > (*knots)[i - 1].first)) {
                throw BadInput(who + ": field 'radial_mm' must list |s| in ascending order");
            }
        }
    } else {
        const auto& formula = std::get<WidthFormula>(radial.form);
        check("radial_mm.centre", formula.centre_mm, 0.01, 1000);
        check("radial_mm.slope", formula.slope, 0, 10);
        check("radial_mm.quadratic", formula.quadratic_mm, 0, 1000);
        check("radial_mm.quadratic_radius", formula.quadratic_radius_mm, 1, 10000);
    }
    if (asymmetry) {
        check("asymmetry.ratio", asymmetry->ratio, 0.1, 10);
        check("asymmetry.shift", asymmetry->shift, -10, 10);
        check("asymmetry.weight", asymmetry->weight, 0, 1);
        check("asymmetry.ratio_slope", asymmetry->ratio_slope, -1, 1);
        check("asymmetry.shift_slope", asymmetry->shift_slope, -1, 1);
        check("asymmetry.centre_slope", asymmetry->centre_slope, -1, 1);
        check("asymmetry.centre", asymmetry->centre_mm.value_or(0), -100, 100);
    }
    for (std::size_t i = 0; i < measured.size(); ++i) {
        const MeasuredProfile& p = measured[i];
        check("measured.s", p.s_mm, 0, 10000);
        std::for_each(p.q_mm.begin(), p.q_mm.end(),
                      [&](double q) { check("measured.q_mm", q, -1000, 1000); });
        const bool ascending =
            std::adjacent_find(p.q_mm.begin(), p.q_mm.end(), std::greater_equal<>()) == p.q_mm.end();
        const bool known = p.sd.empty() || p.sd.size() == p.w.size();
        if (!known || std::any_of(p.sd.begin(), p.sd.end(), [](double v) { return !(v >= 0) || v > 1e6; })) {
            throw BadInput(
                fmt::format("{}: profile at s = {:g} mm of field 'measured' needs as many 'sd' (none "
                            "negative) as 'w', or none",
                            who, p.s_mm));
        }
        const bool usable =
            std::all_of(p.w.begin(), p.w.end(), [](double w) { return std::isfinite(w) && w >= 0; }) &&
            std::any_of(p.w.begin(), p.w.end(), [](double w) { return w > 0; });
        if (p.q_mm.size() < 2 || p.q_mm.size() != p.w.size() || !ascending || !usable) {
            throw BadInput(
                fmt::format("{}: profile at s = {:g} mm of field 'measured' needs equally long 'q_mm' "
                            "(ascending) and 'w' (none negative, some positive)",
                            who, p.s_mm));
        }
        if (i > 0 && !(p.s_mm > measured[i - 1].s_mm)) {
            throw BadInput(who + ": the profiles of field 'measured' must be in ascending order of 's'");
        }
    }
}

nlohmann::ordered_json KernelSpec::json() const {
    nlohmann::ordered_json out;
    if (!name.empty()) {
        out["name"] = name;
    }
    out["tof_ps"] = tof_ps;
    out["axial_mm"] = axial_mm;
    if (const WidthKnots* const knots = radial.knots()) {
        if (knots->size() == 1) {
            out["radial_mm"] = knots->front().second;
        } else {
            out["radial_mm"] = *knots;
        }
    } else {
        const auto& formula = std::get<WidthFormula>(radial.form);
        out["radial_mm"] = {{"centre", formula.centre_mm},
                            {"slope", formula.slope},
                            {"quadratic", formula.quadratic_mm},
                            {"quadratic_radius", formula.quadratic_radius_mm}};
    }
    if (asymmetry) {
        out["asymmetry"] = {
            {"ratio", asymmetry->ratio}, {"shift", asymmetry->shift}, {"weight", asymmetry->weight}};
        if (asymmetry->ratio_slope != 0) {
            out["asymmetry"]["ratio_slope"] = asymmetry->ratio_slope;
        }
        if (asymmetry->shift_slope != 0) {
            out["asymmetry"]["shift_slope"] = asymmetry->shift_slope;
        }
        if (asymmetry->centre_mm) {
            out["asymmetry"]["centre"] = *asymmetry->centre_mm;
            if (asymmetry->centre_slope != 0) {
                out["asymmetry"]["centre_slope"] = asymmetry->centre_slope;
            }
        }
    } else {
        out["asymmetry"] = nullptr;
    }
    out["cutoff"] = cutoff;
    out["id_step_mm"] = id_step_mm;
    out["sampling"] = sampling == KernelSampling::Voxel ? "voxel" : "centre";
    for (const MeasuredProfile& profile : measured) {
        out["measured"].push_back({{"s", profile.s_mm}, {"q_mm", profile.q_mm}, {"w", profile.w}});
        if (!profile.sd.empty()) {
            out["measured"].back()["sd"] = profile.sd;
        }
    }
    return out;
}

std::string KernelSpec::toJson() const {
    return jsonText(json());
}

KernelSpec KernelSpec::fromJson(const std::string& text, const std::string& source) {
    const nlohmann::json root = parseJson(text, source);
    const JsonFields fields(root, source,
                            {"name", "tof_ps", "axial_mm", "radial_mm", "asymmetry", "cutoff", "id_step_mm",
                             "sampling", "measured"});
    KernelSpec spec;
    spec.name = fields.text("name", "");
    spec.tof_ps = fields.number("tof_ps", 1, 10000);
    spec.axial_mm = fields.number("axial_mm", 0.01, 1000);
    spec.cutoff = fields.number("cutoff", 3, 0.5, 8);
    spec.id_step_mm = fields.number("id_step_mm", 2, 0.01, 1000);
    if (fields.has("measured")) {
        spec.measured = readMeasured(fields.raw("measured"), source);
    }
    if (fields.has("measured") && spec.measured.empty() && !fields.has("radial_mm")) {
        throw BadInput(
            fmt::format("{}: field 'measured' is an empty list; give at least one profile", source));
    }
    if (fields.has("radial_mm") || spec.measured.empty()) {
        spec.radial = readRadial(fields);
    }
    if (fields.has("asymmetry")) {
        spec.asymmetry = readAsymmetry(fields.raw("asymmetry"), source);
    }
    spec.sampling = readSampling(fields, !spec.measured.empty());
    spec.validate(source);
    return spec;
}

KernelSpec KernelSpec::preset(const std::string& name) {
    const auto presets = makePresets();
    const auto it = presets.find(name);
    if (it == presets.end()) {
        throw WrongUse(fmt::format("no kernel preset or file '{}'{}; presets: {}", name,
                                   suggestion(name, presetNames()), fmt::join(presetNames(), ", ")));
    }
    return it->second;
}

std::vector<std::string> KernelSpec::presetNames() {
    std::vector<std::string> names;
    for (const auto& entry : makePresets()) {
        names.push_back(entry.first);
    }
    return names;
}

KernelSpec KernelSpec::parse(const std::string& text, const std::string& source) {
    if (text.starts_with('{')) {
        return fromJson(text, source);
    }
    std::error_code ignored;
    if (std::filesystem::is_regular_file(text, ignored)) {
        return fromJson(readTextFile(text), text);
    }
    return preset(text);
}

}  // namespace tof
