// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>

#include "app/exit_code.h"
#include "recon/base/json_text.h"
#include "recon/base/plain_text.h"

namespace tof {

namespace {

constexpr int kBarCells = 24;
constexpr auto kRedraw = std::chrono::milliseconds(100);

const char* nameOf(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::WrongUse: return "wrong use";
        case ErrorKind::BadInput: return "bad input";
        case ErrorKind::Unavailable: return "unavailable";
        case ErrorKind::CannotWrite: return "cannot write";
        case ErrorKind::Cancelled: return "interrupted";
        case ErrorKind::Internal: break;
    }
    return "internal";
}

std::size_t terminalWidth() {
    winsize size{};
    const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

/// Notes and errors: nothing can be said of those that cannot be said.
void say(const std::string& text) {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
    std::fflush(stderr);
}

}  // namespace

Console::Console(Style style)
    : style_(style),
      showsProgress_(!style.json && !style.quiet && !style.silent && ::isatty(STDERR_FILENO) == 1) {}

void Console::result(const std::string& given) {
    if (style_.silent) {
        return;
    }
    clearLine();
    // What goes into a file or another program stays as it is.
    const std::string text = ::isatty(STDOUT_FILENO) == 1 ? shownText(given) : given;
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                         std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
    if (!written) {
        throw CannotWrite("standard output cannot be written: {}", std::strerror(errno));
    }
}

void Console::resultAsJson(const nlohmann::ordered_json& form) {
    result(jsonText(form, 2));
}

void Console::note(const std::string& text) {
    if (!style_.json && !style_.quiet && !style_.silent) {
        clearLine();
        say(shownText(text) + "\n");
    }
}

void Console::error(ErrorKind kind, const std::string& sentence) {
    clearLine();
    if (style_.json) {
        const nlohmann::json form{
            {"error", {{"code", exitCode(kind)}, {"kind", nameOf(kind)}, {"message", sentence}}}};
        say(jsonText(form) + "\n");
    } else {
        say("tofscope-cli: " + shownLine(sentence) + "\n");
    }
}

void Console::drawLine(const std::string& text) {
    if (showsProgress_) {
        say("\r" + shownLine(text.substr(0, terminalWidth() - 1)) + "\033[K");
        lineDrawn_ = true;
    }
}

void Console::drawBar(const BarState& bar) {
    const auto full = static_cast<std::size_t>(std::lround(bar.share * kBarCells));
    drawLine(fmt::format("{} [{}{}] {:3.0f} %{}{}{}", bar.label, std::string(full, '#'),
                         std::string(kBarCells - full, '.'), 100 * bar.share, bar.detail.empty() ? "" : "  ",
                         bar.detail,
                         bar.left_s ? fmt::format("  {} left", durationText(*bar.left_s)) : std::string()));
}

void Console::clearLine() {
    if (lineDrawn_) {
        say("\r\033[K");
        lineDrawn_ = false;
    }
}

ProgressBar::ProgressBar(Console& console, std::string label)
    : console_(console), label_(std::move(label)), start_(Clock::now()) {}

ProgressBar::~ProgressBar() {
    console_.clearLine();
}

void ProgressBar::update(double fraction, std::string_view detail) {
    const Clock::time_point now = Clock::now();
    if (!console_.showsProgress() || now - drawn_ < kRedraw) {
        return;
    }
    drawn_ = now;
    const double share = std::clamp(fraction, 0.0, 1.0);
    eta_.add(std::chrono::duration<double>(now - start_).count(), share);
    console_.drawBar({label_, share, detail, eta_.remaining_s()});
}

}  // namespace tof
