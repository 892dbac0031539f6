// SPDX-License-Identifier: Apache-2.0
// The pool of builds with the thread sanitizer. It sees nothing of what oneTBB's library orders, which is not
// instrumented, and would report every loop; plain threads it understands.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "recon/base/parallel.h"

namespace tof {

namespace {

int coresOr(int threads) {
    return threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

struct ThreadPool::Impl {
    int threads;
    std::function<void()> heed;
};

ThreadPool::ThreadPool(int threads, Priority, std::function<void()> heed)
    : impl_(std::make_unique<Impl>(Impl{coresOr(threads), std::move(heed)})) {}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const {
    return impl_->threads;
}

/// Every thread heeds for itself here.
void ThreadPool::heed() const {
    if (impl_->heed) {
        impl_->heed();
    }
}

void ThreadPool::forRange(std::size_t n, std::size_t grain,
                          const std::function<void(std::size_t, std::size_t)>& body) const {
    if (n == 0) {
        return;
    }
    const std::size_t step = std::max<std::size_t>(grain, 1);
    const std::size_t chunks = (n + step - 1) / step;
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::exception_ptr first;
    const auto work = [&] {
        try {
            for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
                if (impl_->heed) {
                    impl_->heed();
                }
                body(chunk * step, std::min(n, (chunk + 1) * step));
            }
        } catch (...) {
            const std::lock_guard lock(mutex);
            first = first != nullptr ? first : std::current_exception();
            next = chunks;
        }
    };
    {
        const std::size_t others = std::min(chunks, static_cast<std::size_t>(impl_->threads));
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < others; ++i) {
            threads.emplace_back(work);
        }
        work();
    }
    if (first != nullptr) {
        std::rethrow_exception(first);
    }
}

}  // namespace tof
