// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <type_traits>

#include "recon/base/hd.h"

namespace tof {

/// Elements in the memory of a CUDA device as the host sees them: it hands them on and never looks at one.
/// Owns nothing; empty stands for "none". Kernels may take spans and look into them.
template <typename T>
class DeviceSpan {
  public:
    constexpr DeviceSpan() = default;
    constexpr DeviceSpan(T* data, std::size_t size) : data_(data), size_(size) {}
    /// What may be written may be read.
    template <typename U>
    requires std::is_same_v<T, const U>
    constexpr DeviceSpan(DeviceSpan<U> other)  // NOLINT: as a pointer to const is made from one that is not
        : data_(other.get()), size_(other.size()) {}

    /// Kernels and the CUDA runtime alone may use it.
    [[nodiscard]] TOF_HD constexpr T* get() const { return data_; }
    [[nodiscard]] TOF_HD constexpr std::size_t size() const { return size_; }
    [[nodiscard]] TOF_HD constexpr bool empty() const { return size_ == 0; }
    [[nodiscard]] constexpr DeviceSpan part(std::size_t offset, std::size_t count) const {
        return {data_ + offset, count};
    }
    [[nodiscard]] constexpr DeviceSpan from(std::size_t offset) const {
        return {data_ + offset, size_ - offset};
    }

#if defined(__CUDACC__)
    template <typename Index>
    [[nodiscard]] __device__ T& operator[](Index i) const {
        return data_[i];
    }
#endif

  private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace tof
