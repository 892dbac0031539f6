// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "recon/base/parallel.h"
#include "recon/io/format/format.h"
#include "recon/io/root/gate_columns.h"
#include "recon/scanner/crystal_finder.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Coincidences of GATE as list-mode: the crystals are those in which the two places lie, dt is time1 -
/// time2, and kinds come from the events and the scatters in the phantom. The axes are those of GATE's world.
class GateList : public EventStream {
  public:
    /// Keeps a reference to the file. Throws WrongUse or BadInput for the scanner, and BadInput where the
    /// file has fewer coincidences than its tree says, unless `options.partial`.
    GateList(const RootFile& file, const ListReadOptions& options);

    [[nodiscard]] const EventList& scan() const override { return scan_; }
    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] bool hasFactors() const override { return false; }
    [[nodiscard]] std::string note() const override { return note_; }
    void read(std::uint64_t first, std::uint64_t count, EventList& block) const override;
    [[nodiscard]] bool tellsMoments() const override;
    void readMoments(std::uint64_t first, std::uint64_t count, EventList& block) const override;
    /// The whole list, with kinds, energies and times.
    [[nodiscard]] ListReadResult all() const;

  private:
    void takeCrystals(std::uint64_t first, std::size_t count, EventList& out, std::size_t at) const;
    void takeMoments(std::size_t count, EventList& out, std::size_t at) const;
    void takeRest(std::uint64_t first, std::size_t count, EventList& out) const;
    [[nodiscard]] std::uint32_t crystalAt(std::uint64_t event, std::size_t i, std::size_t photon) const;
    void measureTime();
    void noteWhatIsMissing();
    void noteHowTheyFit();

    std::string path_;
    mutable GateColumns columns_;
    Scanner scanner_;
    CrystalFinder finder_;
    EventList scan_;
    std::uint64_t size_ = 0;
    std::unique_ptr<ThreadPool> pool_;  ///< null for a list that is too short for one
    double start_s_ = 0;
    bool timed_ = false;
    std::string note_;
};

}  // namespace tof
