// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "recon/io/format/format.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// The scanner of PETSIRD's header, as its events refer to it. Crystals are numbered by types of modules, in
/// these by modules, in these by elements; the reference point is the middle of an element.
class PetsirdScanner {
  public:
    /// Where detection bins of a type of modules begin among the crystals.
    struct Type {
        std::uint32_t firstCrystal = 0;
        std::uint32_t crystals = 0;
        std::uint32_t elements = 0;         ///< crystals of a module
        std::uint32_t energies = 1;         ///< windows, which run fastest in a bin
        std::vector<float> efficiencies{};  ///< by detection bin; empty: 1
    };
    /// Two types of modules, the first not below the second.
    struct Pair {
        std::vector<float> dt_ps{};          ///< middle of every time bin; of one bin none
        std::vector<std::int64_t> groups{};  ///< groups of module pairs, [module1][module2]; empty: all in 0
        std::vector<std::vector<float>> efficiencies{};  ///< by group: [bin of module 1][bin of module 2]
        std::uint64_t time_bins = 1;
    };

    /// `header`: what YardlReader::value() gives of ScannerInformation. Throws BadInput naming `path`.
    PetsirdScanner(std::string path, const nlohmann::json& header);

    [[nodiscard]] const Scanner& scanner() const { return scanner_; }
    [[nodiscard]] const std::vector<Type>& types() const { return types_; }
    [[nodiscard]] const Pair& pair(std::size_t first, std::size_t second) const {
        return pairs_[first * types_.size() + second];
    }
    [[nodiscard]] bool timed() const { return timed_; }
    /// Whether efficiencies are told.
    [[nodiscard]] bool weighted() const { return weighted_; }
    [[nodiscard]] const std::string& note() const { return note_; }
    /// Takes the file's calibrationFactor into efficiency(), or leaves it out, and tells of it.
    void useCalibration(StatedFactor use);
    /// The probability that an emission on the line of two detection bins is recorded; 0 for modules that are
    /// not in coincidence.
    [[nodiscard]] float efficiency(std::size_t first, std::size_t second,
                                   const std::array<std::uint64_t, 2>& bins) const;

  private:
    using Json = nlohmann::json;
    void addModules(const Json& replicated);
    void addTimes(const Json& header);
    void addEfficiencies(const Json& told);
    void addDetection(const Json& header);
    [[nodiscard]] const Json& field(const Json& object, const char* name) const;
    [[nodiscard]] std::vector<float> numbers(const Json& array, const char* name) const;
    [[noreturn]] void fail(const char* name, const std::string& fault) const;

    std::string path_;
    Scanner scanner_;
    std::vector<Type> types_;
    std::vector<Pair> pairs_;
    double calibration_ = 1;
    bool timed_ = false;
    bool weighted_ = false;
    std::string note_;
};

}  // namespace tof
