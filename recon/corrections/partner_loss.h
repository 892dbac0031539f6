// SPDX-License-Identifier: Apache-2.0
// Randoms that dead blocks take away though the singles' recorded rates do not say so, nor delayed
// coincidences: when photons of two decays meet in time, the partner of one is about, too, and keeps the
// other's block busy in half of the cases if it goes there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/data/histo_data.h"
#include "recon/scanner/scanner.h"

namespace tof {

/// Coincidences of one decay that a scan recorded between blocks. Blocks of one column of a module are taken
/// together where there are more than 4,096 of them.
class BlockPairs {
  public:
    /// None yet. Throws BadInput as Detector does.
    explicit BlockPairs(const Scanner& scanner);

    /// Adds coincidences between two crystals, less than none where randoms are taken off. From any threads:
    /// the sums are right to 1e-6 and the same in any order.
    void add(std::uint32_t one, std::uint32_t two, double count);

    [[nodiscard]] std::size_t areas() const { return blocksOf_.size(); }
    [[nodiscard]] std::uint32_t areaOf(std::uint32_t crystal) const { return areaOf_[crystal]; }
    [[nodiscard]] double blocksOf(std::size_t area) const { return blocksOf_[area]; }
    [[nodiscard]] double between(std::size_t one, std::size_t two) const;
    [[nodiscard]] double all() const;

  private:
    std::vector<std::uint32_t> areaOf_;  ///< by crystal
    std::vector<double> blocksOf_;       ///< how many there are in each area
    std::vector<std::int64_t> sums_;     ///< [lower area][higher area], in units that integers count
};

/// Those that histo-images hold beyond `randoms` (in the order of data.counts), in the blocks at the ends of
/// the lines of every view's cell.
[[nodiscard]] BlockPairs pairsOfViews(const HistoData& data, const std::vector<float>& randoms,
                                      const Scanner& scanner, const ThreadPool& pool);

/// What is known of a scan's coincidences of one decay.
struct DecayPairs {
    double perSecond = 0;        ///< recorded ones
    double busyPerRecorded = 1;  ///< a block is busy that many times as often as it records
};

/// Pairs of photons on lines within the field of view, of any tilt, over those within acceptance, by the
/// solid angles of lines between crystals: steep ones are no coincidences, but keep blocks busy.
[[nodiscard]] double pairsPerAccepted(const Scanner& scanner);

/// Share of the randoms of 2 tau s_i s_j between two crystals that is left. Taken off is half of the chance
/// that the partner of a crystal's photon reaches the other's block (coincidences between both blocks over
/// the singles of one and the live time of the other), and the same from the other side. Added is what blocks
/// win by being dead at the same time: pairs that keep both busy, times the dead time, over the product of
/// both live times; less where other photons would have kept them busy. Immutable; share between threads.
class PartnerLoss {
  public:
    /// `rates`: singles recorded per second, by crystal. `pairs` say where coincidences lie, and `known` how
    /// many there are.
    PartnerLoss(const std::vector<double>& rates, const Scanner& scanner, const BlockPairs& pairs,
                const DecayPairs& known);

    [[nodiscard]] double left(std::uint32_t one, std::uint32_t two) const {
        return left_[areaOf_[one] * areas_ + areaOf_[two]];
    }

  private:
    std::size_t areas_ = 0;
    std::vector<std::size_t> areaOf_;
    std::vector<float> left_;
};

}  // namespace tof
