// SPDX-License-Identifier: Apache-2.0
// What a script can do: one row per option of the command line that is carried out in order.
#pragma once

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "recon/base/error.h"
#include "recon/io/bytes/named_file.h"

namespace tof::ui {

class MainWindow;
class Desk;

/// One word of a script.
struct ScriptStep {
    QString name;   ///< "open", "demo", "cursor", ...
    QString value;  ///< its argument, or empty
};

/// What steps work on, and what they leave to the script.
struct ScriptStage {
    MainWindow& window;
    Desk& desk;
    std::function<bool()> waiting{};  ///< true once the step is complete; empty: it is
    std::optional<Error> fault{};     ///< that of a step that failed later than it was carried out
    bool exit = false;                ///< leave the rest and end the program
    double pictureScale = 2;
    std::shared_ptr<OutsideAllowed> outside{};  ///< --allow-outside was said
};

struct ScriptAction {
    const char* name;   ///< the option without its dashes
    const char* value;  ///< what stands behind it in the help; "" for none
    const char* help;
    /// Throws the errors of recon/base/error.h.
    void (*carryOut)(ScriptStage& stage, const ScriptStep& step);
};

/// In the order of the help. Files are opened by the action "open", which has no option.
[[nodiscard]] const std::vector<ScriptAction>& scriptActions();
/// Carries out a step of the table, or opens a file.
void carryOut(ScriptStage& stage, const ScriptStep& step);

/// Throws WrongUse naming option and value; `needed` says what would be right.
[[noreturn]] void refuse(const ScriptStep& step, const std::string& needed);
/// KEY=VALUE; throws WrongUse naming the option.
[[nodiscard]] std::pair<QString, QString> keyAndValue(const ScriptStep& step);

}  // namespace tof::ui
