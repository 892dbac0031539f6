// SPDX-License-Identifier: Apache-2.0
#include "app/cli/inline_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "app/cli/interrupt.h"
#include "app/cli/text_table.h"
#include "recon/metrics/figures_of_merit.h"

namespace tof {

void InlineRunner::preparing(const std::string& what) {
    setUpBar_.reset();
    console_.drawLine(fmt::format("preparing: {}", what));
}

void InlineRunner::shareReady(const std::string& what, double share) {
    constexpr int kStep = 10;
    const int percent = static_cast<int>(100 * share) / kStep * kStep;
    if (!console_.showsProgress() && percent > toldPercent_) {
        console_.note(fmt::format("{}: {} %", what, percent));
    }
    toldPercent_ = std::max(toldPercent_, percent);
    if (setUpBar_ == nullptr) {
        setUpBar_ = std::make_unique<ProgressBar>(console_, what);
    }
    setUpBar_->update(share);
}

void InlineRunner::checkpoint() {
    throwIfInterrupted();
}

void InlineRunner::progress(const RunProgress& progress) {
    if (bar_ == nullptr) {
        bar_ = std::make_unique<ProgressBar>(console_, "reconstruct");
    }
    const double done =
        progress.iteration - 1 + static_cast<double>(progress.block) / static_cast<double>(progress.blocks);
    bar_->update(done / progress.iterations,
                 fmt::format("iteration {}/{}, block {}/{}", progress.iteration, progress.iterations,
                             progress.block, progress.blocks));
}

void InlineRunner::notice(const std::string& sentence) {
    console_.note(sentence);
}

void InlineRunner::figures(const Figures& figures) {
    figures_.push_back(figures);
}

void InlineRunner::iterateDone(Iterate iterate) {
    lastIteration_ = iterate.iteration;
    ++iterationsHere_;
    seconds_ += iterate.seconds;
    for (std::size_t i = 0; i < kStages && i < iterate.stageSeconds.size(); ++i) {
        stageSeconds_[i] += iterate.stageSeconds[i];
    }
    std::string text = fmt::format("iteration {:3}  {:8.2f} s", iterate.iteration, iterate.seconds);
    if (!figures_.empty() && figures_.back().iteration == iterate.iteration) {
        const Figures& f = figures_.back();
        text += fmt::format("  CRC {} +- {}  noise {}", figureText(f.crc), figureText(f.crcSd),
                            figureText(f.noise));
    }
    if (iterate.objective) {
        text += fmt::format("  log-likelihood {:.8g}  beta R {:.6g}", iterate.objective->logLikelihood,
                            iterate.objective->penalty);
    }
    if (iterate.change) {
        text += fmt::format("  change {:.3g}", *iterate.change);
    }
    console_.note(text);
}

std::string InlineRunner::timingTable() const {
    const int iterations = std::max(iterationsHere_, 1);
    std::vector<std::vector<std::string>> rows{{"stage", "ms/iteration", "share"}};
    const auto add = [&](const std::string& name, double seconds) {
        rows.push_back({name, fmt::format("{:.2f}", 1e3 * seconds / iterations),
                        seconds_ > 0 ? fmt::format("{:.1f} %", 100 * seconds / seconds_) : std::string("-")});
    };
    for (std::size_t i = 0; i < kStages; ++i) {
        add(stageName(static_cast<Stage>(i)), stageSeconds_[i]);
    }
    add("other", seconds_ - std::accumulate(stageSeconds_.begin(), stageSeconds_.end(), 0.0));
    add("total", seconds_);
    return textTable(rows);
}

}  // namespace tof
