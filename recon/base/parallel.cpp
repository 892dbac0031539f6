// SPDX-License-Identifier: Apache-2.0
#include "recon/base/parallel.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "recon/base/error.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace tof {

namespace {

constexpr std::size_t kMostThreads = 1024;

/// Lowers the priority of each TBB worker while it serves the arena; the caller's own thread is left alone.
class BackgroundWorkers : public tbb::task_scheduler_observer {
  public:
    explicit BackgroundWorkers(tbb::task_arena& arena) : tbb::task_scheduler_observer(arena) {
        observe(true);
    }
    ~BackgroundWorkers() override { observe(false); }

    void on_scheduler_entry(bool isWorker) override {
        if (isWorker) {
            const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
            ::setpriority(PRIO_PROCESS, thread, 10);
        }
    }
};

/// Takes subnormal numbers (floats below 1.2e-38) as 0 while it lives, as the CUDA engines do. Images fall
/// to such values where there is nothing, and a processor takes a hundred times as long for each.
class SubnormalsAreZero {
  public:
    SubnormalsAreZero(const SubnormalsAreZero&) = delete;
    SubnormalsAreZero& operator=(const SubnormalsAreZero&) = delete;
#if defined(__SSE__)
    SubnormalsAreZero() : before_(_mm_getcsr()) {
        _mm_setcsr(before_ | kFlushToZero | kDenormalsAreZero);
    }
    ~SubnormalsAreZero() {
        _mm_setcsr(before_);
    }

  private:
    static constexpr unsigned kFlushToZero = 0x8000;
    static constexpr unsigned kDenormalsAreZero = 0x0040;
    unsigned before_;
#else
    SubnormalsAreZero() = default;
#endif
};

}  // namespace

struct ThreadPool::Impl {
    // The limit holds for the whole process; it is raised so that a pool may have more threads than cores.
    explicit Impl(int threads)
        : control(tbb::global_control::max_allowed_parallelism, kMostThreads), arena(threads) {}
    tbb::global_control control;
    tbb::task_arena arena;
    std::unique_ptr<BackgroundWorkers> background;
    std::function<void()> heed;
};

ThreadPool::ThreadPool(int threads, Priority priority, std::function<void()> heed)
    : impl_(std::make_unique<Impl>(threads > 0 ? threads : tbb::info::default_concurrency())) {
    impl_->arena.initialize();
    impl_->heed = std::move(heed);
    if (priority == Priority::Background) {
        impl_->background = std::make_unique<BackgroundWorkers>(impl_->arena);
    }
}

ThreadPool::~ThreadPool() = default;

int ThreadPool::threads() const {
    return impl_->arena.max_concurrency();
}

void ThreadPool::heed() const {
    if (impl_->heed) {
        impl_->heed();
    }
    if (tbb::is_current_task_group_canceling()) {
        throw Cancelled();
    }
}

void ThreadPool::forRange(std::size_t n, std::size_t grain,
                          const std::function<void(std::size_t, std::size_t)>& body) const {
    if (n == 0) {
        return;
    }
    const std::size_t step = std::max<std::size_t>(grain, 1);
    const std::size_t chunks = (n + step - 1) / step;
    impl_->arena.execute([&] {
        tbb::parallel_for(
            tbb::blocked_range<std::size_t>(0, chunks, 1),
            [&](const tbb::blocked_range<std::size_t>& range) {
                const SubnormalsAreZero mode;
                for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) {
                    if (impl_->heed) {
                        impl_->heed();
                    }
                    body(chunk * step, std::min(n, (chunk + 1) * step));
                }
            },
            tbb::simple_partitioner());
    });
}

}  // namespace tof
