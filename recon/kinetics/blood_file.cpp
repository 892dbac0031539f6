// SPDX-License-Identifier: Apache-2.0
#include "recon/kinetics/blood_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/text_file.h"

namespace tof {

namespace {

constexpr const char* kPlasma = "plasma_radioactivity";
constexpr const char* kWholeBlood = "whole_blood_radioactivity";
constexpr const char* kParent = "metabolite_parent_fraction";

/// Samples of one column.
struct Column {
    std::vector<double> times;
    std::vector<double> values;

    [[nodiscard]] bool empty() const { return times.empty(); }
    /// Straight between samples, level beyond them.
    [[nodiscard]] double at(double time) const {
        const auto after = std::upper_bound(times.begin(), times.end(), time);
        if (after == times.begin() || after == times.end()) {
            return after == times.begin() ? values.front() : values.back();
        }
        const auto i = static_cast<std::size_t>(after - times.begin());
        return values[i - 1] +
               (values[i] - values[i - 1]) * (time - times[i - 1]) / (times[i] - times[i - 1]);
    }
};

std::vector<std::string> cellsOf(const std::string& line) {
    std::vector<std::string> cells;
    std::istringstream in(line);
    for (std::string text; std::getline(in, text, '\t');) {
        const std::size_t first = text.find_first_not_of(" \r");
        const std::size_t last = text.find_last_not_of(" \r");
        cells.push_back(first == std::string::npos ? "" : text.substr(first, last - first + 1));
    }
    return cells;
}

class BloodTable {
  public:
    explicit BloodTable(const std::string& path) : path_(path) {
        std::istringstream in(readTextFile(path));
        std::string line;
        std::getline(in, line);
        names_ = cellsOf(line);
        for (int number = 2; std::getline(in, line); ++number) {
            rows_.emplace_back(number, cellsOf(line));
        }
    }

    /// Nothing where there is no such column or no sample in it.
    [[nodiscard]] Column column(const char* name) const {
        Column column;
        const std::size_t time = indexOf("time");
        const std::size_t value = indexOf(name);
        if (time == names_.size()) {
            throw BadInput(
                "{}: its first line names no column 'time'; columns are separated by tabs, as BIDS "
                "has them: time, {}, {}, {}",
                path_, kPlasma, kWholeBlood, kParent);
        }
        for (const auto& [number, cells] : rows_) {
            const auto at = numberIn(number, cells, time);
            const auto sample = numberIn(number, cells, value);
            if (at && sample && !column.times.empty() && *at <= column.times.back()) {
                throw BadInput("{}: line {}: {:g} s does not come after {:g} s; sort the samples by time",
                               path_, number, *at, column.times.back());
            }
            if (at && sample) {
                column.times.push_back(*at);
                column.values.push_back(*sample);
            }
        }
        return column;
    }

  private:
    [[nodiscard]] std::size_t indexOf(const char* name) const {
        return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
    }
    [[nodiscard]] std::optional<double> numberIn(int line, const std::vector<std::string>& cells,
                                                 std::size_t column) const {
        if (column >= cells.size() || cells[column].empty() || cells[column] == "n/a") {
            return {};
        }
        double value = 0;
        const std::string& text = cells[column];
        const char* const last = text.data() + text.size();
        if (const auto [end, fault] = std::from_chars(text.data(), last, value);
            fault != std::errc() || end != last || !std::isfinite(value)) {
            throw BadInput("{}: line {}, column '{}': '{}' is not a number; correct it or write n/a", path_,
                           line, names_[column], text);
        }
        return value;
    }

    std::string path_;
    std::vector<std::string> names_;
    std::vector<std::pair<int, std::vector<std::string>>> rows_;
};

/// Bq/ml for one of these units; 0 for others.
double bqPerMl(std::string units) {
    std::transform(units.begin(), units.end(), units.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    static constexpr std::array<std::pair<const char*, double>, 4> kKnown{
        {{"bq/ml", 1}, {"kbq/ml", 1e3}, {"mbq/ml", 1e6}, {"bqml", 1}}};
    const auto found =
        std::find_if(kKnown.begin(), kKnown.end(), [&](const auto& one) { return units == one.first; });
    return found != kKnown.end() ? found->second : 0;
}

/// Units of a column in the sidecar; empty where they are not said.
std::string unitsBeside(const std::string& path, const char* column) {
    const std::string sidecar = std::filesystem::path(path).replace_extension(".json").string();
    if (std::error_code ignored; !std::filesystem::exists(sidecar, ignored)) {
        return "";
    }
    const nlohmann::json held = parseJson(readTextFile(sidecar), sidecar);
    const auto about = held.is_object() ? held.find(column) : held.end();
    if (!held.is_object() || about == held.end() || !about->is_object()) {
        return "";
    }
    const auto units = about->find("Units");
    return units != about->end() && units->is_string() ? units->get<std::string>() : "";
}

/// What samples are multiplied with to be in the image's units.
double scaleTo(const std::string& imageUnits, const std::string& path, const char* column,
               std::vector<std::string>& notes) {
    const std::string units = unitsBeside(path, column);
    if (units.empty()) {
        notes.push_back(
            fmt::format("{}: says no units of '{}', which are taken to be those of the image ({})", path,
                        column, imageUnits.empty() ? "not known either" : imageUnits));
        return 1;
    }
    if (units == imageUnits) {
        return 1;
    }
    const double held = bqPerMl(units);
    const double wanted = bqPerMl(imageUnits);
    if (held == 0 || wanted == 0) {
        throw BadInput(
            "{}: '{}' is in {} and the image in '{}', which cannot be compared; give the image's units "
            "with --units, or calibrate it",
            path, column, units, imageUnits);
    }
    return held / wanted;
}

TimeCurve curveOf(Column column, double scale, const std::string& path, const char* name,
                  std::vector<std::string>& notes) {
    for (double& value : column.values) {
        value *= scale;
    }
    if (column.times.front() > 0) {
        notes.push_back(
            fmt::format("{}: '{}' is taken to rise from 0 at time 0 to its first sample at {:g} s", path,
                        name, column.times.front()));
        column.times.insert(column.times.begin(), 0.0);
        column.values.insert(column.values.begin(), 0.0);
    }
    return {std::move(column.times), std::move(column.values), fmt::format("{}: column '{}'", path, name)};
}

}  // namespace

BloodSamples readBloodFile(const std::string& path, const std::string& imageUnits) {
    const BloodTable table(path);
    std::vector<std::string> notes;
    const Column blood = table.column(kWholeBlood);
    Column plasma = table.column(kPlasma);
    const char* from = kPlasma;
    if (plasma.empty()) {
        if (blood.empty()) {
            throw BadInput("{}: has no samples of '{}' or '{}'; name the column so in its first line", path,
                           kPlasma, kWholeBlood);
        }
        notes.push_back(fmt::format("{}: has no '{}': whole blood is taken for plasma", path, kPlasma));
        plasma = blood;
        from = kWholeBlood;
    }
    Column parent = table.column(kParent);
    if (parent.empty()) {
        notes.push_back(
            fmt::format("{}: has no '{}': all activity is taken to be the parent tracer's", path, kParent));
    } else {
        if (const auto bad = std::find_if(parent.values.begin(), parent.values.end(),
                                          [](double share) { return share < 0 || share > 1; });
            bad != parent.values.end()) {
            throw BadInput("{}: '{}' holds {:g}; shares are from 0 to 1, so divide per cents by 100", path,
                           kParent, *bad);
        }
        Column product;
        std::vector<double> times = plasma.times;
        std::copy_if(parent.times.begin(), parent.times.end(), std::back_inserter(times),
                     [&](double time) { return time > plasma.times.front() && time < plasma.times.back(); });
        std::sort(times.begin(), times.end());
        times.erase(std::unique(times.begin(), times.end()), times.end());
        for (const double time : times) {
            product.times.push_back(time);
            product.values.push_back(plasma.at(time) * parent.at(time));
        }
        plasma = std::move(product);
    }
    BloodSamples samples{
        curveOf(std::move(plasma), scaleTo(imageUnits, path, from, notes), path, from, notes),
        std::nullopt,
        {}};
    if (!blood.empty()) {
        std::vector<std::string> said;  // of this column already, where it stands for plasma
        std::vector<std::string>& to = from == kPlasma ? notes : said;
        samples.wholeBlood =
            curveOf(blood, scaleTo(imageUnits, path, kWholeBlood, to), path, kWholeBlood, to);
    }
    samples.notes = std::move(notes);
    return samples;
}

}  // namespace tof
