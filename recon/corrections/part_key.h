// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/data/content_hash.h"

namespace tof {

struct ScatterCorrection;

/// A key of what goes into a part: equal keys, equal parts. It is a value; every call adds to it.
class PartKey {
  public:
    /// Keeps a reference to the threads that read large arrays.
    PartKey(const ContentHash& model, const ThreadPool& pool) : hash_(model), pool_(&pool) {}

    PartKey& text(const std::string& words);
    template <class T>
    PartKey& values(const std::vector<T>& all) {
        return bytes(std::as_bytes(std::span(all)));
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
    PartKey& bytes(std::span<const std::byte> all);

    ContentHash hash_;
    const ThreadPool* pool_;
};

}  // namespace tof
