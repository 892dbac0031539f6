// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recon/phantom/attenuation.h"
#include "recon/simulate/emission.h"

namespace tof {

/// Tells from an attempt's first words alone that its pair is certainly lost in the phantom.
///
/// Nine pairs of ten from a body-sized phantom are; knowing it before a direction is drawn makes the
/// simulation several times faster and changes no event. It works where most is emitted in a cylinder and one
/// cylinder attenuates: then every line through a point, tilted by the acceptance or less, has at least a
/// certain length in the cylinder. Immutable; share between threads.
class EarlyLoss {
  public:
    EarlyLoss(const Phantom& phantom, const EmissionSampler& emission, const PairAttenuation& attenuation,
              double tanTilt);

    enum class Verdict : std::int32_t {
        Void,   ///< no emission: outside the shape
        Lost,   ///< an emission whose pair is attenuated
        Unsure  ///< to be followed
    };
    using Verdicts = std::array<Verdict, WordBatch::kAttempts>;
    void judge(const WordBatch& batch, Verdicts& verdicts) const;

    /// Constants of the judgement in the form the vector loop wants them. Lengths in mm, relative to the axis
    /// and the middle of the attenuating cylinder; words scaled to -1 .. 1.
    struct Screen {
        std::uint32_t bulkLimit =
            0;  ///< first words below this choose the bulk; their share of it is the height
        float wordToShare = 0;
        float offsetX = 0;  ///< offset x of the bulk against the body
        float offsetY = 0;
        float bottom = 0;  ///< bottom of the bulk
        float radius = 0;  ///< radius of the bulk
        float length = 0;
        float voidBeyond = 0;  ///< square of the distance from the bulk's axis
        float unsureBeyond = 0;
        float coverLow = 0;   ///< heights and squared distances from the bulk's axis between which other
        float coverHigh = 0;  ///< shapes may replace it
        float coverInner = 0;
        float coverOuter = 0;
        float radialScale = 0;
        float axialScale = 0;
    };

  private:
    /// The most that any word of a surviving pair can be, over a cell of distance from the axis and height.
    [[nodiscard]] std::uint32_t highestWord(const PhantomShape& body, std::size_t radial, std::size_t axial,
                                            double tanTilt) const;

    Screen screen_;
    std::vector<std::uint32_t>
        highest_;  ///< [square of the distance][height]; empty: nothing is ever certain
};

}  // namespace tof
