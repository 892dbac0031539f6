// SPDX-License-Identifier: Apache-2.0
#include "recon/io/castor/castor_header.h"

#include <fmt/format.h>

#include <cmath>

#include "recon/base/error.h"
#include "recon/base/words.h"
#include "recon/io/bytes/text_header.h"

namespace tof {

CastorHeader::CastorHeader(const std::string& path) : path_(path) {
    for (const HeaderLine& line : readHeaderLines(path, {":", '#'})) {
        if (!line.value) {
            continue;
        }
        const auto [place, fresh] = values_.try_emplace(line.key, *line.value);
        if (!fresh && place->second != *line.value) {
            fail(line.key, "stands twice with different values; leave the wrong one out");
        }
    }
}

std::string CastorHeader::keyStarting(const std::string& start) const {
    const auto at = values_.lower_bound(start);
    return at != values_.end() && at->first.starts_with(start) ? at->first : start;
}

void CastorHeader::fail(const std::string& key, const std::string& what) const {
    throw BadInput("{}: field '{}' {}", path_, key, what);
}

std::string CastorHeader::text(const std::string& key) const {
    const auto at = values_.find(key);
    if (at == values_.end() || at->second.empty()) {
        fail(key, "is missing; add it");
    }
    return at->second;
}

std::string CastorHeader::text(const std::string& key, const std::string& fallback) const {
    return has(key) ? text(key) : fallback;
}

double CastorHeader::parse(const std::string& key, const std::string& text, double low, double high) const {
    const std::optional<double> value = parseNumber(text);
    if (!value) {
        fail(key, fmt::format("is '{}', not a number; correct it", trimmed(text).substr(0, 40)));
    }
    if (!(*value >= low) || !(*value <= high)) {
        fail(key, fmt::format("is {:g}; it must lie between {:g} and {:g}", *value, low, high));
    }
    return *value;
}

double CastorHeader::number(const std::string& key, double low, double high,
                            std::optional<double> fallback) const {
    return fallback && !has(key) ? *fallback : parse(key, text(key), low, high);
}

std::uint64_t CastorHeader::whole(const std::string& key, std::uint64_t high,
                                  std::optional<std::uint64_t> fallback) const {
    if (fallback && !has(key)) {
        return *fallback;
    }
    const double value = number(key, 0, static_cast<double>(high));
    if (value != std::floor(value)) {
        fail(key, fmt::format("is {:g}, not a whole number; correct it", value));
    }
    return static_cast<std::uint64_t>(value);
}

std::vector<double> CastorHeader::perLayer(const std::string& key, std::size_t layers, double low,
                                           double high, std::optional<double> fallback) const {
    std::vector<double> values;
    if (fallback && !has(key)) {
        values.push_back(*fallback);
    } else {
        (void)text(key);  // says when it is missing
        values = list(key, low, high);
    }
    if (values.size() != 1 && values.size() != layers) {
        fail(key, fmt::format("has {} values for {} layers; give one per layer", values.size(), layers));
    }
    values.resize(layers, values.empty() ? 0.0 : values.front());
    return values;
}

std::vector<double> CastorHeader::list(const std::string& key, double low, double high) const {
    std::vector<double> values;
    for (const std::string& item : parts(has(key) ? text(key) : "", ',')) {
        values.push_back(parse(key, item, low, high));
    }
    return values;
}

bool CastorHeader::flag(const std::string& key) const {
    return whole(key, 1, 0) == 1;
}

bool isCastorHeader(const std::string& start) {
    return start.find('\0') == std::string::npos && start.find("Data filename") != std::string::npos &&
           start.find("Scanner name") != std::string::npos;
}

}  // namespace tof
