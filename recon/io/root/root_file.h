// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "recon/io/bytes/random_file.h"
#include "recon/io/root/root_tree.h"

namespace tof {

/// A basket that had to be decompressed, kept for who reads on.
struct RootUnpackedBasket {
    std::uint64_t at = 0;
    std::vector<std::byte> numbers;
};

/// The trees at the top of a file of ROOT (TFile, TTree of versions 16 to 20; ROOT 5.18 to 6). Own code
/// because ROOT is in no package of Debian. Reading is thread-safe.
class RootFile {
  public:
    /// Throws BadInput.
    explicit RootFile(const std::string& path);

    [[nodiscard]] const std::string& path() const { return file_.path(); }
    [[nodiscard]] const std::vector<RootTree>& trees() const { return trees_; }
    /// Fills `out` with the entries from `first` on. `kept` is of this branch alone, and of one thread at a
    /// time. Throws BadInput.
    void read(const RootBranch& branch, std::uint64_t first, std::span<double> out,
              RootUnpackedBasket& kept) const;

  private:
    struct Key {
        std::uint64_t stored = 0;  ///< bytes with the key's own
        std::uint64_t size = 0;    ///< bytes of the object, not compressed
        std::uint16_t length = 0;  ///< bytes of the key itself
        std::uint16_t cycle = 0;
        std::uint64_t at = 0;
        std::string className;
        std::string name;
        std::uint32_t last = 0;  ///< where the numbers of a basket end, from the start of the key
    };
    [[nodiscard]] static Key readKey(RootCursor& cursor);
    [[nodiscard]] std::vector<Key> topKeys() const;
    [[nodiscard]] Key basketKey(const RootBasket& basket) const;
    [[nodiscard]] std::vector<std::byte> object(const Key& key) const;
    void readBasket(const RootBranch& branch, const RootBasket& basket, std::uint64_t first,
                    std::span<double> out, RootUnpackedBasket& kept) const;

    RandomFile file_;
    std::vector<RootTree> trees_;
};

}  // namespace tof
