// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/fft_plans.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>

#include "recon/base/error.h"
#include "recon/base/user_folder.h"

namespace tof {

namespace {

std::mutex& plannerLock() {
    static std::mutex lock;  // guards state that FFTW itself keeps for the whole process
    return lock;
}

fftwf_complex* complexes(float* data) {
    return reinterpret_cast<fftwf_complex*>(data);
}

std::optional<std::filesystem::path> wisdomFile() {
    const std::string folder = userFolder(UserFolder::Cache);
    return folder.empty() ? std::nullopt : std::optional(std::filesystem::path(folder) / "fftw3f-wisdom");
}

/// The pool that FFTW's loops of this thread run in. FFTW knows one way of running loops for the whole
/// process and says nothing of the plan that wants it, so the pool is handed over beside it. What a loop
/// throws waits until FFTW, which is C, has returned; its other loops do nothing then, and none does anything
/// once `unwanted` is true.
class PoolInUse {
  public:
    explicit PoolInUse(const ThreadPool& pool, const std::atomic<bool>* unwanted = nullptr)
        : pool_(pool), unwanted_(unwanted), before_(current) {
        current = this;
    }
    ~PoolInUse() { current = before_; }
    PoolInUse(const PoolInUse&) = delete;
    PoolInUse& operator=(const PoolInUse&) = delete;

    /// FFTW's parallel loop: work(job) for every job, back when all are done. Loops within loops arrive on
    /// the pool's own threads and run in place.
    static void runJobs(void* (*work)(char*), char* jobs, std::size_t size, int count, void* /*data*/) {
        const auto run = [&](std::size_t begin, std::size_t end) {
            for (std::size_t job = begin; job < end; ++job) {
                work(jobs + job * size);
            }
        };
        if (current == nullptr) {
            run(0, static_cast<std::size_t>(count));
        } else if (current->runs()) {
            try {
                current->pool_.forRange(static_cast<std::size_t>(count), 1, run);
            } catch (...) {
                current->thrown_ = std::current_exception();
            }
        }
    }

    void rethrow() const {
        if (thrown_ != nullptr) {
            std::rethrow_exception(thrown_);
        }
    }

  private:
    [[nodiscard]] bool runs() const {
        return thrown_ == nullptr && (unwanted_ == nullptr || !unwanted_->load());
    }

    static thread_local PoolInUse* current;
    const ThreadPool& pool_;
    const std::atomic<bool>* unwanted_;
    PoolInUse* before_;
    std::exception_ptr thrown_;
};

thread_local PoolInUse* PoolInUse::current = nullptr;

/// What makes plans. Where they are not wanted any more `unwanted` becomes true.
using MakePlans = std::function<void(unsigned flags, const std::atomic<bool>& unwanted)>;

/// Lets another thread search for plans while this one heeds. FFTW asks nobody, but after every plan that it
/// has tried it looks at its limit of time, a number that may change meanwhile: where the search is not
/// wanted any more the limit is 0, trials end at their next loop, and FFTW returns no plan. What `heed`
/// throws passes. Its caller holds the planner's lock.
void searchHeeding(const std::function<void()>& heed, const MakePlans& make) {
    constexpr auto kBetween = std::chrono::milliseconds(20);
    std::atomic<bool> unwanted = false;
    std::future<void> searching = std::async(std::launch::async, [&] { make(FFTW_MEASURE, unwanted); });
    try {
        while (searching.wait_for(kBetween) != std::future_status::ready) {
            heed();
        }
    } catch (...) {
        fftwf_set_timelimit(0);
        unwanted = true;
        searching.wait();
        fftwf_set_timelimit(FFTW_NO_TIMELIMIT);
        throw;
    }
    searching.get();
}

/// Reads what earlier runs learned, once. A missing or foreign file only costs planning time.
void prepareFftw() {
    static const bool prepared = [] {
        fftwf_init_threads();
        fftwf_threads_set_callback(PoolInUse::runJobs, nullptr);
        if (const auto file = wisdomFile()) {
            fftwf_import_wisdom_from_filename(file->c_str());
        }
        return true;
    }();
    static_cast<void>(prepared);
}

/// Written aside and renamed, so that two programs never read each other's half. Failure costs time, not
/// results.
void keepWisdom() {
    const auto file = wisdomFile();
    if (!file) {
        return;
    }
    std::error_code fault;
    std::filesystem::create_directories(file->parent_path(), fault);
    const std::filesystem::path aside = file->string() + fmt::format(".{}", ::getpid());
    if (fftwf_export_wisdom_to_filename(aside.c_str()) != 0) {
        std::filesystem::rename(aside, *file, fault);
    }
    if (fault) {
        std::filesystem::remove(aside, fault);
    }
}

/// Calls make() under the planner's lock.
void makePlans(const PlanSearch& search, const MakePlans& make) {
    const std::lock_guard<std::mutex> guard(plannerLock());
    prepareFftw();
    if (search.effort == PlanEffort::Estimated) {
        make(FFTW_ESTIMATE, false);
        return;
    }
    searchHeeding(search.heed, make);
    keepWisdom();
}

void requirePlans(bool all, const std::array<int, 3>& size) {
    if (!all) {
        throw Unavailable(
            fmt::format("FFTW cannot transform {} x {} x {} voxels; take other padding or engine cpu",
                        size[0], size[1], size[2]));
    }
}

}  // namespace

PlanSearch planSearch(const EngineOptions& options) {
    return {options.measurePlans ? PlanEffort::Measured : PlanEffort::Estimated, options.heed};
}

bool FftPlans::aligned(const float* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 64 == 0;
}

void DestroyPlan::operator()(fftwf_plan plan) const {
    const std::lock_guard<std::mutex> guard(plannerLock());
    fftwf_destroy_plan(plan);
}

FftPlans::FftPlans(std::array<int, 3> size, const ThreadPool& pool, const PlanSearch& search, float* real,
                   float* spectrum)
    : pool_(pool) {
    makePlans(search, [&](unsigned flags, const std::atomic<bool>& unwanted) {
        const PoolInUse use(pool_, &unwanted);
        fftwf_plan_with_nthreads(pool.threads());
        forward_.reset(fftwf_plan_dft_r2c_3d(size[2], size[1], size[0], real, complexes(spectrum),
                                             flags | FFTW_PRESERVE_INPUT));
        backward_.reset(fftwf_plan_dft_c2r_3d(size[2], size[1], size[0], complexes(spectrum), real, flags));
        use.rethrow();
    });
    requirePlans(forward_ != nullptr && backward_ != nullptr, size);
}

void FftPlans::forward(const float* real, float* spectrum) const {
    const PoolInUse use(pool_);
    // FFTW takes its input as not const even where it preserves it.
    fftwf_execute_dft_r2c(forward_.get(), const_cast<float*>(real), complexes(spectrum));
    use.rethrow();
}

void FftPlans::backward(float* spectrum, float* real) const {
    const PoolInUse use(pool_);
    fftwf_execute_dft_c2r(backward_.get(), complexes(spectrum), real);
    use.rethrow();
}

PlanePlans::PlanePlans(const Shape& shape, const PlanSearch& search, float* volume, float* transform,
                       float* plane) {
    const int nx = shape.size[0];
    const int ny = shape.size[1];
    const int nz = shape.size[2];
    fftwf_complex* const planes = complexes(plane);
    const int apart = static_cast<int>(shape.rowFloats) * shape.rows;
    const int row = static_cast<int>(shape.planeRow);
    makePlans(search, [&](unsigned flags, const std::atomic<bool>& /*unwanted*/) {
        fftwf_plan_with_nthreads(1);
        const auto alongX = [&](Which which, int rows, int sign) {
            plans_[which].reset(fftwf_plan_many_dft(1, &nx, rows, planes, nullptr, 1, row, planes, nullptr, 1,
                                                    row, sign, flags));
        };
        const auto alongY = [&](Which which, int sign) {
            plans_[which].reset(fftwf_plan_many_dft(1, &ny, nx, planes, nullptr, row, 1, planes, nullptr, row,
                                                    1, sign, flags));
        };
        plans_[RowForward].reset(fftwf_plan_many_dft_r2c(1, &nz, shape.columns, volume, nullptr, apart, 1,
                                                         complexes(transform), nullptr, apart, 1,
                                                         flags | FFTW_PRESERVE_INPUT));
        plans_[RowBackward].reset(fftwf_plan_many_dft_c2r(1, &nz, shape.columns, complexes(transform),
                                                          nullptr, apart, 1, volume, nullptr, apart, 1,
                                                          flags));
        alongX(XForward, shape.rows, FFTW_FORWARD);
        alongX(XForwardWhole, ny, FFTW_FORWARD);
        alongY(YForward, FFTW_FORWARD);
        alongY(YBackward, FFTW_BACKWARD);
        alongX(XBackward, shape.rows, FFTW_BACKWARD);
    });
    requirePlans(
        std::none_of(plans_.begin(), plans_.end(), [](const FftPlan& plan) { return plan == nullptr; }),
        shape.size);
}

void PlanePlans::forwardRow(const float* volume, float* transform) const {
    fftwf_execute_dft_r2c(plans_[RowForward].get(), const_cast<float*>(volume), complexes(transform));
}

void PlanePlans::backwardRow(float* transform, float* volume) const {
    fftwf_execute_dft_c2r(plans_[RowBackward].get(), complexes(transform), volume);
}

void PlanePlans::forwardPlane(float* plane) const {
    fftwf_execute_dft(plans_[XForward].get(), complexes(plane), complexes(plane));
    fftwf_execute_dft(plans_[YForward].get(), complexes(plane), complexes(plane));
}

void PlanePlans::forwardWholePlane(float* plane) const {
    fftwf_execute_dft(plans_[XForwardWhole].get(), complexes(plane), complexes(plane));
    fftwf_execute_dft(plans_[YForward].get(), complexes(plane), complexes(plane));
}

void PlanePlans::backwardPlane(float* plane) const {
    fftwf_execute_dft(plans_[YBackward].get(), complexes(plane), complexes(plane));
    fftwf_execute_dft(plans_[XBackward].get(), complexes(plane), complexes(plane));
}

const char* fftwVersion() {
    return fftwf_version;
}

}  // namespace tof
