// SPDX-License-Identifier: Apache-2.0
#include "recon/phantom/phantom_course.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>

#include "recon/base/constants.h"
#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/suggestion.h"
#include "recon/physics/nuclide.h"

namespace tof {

namespace {

using nlohmann::json;

constexpr double kStep_s = 0.02;
constexpr double kLongest_s = 36000;
constexpr double kShift_mm = 1;  // between states
constexpr std::size_t kMostStates = 200;
constexpr const char* kConstant = "constant";

/// A list of lists of `width` numbers between -1e9 and 1e9, the first of which ascend from 0 on.
std::vector<std::vector<double>> readTable(const json& value, std::size_t width, const std::string& source,
                                           const char* what) {
    std::vector<std::vector<double>> rows;
    const auto isNumber = [](const json& one) {
        return one.is_number() && std::abs(one.get<double>()) <= 1e9;
    };
    for (const json& row : value.is_array() ? value : json()) {
        const bool good =
            row.is_array() && row.size() == width && std::all_of(row.begin(), row.end(), isNumber);
        if (good) {
            rows.push_back(row.get<std::vector<double>>());
        }
        if (!good || rows.back()[0] < 0 || (rows.size() > 1 && rows.back()[0] <= rows[rows.size() - 2][0])) {
            throw BadInput("{}: row {} of field '{}' must be {}, times in s that ascend from 0 on", source,
                           rows.size() + (good ? 0 : 1), what,
                           width == 2 ? "[time, value]" : "[time, x, y, z]");
        }
    }
    if (rows.empty()) {
        throw BadInput("{}: field '{}' must be a list with at least one row", source, what);
    }
    return rows;
}

std::array<double, 3> readThree(const JsonFields& fields, const char* key, double low, double high) {
    const json& value = fields.raw(key);
    std::array<double, 3> numbers{};
    for (std::size_t i = 0; i < 3; ++i) {
        const bool is = value.is_array() && value.size() == 3 && value[i].is_number();
        numbers[i] = is ? value[i].get<double>() : std::nan("");
        if (!(numbers[i] >= low && numbers[i] <= high)) {
            throw BadInput("{}: field '{}' must be three numbers between {:g} and {:g}", fields.source(), key,
                           low, high);
        }
    }
    return numbers;
}

/// The input at the edges of steps.
std::vector<double> readInput(const json& time, const TimeSteps& steps, const std::string& source) {
    const std::string where = source + ", input";
    const JsonFields fields(time.at("input"), where, {"amounts", "rates_per_min", "delay_s"});
    FengInput input;
    input.amounts = readThree(fields, "amounts", 0, 1e9);
    input.rates_per_min = readThree(fields, "rates_per_min", 0, 1e3);
    input.delay_s = fields.number("delay_s", 0, 0, kLongest_s);
    std::vector<double> values(steps.count + 1);
    const double least = -1e-9 * (input.amounts[0] + input.amounts[1] + input.amounts[2]);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = input.at(steps.edge_s(i));
        if (values[i] < least) {
            throw BadInput(
                "{}: the activity is below 0 at {:.4g} s; the first of 'rates_per_min' must be the "
                "largest",
                where, steps.edge_s(i));
        }
        values[i] = std::max(0.0, values[i]);  // rounding alone goes below
    }
    return values;
}

/// A table at the edges of steps: straight between its rows, before and behind them as at the nearest.
std::vector<double> readSamples(const json& value, const TimeSteps& steps, const std::string& source) {
    const std::vector<std::vector<double>> rows = readTable(value, 2, source, "table");
    for (const std::vector<double>& row : rows) {
        if (row[1] < 0) {
            throw BadInput("{}: field 'table' has {:g} at {:g} s; activity is not below 0", source, row[1],
                           row[0]);
        }
    }
    std::vector<double> values(steps.count + 1);
    std::size_t next = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double t = steps.edge_s(i);
        while (next < rows.size() && rows[next][0] <= t) {
            ++next;
        }
        const std::vector<double>& after = rows[std::min(next, rows.size() - 1)];
        const std::vector<double>& before = rows[next > 0 ? next - 1 : 0];
        const double length = after[0] - before[0];
        values[i] = length > 0 ? before[1] + (after[1] - before[1]) * (t - before[0]) / length : after[1];
    }
    return values;
}

/// A curve as it is without decay, at the edges of steps.
std::vector<double> readCurve(const json& value, const std::vector<double>& input, const TimeSteps& steps,
                              const std::string& source) {
    const JsonFields fields(value, source, {"table", "K1", "k2", "k3", "k4", "Vb"});
    if (fields.has("table")) {
        if (value.size() > 1) {
            throw BadInput("{}: give either 'table' or rates of tissue, not both", source);
        }
        return readSamples(fields.raw("table"), steps, source);
    }
    if (input.empty()) {
        throw BadInput("{}: tissue needs the field 'input' of 'time'; add it, or give a 'table'", source);
    }
    const auto rate = [&](const char* key) { return fields.number(key, 0, 0, 1000); };
    return tissueAt(steps, input,
                    {rate("K1"), rate("k2"), rate("k3"), rate("k4"), fields.number("Vb", 0, 0, 1)});
}

/// How far the phantom is moved at a time.
class Movement {
  public:
    Movement(const json& value, const std::string& source) {
        const JsonFields fields(value, source, {"steps", "period_s", "by_mm", "power"});
        if (fields.has("steps")) {
            if (value.size() > 1) {
                throw BadInput("{}: give either 'steps' or a wave, not both", source);
            }
            rows_ = readTable(fields.raw("steps"), 4, source, "steps");
            return;
        }
        period_s_ = fields.number("period_s", 0.1, kLongest_s);
        const std::array<double, 3> by = readThree(fields, "by_mm", -1000, 1000);
        by_ = {by[0], by[1], by[2]};
        power_ = fields.number("power", 4, 1, 20);
    }

    [[nodiscard]] Vec3 at(double time_s) const {
        if (period_s_ > 0) {
            return std::pow(std::abs(std::sin(kPi * time_s / period_s_)), power_) * by_;
        }
        const auto next = std::find_if(rows_.begin(), rows_.end(),
                                       [&](const std::vector<double>& row) { return row[0] > time_s; });
        return next == rows_.begin() ? Vec3() : Vec3{next[-1][1], next[-1][2], next[-1][3]};
    }

  private:
    std::vector<std::vector<double>> rows_;
    double period_s_ = 0;
    double power_ = 0;
    Vec3 by_;
};

/// What later shapes leave of a shape's volume, mm3.
double visibleVolume(const std::vector<PhantomShape>& shapes, std::size_t index) {
    const PhantomShape& shape = shapes[index];
    const Vec3 half = shape.halfExtent();
    std::vector<const PhantomShape*> later;
    for (std::size_t i = index + 1; i < shapes.size(); ++i) {
        const Vec3 away = shapes[i].centre - shape.centre;
        const Vec3 reach = half + shapes[i].halfExtent();
        if (std::abs(away.x) < reach.x && std::abs(away.y) < reach.y && std::abs(away.z) < reach.z &&
            shapes[i].kind != PhantomShape::Kind::Point) {
            later.push_back(&shapes[i]);
        }
    }
    if (later.empty()) {
        return shape.volume_mm3();
    }
    constexpr int kPoints = 96;
    const auto place = [](int i) { return 2 * (i + 0.5) / kPoints - 1; };
    std::uint64_t inside = 0;
    std::uint64_t left = 0;
    for (int k = 0; k < kPoints; ++k) {
        for (int j = 0; j < kPoints; ++j) {
            for (int i = 0; i < kPoints; ++i) {
                const Vec3 p = shape.centre + Vec3{place(i) * half.x, place(j) * half.y, place(k) * half.z};
                const bool in = shape.contains(p);
                inside += in ? 1 : 0;
                left += in && std::none_of(later.begin(), later.end(),
                                           [&](const PhantomShape* one) { return one->contains(p); })
                            ? 1
                            : 0;
            }
        }
    }
    return shape.volume_mm3() * static_cast<double>(left) / static_cast<double>(inside);
}

}  // namespace

PhantomCourse::PhantomCourse(const json& root, std::vector<PhantomShape> shapes, const std::string& source)
    : shapes_(std::move(shapes)), name_(root.at("name").get<std::string>()) {
    const std::string where = source + ", time";
    const JsonFields fields(root.at("time"), where,
                            {"duration_s", "nuclide", "input", "curves", "motion", "decays"});
    const double duration_s = fields.number("duration_s", 0.1, kLongest_s);
    steps_.count = static_cast<std::size_t>(std::ceil(duration_s / kStep_s - 1e-9));
    steps_.length_s = duration_s / static_cast<double>(steps_.count);
    const std::string asked = fields.text("nuclide");
    const Nuclide* const known = nuclideIn(asked);
    if (known == nullptr) {
        throw BadInput("{}: field 'nuclide' is '{}', which is none of PET; give one as F-18 or Rb-82", where,
                       asked);
    }
    nuclide_ = known->name;
    decays_ = fields.number("decays", 0, 0, 1e18);
    readParts(root.at("time"), root.at("shapes"), where);
    readStates(root.at("time"), where);
}

void PhantomCourse::readParts(const json& time, const json& shapes, const std::string& source) {
    std::map<std::string, std::vector<double>> curves;
    curves[kConstant] = std::vector<double>(steps_.count + 1, 1.0);
    if (time.contains("input")) {
        input_ = readInput(time, steps_, source);
    }
    const json named = time.value("curves", json::object());
    if (!named.is_object()) {
        throw BadInput("{}: field 'curves' must be an object with a curve for each name", source);
    }
    for (const auto& [name, curve] : named.items()) {
        curves[name] = readCurve(curve, input_, steps_, fmt::format("{}, curve '{}'", source, name));
    }
    std::vector<std::string> names;
    for (auto& [name, values] : curves) {
        const double rate = std::numbers::ln2 / petNuclide(nuclide_).halfLife_s;
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] *= std::exp(-rate * steps_.edge_s(i));
        }
        names.push_back(name);
        parts_.push_back({name, ActivityCurve(steps_, std::move(values))});
    }
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        const std::string asked = shapes[i].value("curve", kConstant);
        const auto found = std::find(names.begin(), names.end(), asked);
        if (found == names.end()) {
            throw BadInput("{}: shape {} has the curve '{}'{}; known: {}", source, i, asked,
                           suggestion(asked, names), fmt::join(names, ", "));
        }
        partOf_.push_back(static_cast<std::size_t>(found - names.begin()));
        moves_.push_back(shapes[i].value("moves", 0.0));
    }
}

void PhantomCourse::readStates(const json& time, const std::string& source) {
    stateOf_.assign(steps_.count, 0);
    if (!time.contains("motion")) {
        shifts_.resize(1);
        return;
    }
    const Movement movement(time.at("motion"), source + ", motion");
    std::map<std::array<long, 3>, std::uint32_t> known;
    std::vector<double> times;
    for (std::size_t step = 0; step < steps_.count; ++step) {
        const Vec3 shift = movement.at(0.5 * (steps_.edge_s(step) + steps_.edge_s(step + 1)));
        std::array<long, 3> key{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            key[axis] = std::lround(shift[axis] / kShift_mm);
        }
        const auto [state, added] = known.try_emplace(key, static_cast<std::uint32_t>(shifts_.size()));
        if (added) {
            shifts_.emplace_back();
            times.push_back(0);
        }
        stateOf_[step] = state->second;
        shifts_[state->second] = shifts_[state->second] + shift;
        times[state->second] += 1;
    }
    if (shifts_.size() > kMostStates) {
        throw BadInput("{}, motion: has {} places a mm apart; {} are the most", source, shifts_.size(),
                       kMostStates);
    }
    for (std::size_t state = 0; state < shifts_.size(); ++state) {
        shifts_[state] = (1 / times[state]) * shifts_[state];
    }
}

std::optional<PhantomCourse> PhantomCourse::of(const Phantom& phantom) {
    const json root = tryJson(phantom.description);
    if (!root.is_object() || !root.contains("time")) {
        return std::nullopt;
    }
    std::vector<PhantomShape> shapes = phantom.shapes;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const json& shape = root.at("shapes").at(i);
        shapes[i].activity = shape.value("activity", shape.contains("curve") ? 1.0 : 0.0);
    }
    return PhantomCourse(root, std::move(shapes), phantom.name);
}

std::vector<double> PhantomCourse::emittedIn(std::size_t part, double begin_s, double end_s) const {
    std::vector<double> emitted(states());
    const ActivityCurve& curve = parts_[part].emitted;
    const auto stepAt = [&](double t) {
        return static_cast<std::size_t>(
            std::clamp(t / steps_.length_s, 0.0, static_cast<double>(steps_.count)));
    };
    for (std::size_t step = stepAt(begin_s); step < steps_.count && steps_.edge_s(step) < end_s; ++step) {
        emitted[stateOf_[step]] +=
            curve.integral(std::max(begin_s, steps_.edge_s(step)), std::min(end_s, steps_.edge_s(step + 1)));
    }
    return emitted;
}

Phantom PhantomCourse::phantomOf(std::size_t part, std::size_t state) const {
    std::vector<double> byPart(parts_.size(), 0.0);
    byPart[part] = 1;
    return phantomOf(byPart, state);
}

Phantom PhantomCourse::phantomOf(const std::vector<double>& byPart, std::size_t state) const {
    Phantom phantom;
    phantom.name = name_;
    phantom.shapes = shapes_;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        phantom.shapes[i].centre = shapes_[i].centre + moves_[i] * shifts_[state];
        phantom.shapes[i].activity = shapes_[i].activity * byPart[partOf_[i]];
    }
    return phantom;
}

std::vector<double> PhantomCourse::meanActivities() const {
    std::vector<double> activities;
    for (std::size_t i = 0; i < shapes_.size(); ++i) {
        activities.push_back(shapes_[i].activity * parts_[partOf_[i]].emitted.integral(0, duration_s()) /
                             duration_s());
    }
    return activities;
}

std::string withDecays(const std::string& description, double decays) {
    nlohmann::ordered_json root = parseOrderedJson(description, "phantom");
    root["time"]["decays"] = decays;
    return jsonText(root);
}

double emissionsOf(const Phantom& phantom) {
    double sum = 0;
    for (std::size_t i = 0; i < phantom.shapes.size(); ++i) {
        const PhantomShape& shape = phantom.shapes[i];
        if (shape.activity > 0) {
            sum += shape.activity *
                   (shape.kind == PhantomShape::Kind::Point ? 1 : visibleVolume(phantom.shapes, i));
        }
    }
    return sum;
}

}  // namespace tof
