// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <type_traits>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/data/content_hash.h"

namespace tof {

struct ScatterCorrection;

/// A key of what goes into a part: equal keys, equal parts. It is a value; every call adds to it.
class PartKey {
  public:
    explicit PartKey(const ContentHash& model) : hash_(model) {}

    PartKey& text(const std::string& words);
    template <class T>
    PartKey& values(const std::vector<T>& all) {
        hash_.add(all.data(), all.size() * sizeof(T));
        return *this;
    }
    template <class T>
    PartKey& value(const T& one) {
        static_assert(std::is_arithmetic_v<T>);
        hash_.add(&one, sizeof(one));
        return *this;
    }
    /// Values and where they lie.
    PartKey& volume(const Volume& volume);
    /// All settings that change what is found: a new one does not compile until it is among them.
    PartKey& of(const ScatterCorrection& settings);

    [[nodiscard]] std::string result() const { return hash_.text(); }

  private:
    ContentHash hash_;
};

}  // namespace tof
