// SPDX-License-Identifier: Apache-2.0
// What is done to an image so that it lies as it should.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "recon/base/lattice.h"
#include "recon/base/parallel.h"
#include "recon/motion/pose.h"
#include "recon/register/rigid_place.h"

namespace tof {

/// Where the axes of an image really run: its x, y and z, each along an axis of the scanner or against it.
/// Voxels stay as they are and get other places, by a turn or mirror about the scanner's centre, so that
/// images that lay on each other still do.
struct TrueAxes {
    std::array<int, 3> along{0, 1, 2};
    std::array<int, 3> sign{1, 1, 1};
    [[nodiscard]] bool operator==(const TrueAxes&) const = default;
    [[nodiscard]] bool areAsTold() const { return *this == TrueAxes(); }
    /// Left and right, say, change places.
    [[nodiscard]] bool mirror() const;

    /// Three letters, the directions of x, y and z: L or R, P or A, S or I, in any order. "LPS" is what
    /// images here are. Throws WrongUse that names `option`.
    [[nodiscard]] static TrueAxes fromText(const std::string& option, const std::string& text);
    [[nodiscard]] std::string text() const;
};

/// The image with its axes where they really run, no value changed.
[[nodiscard]] Volume reoriented(const Volume& image, const TrueAxes& axes);

/// The shortest turn, about the middle of what is there, that lays its longest axis along the nearest axis of
/// the scanner; what is there exceeds a tenth of the robust range, or -300 HU. Throws BadInput where no axis
/// is longer than the others by a tenth.
[[nodiscard]] Pose straightening(const Volume& image);

/// Whether an image is turned by straightening().
enum class Straighten { No, Yes };

/// Steps that make another image of one, in this order.
struct ImageMove {
    TrueAxes axes;
    Straighten straighten = Straighten::No;
    RigidPlace by;                     ///< by hand, about the middle of the image
    Pose place;                        ///< carries the image elsewhere
    std::optional<Lattice> onto = {};  ///< where it is then sampled; empty: around itself, by its own spacing
    [[nodiscard]] bool isNone() const {
        return axes.areAsTold() && straighten == Straighten::No && by == RigidPlace() && place == Pose() &&
               !onto;
    }
};

/// The image after these steps; interpolated but where it was only reoriented. Throws as straightening().
[[nodiscard]] Volume moved(const Volume& image, const ImageMove& move, const ThreadPool& pool);

}  // namespace tof
