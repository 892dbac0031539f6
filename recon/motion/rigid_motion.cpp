// SPDX-License-Identifier: Apache-2.0
#include "recon/motion/rigid_motion.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "recon/base/error.h"

namespace tof {

namespace {

constexpr double kReach_mm = 150;  ///< how far a head reaches from the centre

/// Adds time to the pose that is alike, which becomes the mean of both, or as a new one; returns its number.
std::size_t addTo(std::vector<WeighedPose>& all, const WeighedPose& one, double alike_mm) {
    const auto alike = std::find_if(all.rbegin(), all.rend(), [&](const WeighedPose& known) {
        return known.pose.distance(one.pose, kReach_mm) < alike_mm;
    });
    if (alike == all.rend()) {
        all.push_back(one);
        return all.size() - 1;
    }
    alike->weight += one.weight;
    alike->pose = between(alike->pose, one.pose, one.weight / alike->weight);
    return static_cast<std::size_t>(all.rend() - alike) - 1;
}

}  // namespace

RigidMotion::RigidMotion(std::vector<TimedPose> poses, double end_ms, PoseBetween between, std::string source)
    : poses_(std::move(poses)), end_ms_(end_ms), between_(between), source_(std::move(source)) {
    if (poses_.empty()) {
        throw BadInput("{}: holds no poses; give at least one", source_);
    }
    for (std::size_t i = 0; i < poses_.size(); ++i) {
        if (!(endOf(i) > poses_[i].time_ms)) {
            throw BadInput("{}: pose {} is at {:.15g} ms and ends at {:.15g} ms; times must ascend", source_,
                           i + 1, poses_[i].time_ms, endOf(i));
        }
        back_.push_back(poses_[i].pose.inverse());
    }
}

void RigidMotion::requireCover(double duration_s, const std::string& list) const {
    if (!(duration_s > 0)) {
        throw BadInput(
            "{}: does not say how long it is, so nobody knows how long each pose of {} lasted; give a list "
            "with its duration",
            list, source_);
    }
    constexpr double kSlack_ms = 1;  // events' times are whole ms
    if (start_ms() > 0) {
        throw BadInput(
            "{}: its first pose is at {:.15g} ms, and {} begins at 0 ms; give poses from the list's start on",
            source_, start_ms(), list);
    }
    if (end_ms_ + kSlack_ms < 1e3 * duration_s) {
        throw BadInput(
            "{}: its poses end at {:.15g} ms, and {} lasts until {:.15g} ms; give poses to its end", source_,
            end_ms_, list, 1e3 * duration_s);
    }
}

std::size_t RigidMotion::indexAt(double time_ms) const {
    // Behind the end by a part of the last ms, an event may be.
    if (!(time_ms >= start_ms()) || time_ms >= end_ms_ + 1) {
        throw BadInput(
            "{}: has poses from {:.15g} to {:.15g} ms, and an event happened at {:.15g} ms; give "
            "poses of the whole list",
            source_, start_ms(), end_ms_, time_ms);
    }
    const auto next = std::upper_bound(poses_.begin(), poses_.end(), time_ms,
                                       [](double t, const TimedPose& pose) { return t < pose.time_ms; });
    return static_cast<std::size_t>(next - poses_.begin()) - 1;
}

bool RigidMotion::goesOn(std::size_t index) const {
    return between_ == PoseBetween::Interpolate && index + 1 < poses_.size();
}

Pose RigidMotion::poseAt(std::size_t index, double time_ms) const {
    if (!goesOn(index)) {
        return poses_[index].pose;
    }
    const double begin = poses_[index].time_ms;
    return tof::between(poses_[index].pose, poses_[index + 1].pose,
                        (time_ms - begin) / (endOf(index) - begin));
}

const Pose& RigidMotion::Walk::back(double time_ms) {
    if (!(time_ms >= motion_.poses_[at_].time_ms && time_ms < motion_.endOf(at_))) {
        at_ = motion_.indexAt(time_ms);
    }
    if (!motion_.goesOn(at_)) {
        return motion_.back_[at_];
    }
    made_ = motion_.poseAt(at_, time_ms).inverse();
    return made_;
}

bool RigidMotion::still() const {
    return std::all_of(poses_.begin(), poses_.end(), [](const TimedPose& one) { return one.pose == Pose(); });
}

PoseSteps RigidMotion::steps(double duration_s, double halfLife_s, double alike_mm) const {
    const double last_ms = 1e3 * duration_s;
    PoseSteps steps;
    for (std::size_t i = 0; i < poses_.size(); ++i) {
        const double begin = std::max(poses_[i].time_ms, 0.0);
        const double end = i + 1 < poses_.size() ? std::min(endOf(i), last_ms) : last_ms;
        if (!(end > begin)) {
            continue;
        }
        const double way =
            goesOn(i) ? poses_[i].pose.distance(poses_[i + 1].pose, kReach_mm) : 0;  // within this time
        const auto parts = static_cast<std::size_t>(std::ceil(way / alike_mm)) + 1;
        const double length = (end - begin) / static_cast<double>(parts);
        for (std::size_t k = 0; k < parts; ++k) {
            const double from = begin + static_cast<double>(k) * length;
            steps.starts_ms.push_back(from);
            steps.which.push_back(addTo(steps.poses, {poseAt(i, from + 0.5 * length), length}, alike_mm));
        }
    }
    const std::vector<double> weights = steps.weights(0, last_ms, halfLife_s);
    for (std::size_t i = 0; i < weights.size(); ++i) {
        steps.poses[i].weight = weights[i];
    }
    return steps;
}

}  // namespace tof
