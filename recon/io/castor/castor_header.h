// SPDX-License-Identifier: Apache-2.0
// The `key: value` text of CASToR headers (.cdh, .hscan, .geom). Internal to recon/io.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tof {

/// Keys are case sensitive; `#` starts a comment; lists are separated by commas.
class CastorHeader {
  public:
    explicit CastorHeader(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }
    /// The first key that starts so, as CASToR looks keys up; `start` itself where there is none.
    [[nodiscard]] std::string keyStarting(const std::string& start) const;
    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
    /// A finite number within [low, high].
    [[nodiscard]] double number(const std::string& key, double low, double high,
                                std::optional<double> fallback = {}) const;
    [[nodiscard]] std::uint64_t whole(const std::string& key, std::uint64_t high,
                                      std::optional<std::uint64_t> fallback = {}) const;
    /// One number per layer; a single value stands for all of them.
    [[nodiscard]] std::vector<double> perLayer(const std::string& key, std::size_t layers, double low,
                                               double high, std::optional<double> fallback = {}) const;
    /// One or more numbers; empty where the key is absent.
    [[nodiscard]] std::vector<double> list(const std::string& key, double low, double high) const;
    [[nodiscard]] bool flag(const std::string& key) const;
    [[noreturn]] void fail(const std::string& key, const std::string& what) const;

  private:
    [[nodiscard]] double parse(const std::string& key, const std::string& text, double low,
                               double high) const;

    std::string path_;
    std::map<std::string, std::string> values_;
};

/// True when the start of a file is text with the keys of a CASToR data header.
[[nodiscard]] bool isCastorHeader(const std::string& start);

}  // namespace tof
