// SPDX-License-Identifier: Apache-2.0
#include "gpu/scatter/cuda_scatter.h"

#include <algorithm>

#include "gpu/scatter/scatter_kernels.h"
#include "gpu/space/cuda_check.h"
#include "gpu/space/cuda_device.h"
#include "gpu/space/cuda_owned.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::int32_t kMostPlaces = 512;       ///< what the kernel's threads hold
constexpr std::size_t kPairsPerLaunch = 16384;  ///< between two looks at the control

/// The sums of one problem, with copies of all it needs on the device.
class DeviceSums {
  public:
    DeviceSums(const ScatterProblem& problem, int device)
        : device_(std::make_shared<CudaDevice>(device)), ledger_(std::make_shared<MemoryLedger>()) {
        if (problem.places > kMostPlaces) {
            throw Unavailable("scatter on a device takes lines of {} places, not {}; take the cpu engine",
                              kMostPlaces, problem.places);
        }
        device_->use();
        std::size_t free = 0;
        std::size_t all = 0;
        check(cudaMemGetInfo(&free, &all), "ask for the free memory");
        ledger_->device = device_;
        ledger_->limit = free;
        stream_ = makeStream();
        arrays_.tables = problem.tables;
        arrays_.tables.acceptance =
            copied(problem.tables.acceptance, static_cast<std::size_t>(problem.tables.energies), acceptance_);
        arrays_.tables.water = copied(problem.tables.water, CrossSections::kSize, water_);
        arrays_.tables.crystal = copied(problem.tables.crystal, CrossSections::kSize, crystal_);
        arrays_.detectors = static_cast<std::uint32_t>(problem.detectors);
        arrays_.points = static_cast<std::uint32_t>(problem.strengths.size());
        arrays_.strengths = copied(problem.strengths.data(), problem.strengths.size(), strengths_);
        arrays_.rays = copied(problem.rays.data(), problem.rays.size(), rays_);
        arrays_.activity = copied(problem.activity.data(), problem.activity.size(), activity_);
        arrays_.pairs = copied(problem.pairs.data(), problem.pairs.size(), pairs_);
        arrays_.first_mm = problem.first_mm;
        arrays_.places = problem.places;
        values_ = {ledger_, problem.pairs.size() * static_cast<std::size_t>(problem.places),
                   "scatter of lines"};
        arrays_.values = values_.get();
    }
    DeviceSums(const DeviceSums&) = delete;
    DeviceSums& operator=(const DeviceSums&) = delete;
    ~DeviceSums() { static_cast<void>(cudaStreamSynchronize(stream_.get())); }

    void run(const std::function<void(double)>& progress) {
        const std::size_t pairs = pairs_.size();
        for (std::size_t first = 0; first < pairs; first += kPairsPerLaunch) {
            const std::size_t count = std::min(kPairsPerLaunch, pairs - first);
            device::addUpScatter(arrays_, first, count, stream_.get());
            if (progress) {
                check(cudaStreamSynchronize(stream_.get()), "add up scatter", {count});
                progress(static_cast<double>(first + count) / static_cast<double>(pairs));
            }
        }
    }

    void fetch(ScatterSums& sums) {
        fetch(values_, sums.values);
        check(cudaStreamSynchronize(stream_.get()), "add up scatter", {pairs_.size()});
    }

  private:
    template <class T>
    const T* copied(const T* from, std::size_t size, DeviceBuffer<T>& to) {
        to = {ledger_, size, "tables of the scatter estimate"};
        to.uploadFrom({from, size}, stream_.get());
        return to.get();
    }
    template <class T>
    void fetch(const DeviceBuffer<T>& from, std::vector<T>& to) {
        to.resize(from.size());
        check(cudaMemcpyAsync(to.data(), from.get(), from.bytes(), cudaMemcpyDeviceToHost, stream_.get()),
              "copy scatter", {from.bytes()});
    }

    std::shared_ptr<CudaDevice> device_;
    std::shared_ptr<MemoryLedger> ledger_;
    OwnedStream stream_;
    device::ScatterArrays arrays_{};
    DeviceBuffer<double> acceptance_;
    DeviceBuffer<float> water_;
    DeviceBuffer<float> crystal_;
    DeviceBuffer<double> strengths_;
    DeviceBuffer<ScatterRay> rays_;
    DeviceBuffer<float> activity_;
    DeviceBuffer<ScatterPair> pairs_;
    DeviceBuffer<float> values_;
};

}  // namespace

ScatterSummer cudaScatter(int device) {
    const CudaDevice known(device);  // throws where there is none
    return [device](const ScatterProblem& problem, ScatterSums& sums,
                    const std::function<void(double)>& progress) {
        if (problem.pairs.empty() || problem.strengths.empty()) {
            sums.values.assign(problem.pairs.size() * static_cast<std::size_t>(problem.places), 0.0F);
            return;
        }
        DeviceSums device_(problem, device);
        device_.run(progress);
        device_.fetch(sums);
    };
}

}  // namespace tof
