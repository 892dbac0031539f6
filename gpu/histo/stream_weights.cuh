// SPDX-License-Identifier: Apache-2.0
// The weights of the stream kernel, made in registers (stream_plan.h says from what).
#pragma once

#include "gpu/histo/hopper.cuh"
#include "gpu/histo/stream_work.h"

namespace tof::device {

/// A pixel of a group.
struct StreamPixel {
    int along;
    int line;
};

/// The two targets of a lane, r = 0 and 1. Lanes that write together have neighbours in x: 8 pixels of a
/// warp's line, or where lines run along y, 4 lines.
__device__ inline StreamPixel targetOf(const StreamView& v, int warp, int lane, int r) {
    const int row = lane >> 2;
    return v.alongY ? StreamPixel{(row >> 2) + 2 * r + 4 * warp, row & 3} : StreamPixel{row + 8 * r, warp};
}

/// The weights of one lane. Of the 64 x 16 of a product it holds, for q = 2 o + r, its two targets and
/// sources 2 (lane % 4) + {0, 1} of octet o.
template <Gather gather, StreamForm form>
class StreamWeights {
  public:
    __device__ StreamWeights(const StreamView& v, const std::uint16_t* support, int warp, int lane)
        : radial_(v.radial.get()),
          support_(sharedAddress(support)),
          slope_(-2 * v.root),
          square_(-v.root * v.root),
          bend_(v.bend),
          box_(static_cast<unsigned>(v.box)),
          rowStride_(static_cast<unsigned>(v.rowStride)) {
        const int source = 2 * (lane & 3);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            const StreamPixel target = targetOf(v, warp, lane, r);
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const int a = source + k - target.along;
                const int b = v.rise[source + k] - v.rise[target.along] - target.line;
                // The rise of a negative offset is that of its pixel 16 further on, two octets lower.
                const int rise = v.rise[(a + kStreamAlong) & (kStreamAlong - 1)] - (a < 0 ? 2 * v.climb : 0);
                place_[r][k] = (b - rise) * v.pitch + a + v.centre;
                shift_[r][k] =
                    -v.root * (v.gradient[0] * static_cast<float>(a) + v.gradient[1] * static_cast<float>(b));
            }
        }
    }

    /// By target: the rows of the lane's two targets.
    __device__ void setRows(unsigned first, unsigned second) {
        rowAt_[0] = first * rowStride_;
        rowAt_[1] = second * rowStride_;
    }

    /// Asks for the factors and the support of an entry. `rows`, by source: those of the lane's two sources
    /// of each octet.
    __device__ void ask(const StreamEntry& entry, const std::uint32_t (&rows)[2]) {
        const int2 from = *reinterpret_cast<const int2*>(&entry.place);
        unsigned first[2] = {0, 0};
        if constexpr (form == StreamForm::Table) {
            first[0] = static_cast<unsigned>(entry.distance[0]);
            first[1] = static_cast<unsigned>(entry.distance[1]);
        }
        const std::uint32_t word = support_ + 2U * static_cast<std::uint32_t>(entry.word);
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const int r = q & 1;
            const int o = q >> 1;
#pragma unroll
            for (int k = 0; k < 2; ++k) {
                const auto at = static_cast<unsigned>(place_[r][k] + (o == 0 ? from.x : from.y));
                asm volatile("{.reg .u16 h;\n ld.shared.u16 h, [%1];\n cvt.u32.u16 %0, h;}"
                             : "=r"(bits_[q][k])
                             : "r"(word + 2U * at));
                const unsigned row = gather == Gather::BySource
                                         ? (k == 0 ? rows[o] & 0xFFFFU : rows[o] >> 16) * rowStride_
                                         : rowAt_[r];
                asked_[q][k] = row + at + (o == 0 ? first[0] : first[1]);
                factor_[q][k] = __ldg(radial_ + asked_[q][k]);
            }
        }
    }

    /// Turns to the entry that was asked for last; the number of its steps.
    __device__ int turnTo(const StreamEntry& entry) {
        const float2 distance = *reinterpret_cast<const float2*>(&entry.distance);
        const std::uint32_t info = entry.info;
        const unsigned first[2] = {info & 31U, info >> 5 & 31U};
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const int r = q & 1;
            const int o = q >> 1;
            mask_[q] = (bits_[q][0] | bits_[q][1] << 16) << first[o];
            if constexpr (form == StreamForm::Flat) {
                splitTwo(factor_[q][0], factor_[q][1], parts_[q], rests_[q]);
            } else if constexpr (form == StreamForm::Table) {
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    value_[q][k] = factor_[q][k];
                    at_[q][k] = asked_[q][k];
                }
            } else {
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    const float d = (o == 0 ? distance.x : distance.y) + shift_[r][k];
                    value_[q][k] = factor_[q][k] * powerOfTwo(-d * d);
                    ratio_[q][k] = powerOfTwo(slope_ * d + square_);
                }
            }
        }
        return static_cast<int>(info >> 10 & 31U);
    }

    /// The weights of one dz (flat: of one d) as operands of a product, in two parts; goes on to the next.
    __device__ void make(std::uint32_t (&parts)[4], std::uint32_t (&rests)[4]) {
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            const std::uint32_t mask = signsOfHalves(mask_[q]);
            mask_[q] <<= 1;
            if constexpr (form == StreamForm::Flat) {
                parts[q] = parts_[q] & mask;
                rests[q] = rests_[q] & mask;
            } else {
                splitTwo(value_[q][0], value_[q][1], parts[q], rests[q]);
                parts[q] &= mask;
                rests[q] &= mask;
#pragma unroll
                for (int k = 0; k < 2; ++k) {
                    if constexpr (form == StreamForm::Table) {
                        at_[q][k] += box_;
                        value_[q][k] = __ldg(radial_ + at_[q][k]);
                    } else {
                        value_[q][k] *= ratio_[q][k];
                        ratio_[q][k] *= bend_;
                    }
                }
            }
        }
    }

  private:
    const float* radial_;
    std::uint32_t support_;
    float slope_;
    float square_;
    float bend_;
    unsigned box_;
    unsigned rowStride_;
    int place_[2][2];
    float shift_[2][2];
    unsigned rowAt_[2] = {0, 0};
    unsigned asked_[4][2];  ///< where the factors asked for last lie
    unsigned at_[4][2];     ///< Table: where the values in use lie
    float factor_[4][2];
    std::uint32_t bits_[4][2];
    float value_[4][2];
    float ratio_[4][2];
    std::uint32_t mask_[4];
    std::uint32_t parts_[4];  ///< flat: of the factors
    std::uint32_t rests_[4];
};

}  // namespace tof::device
