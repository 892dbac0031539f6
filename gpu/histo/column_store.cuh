// SPDX-License-Identifier: Apache-2.0
// The column kernel's third scope: from shared memory into the output.
#pragma once

#include "gpu/histo/column_shared.cuh"

namespace tof::device {

/// One pixel of the output, planes `half`, half + 2, ... of a window; [lowest, highest) are the window's to
/// write.
template <ColumnOutput output>
class OutputColumn {
  public:
    __device__ OutputColumn(const ColumnWork& w, const WorkPlace& at, const BlockPixel& target, int planes)
        : half_(at.half),
          lowest_(at.window == 0 ? 0 : w.view.reach),
          highest_(min(at.window == w.allWindows - 1 ? planes : planes - w.view.reach, w.size[2] - at.z0)),
          plane_(static_cast<std::uint32_t>(w.size[0] * w.size[1])) {
        const std::size_t begin =
            static_cast<std::size_t>(at.z0 + half_) * plane_ +
            static_cast<std::size_t>((at.origin.y + target.y) * w.size[0] + at.origin.x + target.x);
        out_ = opaque(w.out.get() + begin);
        mult_ = w.mult.empty() ? nullptr : opaque(w.mult.get() + begin);
    }

    /// What the value `ahead` planes on is multiplied by and added to.
    __device__ void ask(int ahead, float& factor, float& addend) const {
        factor = 1;
        addend = 0;
        if (ahead + half_ >= lowest_ && ahead + half_ < highest_) {
            factor = mult_ == nullptr ? 1.0F : __ldcs(planesOn(mult_, plane_, static_cast<unsigned>(ahead)));
            if constexpr (output == ColumnOutput::Add) {
                addend = *planesOn(out_, plane_, static_cast<unsigned>(ahead));
            }
        }
    }

    /// Writes the value `ahead` planes on.
    __device__ void put(int ahead, float value, float factor, float addend) const {
        if (ahead + half_ >= lowest_ && ahead + half_ < highest_) {
            *planesOn(out_, plane_, static_cast<unsigned>(ahead)) =
                output == ColumnOutput::Overwrite ? factor * value : factor * value + addend;
        }
    }

  private:
    int half_;
    int lowest_;
    int highest_;
    std::uint32_t plane_;
    float* out_;
    const float* mult_;
};

/// What all planes of one pixel are multiplied by and added to. They are asked for before the halves of a
/// group are added up, so that they are on their way together, while other warps still multiply.
template <int Planes, ColumnOutput output>
class OutputTerms {
  public:
    __device__ void ask(const OutputColumn<output>& column) {
#pragma unroll
        for (int k = 0; k < kMine; ++k) {
            column.ask(2 * k, factor_[k], addend_[k]);
        }
    }

    /// Writes the planes, both halves of the pixel's group added up.
    __device__ void write(const OutputColumn<output>& column, const float* mine, int pitch) const {
#pragma unroll
        for (int k = 0; k < kMine; ++k) {
            const int ahead = 2 * k;
            const float value = mine[ahead * pitch] + mine[(Planes + ahead) * pitch];
            column.put(ahead, value, factor_[k], addend_[k]);
        }
    }

  private:
    static constexpr int kMine = Planes / 2;
    float factor_[kMine];
    float addend_[kMine];
};

}  // namespace tof::device
