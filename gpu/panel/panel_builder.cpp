// SPDX-License-Identifier: Apache-2.0
#include "gpu/panel/panel_builder.h"

#include <array>

#include "gpu/panel/matrix_kernels.h"

namespace tof {

namespace {

using device::MatrixSlab;

/// Voxels of a launch: some milliseconds of work.
constexpr std::int64_t kVoxelsOfBatch = std::int64_t{1} << 19U;

/// Neighbouring kernels that are integrated together.
struct VoxelBatch {
    std::size_t firstKernel = 0;
    std::size_t kernels = 0;
    std::size_t firstSlab = 0;
    std::size_t slabs = 0;
    std::int64_t voxels = 0;
};

/// The planes of all kernels, their offsets counted from that of their batch.
struct Slabs {
    std::vector<MatrixSlab> all;
    std::vector<std::size_t> firstOfKernel;  ///< kernels + 1
    std::vector<VoxelBatch> batches;
    std::int64_t largest = 0;  ///< batch, voxels
};

Slabs slabsOf(const PanelGeometry& geometry, const std::vector<PanelClass>& kernels,
              const device::PanelVoxels& voxels, const ThreadPool& pool) {
    std::vector<std::vector<MatrixSlab>> byKernel(kernels.size());
    pool.forRange(byKernel.size(), 16, [&](std::size_t begin, std::size_t end) {
        for (std::size_t k = begin; k < end; ++k) {
            byKernel[k] = device::matrixSlabs(geometry, voxels, kernels[k]);
        }
    });
    Slabs slabs;
    for (std::size_t k = 0; k < byKernel.size(); ++k) {
        if (slabs.batches.empty() || slabs.batches.back().voxels > kVoxelsOfBatch) {
            slabs.batches.push_back({k, 0, slabs.all.size(), 0, 0});
        }
        VoxelBatch& batch = slabs.batches.back();
        slabs.firstOfKernel.push_back(slabs.all.size());
        for (MatrixSlab slab : byKernel[k]) {
            slab.kernel = static_cast<std::int32_t>(k);
            slab.offset = batch.voxels;
            batch.voxels += slab.voxels();
            slabs.all.push_back(slab);
        }
        ++batch.kernels;
        batch.slabs = slabs.all.size() - batch.firstSlab;
        slabs.largest = std::max(slabs.largest, batch.voxels);
    }
    slabs.firstOfKernel.push_back(slabs.all.size());
    return slabs;
}

/// Two batches take turns: while the host puts one together the card integrates the other.
class Builder {
  public:
    Builder(const PanelMatrix& plan, std::span<const int> wanted, CudaSpace& space, PanelKernelSink& sink)
        : plan_(plan),
          wanted_(wanted),
          space_(space),
          sink_(sink),
          kernels_(kernelsOf(plan, wanted)),
          voxels_(device::panelVoxels(plan.geometry, plan.quadrature)),
          slabs_(slabsOf(plan.geometry, kernels_, voxels_, space.pool())),
          deviceSlabs_(space.uploaded(slabs_.all, "panel matrix")) {
        std::vector<PanelPair> pairs;
        for (const PanelClass& which : kernels_) {
            pairs.push_back(panelPair(plan.geometry, which));
        }
        pairs_ = space.uploaded(pairs, "panel matrix");
        for (Turn& turn : turns_) {
            turn.values = space.buffer<float>(static_cast<std::size_t>(slabs_.largest), "panel matrix");
            turn.host = PinnedBuffer<float>(static_cast<std::size_t>(slabs_.largest));
            turn.done = makeEvent(EventUse::Order);
        }
    }
    ~Builder() { static_cast<void>(cudaStreamSynchronize(space_.stream())); }
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    void run() {
        const std::size_t batches = slabs_.batches.size();
        for (std::size_t b = 0; b <= batches; ++b) {
            sink_.checkpoint();
            if (b < batches) {
                start(slabs_.batches[b], turns_[b % 2]);
            }
            if (b > 0) {
                finish(slabs_.batches[b - 1], turns_[(b - 1) % 2]);
            }
        }
    }

  private:
    static std::vector<PanelClass> kernelsOf(const PanelMatrix& plan, std::span<const int> wanted) {
        std::vector<PanelClass> kernels;
        kernels.reserve(wanted.size());
        for (const int k : wanted) {
            kernels.push_back(plan.kernels[static_cast<std::size_t>(k)]);
        }
        return kernels;
    }

    struct Turn {
        DeviceBuffer<float> values;
        PinnedBuffer<float> host;
        OwnedEvent done;
    };

    void start(const VoxelBatch& batch, Turn& turn) {
        device::fillSlabs(space_.stream(), voxels_, pairs_.span(),
                          deviceSlabs_.span().part(batch.firstSlab, batch.slabs), turn.values.span());
        const std::size_t bytes = static_cast<std::size_t>(batch.voxels) * sizeof(float);
        check(cudaMemcpyAsync(turn.host.get(), turn.values.get(), bytes, cudaMemcpyDeviceToHost,
                              space_.stream()),
              "copy a panel matrix to the host", {bytes});
        check(cudaEventRecord(turn.done.get(), space_.stream()), "mark a batch of a panel matrix");
    }

    /// Waits for a batch; its kernels go to the sink.
    void finish(const VoxelBatch& batch, const Turn& turn) {
        check(cudaEventSynchronize(turn.done.get()), "integrate a panel matrix",
              {static_cast<std::size_t>(batch.voxels)});
        std::vector<PanelEntries> made(batch.kernels);
        space_.pool().forRange(batch.kernels, 1, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t k = batch.firstKernel + i;
                const std::span<const MatrixSlab> slabs(
                    slabs_.all.data() + slabs_.firstOfKernel[k],
                    slabs_.firstOfKernel[k + 1] - slabs_.firstOfKernel[k]);
                made[i] =
                    device::entriesOfSlabs(plan_.geometry, plan_.quadrature, kernels_[k], slabs,
                                           {turn.host.get() + slabs.front().offset,
                                            static_cast<std::size_t>(batch.voxels - slabs.front().offset)});
            }
        });
        for (std::size_t i = 0; i < made.size(); ++i) {
            sink_.done(wanted_[batch.firstKernel + i], std::move(made[i]));
        }
    }

    const PanelMatrix& plan_;
    std::span<const int> wanted_;
    CudaSpace& space_;
    PanelKernelSink& sink_;
    std::vector<PanelClass> kernels_;  ///< that are wanted
    device::PanelVoxels voxels_;
    Slabs slabs_;
    DeviceBuffer<MatrixSlab> deviceSlabs_;
    DeviceBuffer<PanelPair> pairs_;
    std::array<Turn, 2> turns_;
};

}  // namespace

void makePanelKernels(const PanelMatrix& plan, std::span<const int> wanted, CudaSpace& space,
                      PanelKernelSink& sink) {
    if (!wanted.empty()) {
        Builder(plan, wanted, space, sink).run();
    }
}

}  // namespace tof
