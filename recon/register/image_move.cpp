// SPDX-License-Identifier: Apache-2.0
#include "recon/register/image_move.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cctype>
#include <cmath>

#include "recon/base/error.h"
#include "recon/metrics/robust_range.h"
#include "recon/register/moved_image.h"

namespace tof {

namespace {

constexpr const char* kDirections = "LPSRAI";  ///< along x, y, z, then against them

Eigen::Vector3d vectorOf(Vec3 v) {
    return {v.x, v.y, v.z};
}

/// Where an object is and how it spreads, mm and mm2.
struct Spread {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    Eigen::Matrix3d squares = Eigen::Matrix3d::Zero();
};

Spread spreadOf(const Volume& image) {
    constexpr double kBodyFrom_hu = -300;
    const double from = image.units == "HU" ? kBodyFrom_hu : 0.1 * robustRange(image).high;
    Spread spread;
    double voxels = 0;
    image.lattice.forEachVoxel([&](int x, int y, int z) {
        if (static_cast<double>(image.at(x, y, z)) > from) {
            const Eigen::Vector3d p = vectorOf(image.lattice.centre(x, y, z));
            voxels += 1;
            spread.middle += p;
            spread.squares += p * p.transpose();
        }
    });
    if (voxels > 0) {
        spread.middle /= voxels;
        spread.squares = spread.squares / voxels - spread.middle * spread.middle.transpose();
    }
    return spread;
}

}  // namespace

bool TrueAxes::mirror() const {
    const bool cyclic = (along[0] + 1) % 3 == along[1];
    return (cyclic ? 1 : -1) * sign[0] * sign[1] * sign[2] < 0;
}

TrueAxes TrueAxes::fromText(const std::string& option, const std::string& text) {
    TrueAxes axes;
    std::array<bool, 3> taken{};
    bool good = text.size() == axes.along.size();
    for (std::size_t k = 0; good && k < axes.along.size(); ++k) {
        const auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(text[k])));
        const std::size_t at = std::string(kDirections).find(upper);
        good = at != std::string::npos && !taken.at(at % 3);
        if (good) {
            axes.along[k] = static_cast<int>(at % 3);
            axes.sign[k] = at < 3 ? 1 : -1;
            taken.at(at % 3) = true;
        }
    }
    if (!good) {
        throw WrongUse(
            "{} is '{}'; it must be three letters, where x, y and z of the image run: L or R, P or A, S or "
            "I, "
            "as LPS",
            option, text);
    }
    return axes;
}

std::string TrueAxes::text() const {
    std::string text;
    for (std::size_t k = 0; k < along.size(); ++k) {
        text += kDirections[along[k] + (sign[k] < 0 ? 3 : 0)];
    }
    return text;
}

Volume reoriented(const Volume& image, const TrueAxes& axes) {
    const Lattice& from = image.lattice;
    Lattice to = from;
    for (std::size_t k = 0; k < 3; ++k) {
        const auto axis = static_cast<std::size_t>(axes.along[k]);
        to.size[axis] = from.size[k];
        to.spacing_mm[axis] = from.spacing_mm[k];
        const double last = from.origin_mm[k] + (from.size[k] - 1) * from.spacing_mm[k];
        to.origin_mm[axis] = axes.sign[k] > 0 ? from.origin_mm[k] : -last;
    }
    Volume out(to);
    out.units = image.units;
    from.forEachVoxel([&](int x, int y, int z) {
        const VoxelIndex at{x, y, z};
        VoxelIndex there{};
        for (std::size_t k = 0; k < 3; ++k) {
            there.at(static_cast<std::size_t>(axes.along[k])) =
                axes.sign[k] > 0 ? at[k] : from.size[k] - 1 - at[k];
        }
        out.data[to.index(there)] = image.at(at);
    });
    return out;
}

Pose straightening(const Volume& image) {
    const Spread spread = spreadOf(image);
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> axes(spread.squares);
    constexpr double kLonger = 1.1;
    const Eigen::Vector3d widths = axes.eigenvalues().cwiseMax(0).cwiseSqrt();  // ascending
    if (!(widths[2] > kLonger * widths[1])) {
        throw BadInput(
            "no axis of what the image shows is longer than the others by a tenth; turn it by hand");
    }
    Eigen::Vector3d longest = axes.eigenvectors().col(2);
    Eigen::Index nearest = 0;
    longest.cwiseAbs().maxCoeff(&nearest);
    longest *= longest[nearest] < 0 ? -1 : 1;
    // The smallest turn from one to the other, which are less than 55 degrees apart.
    const Eigen::Vector3d wanted = Eigen::Vector3d::Unit(nearest);
    const Eigen::Vector3d about = longest.cross(wanted);
    const Eigen::Matrix3d turn =
        Eigen::Quaterniond(1 + longest.dot(wanted), about.x(), about.y(), about.z()).normalized().matrix();
    Pose pose;
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            pose.turn[3 * row + column] =
                turn(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column));
        }
    }
    const Vec3 middle{spread.middle[0], spread.middle[1], spread.middle[2]};
    pose.shift = middle - pose.turned(middle);
    return pose;
}

Volume moved(const Volume& image, const ImageMove& move, const ThreadPool& pool) {
    Volume out = move.axes.areAsTold() ? image : reoriented(image, move.axes);
    const Pose straight = move.straighten == Straighten::Yes ? straightening(out) : Pose();
    const Pose place = move.place.after(poseOf(move.by, middleOf(out.lattice))).after(straight);
    if (place == Pose() && !move.onto) {
        return out;  // no value between others was asked for
    }
    return movedImage(out, place, move.onto ? *move.onto : latticeAround(out.lattice, place), samplingOf(out),
                      pool);
}

}  // namespace tof
