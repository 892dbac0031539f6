// SPDX-License-Identifier: Apache-2.0
#include "recon/corrections/frame_shares.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "recon/base/error.h"
#include "recon/base/sum.h"
#include "recon/frames/frame_cutter.h"

namespace tof {

namespace {

constexpr int kSteps = 200;  ///< halvings, more than a double has digits

/// Where a function that grows from `low` on, and is below `wanted` there, reaches it.
template <class Function>
double solved(double low, double high, double wanted, const Function& grows) {
    for (int step = 0; step < kSteps; ++step) {
        const double middle = 0.5 * (low + high);
        (grows(middle) < wanted ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

/// What is alive of the time of every frame whose other prompts are `trues`, for the mean over time `alive`.
std::vector<double> aliveOfFrames(const FramedCounts& frames, const std::vector<double>& trues,
                                  double alive) {
    std::vector<double> found(trues.size(), 1.0);
    double all_s = 0;
    double most = 0;
    for (std::size_t i = 0; i < trues.size(); ++i) {
        all_s += frames.frames[i].measured_s();
        most = std::max(most, trues[i] / frames.frames[i].measured_s());
    }
    if (!(alive > 0 && alive < 1) || most <= 0) {
        return found;
    }
    // alive a of a frame of rate t: (1 - a) a = c t, which has its greatest value where a is a half.
    const auto of = [&](double c, std::size_t i) {
        const double loss = c * trues[i] / frames.frames[i].measured_s();
        return 0.5 * (1 + std::sqrt(std::max(0.0, 1 - 4 * loss)));
    };
    const auto dead = [&](double c) {
        double sum = 0;
        for (std::size_t i = 0; i < trues.size(); ++i) {
            sum += frames.frames[i].measured_s() * (1 - of(c, i));
        }
        return sum / all_s;
    };
    const double c = solved(0, 0.25 / most, 1 - alive, dead);
    for (std::size_t i = 0; i < found.size(); ++i) {
        found[i] = of(c, i);
    }
    return found;
}

}  // namespace

std::vector<double> delayedsOfFrames(const FramedCounts& frames, std::span<const std::uint32_t> time_ms,
                                     const std::string& source) {
    const auto gates = static_cast<std::size_t>(std::max(frames.gates, 1));
    std::vector<TimeFrame> times;
    for (std::size_t i = 0; i < frames.frames.size(); i += gates) {
        times.push_back(frames.frames[i].time);
    }
    FrameCutter cutter(times, source, 0);
    std::vector<double> counts(frames.frames.size(), 0.0);
    for (const FrameCutter::Piece& piece : cutter.cut(time_ms)) {
        const std::size_t first = piece.frame * gates;
        double on_s = 0;
        for (std::size_t k = 0; k < gates; ++k) {
            on_s += frames.frames[first + k].measured_s();
        }
        // Where gates leave out time, so many are in none of them.
        const double all_s = std::max(on_s, frames.frames[first].time.duration_s);
        for (std::size_t k = 0; k < gates; ++k) {
            counts[first + k] +=
                static_cast<double>(piece.end - piece.begin) * frames.frames[first + k].measured_s() / all_s;
        }
    }
    return counts;
}

std::vector<double> randomsOfFrames(const FramedCounts& frames, double total) {
    std::vector<double> rates;
    for (const FrameCounts& one : frames.frames) {
        rates.push_back(static_cast<double>(one.kept) / one.measured_s());
    }
    const auto randoms = [&](double k) {  // of every frame, where p = t + k t^2
        std::vector<double> found;
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const double t = 2 * rates[i] / (1 + std::sqrt(1 + 4 * k * rates[i]));
            found.push_back((rates[i] - t) * frames.frames[i].measured_s());
        }
        return found;
    };
    if (!(total > 0) || frames.kept() == 0) {
        return std::vector<double>(rates.size(), 0.0);
    }
    double high = 1 / *std::max_element(rates.begin(), rates.end());
    constexpr double kMost = 1e12;
    const double limit = kMost * high;
    while (high < limit && sumOf(randoms(high)) < total) {
        high *= 2;
    }
    return randoms(solved(0, high, total, [&](double k) { return sumOf(randoms(k)); }));
}

std::shared_ptr<const FramedCounts> withCorrections(FramedCounts frames, const CorrectionsOfScan& scan) {
    std::vector<double> randoms = scan.delayeds;
    if (const double all = sumOf(randoms); all > 0) {
        for (double& of : randoms) {
            of *= scan.randoms / all;
        }
    } else {
        randoms = randomsOfFrames(frames, scan.randoms);
    }
    const double all = sumOf(randoms);
    std::vector<double> trues;
    for (std::size_t i = 0; i < randoms.size(); ++i) {
        trues.push_back(std::max(0.0, static_cast<double>(frames.frames[i].kept) - randoms[i]));
    }
    const double allTrues = sumOf(trues);
    const std::vector<double> alive = aliveOfFrames(frames, trues, scan.alive.value_or(1));
    for (std::size_t i = 0; i < randoms.size(); ++i) {
        FrameCounts& frame = frames.frames[i];
        const double over = alive[i] / scan.alive.value_or(1);
        frame.live = scan.alive.value_or(0) > 0 ? over * over : 1;
        if (all > 0 || scan.scatter > 0) {
            const double rest = allTrues > 0 ? trues[i] / allTrues : -1;
            const double ofRandoms = all > 0 ? randoms[i] / all : -1;
            frame.addShare = all > 0 && scan.values == nullptr ? ofRandoms : rest;
            frame.randomsShare = scan.values != nullptr ? ofRandoms : -1;
        }
    }
    if (all > 0 || scan.scatter > 0) {
        frames.randoms = all > 0 ? scan.values : nullptr;
        frames.totalRandoms = frames.randoms != nullptr ? scan.randoms : 0;
    }
    return std::make_shared<const FramedCounts>(std::move(frames));
}

}  // namespace tof
