// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <exception>

#include "app/engines.h"
#include "recon/base/error.h"
#include "ui/application.h"

int main(int argc, char** argv) {
    // A limit on file sizes then fails the write, which is reported and cleaned up, instead of ending the
    // program.
    std::signal(SIGXFSZ, SIG_IGN);
    try {
        const tof::EngineRegistry engines = tof::makeEngineRegistry();
        return tof::ui::runDesktop(argc, argv, engines);
    } catch (const tof::Error& error) {
        std::fprintf(stderr, "tofscope: %s\n", error.what());
        return static_cast<int>(error.exitCode());
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tofscope: internal error: %s\n", error.what());
        return static_cast<int>(tof::ExitCode::Internal);
    } catch (...) {
        std::fprintf(stderr, "tofscope: internal error of unknown kind\n");
        return static_cast<int>(tof::ExitCode::Internal);
    }
}
