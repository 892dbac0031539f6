// SPDX-License-Identifier: Apache-2.0
#include "recon/engines/fftw/fft_plans.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>

#include "recon/base/error.h"

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
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache != nullptr && *cache != '\0') {
        return std::filesystem::path(cache) / "tofscope" / "fftw3f-wisdom";
    }
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home != '\0') {
        return std::filesystem::path(home) / ".cache" / "tofscope" / "fftw3f-wisdom";
    }
    return std::nullopt;
}

/// The pool that FFTW's loops of this thread run in. FFTW knows one way of running loops for the whole
/// process and says nothing of the plan that wants it, so the pool is handed over beside it.
thread_local const ThreadPool* currentPool = nullptr;

class PoolInUse {
  public:
    explicit PoolInUse(const ThreadPool& pool) : before_(currentPool) { currentPool = &pool; }
    ~PoolInUse() { currentPool = before_; }
    PoolInUse(const PoolInUse&) = delete;
    PoolInUse& operator=(const PoolInUse&) = delete;

  private:
    const ThreadPool* before_;
};

/// FFTW's parallel loop: work(job) for every job, back when all are done. Loops within loops arrive on the
/// pool's own threads and run in place.
void runJobs(void* (*work)(char*), char* jobs, std::size_t size, int count, void* /*data*/) {
    const auto run = [&](std::size_t begin, std::size_t end) {
        for (std::size_t job = begin; job < end; ++job) {
            work(jobs + job * size);
        }
    };
    if (currentPool == nullptr) {
        run(0, static_cast<std::size_t>(count));
    } else {
        currentPool->forRange(static_cast<std::size_t>(count), 1, run);
    }
}

/// Reads what earlier runs learned, once. A missing or foreign file only costs planning time.
void prepareFftw() {
    static const bool prepared = [] {
        fftwf_init_threads();
        fftwf_threads_set_callback(runJobs, nullptr);
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

}  // namespace

std::size_t FftPlans::reals(std::array<int, 3> size) {
    return static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
}

std::size_t FftPlans::complexes(std::array<int, 3> size) {
    return static_cast<std::size_t>(size[0] / 2 + 1) * static_cast<std::size_t>(size[1]) *
           static_cast<std::size_t>(size[2]);
}

bool FftPlans::aligned(const float* data) {
    return reinterpret_cast<std::uintptr_t>(data) % 64 == 0;
}

FftPlans::FftPlans(std::array<int, 3> size, const ThreadPool& pool, PlanEffort effort, float* real,
                   float* spectrum)
    : pool_(pool) {
    const PoolInUse use(pool_);
    const std::lock_guard<std::mutex> guard(plannerLock());
    prepareFftw();
    fftwf_plan_with_nthreads(pool.threads());
    const unsigned flags = effort == PlanEffort::Measured ? FFTW_MEASURE : FFTW_ESTIMATE;
    forward_ = fftwf_plan_dft_r2c_3d(size[2], size[1], size[0], real, tof::complexes(spectrum),
                                     flags | FFTW_PRESERVE_INPUT);
    backward_ = fftwf_plan_dft_c2r_3d(size[2], size[1], size[0], tof::complexes(spectrum), real, flags);
    if (forward_ == nullptr || backward_ == nullptr) {
        throw Unavailable(
            fmt::format("FFTW cannot transform {} x {} x {} voxels; take other padding or engine cpu",
                        size[0], size[1], size[2]));
    }
    if (effort == PlanEffort::Measured) {
        keepWisdom();
    }
}

FftPlans::~FftPlans() {
    const std::lock_guard<std::mutex> guard(plannerLock());
    fftwf_destroy_plan(forward_);
    fftwf_destroy_plan(backward_);
}

void FftPlans::forward(const float* real, float* spectrum) const {
    const PoolInUse use(pool_);
    // FFTW takes its input as not const even where it preserves it.
    fftwf_execute_dft_r2c(forward_, const_cast<float*>(real), tof::complexes(spectrum));
}

void FftPlans::backward(float* spectrum, float* real) const {
    const PoolInUse use(pool_);
    fftwf_execute_dft_c2r(backward_, tof::complexes(spectrum), real);
}

PlanePlans::PlanePlans(const Shape& shape, PlanEffort effort, float* volume, float* transform, float* plane) {
    const std::lock_guard<std::mutex> guard(plannerLock());
    prepareFftw();
    fftwf_plan_with_nthreads(1);
    const unsigned flags = effort == PlanEffort::Measured ? FFTW_MEASURE : FFTW_ESTIMATE;
    const int nx = shape.size[0];
    const int ny = shape.size[1];
    const int nz = shape.size[2];
    fftwf_complex* const planes = tof::complexes(plane);
    const int apart = static_cast<int>(shape.rowFloats) * shape.rows;
    const int row = static_cast<int>(shape.planeRow);
    const auto alongX = [&](int rows, int sign) {
        return fftwf_plan_many_dft(1, &nx, rows, planes, nullptr, 1, row, planes, nullptr, 1, row, sign,
                                   flags);
    };
    const auto alongY = [&](int sign) {
        return fftwf_plan_many_dft(1, &ny, nx, planes, nullptr, row, 1, planes, nullptr, row, 1, sign, flags);
    };
    plans_[RowForward] =
        fftwf_plan_many_dft_r2c(1, &nz, shape.columns, volume, nullptr, apart, 1, tof::complexes(transform),
                                nullptr, apart, 1, flags | FFTW_PRESERVE_INPUT);
    plans_[RowBackward] = fftwf_plan_many_dft_c2r(1, &nz, shape.columns, tof::complexes(transform), nullptr,
                                                  apart, 1, volume, nullptr, apart, 1, flags);
    plans_[XForward] = alongX(shape.rows, FFTW_FORWARD);
    plans_[XForwardWhole] = alongX(ny, FFTW_FORWARD);
    plans_[YForward] = alongY(FFTW_FORWARD);
    plans_[YBackward] = alongY(FFTW_BACKWARD);
    plans_[XBackward] = alongX(shape.rows, FFTW_BACKWARD);
    if (std::find(plans_.begin(), plans_.end(), nullptr) != plans_.end()) {
        std::for_each(plans_.begin(), plans_.end(), fftwf_destroy_plan);
        throw Unavailable(fmt::format(
            "FFTW cannot transform {} x {} x {} voxels; take other padding or engine cpu", nx, ny, nz));
    }
    if (effort == PlanEffort::Measured) {
        keepWisdom();
    }
}

PlanePlans::~PlanePlans() {
    const std::lock_guard<std::mutex> guard(plannerLock());
    std::for_each(plans_.begin(), plans_.end(), fftwf_destroy_plan);
}

void PlanePlans::forwardRow(const float* volume, float* transform) const {
    fftwf_execute_dft_r2c(plans_[RowForward], const_cast<float*>(volume), tof::complexes(transform));
}

void PlanePlans::backwardRow(float* transform, float* volume) const {
    fftwf_execute_dft_c2r(plans_[RowBackward], tof::complexes(transform), volume);
}

void PlanePlans::forwardPlane(float* plane) const {
    fftwf_execute_dft(plans_[XForward], tof::complexes(plane), tof::complexes(plane));
    fftwf_execute_dft(plans_[YForward], tof::complexes(plane), tof::complexes(plane));
}

void PlanePlans::forwardWholePlane(float* plane) const {
    fftwf_execute_dft(plans_[XForwardWhole], tof::complexes(plane), tof::complexes(plane));
    fftwf_execute_dft(plans_[YForward], tof::complexes(plane), tof::complexes(plane));
}

void PlanePlans::backwardPlane(float* plane) const {
    fftwf_execute_dft(plans_[YBackward], tof::complexes(plane), tof::complexes(plane));
    fftwf_execute_dft(plans_[XBackward], tof::complexes(plane), tof::complexes(plane));
}

const char* fftwVersion() {
    return fftwf_version;
}

}  // namespace tof
