// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/io/format/format.h"
#include "recon/io/petsird/petsird_scanner.h"
#include "recon/io/petsird/yardl_reader.h"

namespace tof {

/// Throws BadInput, naming `path`, for a schema that is not of PETSIRD 0.9 or 0.10.
void requirePetsird(const std::string& path, const YardlSchema& schema);

/// Prompts of a list of PETSIRD 0.9 or 0.10; other blocks and delayeds are passed over and counted. Not
/// thread-safe.
class PetsirdList : public EventStream {
  public:
    /// Reads the header and where the events of each block lie. Throws BadInput; a file that ends within a
    /// block is read as far as the block before, where `options` take it in part.
    PetsirdList(YardlReader reader, const ListReadOptions& options);

    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] bool hasFactors() const override { return scanner_.weighted(); }
    [[nodiscard]] std::string note() const override { return note_; }
    void read(std::uint64_t first, std::uint64_t count, EventList& block) const override;
    /// The whole list, with the start of its block as the time of each event and efficiencies as mult.
    [[nodiscard]] ListReadResult all() const;
    [[nodiscard]] std::uint64_t delayeds() const { return delayeds_; }

  private:
    /// Coincidences of two types of modules in one block.
    struct Run {
        std::uint64_t first = 0;  ///< number of the first event
        std::uint64_t count = 0;
        std::uint64_t at = 0;  ///< place in the reader
        std::uint32_t time_ms = 0;
        std::array<std::uint8_t, 2> types{};
    };
    struct Coincidence {
        std::array<std::uint64_t, 2> bins{};
        std::uint64_t time = 0;
    };
    /// What the fields of a coincidence are to us.
    enum class Field { Bins, Time, Other };

    void readBlocks(const ListReadOptions& options);
    void readBlock(std::size_t type);
    /// The lists of a block; runs are kept where `runs` is given. Returns the events.
    [[nodiscard]] std::uint64_t readRuns(std::size_t lists, std::uint32_t time_ms, std::vector<Run>* runs);
    void learnCoincidence(std::size_t type);
    [[nodiscard]] Coincidence coincidence() const;
    [[nodiscard]] std::array<std::uint32_t, 2> crystalsOf(const Run& run, const Coincidence& one,
                                                          std::uint64_t event) const;
    template <typename Take>
    void forEvents(std::uint64_t first, std::uint64_t count, const Take& take) const;
    void finish();

    mutable YardlReader reader_;
    PetsirdScanner scanner_;
    EventList scan_;
    std::vector<Run> runs_;
    std::uint64_t size_ = 0;
    std::uint64_t delayeds_ = 0;
    std::uint64_t others_ = 0;  ///< blocks that hold no events
    std::uint64_t behind_ = 0;  ///< bytes behind the end of the blocks
    bool cut_ = false;          ///< the file ended within a block
    std::optional<std::uint64_t> start_ms_;
    std::uint64_t stop_ms_ = 0;
    std::vector<std::pair<Field, std::size_t>> fields_;  ///< fields of a coincidence, with their types
    mutable std::uint64_t nextEvent_ = 0;                ///< the one that lies at nextAt_
    mutable std::uint64_t nextAt_ = 0;
    std::string note_;
};

}  // namespace tof
