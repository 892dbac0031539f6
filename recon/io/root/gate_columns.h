// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/events.h"
#include "recon/io/root/root_file.h"

namespace tof {

/// What GATE says of each of the two photons.
enum class GateQuantity { X, Y, Z, Time, Energy, Event, Compton, Rayleigh };
inline constexpr std::size_t kGateQuantities = 8;

/// How a version of GATE calls the branches of its coincidences, before the 1 or 2 of the photon.
struct GateNames {
    const char* program;
    double secondsPerTime;
    std::array<const char*, kGateQuantities> stems;  ///< by GateQuantity; null: not kept
};

/// The coincidences of one tree of GATE, some at a time. Not thread-safe.
class GateColumns {
  public:
    /// The tree `Coincidences` of the file, else the first with places of pairs; the object is empty where
    /// there is none. Keeps a reference.
    explicit GateColumns(const RootFile& file);

    [[nodiscard]] bool empty() const { return tree_ == nullptr; }
    [[nodiscard]] const GateNames& names() const { return *names_; }
    [[nodiscard]] const RootTree& tree() const { return *tree_; }
    /// Trees of coincidences that are left, by name.
    [[nodiscard]] const std::vector<std::string>& others() const { return others_; }
    /// Whether both photons have it.
    [[nodiscard]] bool has(GateQuantity quantity) const;
    /// "eventID1": the branch of photon 0 or 1.
    [[nodiscard]] std::string branchName(GateQuantity quantity, std::size_t photon) const;
    /// Coincidences of which every branch is there.
    [[nodiscard]] std::uint64_t present() const;
    /// Whether kinds and scatters can be told.
    [[nodiscard]] bool kinds() const;

    /// Reads what there is of `wanted`, of the coincidences [first, first + count), in this thread where
    /// `pool` is null. Throws BadInput.
    void read(std::initializer_list<GateQuantity> wanted, std::uint64_t first, std::size_t count,
              const ThreadPool* pool);
    /// Values of what was read last.
    [[nodiscard]] std::span<const double> values(GateQuantity quantity, std::size_t photon) const {
        return columns_[static_cast<std::size_t>(quantity)][photon].values;
    }
    /// How often both photons of coincidence i of what was read last were scattered, or -1 where GATE does
    /// not know.
    [[nodiscard]] double scatters(std::size_t i) const;
    [[nodiscard]] EventKind kind(std::size_t i) const;

  private:
    struct Column {
        const RootBranch* branch = nullptr;
        RootUnpackedBasket kept{};
        std::vector<double> values{};
    };
    const RootFile& file_;
    const RootTree* tree_ = nullptr;
    const GateNames* names_ = nullptr;
    std::vector<std::string> others_;
    std::array<std::array<Column, 2>, kGateQuantities> columns_;
};

}  // namespace tof
