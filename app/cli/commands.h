// SPDX-License-Identifier: Apache-2.0
// One maker per command of the table.
#pragma once

#include <memory>

#include "app/cli/command.h"

namespace tof {

[[nodiscard]] std::unique_ptr<Command> makeSimulateCommand();
[[nodiscard]] std::unique_ptr<Command> makeBinCommand();
[[nodiscard]] std::unique_ptr<Command> makeCorrectCommand();
[[nodiscard]] std::unique_ptr<Command> makeProjectCommand();
[[nodiscard]] std::unique_ptr<Command> makeReconstructCommand();
[[nodiscard]] std::unique_ptr<Command> makeRunsCommand();
[[nodiscard]] std::unique_ptr<Command> makeAnalyzeCommand();
[[nodiscard]] std::unique_ptr<Command> makeRoiCommand();
[[nodiscard]] std::unique_ptr<Command> makeCurvesCommand();
[[nodiscard]] std::unique_ptr<Command> makeTruthCommand();
[[nodiscard]] std::unique_ptr<Command> makeKineticsCommand();
[[nodiscard]] std::unique_ptr<Command> makeFigureCommand();
[[nodiscard]] std::unique_ptr<Command> makeRegisterCommand();
[[nodiscard]] std::unique_ptr<Command> makeKernelCommand();
[[nodiscard]] std::unique_ptr<Command> makeMeasureKernelCommand();
[[nodiscard]] std::unique_ptr<Command> makeCalibrateCommand();
[[nodiscard]] std::unique_ptr<Command> makeInfoCommand();
[[nodiscard]] std::unique_ptr<Command> makeListCommand();
[[nodiscard]] std::unique_ptr<Command> makeConvertCommand();
[[nodiscard]] std::unique_ptr<Command> makeDevicesCommand();
[[nodiscard]] std::unique_ptr<Command> makeManualCommand();

}  // namespace tof
