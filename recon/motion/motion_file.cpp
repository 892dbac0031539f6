// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/motion_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/options.h"
#include "recon/base/text_file.h"
#include "recon/base/words.h"

namespace tof {

namespace {

constexpr double kRotationFault = 1e-3;
constexpr std::size_t kMatrix = 12;  ///< numbers of a matrix without its last row, 0 0 0 1

/// Three rows of four numbers.
using Matrix = std::array<double, kMatrix>;

/// A pose as the file has it.
struct Row {
    double time_ms = 0;
    Matrix matrix{};
    std::string place;  ///< "line 7", "pose 3"
};

/// What both kinds of files say.
struct MotionText {
    std::string path;
    std::string frame;
    std::string units;
    std::string reference;
    std::optional<Matrix> calibration;
    std::optional<double> end_ms;
    std::optional<double> longest_ms;
    std::vector<Row> rows;
};

Pose poseOf(const Matrix& m, const std::string& path, const std::string& place) {
    const std::array<double, 9> turn{m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]};
    if (const double fault = rotationFault(turn); !(fault <= kRotationFault)) {
        throw BadInput(
            "{}: the matrix of {} is no rotation: its rows are orthonormal with determinant +1 but for "
            "{:.2g}, "
            "and {:g} is allowed; give rotations and shifts in mm",
            path, place, fault, kRotationFault);
    }
    return {nearestRotation(turn), {m[3], m[7], m[11]}};
}

// ---- tables ----

const std::vector<std::string>& columnNames() {
    static const std::vector<std::string> names{"time_ms", "m00", "m01", "m02", "m03", "m10", "m11",
                                                "m12",     "m13", "m20", "m21", "m22", "m23"};
    return names;
}

double numberOf(const std::string& word, const std::string& path, const std::string& what) {
    const std::optional<double> number = numberFrom<double>(word);
    if (!number) {
        throw BadInput(
            "{}: {} is '{}', no number; where the tracker lost sight of what it follows, nothing is guessed: "
            "leave the line out and that time out of the list",
            path, what, word.substr(0, 40));
    }
    return *number;
}

/// A line "# key: value" of a table.
void takeField(MotionText& text, const std::string& line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) {
        return;  // a remark
    }
    const std::vector<std::string> key = words(line.substr(1, colon - 1));
    const std::vector<std::string> values = words(line.substr(colon + 1));
    if (key.size() != 1) {
        return;
    }
    const auto one = [&] {
        if (values.size() != 1) {
            throw BadInput("{}: field '{}' has {} values; give one", text.path, key[0], values.size());
        }
        return values[0];
    };
    const std::string what = "field '" + key[0] + "'";
    if (key[0] == "frame") {
        text.frame = one();
    } else if (key[0] == "units") {
        text.units = one();
    } else if (key[0] == "reference") {
        text.reference = one();
    } else if (key[0] == "end_ms") {
        text.end_ms = numberOf(one(), text.path, what);
    } else if (key[0] == "longest_step_ms") {
        text.longest_ms = numberOf(one(), text.path, what);
    } else if (key[0] == "scanner_from_tracker") {
        if (values.size() != kMatrix) {
            throw BadInput("{}: {} has {} numbers; give three rows of four", text.path, what, values.size());
        }
        Matrix matrix{};
        std::transform(values.begin(), values.end(), matrix.begin(),
                       [&](const std::string& word) { return numberOf(word, text.path, what); });
        text.calibration = matrix;
    } else {
        throw BadInput(
            "{}: field '{}' is unknown; frame, units, reference, end_ms, longest_step_ms and "
            "scanner_from_tracker can stand before the poses",
            text.path, key[0]);
    }
}

/// Where each of columnNames() stands.
std::vector<std::size_t> columnsOf(const std::vector<std::string>& words, const std::string& path) {
    std::vector<std::size_t> columns;
    for (const std::string& name : columnNames()) {
        const auto found = std::find(words.begin(), words.end(), name);
        if (found == words.end()) {
            throw BadInput(
                "{}: has no column '{}'; name the columns time_ms and m00 to m23, the matrix's rows", path,
                name);
        }
        columns.push_back(static_cast<std::size_t>(found - words.begin()));
    }
    return columns;
}

Row rowOf(const std::vector<std::string>& words, const std::vector<std::size_t>& columns,
          const std::string& path, std::size_t line) {
    Row row;
    row.place = fmt::format("line {}", line);
    std::array<double, kMatrix + 1> numbers{};
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const std::string word = columns[i] < words.size() ? words[columns[i]] : "";
        numbers[i] = numberOf(word, path, fmt::format("'{}' of {}", columnNames()[i], row.place));
    }
    row.time_ms = numbers[0];
    std::copy(numbers.begin() + 1, numbers.end(), row.matrix.begin());
    return row;
}

MotionText readTable(const std::string& path) {
    MotionText text;
    text.path = path;
    std::vector<std::size_t> columns;
    std::size_t number = 0;
    for (const std::string& line : parts(readTextFile(path), '\n')) {
        ++number;
        const std::vector<std::string> words = tof::words(line);
        if (words.empty()) {
            continue;
        }
        if (words.front().starts_with('#')) {
            takeField(text, line.substr(line.find('#')));
        } else if (columns.empty()) {
            columns = columnsOf(words, path);
        } else {
            text.rows.push_back(rowOf(words, columns, path, number));
        }
    }
    return text;
}

// ---- JSON ----

Matrix matrixOf(const nlohmann::json& value, const std::string& path, const std::string& place) {
    constexpr std::size_t kRows = 4;
    Matrix matrix{};
    bool good = value.is_array() && value.size() == kRows;
    for (std::size_t row = 0; good && row < kRows; ++row) {
        good = value[row].is_array() && value[row].size() == kRows;
        for (std::size_t column = 0; good && column < kRows; ++column) {
            const nlohmann::json& number = value[row][column];
            good = number.is_number();
            if (good && row + 1 < kRows) {
                matrix[kRows * row + column] = number.get<double>();
            } else if (good) {
                good = number.get<double>() == (column + 1 == kRows ? 1 : 0);
            }
        }
    }
    if (!good) {
        throw BadInput(
            "{}: the matrix of {} is not four rows of four numbers, the last row 0 0 0 1; correct it", path,
            place);
    }
    return matrix;
}

MotionText readJson(const std::string& path) {
    constexpr double kMost = 1e12;
    const nlohmann::json all = parseJson(readTextFile(path), path);
    const JsonFields fields(
        all, path,
        {"frame", "units", "reference", "end_ms", "longest_step_ms", "scanner_from_tracker", "poses"});
    MotionText text;
    text.path = path;
    text.frame = fields.text("frame", "");
    text.units = fields.text("units", "");
    text.reference = fields.text("reference", "");
    if (fields.has("end_ms")) {
        text.end_ms = fields.number("end_ms", -kMost, kMost);
    }
    if (fields.has("longest_step_ms")) {
        text.longest_ms = fields.number("longest_step_ms", 0, kMost);
    }
    if (fields.has("scanner_from_tracker")) {
        text.calibration = matrixOf(fields.raw("scanner_from_tracker"), path, "'scanner_from_tracker'");
    }
    const nlohmann::json& poses = fields.raw("poses");
    for (std::size_t i = 0; poses.is_array() && i < poses.size(); ++i) {
        const std::string place = fmt::format("pose {}", i + 1);
        const JsonFields pose(poses[i], fmt::format("{}, {}", path, place), {"time_ms", "matrix"});
        text.rows.push_back(
            {pose.number("time_ms", -kMost, kMost), matrixOf(pose.raw("matrix"), path, place), place});
    }
    return text;
}

// ---- what they say ----

void requireWord(const MotionText& text, const char* field, const std::string& value,
                 const std::vector<std::string>& allowed, const char* why) {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end()) {
        throw BadInput("{}: field '{}' is '{}'; {}", text.path, field, value.substr(0, 40), why);
    }
}

void requireFields(const MotionText& text) {
    requireWord(text, "frame", text.frame, {"scanner", "tracker"},
                "it must be scanner, or tracker with scanner_from_tracker");
    requireWord(text, "units", text.units, {"mm"}, "shifts must be in mm, stated as units mm");
    requireWord(text, "reference", text.reference, {"identity", "first"},
                "it must be identity, where matrices carry the reference pose, or first, the first line's");
    if ((text.frame == "tracker") != text.calibration.has_value()) {
        throw BadInput("{}: field 'scanner_from_tracker' {}", text.path,
                       text.calibration ? "goes with the frame tracker alone; leave it out"
                                        : "is missing; poses in the frame of a tracker need the matrix that "
                                          "carries its points into the scanner");
    }
    if (!text.end_ms) {
        throw BadInput("{}: field 'end_ms' is missing; say until when the last pose holds", text.path);
    }
}

void requireTimes(const MotionText& text) {
    for (std::size_t i = 0; i < text.rows.size(); ++i) {
        const Row& row = text.rows[i];
        const bool last = i + 1 == text.rows.size();
        const double next_ms = last ? *text.end_ms : text.rows[i + 1].time_ms;
        const std::string next = last ? "end_ms" : text.rows[i + 1].place;
        if (!(next_ms > row.time_ms)) {
            throw BadInput("{}: {} is at {:.15g} ms, not after the {:.15g} ms of {}; times must ascend",
                           text.path, next, next_ms, row.time_ms, row.place);
        }
        if (text.longest_ms && next_ms - row.time_ms > *text.longest_ms) {
            throw BadInput(
                "{}: there is no pose from {:.15g} ms ({}) to {:.15g} ms ({}), longer than longest_step_ms "
                "{:g}; fill the gap, or leave that time out of the list",
                text.path, row.time_ms, row.place, next_ms, next, *text.longest_ms);
        }
    }
}

/// Products of matrices leave roundings, and what does not move stays exactly where it is.
Pose withoutRounding(const Pose& pose) {
    constexpr double kReach_mm = 1000;
    constexpr double kRounding_mm = 1e-9;
    return pose.distance(Pose(), kReach_mm) < kRounding_mm ? Pose() : pose;
}

}  // namespace

RigidMotion motionFrom(const MotionRequest& request) {
    const bool json = std::filesystem::path(request.file).extension() == ".json";
    const MotionText text = json ? readJson(request.file) : readTable(request.file);
    requireFields(text);
    requireTimes(text);
    const Pose toScanner =
        text.calibration ? poseOf(*text.calibration, text.path, "'scanner_from_tracker'") : Pose();
    const Pose toTracker = toScanner.inverse();
    std::vector<TimedPose> poses;
    Pose fromReference;
    for (const Row& row : text.rows) {
        const Pose pose = poseOf(row.matrix, text.path, row.place);
        if (poses.empty() && text.reference == "first") {
            fromReference = pose.inverse();
        }
        const Pose inTracker = pose.after(fromReference);
        poses.push_back({row.time_ms, withoutRounding(toScanner.after(inTracker).after(toTracker))});
    }
    return {std::move(poses), *text.end_ms, request.between, text.path};
}

}  // namespace tof
