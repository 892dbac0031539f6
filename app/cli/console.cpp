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

}  // namespace

Console::Console(Style style)
    : style_(style),
      showsProgress_(!style.json && !style.quiet && !style.silent && ::isatty(STDERR_FILENO) == 1) {}

void Console::result(const std::string& text) {
    if (style_.silent) {
        return;
    }
    clearLine();
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() &&
                         std::fputc('\n', stdout) != EOF && std::fflush(stdout) == 0;
    if (!written) {
        throw CannotWrite("standard output cannot be written: {}", std::strerror(errno));
    }
}

void Console::resultAsJson(const nlohmann::ordered_json& form) {
    result(form.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
}

void Console::note(const std::string& text) {
    if (!style_.json && !style_.quiet && !style_.silent) {
        clearLine();
        fmt::print(stderr, "{}\n", text);
    }
}

void Console::error(ErrorKind kind, const std::string& sentence) {
    clearLine();
    if (style_.json) {
        const nlohmann::json form{
            {"error", {{"code", exitCode(kind)}, {"kind", nameOf(kind)}, {"message", sentence}}}};
        fmt::print(stderr, "{}\n", form.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
    } else {
        fmt::print(stderr, "tofscope-cli: {}\n", sentence);
    }
}

void Console::drawLine(const std::string& text) {
    if (showsProgress_) {
        fmt::print(stderr, "\r{}\033[K", text.substr(0, terminalWidth() - 1));
        std::fflush(stderr);
        lineDrawn_ = true;
    }
}

void Console::clearLine() {
    if (lineDrawn_) {
        fmt::print(stderr, "\r\033[K");
        std::fflush(stderr);
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
    const auto full = static_cast<std::size_t>(std::lround(share * kBarCells));
    const std::optional<double> left = eta_.remaining_s();
    console_.drawLine(fmt::format("{} [{}{}] {:3.0f} %{}{}{}", label_, std::string(full, '#'),
                                  std::string(kBarCells - full, '.'), 100 * share, detail.empty() ? "" : "  ",
                                  detail,
                                  left ? fmt::format("  {} left", durationText(*left)) : std::string()));
}

}  // namespace tof
