// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/share_counts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <span>
#include <system_error>

#include "recon/base/error.h"
#include "recon/base/json_fields.h"
#include "recon/base/json_text.h"
#include "recon/base/text_file.h"
#include "recon/base/user_folder.h"
#include "recon/data/content_hash.h"
#include "recon/io/bytes/atomic_file.h"

namespace tof {

ShareCounts::ShareCounts(const std::array<int, 2>& size)
    : size_{static_cast<std::size_t>(size[0]), static_cast<std::size_t>(size[1])},
      numbers_(2 * perKind(), 0) {}

void ShareCounts::count(Kind kind, const std::array<int, 2>& place) {
    ++numbers_[begin(kind)];
    ++numbers_[begin(kind, 0) + static_cast<std::size_t>(place[0])];
    ++numbers_[begin(kind, 1) + static_cast<std::size_t>(place[1])];
}

void ShareCounts::add(const ShareCounts& part) {
    std::transform(numbers_.begin(), numbers_.end(), part.numbers_.begin(), numbers_.begin(), std::plus<>());
}

std::vector<double> ShareCounts::shares(std::size_t axis, Ends ends) const {
    const std::size_t n = size_[axis];
    const std::uint64_t* const firsts = numbers_.data() + begin(Kind::First, axis);
    const std::uint64_t* const recordeds = numbers_.data() + begin(Kind::Recorded, axis);
    std::vector<double> result(n, 1.0);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t other = ends == Ends::Alike ? n - 1 - i : i;
        const auto first = static_cast<double>(firsts[i] + firsts[other]);
        const auto recorded = static_cast<double>(recordeds[i] + recordeds[other]);
        if (first > 0 && all(Kind::Recorded) > 0) {
            result[i] = recorded / first * static_cast<double>(all(Kind::First)) /
                        static_cast<double>(all(Kind::Recorded));
        }
    }
    return result;
}

bool ShareCounts::take(const std::vector<std::uint64_t>& numbers) {
    if (numbers.size() != numbers_.size()) {
        return false;
    }
    for (const Kind kind : {Kind::First, Kind::Recorded}) {
        for (const std::size_t axis : {0U, 1U}) {
            const std::span part = std::span(numbers).subspan(begin(kind, axis), size_[axis]);
            if (std::accumulate(part.begin(), part.end(), std::uint64_t{0}) != numbers[begin(kind)]) {
                return false;
            }
        }
    }
    numbers_ = numbers;
    return true;
}

namespace {

constexpr const char* kFirst = "first";
constexpr const char* kAll = "all";

/// The counts of a file; nothing where it is not there, damaged, or begins with other counts than `first`.
std::optional<ShareCounts> fromFile(const std::string& path, const ShareCounts& first) {
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return std::nullopt;
    }
    try {
        const nlohmann::json file = parseJson(readTextFile(path), path);
        ShareCounts found = first;
        const bool whole = file.at(kFirst).get<std::vector<std::uint64_t>>() == first.numbers() &&
                           found.take(file.at(kAll).get<std::vector<std::uint64_t>>());
        return whole ? std::optional(std::move(found)) : std::nullopt;
    } catch (const BadInput&) {
        return std::nullopt;
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

void toFile(const std::string& path, const ShareCounts& first, const ShareCounts& all) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(path).parent_path(), ignored);
    try {
        writeTextAside(path, jsonText(nlohmann::json{{kFirst, first.numbers()}, {kAll, all.numbers()}}));
    } catch (const CannotWrite&) {
        // Counted again the next time.
    }
}

}  // namespace

std::string shareCountsPath(const std::string& origin) {
    const std::string folder = userFolder(UserFolder::Cache);
    return folder.empty()
               ? folder
               : fmt::format("{}/shares-{:016x}.json", folder, hashOf(std::as_bytes(std::span(origin))));
}

ShareCounts storedShareCounts(const std::string& origin, const ShareCounts& first,
                              const std::function<ShareCounts()>& make) {
    const std::string path = shareCountsPath(origin);
    if (path.empty()) {
        return make();
    }
    if (std::optional<ShareCounts> known = fromFile(path, first)) {
        return std::move(*known);
    }
    ShareCounts all = make();
    toFile(path, first, all);
    return all;
}

}  // namespace tof
