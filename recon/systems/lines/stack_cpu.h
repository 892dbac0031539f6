// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "recon/base/parallel.h"
#include "recon/seam/space.h"
#include "recon/systems/lines/plane_stack.h"

namespace tof {

/// Forward and back projection on host threads for planes that share their transverse paths. A path is
/// followed once for all sinograms; the planes of a family are neighbours in memory, in the data as in the
/// columns of the image. Back projection shares out the rows of the image, so every voxel is added to in the
/// order of the lines: the same bits for any number of threads.
class StackCpu {
  public:
    StackCpu(PlaneStack stack, const LineTable& lines, const Lattice& lattice);

    [[nodiscard]] std::size_t memoryBytes() const;
    /// p = F x for one part.
    void forward(std::size_t part, const float* image, float* p, const ThreadPool& pool);
    /// image = (or +=) F^T p.
    void back(std::size_t part, const float* p, Write write, float* image, const ThreadPool& pool);

  private:
    struct Line;  ///< one ray of one radial bin

    [[nodiscard]] std::size_t linesOfPart() const;
    /// Follows the transverse rays of a part.
    void followPaths(std::size_t part, const ThreadPool& pool);
    [[nodiscard]] Line lineOf(std::size_t part, std::size_t index) const;
    void forwardLine(const Line& line, float* sums) const;
    void backLine(const Line& line, const float* data, int firstRow, int lastRow);
    [[nodiscard]] float* column(int index) {
        return columns_.data() + static_cast<std::size_t>(index) * 2 * pitch_;
    }

    PlaneStack stack_;
    const LineTable& lines_;
    Lattice lattice_;
    std::size_t pitch_;                         ///< floats of one parity of a column
    std::vector<float> columns_;                ///< [column][parity of z][z / 2]
    std::vector<std::vector<PathStep>> paths_;  ///< paths of the rays of a part
    std::vector<float> rows_;                   ///< padded data of the rays of a part
};

}  // namespace tof
