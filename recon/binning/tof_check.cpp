// SPDX-License-Identifier: Apache-2.0
#include "recon/binning/tof_check.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <random>
#include <unordered_map>

#include "recon/base/constants.h"
#include "recon/base/error.h"

namespace tof {

namespace {

constexpr std::size_t kMostEvents = 100000;
constexpr std::size_t kGroups = 10;
constexpr double kCell_mm = 10;
constexpr double kStandardErrors = 5;

/// Counts points in cells of space.
class Cells {
  public:
    void add(Vec3 p) {
        const auto part = [](double x) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(x / kCell_mm)) & 0xfffff);
        };
        pairs_ += cells_[part(p.x) << 40U | part(p.y) << 20U | part(p.z)]++;
        ++points_;
    }
    /// Chance that two points share a cell.
    [[nodiscard]] double collisions() const {
        const auto n = static_cast<double>(points_);
        return points_ > 1 ? static_cast<double>(pairs_) / (0.5 * n * (n - 1)) : 0.0;
    }

  private:
    std::unordered_map<std::uint64_t, std::uint64_t> cells_;
    std::uint64_t pairs_ = 0;
    std::uint64_t points_ = 0;
};

struct Line {
    Vec3 middle;
    Vec3 along;      ///< unit vector to point 2
    double dt_mm;    ///< from the middle to the most likely point
    double nearest;  ///< where the line is nearest to the axis, mm from the middle
    double halfway;  ///< half of what lies inside the field of view, mm; 0: nothing
    [[nodiscard]] Vec3 at(double mm) const { return middle + mm * along; }
};

Line lineOf(Vec3 one, Vec3 two, double dt_ps, double radius_mm) {
    Line line{0.5 * (one + two), normalized(two - one), kMmPerPs * dt_ps, 0, 0};
    const double slope = std::hypot(line.along.x, line.along.y);
    if (slope > 1e-9) {
        line.nearest = -(line.middle.x * line.along.x + line.middle.y * line.along.y) / (slope * slope);
        const Vec3 p = line.at(line.nearest);
        const double gap = radius_mm * radius_mm - p.x * p.x - p.y * p.y;
        line.halfway = std::min(gap > 0 ? std::sqrt(gap) / slope : 0.0, 0.5 * norm(two - one));
    }
    return line;
}

/// The point with the least sum of squared distances to the lines, each weighted by how near it passes the
/// last estimate (a Cauchy weight of 5 mm): lines of scattered and random events do not pull.
Vec3 nearestPoint(const std::vector<Line>& lines, Vec3 start) {
    constexpr int kEstimates = 30;
    constexpr double kWidth_mm = 5;
    Vec3 found = start;
    for (int round = 0; round < kEstimates; ++round) {
        Eigen::Matrix3d sum = Eigen::Matrix3d::Zero();
        Eigen::Vector3d right = Eigen::Vector3d::Zero();
        for (const Line& line : lines) {
            const Vec3 away = cross(found - line.middle, line.along);
            // The first round has no estimate to speak of: all lines count alike.
            const double weight = round == 0 ? 1.0 : 1 / (1 + dot(away, away) / (kWidth_mm * kWidth_mm));
            const Eigen::Vector3d u(line.along.x, line.along.y, line.along.z);
            const Eigen::Matrix3d across = weight * (Eigen::Matrix3d::Identity() - u * u.transpose());
            sum += across;
            right += across * Eigen::Vector3d(line.middle.x, line.middle.y, line.middle.z);
        }
        const Eigen::LDLT<Eigen::Matrix3d> solver(sum);
        if (!(solver.vectorD().minCoeff() > 1e-9)) {  // all lines are parallel
            return start;
        }
        const Eigen::Vector3d x = solver.solve(right);
        found = {x[0], x[1], x[2]};
    }
    return found;
}

}  // namespace

std::size_t tofCheckStep(std::size_t events) {
    return std::max<std::size_t>((events + kMostEvents - 1) / kMostEvents, 1);
}

TofCheck checkTof(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, 2>>& pairs,
                  const std::vector<float>& dt_ps, double radius_mm) {
    if (pairs.empty() || dt_ps.size() != pairs.size()) {
        throw BadInput("there are no times of flight to check; give list-mode that has them");
    }
    TofCheck check;
    const std::size_t step = tofCheckStep(pairs.size());
    std::vector<Line> lines;
    for (std::size_t i = 0; i < pairs.size(); i += step) {
        const auto [c1, c2] = pairs[i];
        if (c1 >= points.size() || c2 >= points.size()) {
            throw BadInput(
                "an event names a crystal that the scanner has not; give the scanner of this list");
        }
        lines.push_back(lineOf(points[c1], points[c2], static_cast<double>(dt_ps[i]), radius_mm));
    }
    check.events = lines.size();
    std::array<Cells, kGroups> stated;
    std::array<Cells, kGroups> reversed;
    std::array<Cells, kGroups> anywhere;
    std::mt19937_64 random(1);
    Vec3 sum;
    std::size_t inside = 0;
    std::size_t insideReversed = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        const auto lies = [&](double mm) { return std::abs(mm - line.nearest) < line.halfway; };
        stated[i % kGroups].add(line.at(line.dt_mm));
        reversed[i % kGroups].add(line.at(-line.dt_mm));
        const double share = static_cast<double>(random() >> 11U) * 0x1p-53;
        anywhere[i % kGroups].add(line.at(line.nearest + (2 * share - 1) * line.halfway));
        insideReversed += lies(-line.dt_mm) ? 1 : 0;
        if (lies(line.dt_mm)) {
            ++inside;
            sum = sum + line.at(line.dt_mm);
        }
    }
    const auto n = static_cast<double>(lines.size());
    check.inside = static_cast<double>(inside) / n;
    check.insideReversed = static_cast<double>(insideReversed) / n;
    check.centre = inside > 0 ? (1 / static_cast<double>(inside)) * sum : Vec3{};
    double base = 0;
    double mean = 0;
    double square = 0;
    for (std::size_t g = 0; g < kGroups; ++g) {
        const double one = stated[g].collisions();
        const double other = reversed[g].collisions();
        check.sharpness += one;
        check.sharpnessReversed += other;
        base += anywhere[g].collisions();
        mean += (one - other) / kGroups;
        square += (one - other) * (one - other) / kGroups;
    }
    check.sharpness = base > 0 ? check.sharpness / base : 0;
    check.sharpnessReversed = base > 0 ? check.sharpnessReversed / base : 0;
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / (kGroups - 1));
    check.significance = error > 0 ? mean / error : 0;
    if (std::abs(check.significance) >= kStandardErrors) {
        check.sign = check.significance > 0 ? TofSign::AsStated : TofSign::Reversed;
    }
    check.point = nearestPoint(lines, check.centre);
    return check;
}

}  // namespace tof
