// SPDX-License-Identifier: Apache-2.0
#include "recon/simulate/course_stretches.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace tof {

namespace {

/// What the parts of a course emit by step, as relative decays a second.
class Emissions {
  public:
    explicit Emissions(const PhantomCourse& course) : course_(course) {
        for (std::size_t part = 0; part < course.parts().size(); ++part) {
            weights_.push_back(emissionsOf(course.phantomOf(part, 0)));
        }
        for (std::size_t step = 0; step < course.steps().count; ++step) {
            peak_ = std::max(peak_, in(step));
        }
    }

    [[nodiscard]] double of(std::size_t part, std::size_t step) const {
        const TimeSteps& steps = course_.steps();
        return weights_[part] *
               course_.parts()[part].emitted.integral(steps.edge_s(step), steps.edge_s(step + 1)) /
               steps.length_s;
    }
    [[nodiscard]] double in(std::size_t step) const {
        double sum = 0;
        for (std::size_t part = 0; part < weights_.size(); ++part) {
            sum += of(part, step);
        }
        return sum;
    }
    [[nodiscard]] bool alike(std::size_t a, std::size_t b) const {
        constexpr double kMostChange = 0.05;
        constexpr double kLeastOfPeak = 0.1;
        double change = 0;
        for (std::size_t part = 0; part < weights_.size(); ++part) {
            change += std::abs(of(part, a) - of(part, b));
        }
        return change <= kMostChange * std::max(in(a), kLeastOfPeak * peak_);
    }

  private:
    const PhantomCourse& course_;
    std::vector<double> weights_;  ///< relative emissions of a part whose curve is 1
    double peak_ = 0;
};

/// Steps of one state, and the decays up to the end of each.
struct Pieces {
    std::vector<std::size_t> steps;
    std::vector<double> upTo;

    [[nodiscard]] double timeAt(double share, const TimeSteps& time) const {
        const double until = share * upTo.back();
        const auto found = std::min(std::upper_bound(upTo.begin(), upTo.end(), until), upTo.end() - 1);
        const double before = found == upTo.begin() ? 0 : *(found - 1);
        const double within = (until - before) / (*found - before);
        const std::size_t step = steps[static_cast<std::size_t>(found - upTo.begin())];
        const double last_s = time.edge_s(time.count) - 1e-3;
        return std::min(time.edge_s(step) + std::clamp(within, 0.0, 1.0) * time.length_s, last_s);
    }
};

Stretch stretchOf(const PhantomCourse& course, const Emissions& emissions, std::size_t state,
                  std::vector<std::size_t> steps) {
    const TimeSteps time = course.steps();
    auto pieces = std::make_shared<Pieces>();
    double decays = 0;
    std::vector<double> activities(course.parts().size(), 0.0);
    for (const std::size_t step : steps) {
        decays += emissions.in(step)*time.length_s;
        pieces->upTo.push_back(decays);
        for (std::size_t part = 0; part < activities.size(); ++part) {
            activities[part] +=
                course.parts()[part].emitted.integral(time.edge_s(step), time.edge_s(step + 1));
        }
    }
    Stretch stretch;
    stretch.length_s = time.length_s * static_cast<double>(steps.size());
    stretch.activity = decays / stretch.length_s;
    for (double& activity : activities) {
        activity /= stretch.length_s;
    }
    stretch.phantom = course.phantomOf(activities, state);
    pieces->steps = std::move(steps);
    stretch.when_s = [pieces, time](double share) { return pieces->timeAt(share, time); };
    return stretch;
}

}  // namespace

std::vector<Stretch> stretchesOf(const PhantomCourse& course) {
    const Emissions emissions(course);
    std::vector<Stretch> stretches;
    const std::size_t count = course.steps().count;
    for (std::size_t begin = 0; begin < count;) {
        std::vector<std::vector<std::size_t>> byState(course.states());
        std::size_t end = begin;
        for (; end < count && emissions.alike(begin, end); ++end) {
            byState[course.stateOf(end)].push_back(end);
        }
        for (std::size_t state = 0; state < byState.size(); ++state) {
            if (!byState[state].empty()) {
                stretches.push_back(stretchOf(course, emissions, state, std::move(byState[state])));
            }
        }
        begin = end;
    }
    return stretches;
}

}  // namespace tof
