// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "recon/base/error.h"
#include "recon/settings/eta.h"

namespace tof {

/// Where the program talks: results to standard output; notes, progress and errors to standard error.
class Console {
  public:
    struct Style {
        bool json = false;    ///< results and errors as JSON, no notes
        bool quiet = false;   ///< results and errors only
        bool silent = false;  ///< not even those: another rank of the run says them
    };
    explicit Console(Style style);

    [[nodiscard]] bool json() const { return style_.json; }
    /// True when a progress bar would be seen: standard error is a terminal and nobody asked for silence.
    [[nodiscard]] bool showsProgress() const { return showsProgress_; }
    /// Prints a result and a line end. Throws CannotWrite when standard output cannot take it.
    /// On a terminal control characters are shown, not sent.
    void result(const std::string& given);
    /// Prints a result as JSON, indented by 2; bytes of file names that are no UTF-8 become U+FFFD.
    void resultAsJson(const nlohmann::ordered_json& form);
    /// Prints a remark for a person; nothing with --json or --quiet.
    void note(const std::string& text);
    /// One sentence, or {"error": {...}}.
    void error(ErrorKind kind, const std::string& sentence);
    /// The line that is redrawn in place, cut to the width of the terminal. Only when showsProgress().
    void drawLine(const std::string& text);
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
