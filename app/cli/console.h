// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "recon/base/error.h"
#include "recon/settings/eta.h"

namespace tof {

/// What a progress bar says.
struct BarState {
    std::string_view label;
    double share = 0;              ///< 0..1 of the whole
    std::string_view detail;       ///< where the work is, "iteration 2/5"
    std::optional<double> left_s;  ///< time left, once it can be told
};

/// Where the program talks: results to standard output; notes, progress and errors to standard error.
class Console {
  public:
    struct Style {
        bool json = false;    ///< results and errors as JSON, no notes
        bool quiet = false;   ///< results and errors only
        bool silent = false;  ///< not even those: another rank of the run says them
    };
    explicit Console(Style style);
    virtual ~Console() = default;
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    [[nodiscard]] bool json() const { return style_.json; }
    /// True when a progress bar would be seen: standard error is a terminal and nobody asked for silence.
    [[nodiscard]] virtual bool showsProgress() const { return showsProgress_; }
    /// Prints a result and a line end. Throws CannotWrite when standard output cannot take it.
    /// On a terminal control characters are shown, not sent.
    virtual void result(const std::string& given);
    /// Prints a result as JSON, indented by 2; bytes of file names that are no UTF-8 become U+FFFD.
    void resultAsJson(const nlohmann::ordered_json& form);
    /// Prints a remark for a person; nothing with --json or --quiet.
    virtual void note(const std::string& text);
    /// One sentence, or {"error": {...}}.
    void error(ErrorKind kind, const std::string& sentence);
    /// The line that is redrawn in place, cut to the width of the terminal. Only when showsProgress().
    void drawLine(const std::string& text);
    /// Draws a progress bar as such a line.
    virtual void drawBar(const BarState& bar);
    void clearLine();

  private:
    Style style_;
    bool showsProgress_;
    bool lineDrawn_ = false;
};

/// A progress bar with the time left, redrawn at most ten times a second and gone when destroyed.
class ProgressBar {
  public:
    ProgressBar(Console& console, std::string label);
    ~ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    /// `fraction` 0..1 of the whole; `detail` says where, "iteration 2/5".
    void update(double fraction, std::string_view detail = {});

  private:
    using Clock = std::chrono::steady_clock;
    Console& console_;
    std::string label_;
    EtaEstimator eta_;
    Clock::time_point start_;
    Clock::time_point drawn_;
};

}  // namespace tof
