// SPDX-License-Identifier: Apache-2.0
#include "app/log_file.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/ringbuffer_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>

#include "recon/base/user_folder.h"

namespace tof {

namespace {

constexpr std::size_t kFileBytes = 1000000;
constexpr std::size_t kOldFiles = 3;
constexpr std::size_t kLastLines = 200;

using Ring = spdlog::sinks::ringbuffer_sink_mt;

spdlog::level::level_enum levelOf(LogLevel level) {
    switch (level) {
        case LogLevel::Debug: return spdlog::level::debug;
        case LogLevel::Info: return spdlog::level::info;
        case LogLevel::Warning: return spdlog::level::warn;
        case LogLevel::Error: return spdlog::level::err;
    }
    return spdlog::level::err;
}

class SpdLog : public Log {
  public:
    SpdLog(const std::string& name, Verbosity verbosity)
        : ring_(std::make_shared<Ring>(kLastLines)), logger_(name, ring_) {
        const std::string folder = logFolder();
        try {
            if (!folder.empty()) {
                logger_.sinks().push_back(std::make_shared<spdlog::sinks::rotating_file_sink_mt>(
                    folder + "/" + name + ".log", kFileBytes, kOldFiles));
            }
        } catch (const spdlog::spdlog_ex&) {
            // Nothing that a program is used for depends on its log.
        }
        if (verbosity == Verbosity::Verbose) {
            logger_.sinks().push_back(std::make_shared<spdlog::sinks::stderr_sink_mt>());
        }
        logger_.set_level(verbosity == Verbosity::Verbose ? spdlog::level::debug : spdlog::level::info);
        logger_.set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %P %l: %v");
        logger_.flush_on(spdlog::level::trace);
        logger_.set_error_handler([](const std::string& /*fault*/) {});
    }

    void write(LogLevel level, const std::string& line) noexcept override {
        logger_.log(levelOf(level), spdlog::string_view_t(line));
    }

    [[nodiscard]] std::vector<std::string> lastLines() const override { return ring_->last_formatted(); }

  private:
    std::shared_ptr<Ring> ring_;
    spdlog::logger logger_;
};

}  // namespace

std::string logFolder() {
    return userFolder(UserFolder::State);
}

std::shared_ptr<Log> openLog(const std::string& name, Verbosity verbosity) {
    return std::make_shared<SpdLog>(name, verbosity);
}

}  // namespace tof
