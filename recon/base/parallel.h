// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace tof {

/// Background asks the scheduler to prefer other work (a window, say).
enum class Priority { Normal, Background };

/// A fixed number of worker threads; every loop of the host engines runs in one. Within its body subnormal
/// numbers (floats below 1.2e-38) count as 0.
/// Loops partition [0, n) the same way whatever the number of threads, and sums are taken over fixed
/// chunks in index order, so results do not depend on scheduling. Safe to call from any one thread at a time.
class ThreadPool {
  public:
    /// `threads` 0 takes every core. `heed` is called before every chunk, by any thread, several at a time:
    /// where it throws Cancelled the loop ends with that, so that no loop outlives the wish for it by more
    /// than a chunk.
    explicit ThreadPool(int threads = 0, Priority priority = Priority::Normal,
                        std::function<void()> heed = {});
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] int threads() const;

    /// Heeds as loops do before every chunk: for a body that takes long. Also throws Cancelled where another
    /// thread has ended the loop.
    void heed() const;

    /// Runs body(begin, end) over [0, n) in chunks of `grain` (last one shorter), in any order and in
    /// parallel. The first exception thrown by a body is rethrown here.
    void forRange(std::size_t n, std::size_t grain,
                  const std::function<void(std::size_t begin, std::size_t end)>& body) const;

    /// Sum of body(begin, end) over fixed chunks, added in index order: bit-identical for any thread count.
    [[nodiscard]] double sumRange(
        std::size_t n, std::size_t grain,
        const std::function<double(std::size_t begin, std::size_t end)>& body) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tof
