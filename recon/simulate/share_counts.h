// SPDX-License-Identifier: Apache-2.0
// What recordedShares() counts, and the user's cache of it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tof {

/// Photons by the column and by the row, in its module, of the crystal that they are counted in.
class ShareCounts {
  public:
    enum class Kind : std::size_t {
        First,    ///< they interacted there first
        Recorded  ///< they are recorded there
    };
    /// Whether either end of a module is like the other.
    enum class Ends { Unlike, Alike };

    /// Nothing counted, for modules of so many columns and rows, at least one each.
    explicit ShareCounts(const std::array<int, 2>& size);

    void count(Kind kind, const std::array<int, 2>& place);
    /// `part` is for modules of the same size.
    void add(const ShareCounts& part);
    [[nodiscard]] std::uint64_t all(Kind kind) const { return numbers_[begin(kind)]; }
    /// The shares that are recorded along an axis, over the mean share; places that are alike are taken
    /// together.
    [[nodiscard]] std::vector<double> shares(std::size_t axis, Ends ends) const;

    /// All photons, those of the columns and those of the rows, of either kind.
    [[nodiscard]] const std::vector<std::uint64_t>& numbers() const { return numbers_; }
    /// Takes numbers() of the same size. False, and nothing is taken, where columns or rows do not add up to
    /// all photons.
    [[nodiscard]] bool take(const std::vector<std::uint64_t>& numbers);

  private:
    [[nodiscard]] std::size_t begin(Kind kind) const { return static_cast<std::size_t>(kind) * perKind(); }
    [[nodiscard]] std::size_t begin(Kind kind, std::size_t axis) const {
        return begin(kind) + 1 + (axis == 0 ? 0 : size_[0]);
    }
    [[nodiscard]] std::size_t perKind() const { return 1 + size_[0] + size_[1]; }

    std::array<std::size_t, 2> size_;
    std::vector<std::uint64_t> numbers_;
};

/// Takes the counts from the cache, in a file named after `origin`, or has them made and leaves them there.
/// `first`: counts of the first photons. A file whose first photons have other counts is of another scanner
/// or other physics: it is made again, as a damaged one is. A cache that cannot be written is none.
[[nodiscard]] ShareCounts storedShareCounts(const std::string& origin, const ShareCounts& first,
                                            const std::function<ShareCounts()>& make);

/// The file of the cache; empty where there is none.
[[nodiscard]] std::string shareCountsPath(const std::string& origin);

}  // namespace tof
