// SPDX-License-Identifier: Apache-2.0
// The `key [index] := value` text of Interfile headers. Internal to recon/io.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/raw_numbers.h"
#include "recon/io/bytes/text_header.h"

namespace tof {

/// Distances of Interfile are in cm.
inline constexpr double kMmPerCm = 10;

/// Keys are compared without case, `!`, `_` and runs of white space; index 0 stands for none. A bracket that
/// holds no number, a unit, is part of its key.
class InterfileHeader {
  public:
    /// What two lines of one key with different values are, where that key is asked for.
    enum class Repeats { LastCounts, Refused };
    /// Lines without ':=' are titles and not kept. The header may lie in DICOM of Siemens (SiemensRaw).
    /// Throws BadInput unless the first key is INTERFILE.
    /// A main header of Siemens' e7 (.mhdr) stands for the only data set that it names.
    explicit InterfileHeader(const std::string& path, Repeats repeats = Repeats::LastCounts);

    [[nodiscard]] const std::string& path() const { return path_; }
    /// Throws BadInput where two lines of the key differ and that is refused.
    [[nodiscard]] std::optional<std::string> find(const std::string& key, int index = 0) const;
    /// Finds the first key that starts so.
    [[nodiscard]] std::optional<std::string> findStarting(const std::string& key) const;
    [[nodiscard]] std::string text(const std::string& key, const std::string& fallback) const;
    /// Throws BadInput when the value is there and not a finite number, or not there and no fallback is
    /// given.
    [[nodiscard]] double number(const std::string& key, int index, std::optional<double> fallback = {}) const;
    [[nodiscard]] std::uint64_t whole(const std::string& key, int index,
                                      std::optional<std::uint64_t> fallback = {}) const;
    /// `{a, b, c}` or a single number; empty when the key is absent.
    [[nodiscard]] std::vector<double> list(const std::string& key, int index) const;
    /// How the numbers of the data are stored. Throws BadInput for a kind that is not read.
    [[nodiscard]] NumberType numberType() const;
    /// Throws BadInput for another order than two, and where two spellings of the key contradict each other.
    [[nodiscard]] ByteOrder byteOrder() const;
    /// Path of the data, relative to the header's folder. Throws BadInput.
    [[nodiscard]] std::string dataFile() const;
    /// Byte behind the last one of that file that may be data; nothing where all of it may be.
    [[nodiscard]] std::optional<std::uint64_t> dataEnd() const {
        return rawFile_.empty() ? std::nullopt : std::optional(rawEnd_);
    }
    [[noreturn]] void fail(const std::string& key, const std::string& what) const;

  private:
    enum class Line { Last, Other };
    void readLines();
    /// The header of a main header's only data set; empty where this is none.
    [[nodiscard]] std::string dataSet() const;
    Line addLine(const HeaderLine& line);
    [[nodiscard]] double parse(const std::string& key, const std::string& text) const;

    std::string path_;
    Repeats repeats_;
    std::string rawFile_;  ///< where data lie that DICOM describes (SiemensRaw); else empty
    std::uint64_t rawEnd_ = 0;
    std::map<std::pair<std::string, int>, std::string> values_;
    std::set<std::pair<std::string, int>> contradicted_;  ///< keys of two lines that differ
};

/// Lower case, `!`, `_`, tabs and spaces as single spaces, trimmed.
[[nodiscard]] std::string normalKey(const std::string& key);

/// What `make` returns. What it calls wrong use is BadInput in `file`: that says what it was given.
template <class Make>
auto madeOfFile(const std::string& file, const Make& make) {
    try {
        return make();
    } catch (const WrongUse& fault) {
        throw BadInput("{}: {}", file, fault.what());
    }
}

}  // namespace tof
