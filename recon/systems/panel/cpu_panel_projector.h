// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "recon/seam/engine.h"
#include "recon/seam/host_space.h"
#include "recon/systems/panel/panel_model.h"
#include "recon/systems/panel/simd/panel_kernels.h"

namespace tof {

/// Two panels on host threads: a correlation per class and sign. Forward projection divides the classes among
/// threads and back projection the planes of the image, so nothing is added by two threads: the same bits
/// every time.
class CpuPanelProjector : public Projector {
  public:
    /// Keeps `model.matrix` and `model.parts`.
    CpuPanelProjector(const PanelModel& model, std::shared_ptr<HostSpace> space);

    [[nodiscard]] Space& space() override { return *space_; }
    [[nodiscard]] std::size_t imageSize() const override { return model_.lattice.voxels(); }
    [[nodiscard]] std::size_t parts() const override { return model_.parts->parts(); }
    [[nodiscard]] std::size_t dataSize(std::size_t /*part*/) const override { return model_.parts->partSize; }
    [[nodiscard]] std::size_t memoryBytes() const override;
    [[nodiscard]] double multiplyAdds(std::size_t part) const override;
    [[nodiscard]] bool addsInShares() const override { return false; }
    void forward(std::size_t part, ConstView x, MutableView p) override;
    void back(std::size_t part, ConstView p, MutableView x, Write write) override;
    /// Lines without counts have the ratio 0 whatever is expected of them, and are not projected; those
    /// around them come with them, as rows of lines are one piece of work.
    void backDiscrepancy(std::size_t part, const PartData& data, Discrepancy kind, ConstView seen,
                         MutableView scratch, MutableView out, Write write) override;

  private:
    /// A class of a part with one sign.
    struct Task {
        PanelClass orientation;
        int sign = 0;
        std::size_t share = 0;
        std::size_t data = 0;    ///< first of its lines in the part
        std::size_t padded = 0;  ///< how much of it is in `padded_`
    };
    /// Neighbouring lines of a task, some of them not zero; outside of its windows all are.
    struct Window {
        int row = 0;  ///< shifts along z
        int rows = 0;
        int column = 0;  ///< shifts along y, the first a whole number of vectors
        int columns = 0;
    };
    using Forward = void (*)(const PanelRun&, const float*, float*);
    using Back = void (*)(const PanelRun&, const float*, float*);

    void apart(const float* image);
    /// What a thread of back projection keeps from plane to plane.
    struct PlaneWork {
        std::vector<std::int32_t> offsets;
        std::vector<double> sums;
    };
    /// What the tasks of a share give of a plane, into its rows.
    void backPlane(const std::vector<Task>& tasks, std::size_t share, std::size_t plane, PlaneWork& work);
    /// The rows of all shares into an image.
    void together(float* image, Write write);
    /// Adds the shares of one voxel, which lies at `place` in the rows.
    void addShares(std::size_t voxel, std::size_t place, Write write, float& image);
    /// The image of a share by rows.
    [[nodiscard]] float* rowsOf(std::size_t share) {
        return apart_.view().data + share * slab_ * static_cast<std::size_t>(model_.matrix->geometry.planes);
    }
    void pad(const std::vector<Task>& tasks, const float* data);
    /// The windows of data with rows `stride` apart.
    [[nodiscard]] std::vector<Window> windowsOf(const Task& task, const float* data,
                                                std::size_t stride) const;
    [[nodiscard]] Window allOf(const Task& task) const;
    /// The lines where `measured` is not zero, and some around them; all where it is null.
    void forwardWhere(std::size_t part, ConstView x, const float* measured, MutableView p);
    /// Entries [begin, end) of the task's kernel as the kernels want them, of all its lines; `offsets` keeps
    /// them.
    [[nodiscard]] PanelRun run(const Task& task, std::size_t begin, std::size_t end, std::size_t from,
                               std::vector<std::int32_t>& offsets) const;
    [[nodiscard]] int kernelOf(const Task& task) const;
    [[nodiscard]] std::size_t rowPlace(int x, int phaseZ, int phaseY, int z) const {
        return static_cast<std::size_t>(x) * slab_ +
               (static_cast<std::size_t>(phaseZ * model_.matrix->geometry.voxelsPerPitch + phaseY) *
                    static_cast<std::size_t>(model_.matrix->geometry.crystals[1]) +
                static_cast<std::size_t>(z)) *
                   row_;
    }

    PanelModel model_;
    std::shared_ptr<HostSpace> space_;
    std::size_t row_ = 0;   ///< floats of a row along y: the crystals of a head
    std::size_t slab_ = 0;  ///< floats of a plane of the image, all its rows
    std::vector<std::vector<Task>> tasks_;
    std::vector<std::vector<std::uint32_t>> planeStarts_;  ///< [kernel][plane]: first entry
    Array apart_;                                          ///< images by rows, one for each share
    Array padded_;                                         ///< data of a part in rows of whole vectors
    /// An image in its making: what each share has given, and what rounding took from that.
    struct ShareSum {
        Array sum;
        Array lost;
    };
    std::vector<ShareSum> sums_;
    std::vector<std::vector<Window>> windows_;  ///< windows of each task in padded_
    Forward forward_;
    Back back_;
};

/// The cpu engine's projector for this system; one strategy, `panel`.
[[nodiscard]] ProjectorOrWhyNot makeCpuProjector(const PanelModel& model, std::shared_ptr<HostSpace> space,
                                                 const EngineOptions& options);

}  // namespace tof
